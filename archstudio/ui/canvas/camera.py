"""Which part of the graph is in view and how large: zoom at a point, scroll, fit."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QTransform
from PySide6.QtWidgets import QGraphicsView

LEAST_ZOOM, MOST_ZOOM = 0.02, 4.0
_MARGIN = 40.0
_STEP = 1.2
"""Factor of one notch of the wheel."""


class Camera:
    """Moves a view over its scene; `zoomed` is called with each new zoom factor.

    While `untouched` (nobody has moved it), the view fits the graph whenever its size changes.
    """

    def __init__(self, view: QGraphicsView, zoomed: Callable[[float], None]) -> None:
        self._view = view
        self._zoomed = zoomed
        self.untouched = True

    @property
    def zoom(self) -> float:
        """The zoom factor; 1 is 100 %."""
        return self._view.transform().m11()

    def zoom_to(self, factor: float, around: QPointF | None = None) -> None:
        """Set the zoom; the scene point under `around` (viewport pixels, default: the middle) stays where it is."""
        view = self._view
        factor = min(max(factor, LEAST_ZOOM), MOST_ZOOM)
        fixed = QPointF(view.viewport().rect().center()) if around is None else around
        anchor = self.to_scene(fixed)
        self._scale_to(factor)
        self.untouched = False
        moved = QPointF(view.viewportTransform().map(anchor)) - fixed
        self.scroll_by(moved.x(), moved.y())

    def notches(self, count: float, around: QPointF) -> None:
        """Zoom as the wheel does."""
        self.zoom_to(self.zoom * _STEP**count, around)

    def scroll_by(self, dx: float, dy: float) -> None:
        """Move the window over the scene by viewport pixels."""
        self.untouched = False
        across, down = self._view.horizontalScrollBar(), self._view.verticalScrollBar()
        across.setValue(across.value() + round(dx))
        down.setValue(down.value() + round(dy))

    def to_scene(self, at: QPointF) -> QPointF:
        """A viewport point in scene coordinates, with fractions."""
        back, _ = self._view.viewportTransform().inverted()
        return back.map(at)

    def seen(self) -> QRectF:
        """What is in view, in scene coordinates."""
        back, _ = self._view.viewportTransform().inverted()
        return back.mapRect(QRectF(self._view.viewport().rect()))

    def fit(self, area: QRectF) -> None:
        """Show an area whole, at most at 100 %; an empty one shows the origin."""
        view = self._view
        if area.isNull():
            self._set(1.0, QPointF(0, 0))
            return
        room = view.viewport().rect()
        factor = min(
            1.0,
            max(room.width() - 2 * _MARGIN, 40) / max(area.width(), 1),
            max(room.height() - 2 * _MARGIN, 40) / max(area.height(), 1),
        )
        self._set(max(factor, LEAST_ZOOM), area.center())

    def center_on(self, point: QPointF) -> None:
        """Bring a point to the middle; the zoom stays."""
        self.untouched = False
        self._view.centerOn(point)

    def _set(self, factor: float, middle: QPointF) -> None:
        self._scale_to(factor)
        self._view.centerOn(middle)

    def _scale_to(self, factor: float) -> None:
        if factor != self.zoom:
            self._view.setTransform(QTransform.fromScale(factor, factor))
            self._zoomed(factor)
