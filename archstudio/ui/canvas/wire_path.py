"""The course of a wire: a curve to the right, or round and back along the gap between two rows."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath

_LOOP = 79.0
_TURN = 85.0
_SAME_ROW = 100.0
"""Ends nearer than this in height are on one row: the wire passes below the nodes."""
_BELOW = 66.0
_LEAST_REACH = 40.0
"""A wire to another height leaves its port so far straight on, however near the other port is."""


@dataclass(frozen=True, slots=True)
class Course:
    """A wire's path, the middle of it where a label may stand, and the room for that label (0: none)."""

    path: QPainterPath
    label_at: QPointF
    room: float
    flat: bool
    """Whether the label stands above a straight piece, and not on a slope."""


def course(start: QPointF, end: QPointF) -> Course:
    """The course from an output port to an input port, given their middles."""
    x1, y1, x2, y2 = start.x(), start.y(), end.x(), end.y()
    return _forward(x1, y1, x2, y2) if x2 - x1 >= 0 else _backward(x1, y1, x2, y2)


def room_of(start: QPointF, end: QPointF) -> QRectF:
    """A rectangle that holds the course between two ports and the width of its line, found without drawing it."""
    x1, y1, x2, y2 = start.x(), start.y(), end.x(), end.y()
    if x2 >= x1:
        beyond = max(_LEAST_REACH - (x2 - x1), 0.0) + 4
        return QRectF(QPointF(x1 - beyond, min(y1, y2) - 4), QPointF(x2 + beyond, max(y1, y2) + 4))
    return QRectF(QPointF(x2 - _LOOP, min(y1, y2) - 4), QPointF(x1 + _LOOP + 4, max(y1, y2) + _BELOW + 4))


def _forward(x1: float, y1: float, x2: float, y2: float) -> Course:
    path = QPainterPath(QPointF(x1, y1))
    middle = (x1 + x2) / 2
    if abs(y2 - y1) < 0.5:
        path.lineTo(x2, y2)
    else:
        reach = max((x2 - x1) / 2, min(abs(y2 - y1) / 2, _LEAST_REACH))
        path.cubicTo(x1 + reach, y1, x2 - reach, y2, x2, y2)
    flat = abs(y2 - y1) < 8
    return Course(path, QPointF(middle, (y1 + y2) / 2), x2 - x1, flat)


def _backward(x1: float, y1: float, x2: float, y2: float) -> Course:
    same_row = abs(y2 - y1) < _SAME_ROW
    along = max(y1, y2) + _BELOW if same_row else (y1 + y2) / 2
    loop = _LOOP if not same_row else 60.0
    turn = min(x2 + _TURN, (x1 + x2) / 2) if x2 + _TURN > x1 else x2 + _TURN
    back = max(turn, x2)
    path = QPainterPath(QPointF(x1, y1))
    path.cubicTo(x1 + loop, y1, x1 + loop, along, x1, along)
    path.lineTo(back, along)
    path.cubicTo(x2 - 55, along, x2 - 55, y2, x2, y2)
    return Course(path, QPointF((x1 + back) / 2, along), x1 - back, True)


def pill_rect(start: QPointF, end: QPointF, floor: float, width: float) -> QRectF:
    """Where the two sizes of a wrong wire stand: left of the port and below the wire.

    Where the source is too near for that, they stand below the target, whose lower edge is `floor`.
    """
    if 0 <= end.x() - start.x() < width + 22:
        return QRectF(end.x(), floor + 5, width, 17)
    return QRectF(end.x() - 13 - width, end.y() + 11, width, 17)
