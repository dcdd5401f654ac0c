"""The whole graph in a corner of the canvas, with the part in view framed; a press there moves the view."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QTransform
from PySide6.QtWidgets import QWidget

from archstudio.ui.canvas.overview import Overview
from archstudio.ui.canvas.scene import CanvasScene

SIZE = QSize(150, 104)
INSET = 12
_PADDING = 10.0
_RADIUS = 8.0
_AT_ONCE, _PAUSE_MS = 500, 150
"""A graph of fewer nodes is mapped at once after a change, a larger one after a pause."""
_SHOWN_FROM = 2
"""Fewer nodes than this need no map."""


class Minimap(QWidget):
    """Shows an `Overview`; `go` is called with the scene point to centre on, `seen` says what is in view."""

    def __init__(
        self, parent: QWidget, scene: CanvasScene, overview: Overview, seen: Callable[[], QRectF],
        go: Callable[[QPointF], None],
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._scene, self._overview, self._seen, self._go = scene, overview, seen, go
        self._picture = QPixmap()
        self._picture_of: tuple[float, str] | None = None
        self.wanted = True
        self._due = QTimer(self)
        self._due.setSingleShot(True)
        self._due.timeout.connect(self._redraw)
        self.setFixedSize(SIZE)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(self.tr("Minimap"))

    def place(self) -> None:
        """Stand in the bottom right corner, where there is something to map and room for it."""
        parent = self.parentWidget()
        assert parent is not None
        roomy = parent.width() > 5 * SIZE.width() and parent.height() > 5 * SIZE.height()
        self.setVisible(self.wanted and roomy and len(self._scene.nodes) >= _SHOWN_FROM)
        self.move(parent.width() - SIZE.width() - INSET, parent.height() - SIZE.height() - INSET)

    def follow(self) -> None:
        """Draw the graph anew soon; a large one not on every frame of a drag."""
        if not self._due.isActive():
            self._due.start(0 if len(self._scene.nodes) < _AT_ONCE else _PAUSE_MS)

    def stop(self) -> None:
        """Follow no more."""
        self._due.stop()

    def _redraw(self) -> None:
        self._picture_of = None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the kept picture and the frame of what is in view."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawPixmap(0, 0, self._current_picture())
        to_map = self._transform()
        seen = to_map.mapRect(self._seen()).intersected(QRectF(self.rect()).adjusted(5, 5, -5, -5))
        painter.setPen(QPen(self._scene.ink.theme.colour("accent"), 1))
        painter.setBrush(self._scene.ink.no_fill)
        painter.drawRoundedRect(seen, 4, 4)
        painter.end()

    def _current_picture(self) -> QPixmap:
        ratio = self.devicePixelRatioF()
        ink = self._scene.ink
        key = (ratio, ink.theme.name)
        if key != self._picture_of:
            self._picture_of = key
            self._picture = QPixmap(round(self.width() * ratio), round(self.height() * ratio))
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(self._picture)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(ink.theme.colour("border"), 1))
            painter.setBrush(ink.theme.colour("surface"))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
            painter.setTransform(self._transform(), True)
            self._overview.paint(painter, wires=False)
            painter.end()
        return self._picture

    def _transform(self) -> QTransform:
        """From the scene to the map, the graph (or what is in view of it) centred."""
        bounds = self._overview.bounds
        room = QRectF(self.rect()).adjusted(_PADDING, _PADDING, -_PADDING, -_PADDING)
        if bounds.isEmpty():
            return QTransform()
        scale = min(room.width() / bounds.width(), room.height() / bounds.height(), 0.16)
        at = room.center() - bounds.center() * scale
        return QTransform(scale, 0, 0, scale, at.x(), at.y())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go where the press is."""
        self._go_to(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the drag."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go_to(event)

    def _go_to(self, event: QMouseEvent) -> None:
        back, possible = self._transform().inverted()
        if possible:
            self._go(back.map(event.position()))
        event.accept()
