"""Asks for the name of a template and what it is for."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from archstudio.app.templates import LONGEST_NAME
from archstudio.ui.panels.panel import label

_LONGEST_NOTE = 200
_WIDTH_PX = 420


class TemplateDialog(QDialog):
    """Two fields. The name has to be there; whether it is free is said when it is kept."""

    def __init__(self, parent: QWidget, name: str, note: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Template"))
        self.name, self.note = QLineEdit(name), QLineEdit(note)
        self.name.setMaxLength(LONGEST_NAME)
        self.note.setMaxLength(_LONGEST_NOTE)
        self.name.setAccessibleName(self.tr("Name"))
        self.note.setAccessibleName(self.tr("What it is for"))
        self.note.setPlaceholderText(self.tr("shown beside the name"))
        form = QFormLayout()
        form.addRow(self.tr("Name"), self.name)
        form.addRow(self.tr("What it is for"), self.note)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.name.textChanged.connect(self._check)
        column = QVBoxLayout(self)
        text = self.tr("The layers are kept with their wires and parameters, and can be put into any graph.")
        column.addWidget(label(text, "muted", wrap=True))
        column.addLayout(form)
        column.addWidget(self.buttons)
        self.resize(_WIDTH_PX, self.sizeHint().height())
        self._check()
        self.name.selectAll()

    def _check(self) -> None:
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(bool(self.name.text().strip()))

    @property
    def answer(self) -> tuple[str, str]:
        """The name and the note."""
        return self.name.text().strip(), self.note.text().strip()
