"""Notices when a broken graph of the practice set is mended, whatever docks are open."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from archstudio.app.application import Application
from archstudio.app.document import Document
from archstudio.app.tasks.practice import exercise_of, still_missing
from archstudio.app.words import said
from archstudio.files.atomic import SaveFailed

if TYPE_CHECKING:
    from archstudio.ui.window import MainWindow

DELAY_MS = 80


class PracticeWatch(QObject):
    """Looks at the current graph after each edit while it is an exercise that may be judged."""

    def __init__(self, window: MainWindow, application: Application) -> None:
        super().__init__(window)
        self._window, self._application = window, application
        self._document: Document | None = None
        self._end_document: Callable[[], None] | None = None
        self._due = QTimer(self)
        self._due.setSingleShot(True)
        self._due.setInterval(DELAY_MS)
        self._due.timeout.connect(self._look)
        self._end = application.watch(self._follow)
        self._follow()

    def stop(self) -> None:
        """Stop watching; called when the window closes."""
        self._due.stop()
        self._end()
        self._unfollow()

    def _unfollow(self) -> None:
        if self._end_document is not None:
            self._end_document()
            self._end_document = None

    def _follow(self) -> None:
        document = self._application.current
        if document is not self._document:
            self._unfollow()
            self._document = document
            if document is not None and exercise_of(document) is not None:
                self._end_document = document.watch(self._due.start)

    def _look(self) -> None:
        document = self._document
        held = None if document is None else exercise_of(document)
        if document is None or held is None or not document.visibility.exact_verdict:
            return
        practice = self._application.tasks.practice
        if practice.state(held.name).mended or still_missing(document):
            return
        try:
            practice.mark_mended(held.name)
        except SaveFailed as failed:
            self._window.view.notify(self.tr("Mended, but that cannot be remembered"), str(failed), fault=True)
            return
        self._window.view.notify(self.tr("Mended: {title}").format(title=said(held.title)), said(held.explanation))
