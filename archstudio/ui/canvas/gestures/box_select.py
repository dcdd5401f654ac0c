"""Draw a box; what it touches is selected."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from archstudio.edits import Edit
from archstudio.ui.canvas.gestures.base import Gesture, Pointer
from archstudio.ui.canvas.hits import folded_in, nodes_in


class BoxSelect(Gesture):
    """Left drag from empty canvas. Shift adds to what is selected; a click without a drag selects nothing."""

    def start(self, at: Pointer) -> None:
        super().start(at)
        self.remember_selection()
        self._adding = at.holds(Qt.KeyboardModifier.ShiftModifier)
        self._box = QRectF()

    def move(self, at: Pointer) -> None:
        if not self.dragged(at) and self._box.isNull():
            return
        self._box = QRectF(self.origin.scene, at.scene).normalized()
        touched = {item.node_id for item in nodes_in(self.scene, self._box)} | folded_in(self.scene, self._box)
        noted = {n for n, item in self.scene.decorations.notes.items() if item.box.intersects(self._box)}
        none = frozenset[str]()
        kept, wires, notes = self._before if self._adding else (none, none, none)
        self.document.selection.set(kept | touched, wires, notes | noted)

    def finish(self, at: Pointer) -> Edit | None:
        if self._box.isNull() and not self._adding:
            self.document.selection.set()
        return None

    def cancel(self) -> None:
        self.select_again()

    def area(self) -> QRectF:
        return self._box

    def paint(self, painter: QPainter) -> None:
        painter.setPen(self.scene.ink.band)
        painter.setBrush(self.scene.ink.band_fill)
        painter.drawRect(self._box)
