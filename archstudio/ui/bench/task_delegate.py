"""Draws one task of the browser: its name, how far it has come, and its family."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from archstudio.app.tasks.attempts import Progress
from archstudio.app.tasks.entry import TaskEntry
from archstudio.ui.bench.task_model import ENTRY, OPEN, PROGRESS, STATE
from archstudio.ui.theme import Theme

ROW_PX = 29
_MARKS_PX = 40
_MARK_PX = 16
"""Three dots for an attempt, or one sign."""
_FAMILY_PX = 64
"""Room kept at the right for the longest family."""
_DOT_PX, _STEP_PX = 3.2, 10
_AnyIndex = QModelIndex | QPersistentModelIndex


class TaskDelegate(QStyledItemDelegate):
    """A tick once a task is done; before that three dots, filled for each verdict that the best attempt passed."""

    def __init__(self, parent: QObject, theme: Theme) -> None:
        super().__init__(parent)
        self.theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: _AnyIndex) -> QSize:
        return QSize(120, ROW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _AnyIndex) -> None:
        entry: TaskEntry = index.data(ENTRY)
        is_open = bool(index.data(OPEN))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, option)
        inner = option.rect.adjusted(10, 0, -10, 0)
        state, progress = index.data(STATE), index.data(PROGRESS)
        marked = is_open or state != "untouched"
        family = self._paint_family(painter, option.font, inner, entry)
        font = QFont(option.font)
        font.setBold(is_open)
        painter.setFont(font)
        painter.setPen(self.theme.colour("text"))
        dotted = state != "done" and progress is not None
        room = inner.width() - family - 8 - (0 if not marked else _MARKS_PX if dotted else _MARK_PX)
        name = painter.fontMetrics().elidedText(entry.title, Qt.TextElideMode.ElideMiddle, max(room, 0))
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, name)
        if marked:
            place = QRect(inner.right() - family - 6 - _MARKS_PX, inner.top(), _MARKS_PX, inner.height())
            self._paint_mark(painter, option.font, place, state, progress)
        painter.restore()

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen or option.state & QStyle.StateFlag.State_MouseOver:
            focused = chosen and bool(option.state & QStyle.StateFlag.State_HasFocus)
            painter.setPen(QPen(self.theme.colour("accent"), 1) if focused else Qt.PenStyle.NoPen)
            painter.setBrush(self.theme.colour("select" if chosen else "surface2"))
            painter.drawRoundedRect(option.rect.adjusted(1, 1, -1, -1), 6, 6)

    def _paint_family(self, painter: QPainter, font: QFont, inner: QRect, entry: TaskEntry) -> int:
        """The family at the right; returns the room it takes."""
        painter.setFont(font)
        painter.setPen(self.theme.colour("muted"))
        text = "" if entry.is_practice else entry.family
        room = min(_FAMILY_PX, painter.fontMetrics().horizontalAdvance(text))
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text)
        return room

    def _paint_mark(self, painter: QPainter, font: QFont, place: QRect, state: str, progress: Progress | None) -> None:
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.setFont(font)
        if state == "done":
            painter.setPen(self.theme.colour("ok"))
            painter.drawText(place, right, "✔")
        elif progress is not None:
            self._paint_dots(painter, place, progress)
        else:
            painter.setPen(self.theme.colour("accent"))
            painter.drawText(place, right, "•")

    def _paint_dots(self, painter: QPainter, place: QRect, progress: Progress) -> None:
        best = progress.best
        y = place.center().y() + 1.0
        for k, holds in enumerate((best.runs, best.passed, best.does_the_brief)):
            colour = self.theme.colour("ok" if holds else "muted")
            painter.setPen(QPen(colour, 1.2))
            painter.setBrush(colour if holds else Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(place.right() - 4 - (2 - k) * _STEP_PX, y), _DOT_PX, _DOT_PX)
