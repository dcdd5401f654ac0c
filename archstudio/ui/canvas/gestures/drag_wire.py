"""Pull a wire from a port; drop it on a port, a node, or empty canvas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from archstudio.edits import Edit, EditRefused
from archstudio.ui.canvas.connecting import Ends, ends_at, is_over_part, make_wire, would_fit
from archstudio.ui.canvas.gestures.base import Gesture, Pointer
from archstudio.ui.canvas.hits import Port
from archstudio.ui.canvas.wire_path import course

if TYPE_CHECKING:
    from archstudio.ui.canvas.input import CanvasInput


class DragWire(Gesture):
    """From an output forward, or from a free input backward. On empty canvas the search for a layer opens."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, canvas: CanvasInput, port: Port) -> None:
        super().__init__(canvas)
        self._port = port
        self.label = "Connect"

    def start(self, at: Pointer) -> None:
        super().start(at)
        self._fixed = self.scene.port_position(self._port.node, self._port.index, output=self._port.output)
        self._loose = at.scene
        self._lit: str | None = None
        self._going = False
        self._fits = True

    def move(self, at: Pointer) -> None:
        self._going = self._going or self.dragged(at)
        self._loose = at.scene
        ends = self._ends(at)
        self._fits = ends is None or would_fit(self.document, self.scene, ends)
        self._light(None)
        if ends is not None:
            other = ends.target if self._port.output else ends.source
            self._light(other)
            self._loose = self.scene.port_position(other.node, other.index, output=other.output)

    def _ends(self, at: Pointer) -> Ends | None:
        """The wire that letting go here would make."""
        return ends_at(self.scene, self._port, at.scene)

    def _light(self, port: Port | None) -> None:
        if self._lit is not None:
            self.scene.light(self._lit, None)
        self._lit = None if port is None else port.node
        if port is not None:
            self.scene.light(port.node, (port.index, port.output), fits=self._fits)

    def finish(self, at: Pointer) -> Edit | None:
        self._light(None)
        if not self._going and not self.dragged(at):
            self.document.selection.set([self._port.node])
            return None
        ends = self._ends(at)
        if ends is None:
            if not is_over_part(self.scene, at.scene):
                self.canvas.begin_search((at.scene.x(), at.scene.y()), port=self._port)
            return None
        try:
            return make_wire(self.document, self.scene, ends)
        except EditRefused as refusal:
            self.canvas.refused.emit(str(refusal))
            return None

    def cancel(self) -> None:
        self._light(None)

    def _course(self) -> tuple[QPointF, QPointF]:
        return (self._fixed, self._loose) if self._port.output else (self._loose, self._fixed)

    def area(self) -> QRectF:
        return course(*self._course()).path.controlPointRect().adjusted(-6, -6, 6, 6) if self._going else QRectF()

    def paint(self, painter: QPainter) -> None:
        if self._going:
            painter.setPen(self.scene.ink.wire_drawn if self._fits else self.scene.ink.wire_refused)
            painter.setBrush(self.scene.ink.no_fill)
            painter.drawPath(course(*self._course()).path)
