"""Drag a comment, or its corner to make it larger or smaller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from archstudio.app.marking import LEAST_NOTE, place_note
from archstudio.edits import Edit
from archstudio.graph import Point
from archstudio.ui.canvas.gestures.base import Gesture, Pointer
from archstudio.ui.canvas.gestures.move_nodes import SNAP

if TYPE_CHECKING:
    from archstudio.ui.canvas.input import CanvasInput


class MoveNote(Gesture):
    """The press selects the comment (Shift adds or removes); `resizing` says that its corner is held."""

    def __init__(self, canvas: CanvasInput, note_id: str, *, resizing: bool) -> None:
        super().__init__(canvas)
        self._id, self._resizing = note_id, resizing
        self.label = "Resize comment" if resizing else "Move comment"
        self.cursor = Qt.CursorShape.SizeFDiagCursor if resizing else None

    def start(self, at: Pointer) -> None:
        super().start(at)
        note = self.document.graph.notes[self._id]
        self._from: tuple[Point, Point] = (note.position, note.size)
        self._to = self._from
        self.remember_selection()
        selection = self.document.selection
        if at.holds(Qt.KeyboardModifier.ShiftModifier):
            selection.set(selection.nodes, selection.connections, selection.notes ^ {self._id})
        else:
            selection.set(notes=[self._id])

    def move(self, at: Pointer) -> None:
        if self._to == self._from and not self.dragged(at):
            return
        delta = at.scene - self.origin.scene
        place, size = self._from
        held = size if self._resizing else place
        x, y = (self._snapped(held[0] + delta.x()), self._snapped(held[1] + delta.y()))
        if self._resizing:
            self._to = (place, (max(x, LEAST_NOTE[0]), max(y, LEAST_NOTE[1])))
        else:
            self._to = ((x, y), size)
        self._show(self._to)

    def _snapped(self, value: float) -> float:
        return round(value / SNAP) * SNAP if self.canvas.snap else float(round(value))

    def _show(self, at: tuple[Point, Point]) -> None:
        item = self.scene.decorations.notes.get(self._id)
        if item is not None:
            item.show_at(*at)

    def finish(self, at: Pointer) -> Edit | None:
        if self._to == self._from:
            return None
        return place_note(self.document.graph.notes[self._id], *self._to)

    def cancel(self) -> None:
        self._show(self._from)
        self.select_again()
