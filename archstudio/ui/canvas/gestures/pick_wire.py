"""Select a wire by its middle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from archstudio.ui.canvas.gestures.base import Gesture, Pointer

if TYPE_CHECKING:
    from archstudio.ui.canvas.input import CanvasInput


class PickWire(Gesture):
    """A press on a wire selects it; with Shift it is added to, or taken from, what is selected."""

    def __init__(self, canvas: CanvasInput, connection_id: str) -> None:
        super().__init__(canvas)
        self._id = connection_id

    def start(self, at: Pointer) -> None:
        super().start(at)
        selection = self.document.selection
        self.remember_selection()
        if at.holds(Qt.KeyboardModifier.ShiftModifier):
            selection.set(selection.nodes, selection.connections ^ {self._id}, selection.notes)
        else:
            selection.set((), [self._id])

    def cancel(self) -> None:
        self.select_again()
