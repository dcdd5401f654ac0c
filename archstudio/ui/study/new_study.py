"""*Study ▸ New*: pages that write a protocol, and the last one that freezes it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QListWidget,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from archstudio.app.study.draft import Draft
from archstudio.bench.tasks import UnknownName
from archstudio.files.atomic import SaveFailed
from archstudio.files.unusable import UnusableFile
from archstudio.ui.panels.panel import label, set_role
from archstudio.ui.study.draft_form import DraftPage
from archstudio.ui.study.draft_pages import (
    BeginningPage,
    EthicsPage,
    ExclusionsPage,
    ItemsPage,
    PowerPage,
    RulesPage,
    TextsPage,
)

TEMPLATE = "pilot-15-minutes"


class NewStudyWizard(QDialog):
    """A list of pages at the left, the page at the right; `draft` is what they write."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("New study"))
        self.resize(980, 700)
        self.draft = Draft(TEMPLATE)
        self.beginning, self.items = BeginningPage(self.draft), ItemsPage(self.draft)
        self.rules, self.texts = RulesPage(self.draft), TextsPage(self.draft)
        self.exclusions, self.ethics = ExclusionsPage(self.draft), EthicsPage(self.draft)
        self.power = PowerPage(self.draft)
        self.pages: list[DraftPage] = [
            self.beginning, self.items, self.rules, self.texts, self.exclusions, self.ethics, self.power,
        ]  # fmt: skip
        self.listed, self._stack = QListWidget(), QStackedWidget()
        self.listed.setAccessibleName(self.tr("Pages"))
        self.listed.setFixedWidth(200)
        for page in self.pages:
            self.listed.addItem(page.heading)
            scroll = QScrollArea()
            scroll.setWidgetResizable(True)
            scroll.setWidget(page)
            self._stack.addWidget(scroll)
        self.listed.currentRowChanged.connect(self._turn)
        self.beginning.template.setCurrentIndex(self.beginning.template.findData(TEMPLATE))
        self.beginning.template.activated.connect(lambda _: self.begin_from(self.beginning.template.currentData()))
        self.told = label("", "muted", wrap=True)
        self.back, self.next = QPushButton(self.tr("Back")), QPushButton(self.tr("Next"))
        self.save, self.freeze = QPushButton(self.tr("Save the protocol…")), QPushButton(self.tr("Freeze…"))
        self.back.clicked.connect(lambda: self.listed.setCurrentRow(self.listed.currentRow() - 1))
        self.next.clicked.connect(lambda: self.listed.setCurrentRow(self.listed.currentRow() + 1))
        self.save.clicked.connect(self.ask_save)
        self.freeze.clicked.connect(self.ask_freeze)
        self._arrange()
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)  # Enter in a field presses nothing
        self._refresh()
        self.listed.setCurrentRow(0)

    def _arrange(self) -> None:
        middle, buttons = QHBoxLayout(), QHBoxLayout()
        middle.addWidget(self.listed)
        middle.addWidget(self._stack, 1)
        for button in (self.back, self.next):
            buttons.addWidget(button)
        buttons.addWidget(self.told, 1)
        for button in (self.save, self.freeze):
            buttons.addWidget(button)
        self.freeze.setProperty("role", "primary")
        column = QVBoxLayout(self)
        column.addLayout(middle, 1)
        column.addLayout(buttons)

    def _turn(self, row: int) -> None:
        self._stack.setCurrentIndex(row)
        self.pages[row].refresh()
        self.back.setEnabled(row > 0)
        self.next.setEnabled(row < len(self.pages) - 1)
        self._check()

    def begin_from(self, template: str) -> None:
        """Begin anew from a ready-made protocol."""
        made = Draft(template)
        self.draft.said, self.draft.files = made.said, made.files
        self._refresh()

    def _refresh(self) -> None:
        for page in self.pages:
            page.refresh()
        self._check()

    def _check(self) -> bool:
        """Say what is missing or wrong, with its place; whether the draft is whole."""
        try:
            self.draft.protocol()
        except UnusableFile as fault:
            self._tell(str(fault), "error")
            return False
        self._tell("", "muted")
        return True

    def _tell(self, text: str, role: str) -> None:
        self.told.setText(text)
        set_role(self.told, role)

    def ask_save(self) -> None:
        """Ask where the protocol goes."""
        if self._check():
            suggestion = f"{self.draft.said['id']}.json"
            name, _ = QFileDialog.getSaveFileName(self, self.tr("Save the protocol"), suggestion, "*.json")
            if name:
                self.save_to(Path(name))

    def save_to(self, path: Path) -> None:
        """Save the protocol, with its files beside it."""
        try:
            self.draft.write_protocol(path)
        except (UnusableFile, SaveFailed) as fault:
            self._tell(str(fault), "error")
            return
        self._tell(self.tr("Saved {name}").format(name=path.name), "ok")

    def ask_freeze(self) -> None:
        """Ask where the frozen study goes."""
        if self._check():
            suggestion = f"{self.draft.said['id']}.study"
            name, _ = QFileDialog.getSaveFileName(self, self.tr("Freeze the study"), suggestion, "Studies (*.study)")
            if name:
                self.freeze_to(Path(name))

    def freeze_to(self, path: Path) -> None:
        """Freeze it: one file to hand out, and the key that stays here."""
        QGuiApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
        try:
            study, key = self.draft.write_frozen(path)
        except (UnusableFile, UnknownName, SaveFailed) as fault:
            self._tell(str(fault), "error")
            return
        finally:
            QGuiApplication.restoreOverrideCursor()
        told = self.tr("Hand out {study}; keep {key} to yourself.")
        self._tell(told.format(study=study.name, key=key.name), "ok")
