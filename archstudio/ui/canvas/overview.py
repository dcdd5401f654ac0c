"""The whole graph as a few batches of rectangles and lines: for far zooms and the minimap."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QBrush, QPainter, QPen

from archstudio.layers import Severity
from archstudio.ui.canvas.scene import CanvasScene


class Overview:
    """Kept until the scene's revision changes. Painting costs a handful of calls, whatever the size of the graph."""

    def __init__(self, scene: CanvasScene) -> None:
        self._scene = scene
        self._revision = -1
        self._blocks: list[tuple[QBrush, list[QRectF]]] = []
        self._faulty: list[QRectF] = []
        self._lines: list[QLineF] = []
        self._bounds = QRectF()

    @property
    def bounds(self) -> QRectF:
        """The rectangle around all nodes."""
        self._refresh()
        return self._bounds

    def paint(self, painter: QPainter, *, wires: bool = True) -> None:
        """Draw with the painter's transform being that of the scene."""
        self._refresh()
        ink = self._scene.ink
        if wires and self._lines:
            pen = QPen(ink.wire)
            pen.setWidth(0)
            painter.setPen(pen)
            painter.drawLines(self._lines)
        painter.setPen(ink.none)
        for brush, rects in self._blocks:
            painter.setBrush(brush)
            painter.drawRects(rects)
        if self._faulty:
            painter.setBrush(ink.error_fill)
            painter.drawRects(self._faulty)
        self._paint_chosen(painter)

    def _paint_chosen(self, painter: QPainter) -> None:
        scene = self._scene
        chosen = [scene.nodes[n].body() for n in scene.document.selection.nodes if n in scene.nodes]
        if chosen:
            painter.setBrush(scene.ink.accent_fill)
            painter.drawRects(chosen)

    def _refresh(self) -> None:
        if self._revision == self._scene.revision:
            return
        self._revision = self._scene.revision
        self._bounds = QRectF()
        blocks: dict[str, tuple[QBrush, list[QRectF]]] = {}
        self._faulty = []
        boxes: dict[str, QRectF] = {}
        left, top, right, bottom = [], [], [], []
        for item in self._scene.nodes.values():
            if not item.isVisible():
                continue
            box = boxes[item.node_id] = item.body()
            left.append(box.left())
            top.append(box.top())
            right.append(box.right())
            bottom.append(box.bottom())
            if item.face.badge is Severity.ERROR:
                self._faulty.append(box)
            else:
                brush = item.hue
                blocks.setdefault(brush.color().name(), (brush, []))[1].append(box)
        for frame in set(self._scene.decorations.folded.values()):
            blocks.setdefault(frame.hue.color().name(), (frame.hue, []))[1].append(frame.box)
            boxes.update((n, frame.box) for n in frame.frame.nodes)
            left.append(frame.box.left())
            top.append(frame.box.top())
            right.append(frame.box.right())
            bottom.append(frame.box.bottom())
        if boxes:
            self._bounds = QRectF(min(left), min(top), max(right) - min(left), max(bottom) - min(top))
        self._blocks = list(blocks.values())
        self._lines = [
            QLineF(boxes[c.source].center(), boxes[c.target].center())
            for c in self._scene.document.graph.connections
            if c.source in boxes and c.target in boxes
        ]
