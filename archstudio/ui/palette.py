"""The command palette: every command by name, with its shortcut."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from archstudio.app.commands import Command, Context, all_commands
from archstudio.ui.panels.panel import label

_ID = int(Qt.ItemDataRole.UserRole)
_WIDTH_PX, _HEIGHT_PX = 560, 380


class CommandPalette(QDialog):
    """A search field over the commands that can run now. `chosen` is the id of the one picked, after it closes."""

    def __init__(self, parent: QWidget, context: Context) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.chosen: str | None = None
        self._rows = [row for row in all_commands() if row.when(context)]
        self.setObjectName("palette")
        self.setAccessibleName(self.tr("Command palette"))
        self._search = QLineEdit()
        self._search.setPlaceholderText(self.tr("Type a command"))
        self._search.setAccessibleName(self.tr("Command"))
        self._search.textChanged.connect(self._fill)
        self._search.installEventFilter(self)
        self._list = QListWidget()
        self._list.itemClicked.connect(self._pick)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 10, 10)
        column.addWidget(self._search)
        column.addWidget(self._list)
        self.resize(_WIDTH_PX, _HEIGHT_PX)
        self._fill("")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows move the list while the cursor stays in the field; Enter runs."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
                step = 1 if event.key() == Qt.Key.Key_Down else -1
                self._list.setCurrentRow(max(0, min(self._list.count() - 1, self._list.currentRow() + step)))
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._pick(self._list.currentItem())
                return True
        return super().eventFilter(watched, event)

    def _fill(self, text: str) -> None:
        self._list.clear()
        for row in ranked(self._rows, text):
            item = QListWidgetItem()
            item.setData(_ID, row.id)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{row.title}, {row.shortcut}")
            item.setToolTip(row.help)
            self._list.addItem(item)
            widget = _row(row)
            item.setSizeHint(widget.sizeHint())
            self._list.setItemWidget(item, widget)
        self._list.setCurrentRow(0)

    def _pick(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen = item.data(_ID)
            self.accept()


def ranked(rows: list[Command], text: str) -> list[Command]:
    """Commands in which every typed word occurs, those whose title starts with the text first."""
    words = text.casefold().split()
    found = [r for r in rows if all(w in f"{r.title} {r.menu} {r.help}".casefold() for w in words)]
    return sorted(found, key=lambda r: (not r.title.casefold().startswith(text.casefold()), not _in_title(r, words)))


def _in_title(row: Command, words: list[str]) -> bool:
    return all(w in row.title.casefold() for w in words)


def _row(row: Command) -> QWidget:
    made = QWidget()
    made.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    line = QHBoxLayout(made)
    line.setContentsMargins(8, 5, 8, 5)
    line.addWidget(label(row.title))
    line.addWidget(label(row.menu.replace("/", " › "), "muted"))
    line.addStretch(1)
    keys = QKeySequence.fromString(row.shortcut.split("; ")[0], QKeySequence.SequenceFormat.PortableText)
    line.addWidget(label(keys.toString(QKeySequence.SequenceFormat.NativeText), "mono"))
    return made
