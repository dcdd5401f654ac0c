"""What an edit is: a value that changes a graph and returns the edit that takes it back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from archstudio.graph import Graph

VERSION = 1
"""Version of the recorded form of edits, in journals, logs and the clipboard."""

_KINDS: dict[str, type[Edit]] = {}


class EditRefused(ValueError):
    """An edit that cannot be made; the graph is as it was."""


class Edit(ABC):
    """One change of a graph, as data. Subclasses are frozen dataclasses."""

    kind: ClassVar[str]

    def __init_subclass__(cls, kind: str | None = None, **rest: Any) -> None:
        super().__init_subclass__(**rest)
        if kind is not None:
            cls.kind = kind
            _KINDS[kind] = cls

    @abstractmethod
    def apply(self, graph: Graph) -> Edit:
        """Change the graph and return the inverse; EditRefused leaves the graph as it was."""

    @abstractmethod
    def record(self) -> dict[str, Any]:
        """The edit's fields as JSON values, without its kind."""

    @classmethod
    @abstractmethod
    def from_record(cls, record: dict[str, Any]) -> Edit:
        """The edit that `record` describes."""

    def to_json(self) -> dict[str, Any]:
        """The recorded form: kind first, then the fields."""
        return {"kind": self.kind, **self.record()}


def edit_from_json(record: Any) -> Edit:
    """Read an edit back from its recorded form; EditRefused for an unknown kind or fields that do not fit it."""
    if not isinstance(record, dict):
        raise EditRefused("a recorded edit is an object with a kind")
    fields = dict(record)
    kind = fields.pop("kind", None)
    if not isinstance(kind, str) or kind not in _KINDS:
        raise EditRefused(f"unknown edit kind {kind!r}; a newer Arch Studio may have written it")
    try:
        return _KINDS[kind].from_record(fields)
    except (KeyError, TypeError, ValueError, IndexError) as fault:
        if isinstance(fault, EditRefused):
            raise
        raise EditRefused(f"the recorded edit {kind!r} cannot be read ({type(fault).__name__}: {fault})") from fault


@dataclass(frozen=True)
class Batch(Edit, kind="batch"):
    """Several edits that are made, and taken back, as one step."""

    edits: tuple[Edit, ...]
    label: str = ""

    def apply(self, graph: Graph) -> Edit:
        inverses: list[Edit] = []
        try:
            for edit in self.edits:
                inverses.append(edit.apply(graph))  # noqa: PERF401 - those made so far are needed when one is refused
        except Exception:
            for inverse in reversed(inverses):
                inverse.apply(graph)
            raise
        return Batch(tuple(reversed(inverses)), self.label)

    def record(self) -> dict[str, Any]:
        return {"label": self.label, "edits": [e.to_json() for e in self.edits]}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Edit:
        return cls(tuple(edit_from_json(e) for e in record["edits"]), record.get("label", ""))


def batch(edits: Sequence[Edit], label: str = "") -> Edit:
    """One edit out of several."""
    return Batch(tuple(edits), label)
