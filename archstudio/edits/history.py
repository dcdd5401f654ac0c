"""Undo and redo without limit: one step an intent, as edits and their inverses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from archstudio.edits.base import Batch, Edit
from archstudio.graph import Graph

Listener: TypeAlias = Callable[[Edit], None]


@dataclass(slots=True)
class _Step:
    label: str
    made: list[Edit]
    inverses: list[Edit]
    merge_key: str | None

    @property
    def forward(self) -> Edit:
        return self.made[0] if len(self.made) == 1 else Batch(tuple(self.made), self.label)

    @property
    def inverse(self) -> Edit:
        return self.inverses[0] if len(self.inverses) == 1 else Batch(tuple(reversed(self.inverses)), self.label)


class History:
    """The steps made on one graph. `position` steps are in force; the rest were taken back."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._steps: list[_Step] = []
        self._position = 0
        self._clean: int | None = 0
        self._listeners: list[Listener] = []

    @property
    def labels(self) -> list[str]:
        """Names of all steps, also of those taken back."""
        return [step.label for step in self._steps]

    @property
    def position(self) -> int:
        """How many steps are in force."""
        return self._position

    @property
    def can_undo(self) -> bool:
        """Whether a step can be taken back."""
        return self._position > 0

    @property
    def can_redo(self) -> bool:
        """Whether a step was taken back that can be made again."""
        return self._position < len(self._steps)

    @property
    def is_clean(self) -> bool:
        """Whether the graph is as it was when `mark_clean` was last called."""
        return self._clean == self._position

    def mark_clean(self) -> None:
        """Remember the present state as the saved one; the next push starts a step of its own."""
        self._clean = self._position
        self.end_merge()

    def end_merge(self) -> None:
        """Let the next push start a step of its own, whatever its merge key."""
        if self._position:
            self._steps[self._position - 1].merge_key = None

    def joins(self, merge_key: str) -> str | None:
        """The label of the last step, if an edit with this key would join it."""
        last = self._steps[self._position - 1] if self._position else None
        return last.label if last is not None and last.merge_key == merge_key else None

    def push(self, edit: Edit, label: str, merge_key: str | None = None) -> None:
        """Make an edit as a step; steps taken back are forgotten. EditRefused leaves graph and history as they were.

        An edit whose `merge_key` equals the last step's joins that step (typing into a field, one long drag).
        """
        inverse = edit.apply(self._graph)
        if self._clean is not None and self._clean > self._position:
            self._clean = None  # the saved state lies on the branch that is forgotten
        del self._steps[self._position :]
        last = self._steps[-1] if self._steps else None
        if merge_key is not None and last is not None and last.merge_key == merge_key:
            last.label = label
            last.made.append(edit)
            last.inverses.append(inverse)
        else:
            self._steps.append(_Step(label, [edit], [inverse], merge_key))
            self._position += 1
        self._tell(edit)

    def undo(self) -> None:
        """Take the last step back; nothing happens if there is none."""
        if self.can_undo:
            inverse = self._steps[self._position - 1].inverse
            inverse.apply(self._graph)
            self._position -= 1
            self.end_merge()
            self._tell(inverse)

    def retract(self) -> None:
        """Take the last step back for good: it was begun and given up, and cannot be made again."""
        self.undo()
        if self._clean is not None and self._clean > self._position:
            self._clean = None
        del self._steps[self._position :]

    def redo(self) -> None:
        """Make the step again that was taken back last; nothing happens if there is none."""
        if self.can_redo:
            forward = self._steps[self._position].forward
            forward.apply(self._graph)
            self._position += 1
            self.end_merge()
            self._tell(forward)

    def watch(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with every edit applied to the graph, undo and redo included; returns what ends it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def _tell(self, edit: Edit) -> None:
        for listener in tuple(self._listeners):
            listener(edit)
