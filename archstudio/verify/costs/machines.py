"""The machines whose bandwidth and arithmetic are known, from `profiles/hardware.json`."""

from __future__ import annotations

from functools import cache
from typing import Any

from archstudio.files.data import data_path
from archstudio.files.strict_json import read_json
from archstudio.verify.costs.latency import Machine


class UnknownMachine(KeyError):
    """There is no profile of this machine; `known` lists those there are."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        self.name, self.known = name, known
        super().__init__(str(self))

    def __str__(self) -> str:
        return f"There is no machine {self.name!r}. Choose one of: {', '.join(self.known)}."


@cache
def machines() -> dict[str, Machine]:
    """All machines by name, in the order of the file."""
    content: Any = read_json(data_path("profiles", "hardware.json"))
    listed = (Machine(m["name"], m["bandwidthGBs"], m["peakTflops"]) for m in content["machines"])
    return {machine.name: machine for machine in listed}


def machine_named(name: str) -> Machine:
    """The machine of this name; raises UnknownMachine."""
    known = machines()
    if name not in known:
        raise UnknownMachine(name, tuple(known))
    return known[name]
