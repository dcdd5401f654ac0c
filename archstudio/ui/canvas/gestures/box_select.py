"""Draw a box; what it touches is selected."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from archstudio.edits import Edit
from archstudio.ui.canvas.gestures.base import Gesture, Pointer
from archstudio.ui.canvas.hits import nodes_in


class BoxSelect(Gesture):
    """Left drag from empty canvas. Shift adds to what is selected; a click without a drag selects nothing."""

    def start(self, at: Pointer) -> None:
        super().start(at)
        selection = self.document.selection
        self._before = (selection.nodes, selection.connections)
        self._adding = at.holds(Qt.KeyboardModifier.ShiftModifier)
        self._box = QRectF()

    def move(self, at: Pointer) -> None:
        if not self.dragged(at) and self._box.isNull():
            return
        self._box = QRectF(self.origin.scene, at.scene).normalized()
        touched = {item.node_id for item in nodes_in(self.scene, self._box)}
        kept, wires = self._before if self._adding else (frozenset[str](), frozenset[str]())
        self.document.selection.set(kept | touched, wires)

    def finish(self, at: Pointer) -> Edit | None:
        if self._box.isNull() and not self._adding:
            self.document.selection.set()
        return None

    def cancel(self) -> None:
        self.select_again(*self._before)

    def area(self) -> QRectF:
        return self._box

    def paint(self, painter: QPainter) -> None:
        painter.setPen(self.scene.ink.band)
        painter.setBrush(self.scene.ink.band_fill)
        painter.drawRect(self._box)
