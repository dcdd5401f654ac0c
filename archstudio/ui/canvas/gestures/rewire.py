"""Take a connected wire by its end and put it elsewhere; dropped on nothing, it is removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from archstudio.edits import Edit
from archstudio.edits.compose import disconnect, rewire
from archstudio.ui.canvas.connecting import ends_between, input_name, output_name
from archstudio.ui.canvas.gestures.base import Gesture, Pointer
from archstudio.ui.canvas.hits import Port, node_at, port_at
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
        connection = self.document.graph.connection(self._id)
        kept, output = (connection.source, True) if self._end == "target" else (connection.target, False)
        port = self.scene.nodes[kept].port_at(self._fixed)
        self._kept = Port(kept, 0 if port is None else port[0], output)

    def move(self, at: Pointer) -> None:
        if not self._going and self.dragged(at):
            self._going = True
            self.scene.wires[self._id].setVisible(False)
        self._loose = at.scene
        other = self._other(at)
        if other is not None:
            self._loose = self.scene.nodes[other.node].port_position(other.index, output=other.output)

    def _other(self, at: Pointer) -> Port | None:
        """The port the held end would go to."""
        port = port_at(self.scene, at.scene)
        node = node_at(self.scene, at.scene) if port is None else None
        node_id = None if node is None else node.node_id
        ends = ends_between(self.document.graph, self.scene, self._kept, port, node_id)
        if ends is None:
            return None
        return ends.target if self._kept.output else ends.source

    def finish(self, at: Pointer) -> Edit | None:
        self._show()
        if not self._going:
            self.document.selection.set((), [self._id])
            return None
        other = self._other(at)
        if other is None:
            if port_at(self.scene, at.scene) is not None or node_at(self.scene, at.scene) is not None:
                return None
            self.label = "Disconnect"
            return disconnect([self._id])
        return self._moved_to(other)

    def _moved_to(self, other: Port) -> Edit | None:
        graph = self.document.graph
        wire = graph.connection(self._id)
        if self._end == "target":
            port = input_name(graph, other)
            same = wire.target == other.node and wire.target_port in (port, None)
            if same and self._is_where_it_was(other):
                return None
            return rewire(graph, self._id, target=other.node, port=port)
        port = output_name(self.scene, other)
        if wire.source == other.node and wire.source_port == port:
            return None
        return rewire(graph, self._id, source=other.node, port=port)

    def _is_where_it_was(self, other: Port) -> bool:
        end = self.scene.wires[self._id].ends()[1]
        return self.scene.nodes[other.node].port_position(other.index, output=False) == end

    def _show(self) -> None:
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
