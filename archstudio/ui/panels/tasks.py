"""The Tasks dock: what to build, and the brief of the task that is open."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from archstudio.app.application import Application
from archstudio.bench.tasks import Task, curated_tasks
from archstudio.ui.panels.panel import Panel, label

_ID = int(Qt.ItemDataRole.UserRole)


class TasksPanel(Panel):
    """A searchable list of tasks over the brief. Opening one emits `chosen` with its id."""

    chosen = Signal(str)

    def __init__(self, application: Application) -> None:
        self._tasks = curated_tasks()
        super().__init__(application)
        self._search = QLineEdit()
        self._search.setPlaceholderText(self.tr("Search tasks"))
        self._search.setAccessibleName(self.tr("Search tasks"))
        self._search.setClearButtonEnabled(True)
        self._search.textChanged.connect(self._filter)
        self._list = QListWidget()
        self._list.setObjectName("tasks")
        self._list.setAccessibleName(self.tr("Tasks"))
        self._list.itemClicked.connect(self._open)
        self._list.itemActivated.connect(self._open)
        self._brief_title = label(self.tr("Brief"), "title")
        self._brief = label("", wrap=True)
        self._brief.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._limits = label("", "muted", wrap=True)
        self._fill()
        self._arrange()

    def _arrange(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 4, 12, 10)
        column.setSpacing(8)
        column.addWidget(self._search)
        column.addWidget(self._list, 1)
        for part in (self._brief_title, self._brief, self._limits):
            column.addWidget(part)

    def _fill(self) -> None:
        for task in self._tasks:
            item = QListWidgetItem()
            item.setData(_ID, task.id)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{task.id}, {task.kind}")
            item.setToolTip(task.spec)
            self._list.addItem(item)
            self._list.setItemWidget(item, _row(task))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._list.currentItem() is not None:
            self._open(self._list.currentItem())
            return
        super().keyPressEvent(event)

    def _open(self, item: QListWidgetItem) -> None:
        self.chosen.emit(item.data(_ID))

    def _filter(self, text: str) -> None:
        wanted = text.casefold().split()
        for k, task in enumerate(self._tasks):
            told = f"{task.id} {task.kind} {task.spec}".casefold()
            self._list.item(k).setHidden(not all(word in told for word in wanted))

    def refresh(self) -> None:
        current = None if self.document is None else self.document.task_id
        shown: Task | None = None
        for k, task in enumerate(self._tasks):
            if task.id == current:
                shown = task
                self._list.setCurrentRow(k)
        if shown is None:
            self._list.setCurrentRow(-1)
            self._list.clearSelection()
        for part in (self._brief_title, self._brief, self._limits):
            part.setVisible(shown is not None)
        if shown is not None:
            self._brief.setText(shown.spec)
            self._limits.setText(_limits_text(shown))


def _row(task: Task) -> QWidget:
    row = QWidget()
    row.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    line = QHBoxLayout(row)
    line.setContentsMargins(8, 5, 8, 5)
    line.addWidget(label(task.id))
    line.addStretch(1)
    line.addWidget(label(task.kind, "muted"))
    return row


def _limits_text(task: Task) -> str:
    """Limits that bind and that the published brief may leave unsaid."""
    limits = task.constraints
    parts = []
    if "maxActions" in limits:
        parts.append(f"at most {limits['maxActions']} actions")
    if "minComponents" in limits:
        parts.append(f"at least {limits['minComponents']} layers")
    if "maxParams" in limits:
        parts.append(f"at most {limits['maxParams']:,} parameters (rubric's estimate)")
    if "minParams" in limits:
        parts.append(f"at least {limits['minParams']:,} parameters")
    return "Graded with: " + ", ".join(parts) if parts else ""
