"""The Layers dock: the catalogue to search and to drag from."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
)

from archstudio.app.application import Application
from archstudio.app.search import search_layers
from archstudio.layers import Layer
from archstudio.ui.canvas.mime import LAYER_MIME
from archstudio.ui.panels.panel import Panel
from archstudio.ui.theme import Theme

_TYPE = int(Qt.ItemDataRole.UserRole)
_SUMMARY = _TYPE + 1
_FAMILY = _TYPE + 2
_ROW_PX = 30


class LayersPanel(Panel):
    """Search-ranked list of layer types. Dragging one carries its type; Enter or double-click emits `chosen`."""

    chosen = Signal(str)

    def __init__(self, application: Application, theme: Theme) -> None:
        super().__init__(application)
        self._search = QLineEdit()
        self._search.setPlaceholderText(self.tr("Search layers"))
        self._search.setAccessibleName(self.tr("Search layers"))
        self._search.setClearButtonEnabled(True)
        self._search.textChanged.connect(self._fill)
        self._search.returnPressed.connect(self._choose_first)
        self._list = _LayerList()
        self._list.setAccessibleName(self.tr("Layers"))
        self._list.itemActivated.connect(lambda item: self.chosen.emit(item.data(_TYPE)))
        self._delegate = _RowDelegate(theme)
        self._list.setItemDelegate(self._delegate)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 4, 12, 10)
        column.setSpacing(8)
        column.addWidget(self._search)
        column.addWidget(self._list, 1)
        self._fill("")

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self._delegate.theme = theme
        self._list.viewport().update()

    def focus_search(self) -> None:
        """Put the cursor into the search field."""
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _choose_first(self) -> None:
        if self._list.count():
            self.chosen.emit(self._list.item(0).data(_TYPE))

    def _fill(self, text: str) -> None:
        self._list.clear()
        for entry in search_layers(text):
            self._list.addItem(_item(entry))


class _LayerList(QListWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("layers")
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setUniformItemSizes(True)

    def mimeData(self, items: list[QListWidgetItem]) -> QMimeData:  # type: ignore[override]
        carried = QMimeData()
        carried.setData(LAYER_MIME, QByteArray(items[0].data(_TYPE).encode()))
        return carried


def _item(entry: type[Layer]) -> QListWidgetItem:
    item = QListWidgetItem(entry.type)
    summary = (entry.__doc__ or "").strip().split("\n")[0].split("    ")[0].rstrip(".")
    item.setData(_TYPE, entry.type)
    item.setData(_SUMMARY, summary)
    item.setData(_FAMILY, entry.family)
    item.setToolTip(summary)
    return item


class _RowDelegate(QStyledItemDelegate):
    """A family stripe, the type in bold, and what it does, cut where the row ends."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: object) -> QSize:
        return QSize(120, _ROW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: object) -> None:
        rect = option.rect
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, self.theme.colour("select"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, self.theme.colour("surface2"))
        painter.fillRect(rect.left() + 2, rect.top() + 6, 4, rect.height() - 12, self._hue(index))
        font = option.font
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(self.theme.colour("text"))
        name = index.data(_TYPE)  # type: ignore[attr-defined]
        inner = rect.adjusted(14, 0, -6, 0)
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, name)
        used = painter.fontMetrics().horizontalAdvance(name) + 12
        font.setBold(False)
        painter.setFont(font)
        painter.setPen(self.theme.colour("muted"))
        room = inner.adjusted(used, 0, 0, 0)
        told = painter.fontMetrics().elidedText(
            index.data(_SUMMARY),  # type: ignore[attr-defined]
            Qt.TextElideMode.ElideRight,
            max(room.width(), 0),
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, told)
        painter.restore()

    def _hue(self, index: object) -> QColor:
        return self.theme.family(index.data(_FAMILY))  # type: ignore[attr-defined]
