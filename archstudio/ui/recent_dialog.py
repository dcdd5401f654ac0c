"""The files opened lately: to open, to pin to the top, to take off the list; all by keyboard too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from archstudio.files.atomic import SaveFailed
from archstudio.files.recent import RecentFiles
from archstudio.ui.panels.panel import label

_PATH = int(Qt.ItemDataRole.UserRole)
_SIZE_PX = (640, 440)


class RecentDialog(QDialog):
    """`chosen` are the files to open after it closes."""

    def __init__(self, parent: QWidget, recent: RecentFiles) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Recent files"))
        self.chosen: list[Path] = []
        self._recent = recent
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search recent files"))
        self.search.setAccessibleName(self.tr("Search recent files"))
        self.search.textChanged.connect(self.fill)
        self.search.installEventFilter(self)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Recent files"))
        self.list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.list.itemActivated.connect(lambda _: self._open())
        self.list.installEventFilter(self)
        self.told = label("", "error", wrap=True)
        self.hint = label("", "muted", wrap=True)
        self.open_files = self._button(self.tr("Open"), self._open)
        self.pin = self._button(self.tr("Pin"), self._pin)
        self.remove = self._button(self.tr("Take off the list"), self._remove)
        self.open_files.setDefault(True)
        self._arrange()
        self.fill()
        self.resize(*_SIZE_PX)

    def _button(self, title: str, run: Callable[[], None]) -> QPushButton:
        made = QPushButton(title)
        made.setAutoDefault(False)
        made.clicked.connect(run)
        return made

    def _arrange(self) -> None:
        line = QHBoxLayout()
        line.addWidget(self.pin)
        line.addWidget(self.remove)
        line.addStretch(1)
        line.addWidget(self.open_files)
        column = QVBoxLayout(self)
        for part in (self.search, self.list, self.hint, self.told):
            column.addWidget(part)
        column.addLayout(line)

    def fill(self) -> None:
        """Show the files in whose path every typed word occurs; those that are gone say so."""
        words = self.search.text().casefold().split()
        kept = self._paths()
        pinned = self._recent.pinned()
        self.list.clear()
        for path in self._recent.paths():
            if not all(word in str(path).casefold() for word in words):
                continue
            mark = "★ " if path in pinned else ""
            gone = "" if path.exists() else self.tr("  (gone)")
            item = QListWidgetItem(f"{mark}{path.name}{gone}\n{path.parent}")
            item.setData(_PATH, path)
            item.setToolTip(str(path))
            self.list.addItem(item)
            item.setSelected(path in kept)
        if self.list.count() and not self.list.selectedItems():
            self.list.setCurrentRow(0)
        has = self.list.count() > 0
        for button in (self.open_files, self.pin, self.remove):
            button.setEnabled(has)
        keys = self.tr("Enter opens, P pins, Delete takes off the list. The files themselves stay.")
        self.hint.setText(keys if has else self.tr("No file is on the list."))

    def _paths(self) -> list[Path]:
        return [item.data(_PATH) for item in self.list.selectedItems()]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys of the list; from the search field, Down goes into it."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if watched is self.search and event.key() == Qt.Key.Key_Down:
                self.list.setFocus(Qt.FocusReason.OtherFocusReason)
                return True
            if watched is self.list and event.key() == Qt.Key.Key_P:
                self._pin()
                return True
            if watched is self.list and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
                self._remove()
                return True
        return super().eventFilter(watched, event)

    def _open(self) -> None:
        self.chosen = self._paths()
        self.accept()

    def _pin(self) -> None:
        """Pin those chosen; if all of them are pinned, let them go."""
        pinned = self._recent.pinned()
        on = not all(path in pinned for path in self._paths())
        self._change(lambda path: self._recent.pin(path, on))

    def _remove(self) -> None:
        self._change(self._recent.forget)

    def _change(self, act: Callable[[Path], None]) -> None:
        try:
            for path in self._paths():
                act(path)
        except SaveFailed as failed:
            self.told.setText(str(failed))
        self.fill()
