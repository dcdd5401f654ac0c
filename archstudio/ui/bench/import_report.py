"""What came of importing a task file: how many tasks were taken, and each row left out with its reason."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from archstudio.app.figures import plural
from archstudio.app.tasks.library import Imported
from archstudio.ui.panels.panel import label

MOST_ROWS = 2_000
"""Rejected rows that are listed; the others are counted."""


class ImportReport(QDialog):
    """A table of the rejected rows; it can be copied whole."""

    def __init__(self, parent: QWidget, file: str, made: Imported) -> None:
        super().__init__(parent)
        self._made = made
        self.setWindowTitle(self.tr("Imported {file}").format(file=file))
        rejected = made.rejected
        taken = plural(made.taken, "task") if made.taken else self.tr("No tasks")
        head = self.tr("{tasks} imported, {rows} left out").format(tasks=taken, rows=plural(len(rejected), "row"))
        self.table = QTableWidget(min(len(rejected), MOST_ROWS), 3)
        self.table.setAccessibleName(self.tr("Rows left out"))
        self.table.setHorizontalHeaderLabels([self.tr("Where"), self.tr("Task"), self.tr("Why it was left out")])
        self.table.verticalHeader().setVisible(False)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setShowGrid(False)
        for k, row in enumerate(rejected[:MOST_ROWS]):
            for column, text in enumerate((row.place, row.id or "", row.reason)):
                item = QTableWidgetItem(text)
                item.setToolTip(text)
                self.table.setItem(k, column, item)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for column, width in enumerate((110, 150)):
            self.table.setColumnWidth(column, width)
        self._arrange(head)

    def _arrange(self, head: str) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 16)
        column.setSpacing(10)
        column.addWidget(label(head, "title"))
        left = len(self._made.rejected) - MOST_ROWS
        column.addWidget(self.table, 1)
        if left > 0:
            column.addWidget(label(self.tr("{n} more are not listed.").format(n=f"{left:,}"), "muted"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = QPushButton(self.tr("Copy list"))
        copy.clicked.connect(self.copy)
        buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
        self.resize(720, 420)

    def copy(self) -> None:
        """Put every rejected row on the clipboard, one a line."""
        lines = [f"{row.place}\t{row.id or ''}\t{row.reason}" for row in self._made.rejected]
        QGuiApplication.clipboard().setText("\n".join(lines))
