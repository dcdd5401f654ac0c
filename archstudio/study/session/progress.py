"""How far one item of a session has come: the graph at work, what was tried, what was answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from archstudio.bench.grade import Submission
from archstudio.edits.base import Batch, Edit
from archstudio.graph import Graph
from archstudio.study.items import Item
from archstudio.study.session.timing import Timeline


@dataclass(slots=True)
class Work:
    """A graph being worked on: as it is, and as the present turn found it."""

    graph: Graph
    turn_start: Graph
    used: Submission = field(default_factory=Submission)
    gestures: int = 0
    undos: int = 0
    done: list[tuple[Edit, Edit]] = field(default_factory=list)
    """Edits in force with their inverses."""
    undone: list[tuple[Edit, Edit]] = field(default_factory=list)

    def edit(self, edit: Edit) -> None:
        """Make an edit."""
        self.done.append((edit, edit.apply(self.graph)))
        self.undone.clear()
        self.gestures += 1

    def undo(self, count: int) -> None:
        """Take the last edits back."""
        for _ in range(count):
            edit, inverse = self.done.pop()
            inverse.apply(self.graph)
            self.undone.append((edit, inverse))

    def redo(self, count: int) -> None:
        """Make edits again that were taken back."""
        for _ in range(count):
            edit, _ = self.undone.pop()
            self.done.append((edit, edit.apply(self.graph)))

    def foreign(self, edit: Edit) -> None:
        """Make an edit that stands for an undo or redo but is none of the known ones."""
        edit.apply(self.graph)
        self.done.clear()
        self.undone.clear()

    def copy(self) -> Work:
        """Another one at the same point, which goes its own way."""
        return replace(
            self,
            graph=self.graph.copy(),
            turn_start=self.turn_start.copy(),
            done=list(self.done),
            undone=list(self.undone),
        )

    def steps_back(self, edit: Edit) -> int | None:
        """How many of the last edits `edit` takes back; None if it is something else."""
        return _steps(edit, [inverse for _, inverse in reversed(self.done)])

    def steps_forward(self, edit: Edit) -> int | None:
        """How many undone edits `edit` makes again; None if it is something else."""
        return _steps(edit, [again for again, _ in reversed(self.undone)])


def _steps(edit: Edit, known: list[Edit]) -> int | None:
    if known and known[0] == edit:
        return 1
    if isinstance(edit, Batch) and edit.edits and tuple(known[: len(edit.edits)]) == edit.edits:
        return len(edit.edits)
    return None


@dataclass(slots=True)
class Tried:
    """One audit or submission."""

    kind: str
    number: int
    at_ms: int
    active_ms: int
    gestures: int
    undos: int
    data: Mapping[str, Any]


@dataclass(slots=True)
class Answered:
    """The answer to a question, and what came after it."""

    at_ms: int
    active_ms: int
    data: Mapping[str, Any]
    revealed: Mapping[str, Any] | None = None
    lesson: str = ""


@dataclass(slots=True)
class Shown:
    """One item as it went in this session."""

    item: Item
    position: int
    at_ms: int
    time: Timeline
    work: Work | None = None
    tried: list[Tried] = field(default_factory=list)
    answered: Answered | None = None
    first_action_ms: int | None = None
    locked_at_ms: int | None = None
    lock_reason: str | None = None
    shows: int = 1
    text_opened: int = 0
    flag: Mapping[str, Any] | None = None
    seen_before: bool | None = None

    @property
    def locked(self) -> bool:
        """Whether the answer is final."""
        return self.locked_at_ms is not None

    def count(self, kind: str) -> int:
        """How many audits or submissions there were."""
        return sum(each.kind == kind for each in self.tried)

    @property
    def passed(self) -> bool:
        """Whether the last submission passed."""
        submitted = [each for each in self.tried if each.kind == "submit"]
        return bool(submitted) and bool(submitted[-1].data["g"]["passed"])
