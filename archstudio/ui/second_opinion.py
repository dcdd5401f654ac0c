"""Asks PyTorch itself, in a process of its own, whether it agrees with the rules, and says so in the status line."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from archstudio.app.application import Application
from archstudio.app.document import Document
from archstudio.app.torch_judge import TorchJudge
from archstudio.ui.status import StatusLine

POLL_MS = 100
"""How often an answer is looked for."""


class SecondOpinion(QObject):
    """Follows the current document: after each edit PyTorch is asked, and the newest answer is shown."""

    def __init__(self, parent: QObject, application: Application, status: StatusLine, judge: TorchJudge) -> None:
        super().__init__(parent)
        self._application, self._status, self._judge = application, status, judge
        self._document: Document | None = None
        self._stop_following: Callable[[], None] = lambda: None
        self._stop_watching = application.watch(self._follow)
        self._poller = QTimer(self)
        self._poller.setInterval(POLL_MS)
        self._poller.timeout.connect(self._show)
        self._poller.start()
        self._follow()

    def stop(self) -> None:
        """End with the window; the judge's process ends too."""
        self._poller.stop()
        self._stop_watching()
        self._stop_following()
        self._judge.close()

    def _follow(self) -> None:
        document = self._application.current
        if document is self._document:
            return
        self._stop_following()
        self._document = document
        self._stop_following = (lambda: None) if document is None else document.watch(self._ask)
        self._ask()

    def _ask(self) -> None:
        if self._document is not None and self._document.visibility.exact_verdict:
            self._judge.ask(self._document)

    def _show(self) -> None:
        shown = self._document is not None and self._document.visibility.exact_verdict
        status = self._judge.poll()
        self._status.show_opinion(status.text if shown else "", wrong=status.agrees is False)
