"""Keeps a widget over the lower edge of another one, so that what it tells moves nothing under the pointer."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect
from PySide6.QtWidgets import QWidget

_EDGE_PX = 12
_WIDEST_PX = 760
_RIGHT_KEPT_PX = 180
"""Room at the right that the minimap keeps, where there is enough for both."""


class Floating(QObject):
    """Places `widget`, a child of `over` from now on, whenever either of them changes its size or is shown."""

    _lives = False
    """Qt may still ask after Python has let go of the parts, when a window is taken down."""

    def __init__(self, widget: QWidget, over: QWidget) -> None:
        super().__init__(over)
        self._widget, self._over = widget, over
        self._lives = True
        widget.setParent(over)
        for watched in (widget, over):
            watched.installEventFilter(self)
        widget.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Place the widget again where one of the two has changed."""
        if not self._lives:
            return False
        wanted = QEvent.Type.Resize if watched is self._over else QEvent.Type.LayoutRequest
        if event.type() in (wanted, QEvent.Type.Show):
            self.place()
        return False

    def place(self) -> None:
        """Stand at the lower left, as wide as the words need and the room allows."""
        room = self._over.rect().adjusted(_EDGE_PX, _EDGE_PX, -_EDGE_PX, -_EDGE_PX)
        most = room.width() - _RIGHT_KEPT_PX if room.width() > 3 * _RIGHT_KEPT_PX else room.width()
        width = max(min(self._widget.sizeHint().width(), most, _WIDEST_PX), min(most, 320))
        layout = self._widget.layout()
        tall = layout.totalHeightForWidth(width) if layout is not None and layout.hasHeightForWidth() else -1
        height = max(tall, self._widget.minimumSizeHint().height())
        self._widget.setGeometry(QRect(room.left(), room.bottom() + 1 - height, width, height))
        self._widget.raise_()
