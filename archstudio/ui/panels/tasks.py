"""The Tasks dock: what to build, and the brief of the task that is open."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
)

from archstudio.app.application import Application
from archstudio.bench.tasks import Task, curated_tasks
from archstudio.ui.panels.panel import Panel, label
from archstudio.ui.theme import Theme

_ID = int(Qt.ItemDataRole.UserRole)
_KIND, _PASSED = _ID + 1, _ID + 2
_ROW_PX = 29
_KIND_PX = 58
"""Room kept at the right for the longest kind."""
_MARK_PX = 20


class TasksPanel(Panel):
    """A searchable list of tasks over the brief. Opening one emits `chosen` with its id."""

    chosen = Signal(str)

    def __init__(self, application: Application, theme: Theme) -> None:
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
        self._delegate = _TaskDelegate(self._list, theme)
        self._list.setItemDelegate(self._delegate)
        self._list.setMouseTracking(True)
        self._list.itemClicked.connect(self._open)
        self._list.itemActivated.connect(self._open)
        self._brief_title = label(self.tr("Brief"), "title")
        self._brief = label("", wrap=True)
        self._brief.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._limits = label("", "muted", wrap=True)
        self._fill()
        self._arrange()

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self._delegate.theme = theme
        self._list.viewport().update()

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
            item.setData(_KIND, task.kind)
            self._list.addItem(item)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._list.currentItem() is not None:
            self._open(self._list.currentItem())
            return
        super().keyPressEvent(event)

    def set_passed(self, task_id: str, passed: bool) -> None:
        """Mark a task as passing, or not."""
        for k, task in enumerate(self._tasks):
            if task.id == task_id:
                self._list.item(k).setData(_PASSED, passed)

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


class _TaskDelegate(QStyledItemDelegate):
    """A task's name, a mark once it passes, and its kind at the right."""

    def __init__(self, parent: QObject, theme: Theme) -> None:
        super().__init__(parent)
        self.theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, _ROW_PX)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        rect: QRect = option.rect
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen or hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.theme.colour("select" if chosen else "surface2"))
            painter.drawRoundedRect(rect.adjusted(0, 1, 0, -1), 6, 6)
        font = QFont(option.font)
        font.setBold(chosen)
        painter.setFont(font)
        painter.setPen(self.theme.colour("text"))
        inner = rect.adjusted(10, 0, -10, 0)
        room = inner.width() - _KIND_PX - (_MARK_PX if index.data(_PASSED) else 0)
        name = painter.fontMetrics().elidedText(index.data(_ID), Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, name)
        painter.setFont(option.font)
        painter.setPen(self.theme.colour("muted"))
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, index.data(_KIND))
        if index.data(_PASSED):
            painter.setPen(self.theme.colour("ok"))
            mark = inner.adjusted(0, 0, -_KIND_PX, 0)
            painter.drawText(mark, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, "✔")
        painter.restore()


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
