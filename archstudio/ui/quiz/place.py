"""Where questions stand in the main window: in its middle, in place of the graphs, with the docks away."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from archstudio.app.document import Document
from archstudio.ui.notice import Notice

if TYPE_CHECKING:
    from archstudio.ui.window import MainWindow

_LAYOUT_VERSION = 1


class QuizPlace(QObject):
    """While a page of questions is in front no graph is current, so that no command acts on one unseen."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._before: Document | None = None
        self._docks: QByteArray | None = None
        self.pages = QStackedWidget()
        self.notice = Notice()
        self._area = QWidget()
        column = QVBoxLayout(self._area)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.pages, 1)
        column.addWidget(self.notice)
        self._stack = QStackedWidget()
        self._stop_watching: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Take the place in the middle of the window, with what stands there as the first page."""
        middle = self._window.takeCentralWidget()
        assert middle is not None  # the window has made it
        self._stack.addWidget(middle)
        self._stack.addWidget(self._area)
        self._window.setCentralWidget(self._stack)
        self._stop_watching = self._window.application.watch(self._follow)

    def tell(self, text: str, detail: str, *, fault: bool) -> bool:
        """Show a notice on the page in front; whether it was one of questions."""
        if not self.in_front():
            return False
        self.notice.tell(text, detail, fault=fault)
        return True

    def in_front(self) -> bool:
        """Whether a page of questions is what the window shows."""
        return self._stack.currentWidget() is self._area

    def enter(self, page: QWidget) -> None:
        """Bring a page to the front."""
        if self.pages.indexOf(page) < 0:
            self.pages.addWidget(page)
        self.pages.setCurrentWidget(page)
        if not self.in_front():
            application = self._window.application
            self._before = application.current
            self._docks = self._window.saveState(_LAYOUT_VERSION)
            for dock in self._window.docks.docks.values():
                dock.hide()
            self._stack.setCurrentWidget(self._area)
            application.make_current(None)  # commands about graphs must not act on one that cannot be seen
        self._title()
        self._window.commands.update()
        page.setFocus()

    def leave(self) -> None:
        """Go back to the graph that was in front before."""
        if not self.in_front():
            return
        before = self._before
        self._back()
        application = self._window.application
        if before in application.documents:
            application.make_current(before)
        self._window.commands.update()

    def _back(self) -> None:
        self._stack.setCurrentIndex(0)
        if self._docks is not None:
            self._window.restoreState(self._docks, _LAYOUT_VERSION)
        self._docks, self._before = None, None

    def _follow(self) -> None:
        """A graph that is opened or chosen comes to the front by itself."""
        if self.in_front():
            if self._window.application.current is not None:
                self._back()
            else:
                self._title()

    def _title(self) -> None:
        self._window.setWindowTitle(self.tr("Questions – Arch Studio"))

    def drop(self, page: QWidget) -> None:
        """Take a page away for good."""
        self.pages.removeWidget(page)
        page.deleteLater()

    def close(self) -> None:
        """Put the docks back; called when the window closes."""
        if self.in_front():
            self._back()
        self._stop_watching()
