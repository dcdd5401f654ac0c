"""A list to put in order: dragged with the mouse, or moved with keys; drawn by a delegate so that rows can be moved."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from archstudio.app.quiz.item import ShownChoice
from archstudio.app.quiz.wording import settings_line
from archstudio.ui.panels.curve_colours import run_colour
from archstudio.ui.theme import Theme
from archstudio.ui.theme.fonts import base_pixels, ui_font

_LABEL = Qt.ItemDataRole.UserRole
_WORDS = Qt.ItemDataRole.UserRole + 1
_PLACE = Qt.ItemDataRole.UserRole + 2
_NOTE = Qt.ItemDataRole.UserRole + 3
_PAD = 12
_GRIP = 26
_LEFT = 108
_GAP = 8


class RankingList(QListWidget):
    """Best first. `reordered` after each move, `files_asked` is not offered: rankings carry no code."""

    reordered = Signal()

    def __init__(self, choices: Sequence[ShownChoice], theme: Theme, order: Sequence[str] = ()) -> None:
        super().__init__()
        self.setObjectName("ranking")
        self.setAccessibleName(self.tr("Your order, best first"))
        self.setAccessibleDescription(self.tr("Ctrl+Up and Ctrl+Down move the row, a digit sends it to that place."))
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSpacing(0)
        self.setItemDelegate(_RowDelegate(theme, self))
        self.model().rowsMoved.connect(self._moved)
        self.model().rowsInserted.connect(lambda: self._fit())
        by_label = {choice.label: (place, choice) for place, choice in enumerate(choices)}
        for name in order or list(by_label):
            place, choice = by_label[name]
            self.addItem(_row(place, choice))
        self.setCurrentRow(0)
        self._open = True
        self._fit()

    @property
    def order(self) -> list[str]:
        """The labels, best first."""
        return [self.item(row).data(_LABEL) for row in range(self.count())]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl (or Alt) with Up and Down move the row, a digit sends it to that place."""
        held = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if self._open and held and steps is not None:
            self.move_to(self.currentRow() + steps)
        elif self._open and not held and event.text().isdecimal() and event.text() != "0":
            self.move_to(int(event.text()) - 1)
        else:
            super().keyPressEvent(event)

    def move_to(self, row: int) -> None:
        """Put the current row at a place, if there is one."""
        if not self._open or not 0 <= row < self.count() or row == self.currentRow():
            return
        item = self.takeItem(self.currentRow())
        self.insertItem(row, item)
        self.setCurrentRow(row)
        self._moved()

    def close_answer(self, notes: dict[str, str]) -> None:
        """No more moves; `notes` say at the right end of each row how it really ended."""
        self._open = False
        self.setDragDropMode(QAbstractItemView.DragDropMode.NoDragDrop)
        for row in range(self.count()):
            self.item(row).setData(_NOTE, notes.get(self.item(row).data(_LABEL), ""))

    def _moved(self) -> None:
        self.viewport().update()
        self.reordered.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Narrow rows are higher."""
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()
        self._fit()

    def _fit(self) -> None:
        """As high as its rows: the page scrolls, not the list."""
        delegate = self.itemDelegate()
        assert isinstance(delegate, _RowDelegate)
        width = max(200, self.viewport().width())
        heights = [delegate.height(str(self.item(row).data(_WORDS)), width) for row in range(self.count())]
        self.setFixedHeight(sum(heights) + 4)


def _row(place: int, choice: ShownChoice) -> QListWidgetItem:
    words = settings_line(choice)
    made = QListWidgetItem()
    made.setData(_LABEL, choice.label)
    made.setData(_WORDS, words)
    made.setData(_PLACE, place)
    made.setData(Qt.ItemDataRole.AccessibleTextRole, f"{choice.label}: {words}")
    return made


class _RowDelegate(QStyledItemDelegate):
    """Draws a row as a card: grip, rank, badge, settings, and after the answer a note."""

    def __init__(self, theme: Theme, parent: RankingList) -> None:
        super().__init__(parent)
        self._theme = theme
        self._list = parent
        self._words, self._strong = ui_font(base_pixels() - 1), ui_font(base_pixels(), bold=True)

    def height(self, words: str, width: int) -> int:
        """The height of a row of that width, gap included."""
        room = QRect(0, 0, max(60, width - _LEFT - 2 * _PAD), 10_000)
        flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft
        needed = QFontMetrics(self._words).boundingRect(room, int(flags), words).height()
        return max(44, needed + 2 * _PAD) + _GAP

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """As wide as the list."""
        width = max(200, self._list.viewport().width())
        return QSize(width, self.height(str(index.data(_WORDS)), width))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw the row."""
        rect: QRect = option.rect.adjusted(1, 1, -1, -_GAP)
        state: QStyle.StateFlag = option.state
        focused = bool(state & QStyle.StateFlag.State_Selected) and self._list.hasFocus()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = self._theme.colour("accent" if focused else "border")
        painter.setPen(QPen(edge, 2 if focused else 1))
        painter.setBrush(self._theme.colour("surface"))
        painter.drawRoundedRect(QRectF(rect), 8, 8)
        self._left(painter, rect, index)
        painter.setFont(self._words)
        painter.setPen(self._theme.colour("text"))
        note = str(index.data(_NOTE) or "")
        room = rect.adjusted(_LEFT, _PAD, -_PAD, -_PAD)
        flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        if note:
            wide = QFontMetrics(self._strong).horizontalAdvance(note) + 16
            painter.setFont(self._strong)
            at = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(room, int(at), note)
            room.adjust(0, 0, -wide, 0)
            painter.setFont(self._words)
        painter.drawText(room, int(flags), str(index.data(_WORDS)))
        painter.restore()

    def _left(self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex) -> None:
        painter.setPen(QPen(self._theme.colour("muted"), 1.6))
        middle = rect.center().y()
        for dy in (-5, 0, 5):
            painter.drawLine(rect.left() + 11, middle + dy, rect.left() + 21, middle + dy)
        painter.setFont(self._strong)
        painter.setPen(self._theme.colour("muted"))
        rank = QRect(rect.left() + _GRIP, rect.top(), 28, rect.height())
        painter.drawText(rank, int(Qt.AlignmentFlag.AlignCenter), f"{index.row() + 1}.")
        colour = run_colour(int(index.data(_PLACE)), self._theme)
        tag = QRectF(rect.left() + _GRIP + 34, middle - 11, 36, 22)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRoundedRect(tag, 5, 5)
        painter.setPen(self._theme.text_on(colour))
        painter.drawText(tag, int(Qt.AlignmentFlag.AlignCenter), str(index.data(_LABEL)))
