"""After solving: what a reference solution does otherwise, as a list, and the solution itself in a tab."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QListWidget, QPushButton, QVBoxLayout, QWidget

from archstudio.app.figures import plural
from archstudio.app.tasks.reference import differences
from archstudio.graph import Graph
from archstudio.ui.panels.panel import label


class ReferenceDialog(QDialog):
    """Lists the differences. Accepted when the reference is to be opened in a tab."""

    def __init__(self, parent: QWidget, task_id: str, mine: Graph, reference: Graph) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Compare with the reference"))
        self.differences = differences(mine, reference)
        sizes = self.tr("Yours has {mine}, the reference {theirs}.").format(
            mine=plural(len(mine), "layer"), theirs=plural(len(reference), "layer")
        )
        listed = QListWidget()
        listed.setAccessibleName(self.tr("Differences"))
        listed.setWordWrap(True)
        listed.addItems(self.differences)
        head = plural(len(self.differences), "difference") if self.differences else self.tr("The same network")
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 16)
        column.setSpacing(10)
        column.addWidget(label(f"{task_id}: {head}", "title"))
        column.addWidget(label(self.tr("{sizes} Names do not count.").format(sizes=sizes), "muted", wrap=True))
        column.addWidget(listed, 1)
        column.addWidget(label(self.tr("This is one solution; there are others."), "muted", wrap=True))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.open_button = QPushButton(self.tr("Open the reference"))
        self.open_button.setDefault(True)
        copy = QPushButton(self.tr("Copy list"))
        copy.clicked.connect(self.copy)
        buttons.addButton(self.open_button, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
        self.resize(560, 460)

    def copy(self) -> None:
        """Put the differences on the clipboard, one a line."""
        QGuiApplication.clipboard().setText("\n".join(self.differences))
