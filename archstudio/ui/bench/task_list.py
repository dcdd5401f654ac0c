"""The list of the task browser: mouse, keys and the row of the task that is told about."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QListView

from archstudio.app.tasks.entry import TaskEntry
from archstudio.ui.bench.task_delegate import TaskDelegate
from archstudio.ui.bench.task_model import ENTRY, TaskModel
from archstudio.ui.theme import Theme


class TaskList(QListView):
    """`picked` carries the entry a person moved to, `open_asked` the ref of one to be opened."""

    picked = Signal(object)
    open_asked = Signal(str)

    def __init__(self, model: TaskModel, theme: Theme) -> None:
        super().__init__()
        self._rows = model
        self._delegate = TaskDelegate(self, theme)
        self.setObjectName("tasks")
        self.setAccessibleName(self.tr("Tasks"))
        self.setModel(model)
        self.setItemDelegate(self._delegate)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        for title, act in ((self.tr("Open"), self.open_chosen), (self.tr("Copy Brief"), self._copy_brief)):
            action = QAction(title, self)
            action.triggered.connect(act)
            self.addAction(action)
        self.activated.connect(self._open)
        self.selectionModel().currentChanged.connect(self._moved)

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self._delegate.theme = theme
        self.viewport().update()

    @property
    def chosen(self) -> TaskEntry | None:
        """The entry of the current row."""
        index = self.currentIndex()
        return index.data(ENTRY) if index.isValid() else None

    def follow(self, ref: str | None) -> None:
        """Make the row of a task the current one, if it is shown, without telling."""
        row, selection = self._rows.row_of(ref), self.selectionModel()
        if row >= 0 and selection.currentIndex().row() != row:
            selection.blockSignals(True)
            self.setCurrentIndex(self._rows.index(row))
            selection.blockSignals(False)
            self.scrollTo(self._rows.index(row))
            self.viewport().update()

    def enter(self) -> None:
        """Take the keyboard, on the first row if none is current."""
        if not self.currentIndex().isValid() and self._rows.entries:
            self.setCurrentIndex(self._rows.index(0))
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def open_chosen(self) -> None:
        """Ask to open the current row."""
        if self.chosen is not None:
            self.open_asked.emit(self.chosen.ref)

    def _open(self, index: QModelIndex) -> None:
        self.open_asked.emit(index.data(ENTRY).ref)

    def _copy_brief(self) -> None:
        if self.chosen is not None:
            QGuiApplication.clipboard().setText(self.chosen.text)

    def _moved(self, index: QModelIndex) -> None:
        if index.isValid():
            self.picked.emit(index.data(ENTRY))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open_chosen()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the current row in sight when the brief below takes room."""
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self._show_current)

    def _show_current(self) -> None:
        if self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())
