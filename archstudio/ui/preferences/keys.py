"""The page of shortcuts: every command with its keys, to be searched, changed and reset."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from archstudio.app.commands import Command, all_commands
from archstudio.app.shortcuts import SEPARATOR, ShortcutRefused, Shortcuts, ShortcutTaken
from archstudio.files.atomic import SaveFailed
from archstudio.ui.language import spoken, spoken_menu
from archstudio.ui.panels.panel import label, set_role

_ID = int(Qt.ItemDataRole.UserRole)
_PORTABLE, _NATIVE = QKeySequence.SequenceFormat.PortableText, QKeySequence.SequenceFormat.NativeText


class KeysPage(QWidget):
    """Changes take effect at once; `changed` is called after each."""

    def __init__(self, shortcuts: Shortcuts, changed: Callable[[], None]) -> None:
        super().__init__()
        self._shortcuts, self._changed = shortcuts, changed
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search commands or keys"))
        self.search.setAccessibleName(self.tr("Search commands or keys"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self.fill)
        self.table = self._make_table()
        self.keys = QKeySequenceEdit()
        self.keys.setMaximumSequenceLength(1)
        self.keys.setClearButtonEnabled(True)
        self.keys.setAccessibleName(self.tr("Press the new keys"))
        self.keys.keySequenceChanged.connect(lambda: self._tell(""))
        self.assign = self._button(self.tr("Assign"), lambda: self._give(take=False))
        self.take = self._button(self.tr("Take them"), lambda: self._give(take=True))
        self.remove = self._button(self.tr("No keys"), self._remove)
        self.reset = self._button(self.tr("Reset"), self._reset)
        self.reset_all = self._button(self.tr("Reset all"), self._reset_all)
        self.told = label("", "muted", wrap=True)
        self.take.hide()
        self._arrange()
        self.fill()

    def _make_table(self) -> QTableWidget:
        made = QTableWidget(0, 3)
        made.setAccessibleName(self.tr("Keyboard shortcuts"))
        made.setHorizontalHeaderLabels([self.tr("Command"), self.tr("Keys"), self.tr("What it does")])
        made.verticalHeader().setVisible(False)
        made.setShowGrid(False)
        made.setTabKeyNavigation(False)
        made.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        made.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        made.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        header = made.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)
        made.currentCellChanged.connect(lambda *_: self._chosen_changed())
        made.cellActivated.connect(lambda *_: self.keys.setFocus(Qt.FocusReason.OtherFocusReason))
        return made

    def _button(self, title: str, run: Callable[[], None]) -> QPushButton:
        made = QPushButton(title)
        made.setAutoDefault(False)
        made.clicked.connect(run)
        return made

    def _arrange(self) -> None:
        line = QHBoxLayout()
        line.addWidget(self.keys, 1)
        for button in (self.assign, self.take, self.remove, self.reset, self.reset_all):
            line.addWidget(button)
        column = QVBoxLayout(self)
        column.addWidget(self.search)
        column.addWidget(self.table, 1)
        column.addWidget(label(self.tr("Choose a command, press the new keys, then Assign."), "muted", wrap=True))
        column.addLayout(line)
        column.addWidget(self.told)

    def fill(self) -> None:
        """Show the commands in which every typed word occurs."""
        words = self.search.text().casefold().split()
        kept = self.command_id
        rows = [row for row in map(spoken, all_commands()) if all(w in self._words(row) for w in words)]
        self.table.blockSignals(True)
        self.table.setRowCount(len(rows))
        for k, row in enumerate(rows):
            where = spoken_menu(row)
            title = f"{where} › {row.title.rstrip('…')}" if where else row.title.rstrip("…")
            for column, text in enumerate((title, self._native(row), row.help)):
                item = QTableWidgetItem(text)
                item.setData(_ID, row.id)
                item.setToolTip(row.help)
                font = item.font()
                font.setBold(column == 1 and self._shortcuts.is_own(row))
                item.setFont(font)
                self.table.setItem(k, column, item)
        at = next((k for k, row in enumerate(rows) if row.id == kept), 0)
        self.table.setCurrentCell(at if rows else -1, 0)
        self.table.blockSignals(False)
        self._chosen_changed()

    def _words(self, row: Command) -> str:
        return f"{row.title} {row.menu} {row.help} {self._native(row)} {self._shortcuts.keys(row)}".casefold()

    def _native(self, row: Command) -> str:
        keys = (QKeySequence.fromString(one, _PORTABLE) for one in self._shortcuts.keys(row).split(SEPARATOR) if one)
        return ", ".join(one.toString(_NATIVE) for one in keys)

    @property
    def command_id(self) -> str | None:
        """The command chosen in the table."""
        item = self.table.item(self.table.currentRow(), 0)
        return None if item is None else str(item.data(_ID))

    def choose(self, command_id: str) -> None:
        """Choose a command."""
        for k in range(self.table.rowCount()):
            item = self.table.item(k, 0)
            if item is not None and item.data(_ID) == command_id:
                self.table.setCurrentCell(k, 0)

    def _chosen_changed(self) -> None:
        self.keys.clear()
        self._tell("")
        for button in (self.assign, self.remove, self.reset):
            button.setEnabled(self.command_id is not None)

    def _typed(self) -> str:
        return self.keys.keySequence().toString(_PORTABLE)

    def _give(self, *, take: bool) -> None:
        if not self._typed():
            self._tell(self.tr("Press the new keys first."))
            return
        self._try(lambda chosen: self._shortcuts.assign(chosen, self._typed(), take=take))

    def _remove(self) -> None:
        self._try(lambda chosen: self._shortcuts.assign(chosen, ""))

    def _reset(self) -> None:
        self._try(self._shortcuts.reset)

    def _reset_all(self) -> None:
        self._try(lambda _: self._shortcuts.reset_all())

    def _try(self, act: Callable[[str], None]) -> None:
        """Do it; what stands against it is told, with a way to have it all the same where there is one."""
        chosen = self.command_id
        if chosen is None:
            return
        try:
            act(chosen)
        except (ShortcutRefused, SaveFailed) as refused:
            self._tell(str(refused), refused=True)
            self.take.setVisible(isinstance(refused, ShortcutTaken))
            return
        self.fill()
        self._changed()

    def _tell(self, text: str, *, refused: bool = False) -> None:
        self.told.setText(text)
        set_role(self.told, "error" if refused else "muted")
        self.take.hide()
