"""What is under the pointer: ports before nodes, nodes before wires."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QLineF, QPointF, QRectF

from archstudio.app.node_box import input_port_of
from archstudio.graph import Connection
from archstudio.ui.canvas.node_item import PORT_REACH, NodeItem
from archstudio.ui.canvas.scene import CanvasScene
from archstudio.ui.canvas.wire_item import WireItem

_REACH = 14.0
_END_REACH = 34.0
"""A press on a wire this near to its end takes hold of that end."""


@dataclass(frozen=True, slots=True)
class Port:
    """One port of one node."""

    node: str
    index: int
    output: bool


def port_at(scene: CanvasScene, point: QPointF) -> Port | None:
    """The port within reach of a point; the reach grows a little as the graph is drawn smaller."""
    reach = PORT_REACH / min(max(scene.ink.zoom, 0.5), 1.0)
    for node in _nodes_near(scene, point, reach):
        found = node.port_at(point, reach)
        if found is not None:
            return Port(node.node_id, *found)
    for frame in scene.decorations.frames.values():
        held = frame.port_at(point, reach) if frame.isVisible() else None
        if held is not None:
            (node_id, index), output = held
            return Port(node_id, index, output)
    return None


def node_at(scene: CanvasScene, point: QPointF) -> NodeItem | None:
    """The node whose body is under a point."""
    return next((n for n in _nodes_near(scene, point, 1.0) if n.body().contains(point)), None)


def wire_at(scene: CanvasScene, point: QPointF, *, without: frozenset[str] = frozenset()) -> WireItem | None:
    """The wire under a point, other than these."""
    reach = _REACH / max(scene.ink.zoom, 0.2)
    area = QRectF(point.x() - reach, point.y() - reach, 2 * reach, 2 * reach)
    near = (w for w in scene.wires_near(area) if w.connection_id not in without and w.near(point))
    return next(near, None)


def wire_end_at(wire: WireItem, point: QPointF) -> str | None:
    """`source` or `target` where a point on a wire is near that end, else None."""
    start, end = wire.ends()
    if QLineF(point, end).length() <= _END_REACH:
        return "target"
    return "source" if QLineF(point, start).length() <= _END_REACH else None


def wire_into(scene: CanvasScene, port: Port) -> Connection | None:
    """The connection that arrives at an input port."""
    graph = scene.document.graph
    found = [c for c in graph.incoming(port.node) if input_port_of(graph, c) == port.index]
    return found[-1] if found and not port.output else None


def nodes_in(scene: CanvasScene, area: QRectF) -> list[NodeItem]:
    """The nodes whose bodies a rectangle touches."""
    return [item for item in scene.nodes_near(area) if item.body().intersects(area)]


def folded_in(scene: CanvasScene, area: QRectF) -> set[str]:
    """The nodes folded away in collapsed frames that a rectangle touches."""
    frames = (f for f in scene.decorations.frames.values() if f.frame.collapsed and f.isVisible())
    return {n for f in frames if f.box.intersects(area) for n in f.frame.nodes if n in scene.nodes}


def wires_across(scene: CanvasScene, trail: Sequence[QPointF]) -> list[WireItem]:
    """The wires that a drawn line crosses."""
    lines = [QLineF(a, b) for a, b in pairwise(trail) if a != b]
    if not lines:
        return []
    area = QRectF(trail[0], trail[0])
    for point in trail:
        area = area.united(QRectF(point.x() - 1, point.y() - 1, 2, 2))
    return [wire for wire in scene.wires_near(area) if _crosses(wire, lines)]


def _crosses(wire: WireItem, lines: Sequence[QLineF]) -> bool:
    for polygon in wire.path.toSubpathPolygons():
        for a, b in pairwise(polygon.at(k) for k in range(polygon.size())):
            piece = QLineF(a, b)
            if any(piece.intersects(line)[0] == QLineF.IntersectionType.BoundedIntersection for line in lines):
                return True
    return False


def _nodes_near(scene: CanvasScene, point: QPointF, reach: float) -> list[NodeItem]:
    return scene.nodes_near(QRectF(point.x() - reach, point.y() - reach, 2 * reach, 2 * reach))
