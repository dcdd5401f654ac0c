"""Draw a line across wires to cut them."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPolygonF

from archstudio.edits import Edit
from archstudio.edits.compose import disconnect
from archstudio.ui.canvas.gestures.base import Gesture, Pointer
from archstudio.ui.canvas.hits import wires_across


class Cut(Gesture):
    """Alt and left drag; every wire the line crosses is removed in one step."""

    label = "Cut wires"
    cursor = Qt.CursorShape.CrossCursor

    def start(self, at: Pointer) -> None:
        super().start(at)
        self._trail: list[QPointF] = [at.scene]

    def move(self, at: Pointer) -> None:
        self._trail.append(at.scene)

    def finish(self, at: Pointer) -> Edit | None:
        self._trail.append(at.scene)
        crossed = [wire.connection_id for wire in wires_across(self.scene, self._trail)]
        return disconnect(crossed) if crossed else None

    def area(self) -> QRectF:
        return QPolygonF(self._trail).boundingRect().adjusted(-3, -3, 3, 3)

    def paint(self, painter: QPainter) -> None:
        painter.setPen(self.scene.ink.cut)
        painter.drawPolyline(self._trail)
