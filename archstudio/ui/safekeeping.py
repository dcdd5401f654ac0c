"""Keeps unsaved edits safe while the window lives, and offers what an instance that died has left."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from archstudio.app.application import Application
from archstudio.app.storage import Unsaved
from archstudio.app.view import View
from archstudio.files.journal import FLUSH_WITHIN_MS
from archstudio.ui.dialogs import RecoveryDialog


class Safekeeping(QObject):
    """Flushes the journals within their interval, tells once when that fails, and restores unsaved work."""

    def __init__(self, window: QWidget, application: Application, view: View) -> None:
        super().__init__(window)
        self._window, self._application, self._view = window, application, view
        self._told = False
        self._flusher = QTimer(self)
        self._flusher.setInterval(FLUSH_WITHIN_MS)
        self._flusher.timeout.connect(self._flush)
        self._flusher.start()

    def stop(self) -> None:
        """End with the window."""
        self._flusher.stop()

    def _flush(self) -> None:
        self._application.flush_journals()
        self.tell_failure()

    def tell_failure(self) -> None:
        """Say that edits cannot be kept safe at present; once, until that has ended."""
        failure = self._application.journal_failure()
        if failure is not None and not self._told:
            self._view.notify("Edits cannot be kept safe", f"{failure} Save your work elsewhere.", fault=True)
        self._told = failure is not None

    def offer_unsaved(self) -> None:
        """Offer what a dead instance left; called once after the first frame."""
        found, unreadable = self._application.unsaved_work()
        for text in unreadable:
            self._view.notify("Some unsaved work could not be read", text, fault=True)
        edited = [work for work in found if work.edited]
        self._reopen([work for work in found if not work.edited])
        if edited:
            dialog = RecoveryDialog(self._window, edited)
            dialog.exec()
            self.settle(edited, dialog.choice)

    def _reopen(self, tabs: list[Unsaved]) -> None:
        """Open again what was open without unsaved edits: there is nothing to ask."""
        opened = [document for tab in tabs if (document := self._application.reopen(tab)) is not None]
        if opened:
            names = ", ".join(document.title for document in opened)
            self._view.notify(self.tr("Open again after an unexpected end"), names)

    def settle(self, found: list[Unsaved], choice: str | None) -> None:
        """Restore the work, discard it, or (None) leave it for the next start."""
        for work in found:
            if choice == "restore":
                self._restore(work)
            elif choice == "discard":
                work.discard()
            else:
                work.found.leave()

    def _restore(self, work: Unsaved) -> None:
        restored = self._application.restore(work)
        if restored.lost:
            self._view.notify(f"Not all of {work.title} could be restored", restored.lost, fault=True)
