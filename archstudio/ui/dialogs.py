"""Questions and short lists: unsaved edits, changed files, recovered work, the submission, about."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QListWidget,
    QMessageBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

import archstudio
from archstudio.app.figures import plural
from archstudio.app.storage import Unsaved
from archstudio.ui.panels.panel import label


def ask_unsaved(parent: QWidget, title: str) -> Literal["save", "discard", "cancel"]:
    """Ask what to do with unsaved edits."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setText(f"Save the edits to {title}?")
    box.setInformativeText("They are lost otherwise.")
    save = box.addButton(QMessageBox.StandardButton.Save)
    discard = box.addButton(QMessageBox.StandardButton.Discard)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(save)
    box.exec()
    clicked = box.clickedButton()
    return "save" if clicked is save else "discard" if clicked is discard else "cancel"


def ask_changed(parent: QWidget, name: str) -> Literal["reload", "saveAs", "overwrite", "cancel"]:
    """A file is to be saved that somebody else has changed: whose version stays?"""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setText(parent.tr("{name} was changed on disk").format(name=name))
    box.setInformativeText(
        parent.tr("Another program or window has written it since it was opened here. Which version shall stay?")
    )
    role = QMessageBox.ButtonRole.ActionRole
    buttons: dict[object, Literal["reload", "saveAs", "overwrite"]] = {
        box.addButton(parent.tr("Reload"), role): "reload",
        box.addButton(parent.tr("Save as…"), role): "saveAs",
        box.addButton(parent.tr("Overwrite"), QMessageBox.ButtonRole.DestructiveRole): "overwrite",
    }
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(cancel)
    box.setEscapeButton(cancel)
    box.exec()
    return buttons.get(box.clickedButton(), "cancel")


def ask_export(parent: QWidget, suggestion: Path, kinds: Sequence[str]) -> Path | None:
    """Ask where a file is to go; an ending that was not typed is that of the kind chosen."""
    name, kind = QFileDialog.getSaveFileName(parent, parent.tr("Export"), str(suggestion), ";;".join(kinds))
    if not name:
        return None
    path, ending = Path(name), kind.rpartition("*")[2].rstrip(")")
    return path if path.suffix else path.with_name(path.name + ending)


def ask_confirm(parent: QWidget, question: str, detail: str, action: str) -> bool:
    """One clear question; the safe answer is the default."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setText(question)
    box.setInformativeText(detail)
    yes = box.addButton(action, QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
    box.exec()
    return box.clickedButton() is yes


class RecoveryDialog(QDialog):
    """Unsaved work was found: what it is, and both ways to go on. `choice` is None if it was put off."""

    def __init__(self, parent: QWidget, found: Sequence[Unsaved]) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Unsaved work was found"))
        self.choice: Literal["restore", "discard"] | None = None
        column = QVBoxLayout(self)
        column.addWidget(label(self.tr("Unsaved work was found"), "title"))
        column.addWidget(label(self.tr("Arch Studio ended before these edits were saved."), "muted", wrap=True))
        listed = QListWidget()
        listed.setAccessibleName(self.tr("Unsaved work"))
        self.rows = [_unsaved_text(work) for work in found]
        listed.addItems(self.rows)
        column.addWidget(listed)
        buttons = QDialogButtonBox()
        self.restore = QPushButton(self.tr("Restore"))
        self.discard = QPushButton(self.tr("Discard"))
        buttons.addButton(self.restore, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(self.discard, QDialogButtonBox.ButtonRole.DestructiveRole)
        buttons.addButton(self.tr("Later"), QDialogButtonBox.ButtonRole.RejectRole)
        self.restore.setDefault(True)
        self.restore.clicked.connect(lambda: self._choose("restore"))
        self.discard.clicked.connect(lambda: self._choose("discard"))
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
        self.resize(460, 300)

    def _choose(self, choice: Literal["restore", "discard"]) -> None:
        self.choice = choice
        self.accept()


def _unsaved_text(work: Unsaved) -> str:
    rest = f" ({work.incomplete})" if work.incomplete else ""
    return f"{work.title}: {plural(len(work.edits), 'edit')}{rest}"


def show_about(parent: QWidget) -> None:
    """Version, licence, and the benchmarks whose formats are used."""
    text = (
        f"Arch Studio {archstudio.__version__}\n\nMIT licence. The twelve curated tasks are Arch-Bench's "
        "(Neurarch, MIT). Qt for Python is used under the LGPL."
    )
    QMessageBox.about(parent, "About Arch Studio", text)
