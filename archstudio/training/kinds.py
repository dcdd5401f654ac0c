"""The kinds of jobs a worker can do, by name, so that rooms above can add theirs without being known here."""

from collections.abc import Callable
from importlib import import_module
from typing import cast

from archstudio.training.control import Control
from archstudio.training.loop import Job
from archstudio.training.reporting import Send
from archstudio.training.store import SeedResult

JobKind = Callable[[Job, Control, Send], SeedResult | None]
"""Does the whole job; returns None when it was stopped and can go on later."""

BUILT_IN = {"train": "archstudio.training.loop:train", "probe": "archstudio.training.probe:probe"}


class UnknownKind(Exception):
    """A job of a kind that this worker was not told about."""

    def __init__(self, kind: str, known: list[str]) -> None:
        self.kind = kind
        self.known = known
        super().__init__(f"This worker has no job kind '{kind}'; it knows {', '.join(known)}.")


def load_kind(kind: str, places: dict[str, str]) -> JobKind:
    """Import and return a job kind from its place "module:function"; raises `UnknownKind`."""
    if kind not in places:
        raise UnknownKind(kind, sorted(places))
    module, _, name = places[kind].partition(":")
    return cast(JobKind, getattr(import_module(module), name))
