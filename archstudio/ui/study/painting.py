"""Says when an item stands fully on the screen, which is when its clock begins."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

_SETTLED_MS = 30
"""Quiet time after the last paint: panels draw themselves a turn or two after the canvas."""


class FirstPaint(QObject):
    """Calls `done` once, after a widget was painted and painting has come to rest."""

    def __init__(self, widget: QWidget, done: Callable[[], object]) -> None:
        super().__init__(widget)
        self._widget = widget
        self._due = QTimer(self)
        self._due.setSingleShot(True)
        self._due.setInterval(_SETTLED_MS)
        self._due.timeout.connect(self._finish)
        self._done: Callable[[], object] | None = done
        widget.installEventFilter(self)
        widget.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Wait on each paint for the last one."""
        if event.type() == QEvent.Type.Paint and self._done is not None and not self._due.isActive():
            self._due.start()
        return False

    def cancel(self) -> None:
        """The item went before it was painted."""
        self._done = None
        self._due.stop()
        self._widget.removeEventFilter(self)

    def _finish(self) -> None:
        done = self._done
        self.cancel()
        if done is not None:
            done()
