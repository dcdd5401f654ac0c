"""Drag a layer from the palette onto the canvas, or onto a wire to put it in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from archstudio.app.adding import added_at, added_into
from archstudio.app.node_box import NODE_HEIGHT, NODE_WIDTH
from archstudio.edits import Edit
from archstudio.ui.canvas.gestures.base import Gesture, Pointer
from archstudio.ui.canvas.hits import wire_at

if TYPE_CHECKING:
    from archstudio.ui.canvas.input import CanvasInput


class DropLayer(Gesture):
    """Started by the window system's drag and drop. The wire that would be spliced lights up."""

    def __init__(self, canvas: CanvasInput, type_name: str) -> None:
        super().__init__(canvas)
        self.type = type_name
        self.label = f"Add {type_name}"
        self.added: str | None = None

    def start(self, at: Pointer) -> None:
        super().start(at)
        self._lit: str | None = None
        self._at = at.scene
        self.move(at)

    def move(self, at: Pointer) -> None:
        self._at = at.scene
        wire = wire_at(self.scene, at.scene)
        self._light(None if wire is None else wire.connection_id)

    def _light(self, wire: str | None) -> None:
        for which, on in ((self._lit, False), (wire, True)):
            if which is not None and which in self.scene.wires:
                self.scene.wires[which].hover(on)
        self._lit = wire

    def finish(self, at: Pointer) -> Edit | None:
        self.move(at)
        onto = self._lit
        self._light(None)
        corner = self._corner()
        place = (float(round(corner.x())), float(round(corner.y())))
        if onto is None:
            edit, self.added = added_at(self.document, self.type, place)
            return edit
        self.label = f"Insert {self.type}"
        edit, self.added = added_into(self.document, self.type, onto, place)
        return edit

    def cancel(self) -> None:
        self._light(None)

    def _corner(self) -> QPointF:
        return self._at - QPointF(NODE_WIDTH / 2, NODE_HEIGHT / 2)

    def area(self) -> QRectF:
        return QRectF(self._corner(), self._corner() + QPointF(NODE_WIDTH, NODE_HEIGHT)).adjusted(-3, -3, 3, 3)

    def paint(self, painter: QPainter) -> None:
        painter.setPen(self.scene.ink.band)
        painter.setBrush(self.scene.ink.band_fill)
        painter.drawRoundedRect(self.area().adjusted(3, 3, -3, -3), 8, 8)
