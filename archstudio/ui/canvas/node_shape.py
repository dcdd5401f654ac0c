"""The geometry of a node, which is the same for all nodes of as many ports: made once and shared."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF

from archstudio.app.node_box import NODE_WIDTH, node_height, port_offset

BADGE_RADIUS = 9.0
_MARGIN = BADGE_RADIUS + 2
_BLOCK_STRIPE = 14.0


@dataclass(frozen=True, slots=True)
class NodeShape:
    """Boxes and points from the node's own top-left corner. Nobody changes them."""

    height: float
    body: QRectF
    bounds: QRectF
    block_stripe: QRectF
    inputs: tuple[QPointF, ...]
    outputs: tuple[QPointF, ...]


@lru_cache(maxsize=512)
def shape_of(inputs: int, outputs: int) -> NodeShape:
    """The geometry of a node with so many ports."""
    height = node_height(inputs, outputs)
    body = QRectF(0, 0, NODE_WIDTH, height)
    return NodeShape(
        height,
        body,
        body.adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN),
        QRectF(0, 0, _BLOCK_STRIPE, height),
        tuple(QPointF(*port_offset(k, inputs, height, output=False)) for k in range(inputs)),
        tuple(QPointF(*port_offset(k, outputs, height, output=True)) for k in range(outputs)),
    )
