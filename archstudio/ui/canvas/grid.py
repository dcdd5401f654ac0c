"""The dots behind the graph."""

from __future__ import annotations

from functools import lru_cache
from math import ceil, floor

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from archstudio.ui.canvas.ink import Ink

PITCH = 24.0
_DOT_PX = 1.6
_LEAST_PX = 16.0
"""Dots nearer than this on the screen would be a grey veil: every second one is left out, and so on."""


def paint_grid(painter: QPainter, area: QRectF, ink: Ink) -> None:
    """Dots on a fixed grid, in scene coordinates; the painter's transform is that of the scene."""
    pitch = PITCH
    while pitch * ink.zoom < _LEAST_PX:
        pitch *= 2
    left, top = floor(area.left() / pitch) * pitch, floor(area.top() / pitch) * pitch
    columns, rows = ceil(area.width() / pitch) + 1, ceil(area.height() / pitch) + 1
    smooth = painter.testRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)  # a round, smooth dot costs thirty times as much
    painter.setPen(ink.none)
    painter.setBrush(ink.grid)
    row = _row(columns, pitch, _DOT_PX / ink.zoom)
    painter.translate(left, top)
    for _ in range(rows):
        painter.drawRects(row)
        painter.translate(0, pitch)
    painter.translate(-left, -top - rows * pitch)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)


@lru_cache(maxsize=16)
def _row(columns: int, pitch: float, side: float) -> list[QRectF]:
    return [QRectF(x * pitch, 0, side, side) for x in range(columns)]
