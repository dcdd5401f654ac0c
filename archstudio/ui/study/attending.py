"""Hears every input on a study's window, and whether the person is at it or at another one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QGuiApplication, QWindow

_INPUTS = frozenset(
    {
        QEvent.Type.KeyPress,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseMove,
        QEvent.Type.Wheel,
        QEvent.Type.TouchBegin,
    }
)


class Attending(QObject):
    """Watches one window and its dialogs. `touched` on each input, `focused` with whether they have the keyboard."""

    def __init__(self, window: QWindow, touched: Callable[[], None], focused: Callable[[bool], None]) -> None:
        super().__init__(window)
        self._window = window
        self._touched, self._focused = touched, focused
        self._has = True
        self._watched: list[QWindow] = [window]
        window.installEventFilter(self)
        qt = QGuiApplication.instance()
        assert isinstance(qt, QGuiApplication)
        self._qt = qt
        qt.focusWindowChanged.connect(self._changed)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Inputs are heard, never taken."""
        if event.type() in _INPUTS:
            self._touched()
        return False

    def _changed(self, now: QWindow | None) -> None:
        has = now is not None and self._is_ours(now)
        if has and now is not None and now not in self._watched:
            self._watched.append(now)
            now.installEventFilter(self)
        if has != self._has:
            self._has = has
            self._focused(has)

    def _is_ours(self, window: QWindow) -> bool:
        at: QWindow | None = window
        while at is not None and at != self._window:
            at = at.transientParent()
        return at is not None

    def end(self) -> None:
        """Stop watching."""
        self._qt.focusWindowChanged.disconnect(self._changed)
        self._window.removeEventFilter(self)
