"""Drag the canvas under the window."""

from __future__ import annotations

from PySide6.QtCore import Qt

from archstudio.ui.canvas.gestures.base import Gesture, Pointer


class Pan(Gesture):
    """Middle button, or Space and left button."""

    cursor = Qt.CursorShape.ClosedHandCursor

    def start(self, at: Pointer) -> None:
        super().start(at)
        self._last = at.view
        self._gone_x = self._gone_y = 0.0

    def move(self, at: Pointer) -> None:
        step = at.view - self._last
        self._last = at.view
        self._gone_x += step.x()
        self._gone_y += step.y()
        self.canvas.camera.scroll_by(-step.x(), -step.y())

    def cancel(self) -> None:
        self.canvas.camera.scroll_by(self._gone_x, self._gone_y)
