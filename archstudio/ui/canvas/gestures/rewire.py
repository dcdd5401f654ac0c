"""Take a connected wire by its end and put it elsewhere; dropped on nothing, it is removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from archstudio.app.connecting import moved_wire
from archstudio.app.node_box import input_port_of, output_port_of
from archstudio.edits import Edit
from archstudio.edits.compose import disconnect, rewire
from archstudio.ui.canvas.connecting import Ends, ends_at, is_over_part, output_name, would_fit
from archstudio.ui.canvas.gestures.base import Gesture, Pointer
from archstudio.ui.canvas.hits import Port
from archstudio.ui.canvas.wire_path import course

if TYPE_CHECKING:
    from archstudio.ui.canvas.input import CanvasInput


class Rewire(Gesture):
    """`end` is the one that is held: `source` or `target`. A click without a drag selects the wire."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, canvas: CanvasInput, connection_id: str, end: str) -> None:
        super().__init__(canvas)
        self._id, self._end = connection_id, end
        self.label = "Move wire"

    def start(self, at: Pointer) -> None:
        super().start(at)
        wire = self.scene.wires[self._id]
        start, end = wire.ends()
        self._fixed = start if self._end == "target" else end
        self._loose = at.scene
        self._going = False
        self._lit: str | None = None
        connection = self.document.graph.connection(self._id)
        graph, source = self.document.graph, self.scene.nodes[connection.source]
        if self._end == "target":
            self._kept = Port(connection.source, output_port_of(connection, source.face.outputs), True)
        else:
            self._kept = Port(connection.target, input_port_of(graph, connection), False)

    def move(self, at: Pointer) -> None:
        if not self._going and self.dragged(at):
            self._going = True
            self.scene.wires[self._id].setVisible(False)
        self._loose = at.scene
        ends = ends_at(self.scene, self._kept, at.scene)
        other = self._far(ends)
        self._light(other, fits=ends is None or would_fit(self.document, self.scene, ends))
        if other is not None:
            self._loose = self.scene.port_position(other.node, other.index, output=other.output)

    def _far(self, ends: Ends | None) -> Port | None:
        """The port the held end would go to."""
        if ends is None:
            return None
        return ends.target if self._kept.output else ends.source

    def _light(self, port: Port | None, *, fits: bool = True) -> None:
        if self._lit is not None:
            self.scene.light(self._lit, None)
        self._lit = None if port is None or not self._going else port.node
        if port is not None and self._lit is not None:
            self.scene.light(port.node, (port.index, port.output), fits=fits)

    def finish(self, at: Pointer) -> Edit | None:
        self._show()
        if not self._going:
            self.document.selection.set((), [self._id])
            return None
        other = self._far(ends_at(self.scene, self._kept, at.scene))
        if other is None:
            if is_over_part(self.scene, at.scene):
                return None
            self.label = "Disconnect"
            return disconnect([self._id])
        return self._moved_to(other)

    def _moved_to(self, other: Port) -> Edit | None:
        graph = self.document.graph
        wire = graph.connection(self._id)
        if self._end == "target":
            if wire.target == other.node and input_port_of(graph, wire) == other.index:
                return None
            return moved_wire(graph, self._id, other.node, other.index)
        port = output_name(self.scene, other)
        if wire.source == other.node and wire.source_port == port:
            return None
        return rewire(graph, self._id, source=other.node, port=port)

    def _show(self) -> None:
        self._light(None)
        if self._id in self.scene.wires:
            self.scene.wires[self._id].setVisible(True)

    def cancel(self) -> None:
        self._show()

    def _course(self) -> tuple[QPointF, QPointF]:
        return (self._fixed, self._loose) if self._end == "target" else (self._loose, self._fixed)

    def area(self) -> QRectF:
        return course(*self._course()).path.controlPointRect().adjusted(-6, -6, 6, 6) if self._going else QRectF()

    def paint(self, painter: QPainter) -> None:
        if self._going:
            painter.setPen(self.scene.ink.wire_drawn)
            painter.setBrush(self.scene.ink.no_fill)
            painter.drawPath(course(*self._course()).path)
