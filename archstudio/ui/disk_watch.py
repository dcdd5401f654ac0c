"""Notices that others write the open files, and asks once whose version is to be shown."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QFileSystemWatcher, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from archstudio.app.application import Application
from archstudio.app.document import Document
from archstudio.files.fingerprint import fingerprint
from archstudio.ui.notice import Notice

SETTLE_MS = 150
"""Programs write in several steps; they are looked at once they have stopped."""


class DiskWatch(QObject):
    """Follows the files of the open documents, also when the window comes back to the front (network disks are mute).

    The question is a line that does not stop anybody; declined, it comes again only when the file changes again.
    """

    def __init__(self, window: QWidget, application: Application, notice: Notice, reload: Callable[[], None]) -> None:
        super().__init__(window)
        self._application, self._notice, self._reload = application, notice, reload
        self._answered: dict[Document, str | None] = {}
        self._changed: list[Document] = []
        self._asking: Document | None = None
        self._watcher = QFileSystemWatcher(self)
        self._due = QTimer(self)
        self._due.setSingleShot(True)
        self._due.setInterval(SETTLE_MS)
        self._due.timeout.connect(self.look)
        self._watcher.fileChanged.connect(self._due.start)
        self._watcher.directoryChanged.connect(self._due.start)
        application_gui = QGuiApplication.instance()
        assert isinstance(application_gui, QGuiApplication)
        application_gui.applicationStateChanged.connect(self._came_back)
        self._stop_watching = application.watch(self.follow)
        self.follow()

    def stop(self) -> None:
        """End with the window."""
        self._due.stop()
        self._stop_watching()

    def follow(self) -> None:
        """Watch exactly the files that are open, and ask about the document that is in front now."""
        files = {str(d.path) for d in self._application.documents if d.path is not None and d.path.exists()}
        folders = {str(d.path.parent) for d in self._application.documents if d.path is not None}
        have = {*self._watcher.files(), *self._watcher.directories()}
        want = files | folders
        if have - want:
            self._watcher.removePaths(sorted(have - want))
        if want - have:
            self._watcher.addPaths(sorted(want - have))
        self._answered = {d: mark for d, mark in self._answered.items() if d in self._application.documents}
        self._ask()

    def look(self) -> None:
        """Look at all files now."""
        self._changed = self._application.look_at_files()
        self.follow()  # a file that was replaced is another one to the system

    def _came_back(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive:
            self._due.start()

    def _ask(self) -> None:
        document = self._application.current
        if self._asking is not None and (document is not self._asking or document not in self._changed):
            self._asking = None
            self._notice.hide()
        if document is None or document.path is None or document not in self._changed or self._asking is document:
            return
        mark = fingerprint(document.path)
        if mark == document.on_disk or self._answered.get(document, "") == mark:
            return
        self._asking = document
        lost = self.tr("Your unsaved edits are replaced; undo brings them back.") if document.modified else ""
        self._notice.ask(
            self.tr("{name} was changed on disk").format(name=document.path.name),
            lost,
            ((self.tr("Reload"), self._take_theirs), (self.tr("Keep mine"), lambda: self._keep(document, mark))),
        )

    def _take_theirs(self) -> None:
        self._asking = None
        self._reload()
        self.look()

    def _keep(self, document: Document, mark: str | None) -> None:
        self._asking = None
        self._answered[document] = mark
