"""The ready-made protocols that ship with the program."""

from __future__ import annotations

from archstudio.bench.tasks import UnknownName
from archstudio.files.data import data_path
from archstudio.files.strict_json import read_json
from archstudio.study.protocol.model import Protocol, checked_protocol


def ready_made() -> tuple[str, ...]:
    """Names of the shipped protocols."""
    names = (each.name for each in data_path("fixtures", "studies").iterdir())
    return tuple(sorted(name.removesuffix(".json") for name in names if name.endswith(".json")))


def ready_protocol(name: str) -> Protocol:
    """The shipped protocol of this name; raises `UnknownName`."""
    if name not in ready_made():
        raise UnknownName("ready-made study", name, ready_made())
    file = f"{name}.json"
    return checked_protocol(read_json(data_path("fixtures", "studies", file)), file)
