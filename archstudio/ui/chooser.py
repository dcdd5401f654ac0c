"""A search field over a list that a person picks one row from: commands, layer types, layers of the graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFont, QGuiApplication, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from archstudio.ui.panels.panel import label
from archstudio.ui.theme.fonts import mono_family

_KEY = int(Qt.ItemDataRole.UserRole)
_BESIDE, _RIGHT = _KEY + 1, _KEY + 2
_WIDTH_PX, _HEIGHT_PX, _ROW_PX, _FROM_TOP_PX = 600, 420, 30, 72


@dataclass(frozen=True, slots=True)
class Choice:
    """One row: what is returned, its title, a few words beside it, and what stands at the right."""

    key: str
    title: str
    beside: str = ""
    right: str = ""
    tip: str = ""


class Chooser(QDialog):
    """Opens over the window; `chosen` is the key of the row picked, after it closes, or None."""

    def __init__(
        self, parent: QWidget, name: str, prompt: str, find: Callable[[str], Sequence[Choice]], nothing: str
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.chosen: str | None = None
        self._find, self._nothing = find, nothing
        self.setObjectName("chooser")
        self.setAccessibleName(name)
        self.field = QLineEdit()
        self.field.setPlaceholderText(prompt)
        self.field.setAccessibleName(prompt)
        self.field.textChanged.connect(self._fill)
        self.field.installEventFilter(self)
        self.list = QListWidget()
        self.list.setAccessibleName(name)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setItemDelegate(_RowDelegate(self.list))
        self.list.itemClicked.connect(self._pick)
        self._empty = label("", "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 10, 10)
        column.setSpacing(8)
        for part in (self.field, self._empty, self.list):
            column.addWidget(part)
        self.resize(min(_WIDTH_PX, parent.width() - 40), min(_HEIGHT_PX, parent.height() - 100))
        corner = parent.mapToGlobal(QPoint((parent.width() - self.width()) // 2, _FROM_TOP_PX))
        self.move(corner)
        self._fill("")

    @property
    def titles(self) -> list[str]:
        """Titles of the rows found, in order."""
        return [self.list.item(k).text() for k in range(self.list.count())]

    def found_keys(self, but: str) -> list[str]:
        """Keys of all rows found, without one."""
        return [key for k in range(self.list.count()) if (key := self.list.item(k).data(_KEY)) != but]

    def ask(self) -> str | None:
        """Show it and wait; returns the key picked, or None."""
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)
        self.exec()
        return self.chosen

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows move in the list while the cursor stays in the field; Enter picks."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -10, Qt.Key.Key_PageDown: 10}
            if event.key() in steps:
                row = self.list.currentRow() + steps[Qt.Key(event.key())]
                self.list.setCurrentRow(max(0, min(self.list.count() - 1, row)))
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._pick(self.list.currentItem())
                return True
        return super().eventFilter(watched, event)

    def _fill(self, text: str) -> None:
        self.list.clear()
        for choice in self._find(text):
            item = QListWidgetItem(choice.title)
            for role, value in ((_KEY, choice.key), (_BESIDE, choice.beside), (_RIGHT, choice.right)):
                item.setData(role, value)
            spoken = ", ".join(part for part in (choice.title, choice.right) if part)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
            item.setToolTip(choice.tip)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self._empty.setText("" if self.list.count() else self._nothing)
        self._empty.setVisible(not self.list.count())

    def _pick(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen = item.data(_KEY)
            self.accept()


class _RowDelegate(QStyledItemDelegate):
    """The title, then a few muted words, and at the right the keys or a size."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(200, _ROW_PX)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(option.palette.highlight() if chosen else option.palette.alternateBase())
            painter.drawRoundedRect(option.rect.adjusted(0, 1, 0, -1), 6, 6)
        inner = option.rect.adjusted(10, 0, -10, 0)
        inner = self._right_text(painter, option, index, inner)
        title = index.data()
        painter.setFont(option.font)
        metrics = painter.fontMetrics()
        painter.setPen(option.palette.text().color())
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(inner, middle, metrics.elidedText(title, Qt.TextElideMode.ElideMiddle, inner.width()))
        room = inner.adjusted(metrics.horizontalAdvance(title) + 12, 0, 0, 0)
        if room.width() > 30:
            painter.setPen(QGuiApplication.palette().placeholderText().color())
            beside = metrics.elidedText(index.data(_BESIDE), Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, middle, beside)
        painter.restore()

    def _right_text(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex, inner: QRect
    ) -> QRect:
        """Draw what stands at the right; returns the room that is left."""
        text = index.data(_RIGHT)
        if not text:
            return inner
        font = QFont(option.font)
        font.setFamily(mono_family())
        painter.setFont(font)
        painter.setPen(QGuiApplication.palette().placeholderText().color())
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text)
        return inner.adjusted(0, 0, -painter.fontMetrics().horizontalAdvance(text) - 12, 0)
