"""The History dock: every step by name; a click goes back or forth to it."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QListWidget, QVBoxLayout

from archstudio.app.application import Application
from archstudio.app.words import said_made
from archstudio.ui.panels.panel import Panel


class HistoryPanel(Panel):
    """The steps made so far and, greyed, the ones that were taken back."""

    def __init__(self, application: Application) -> None:
        super().__init__(application)
        self._list = QListWidget()
        self._list.setAccessibleName(self.tr("History"))
        self._list.itemActivated.connect(lambda item: self._go(self._list.row(item)))
        self._list.itemClicked.connect(lambda item: self._go(self._list.row(item)))
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.addWidget(self._list)

    def refresh(self) -> None:
        self._list.clear()
        if self.document is None:
            return
        history = self.document.history
        self._list.addItem(self.tr("Opened"))
        for k, step in enumerate(history.labels):
            self._list.addItem(said_made(step))
            if k >= history.position:
                self._list.item(k + 1).setForeground(QGuiApplication.palette().placeholderText())
        self._list.setCurrentRow(history.position)

    def _go(self, row: int) -> None:
        document = self.document
        if document is None:
            return
        while document.history.position > row and document.history.can_undo:
            document.undo()
        while document.history.position < row and document.history.can_redo:
            document.redo()
