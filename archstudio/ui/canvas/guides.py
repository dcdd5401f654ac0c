"""Lines that show, and hold, the alignment of a dragged node with the others in view."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QLineF, QPointF, QRectF

from archstudio.app.node_box import NODE_WIDTH
from archstudio.ui.canvas.hits import nodes_in
from archstudio.ui.canvas.node_item import NodeItem
from archstudio.ui.canvas.scene import CanvasScene

_PULL_PX = 6.0
_MOST = 300
"""With more nodes in view than this, everything would align with something."""


class Guides:
    """The left edges and middles of the nodes in view that stay where they are."""

    def __init__(self, scene: CanvasScene, grabbed: NodeItem, moving: Collection[str], seen: QRectF) -> None:
        self._height = grabbed.height
        still = [n.body() for n in nodes_in(scene, seen) if n.node_id not in moving]
        self._still = still if len(still) <= _MOST else []

    def aligned(self, at: QPointF, zoom: float) -> tuple[QPointF, list[QLineF]]:
        """The corner nearest to `at` that aligns, and the lines to draw."""
        pull = _PULL_PX / zoom
        middle = at.y() + self._height / 2
        across = min(self._still, key=lambda box: abs(box.left() - at.x()), default=None)
        along = min(self._still, key=lambda box: abs(box.center().y() - middle), default=None)
        x, y, lines = at.x(), at.y(), []
        if across is not None and abs(across.left() - x) <= pull:
            x = across.left()
        if along is not None and abs(along.center().y() - middle) <= pull:
            y = along.center().y() - self._height / 2
        if across is not None and x == across.left():
            top, bottom = min(y, across.top()), max(y + self._height, across.bottom())
            lines.append(QLineF(x, top - 12, x, bottom + 12))
        if along is not None and y + self._height / 2 == along.center().y():
            level = along.center().y()
            lines.append(QLineF(min(x, along.left()) - 12, level, max(x + NODE_WIDTH, along.right()) + 12, level))
        return QPointF(x, y), lines
