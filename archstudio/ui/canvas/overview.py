"""The whole graph as a few batches of rectangles and lines: for far zooms and the minimap."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QBrush, QPainter, QPen

from archstudio.layers import Severity
from archstudio.ui.canvas.scene import CanvasScene

FEW = 64
"""Of so few nodes each is looked at by itself; of more, the graph is gone through once."""


class Overview:
    """Follows what changes on a scene. Painting costs a handful of calls, whatever the size of the graph."""

    def __init__(self, scene: CanvasScene) -> None:
        self._scene = scene
        self._stale: set[str] | None = None
        """Nodes to look at again; None for all of them."""
        self._blocks: dict[str, tuple[QBrush, dict[str, QRectF]]] = {}
        self._colour_of: dict[str, str] = {}
        self._boxes: dict[str, QRectF] = {}
        self._faulty: dict[str, QRectF] = {}
        self._lines: dict[str, QLineF] = {}
        self._names: dict[int, str] = {}
        self._named: list[QBrush] = []
        """Names of brushes' colours, by the identity of the brushes, which are kept so that it stays theirs."""
        self._wire_ids: tuple[str, ...] = ()
        self._bounds: QRectF | None = None
        scene.looks_changed.connect(self._note)

    @property
    def bounds(self) -> QRectF:
        """The rectangle around all nodes."""
        self._refresh()
        if self._bounds is None:
            self._bounds = _around(list(self._boxes.values()))
        return self._bounds

    def paint(self, painter: QPainter, *, wires: bool = True) -> None:
        """Draw with the painter's transform being that of the scene."""
        self._refresh()
        ink = self._scene.ink
        if wires and self._lines:
            pen = QPen(ink.wire)
            pen.setWidth(0)
            painter.setPen(pen)
            painter.drawLines(list(self._lines.values()))
        painter.setPen(ink.none)
        for brush, rects in self._blocks.values():
            if rects:
                painter.setBrush(brush)
                painter.drawRects(list(rects.values()))
        if self._faulty:
            painter.setBrush(ink.error_fill)
            painter.drawRects(list(self._faulty.values()))
        self._paint_chosen(painter)

    def _paint_chosen(self, painter: QPainter) -> None:
        chosen = [self._boxes[n] for n in self._scene.document.selection.nodes if n in self._boxes]
        if chosen:
            painter.setBrush(self._scene.ink.accent_fill)
            painter.drawRects(chosen)

    # ----------------------------------------------------------- following

    def _note(self, nodes: set[str] | None) -> None:
        if nodes is None or self._scene.decorations.folded:
            self._stale = None
        elif self._stale is not None:
            self._stale |= nodes

    def _refresh(self) -> None:
        stale, self._stale = self._stale, set()
        if stale is None:
            self._names.clear()
            self._named.clear()
            for kept in (self._blocks, self._colour_of, self._boxes, self._faulty, self._lines):
                kept.clear()
            stale = set(self._scene.nodes)
        if not stale:
            return
        if len(stale) > FEW:
            self._bounds = None
        folded = self._scene.decorations.folded
        for node_id in stale:
            self._forget(node_id)
            item = self._scene.nodes.get(node_id)
            frame = folded.get(node_id)
            if frame is not None:
                self._put(node_id, frame.box, frame.hue)
            elif item is not None:
                self._put(node_id, item.body(), item.block_hue)
                if item.face.badge is Severity.ERROR:
                    self._faulty[node_id] = self._boxes[node_id]
        self._draw_lines(stale)

    def _forget(self, node_id: str) -> None:
        colour = self._colour_of.pop(node_id, None)
        if colour is not None:
            del self._blocks[colour][1][node_id]
        self._faulty.pop(node_id, None)
        box = self._boxes.pop(node_id, None)
        if box is not None and self._bounds is not None and not _is_inside(box, self._bounds):
            self._bounds = None

    def _put(self, node_id: str, box: QRectF, brush: QBrush) -> None:
        colour = self._names.get(id(brush))
        if colour is None:
            colour = self._names[id(brush)] = brush.color().name()
            self._named.append(brush)
        self._colour_of[node_id] = colour
        self._boxes[node_id] = box
        if self._bounds is not None:
            self._bounds = self._bounds.united(box)
        self._blocks.setdefault(colour, (brush, {}))[1][node_id] = box

    def _draw_lines(self, stale: set[str]) -> None:
        graph = self._scene.document.graph
        if len(stale) > FEW:
            wires = [c for c in graph.connections if c.source in stale or c.target in stale]
        else:
            wires = [c for n in stale if n in graph for c in (*graph.incoming(n), *graph.outgoing(n))]
        ends = {n for c in wires for n in (c.source, c.target) if n in self._boxes}
        middles = {n: self._boxes[n].center() for n in ends}
        for c in wires:
            if c.source in middles and c.target in middles:
                self._lines[c.id] = QLineF(middles[c.source], middles[c.target])
        ids = graph.connection_ids
        if ids != self._wire_ids:
            self._wire_ids = ids
            for gone in [wire for wire in self._lines if not graph.has_connection(wire)]:
                del self._lines[gone]


def _is_inside(box: QRectF, bounds: QRectF) -> bool:
    """Whether a box touches no edge of the bounds, so that they stay without it."""
    across = box.left() > bounds.left() and box.right() < bounds.right()
    return across and box.top() > bounds.top() and box.bottom() < bounds.bottom()


def _around(boxes: list[QRectF]) -> QRectF:
    if not boxes:
        return QRectF()
    left, top = min(b.left() for b in boxes), min(b.top() for b in boxes)
    return QRectF(left, top, max(b.right() for b in boxes) - left, max(b.bottom() for b in boxes) - top)
