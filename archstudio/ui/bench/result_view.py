"""A sortable table of results, in which shares are drawn with their intervals."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from archstudio.app.tasks.result_tables import INTERVAL, ResultRow, ResultTable
from archstudio.ui.theme import Theme

_ROW = int(Qt.ItemDataRole.UserRole)
_BAR_PX = 110
_AnyIndex = QModelIndex | QPersistentModelIndex
_EMPTY = ResultTable((), ())


class ResultModel(QAbstractTableModel):
    """The rows of `app.tasks.result_tables` for a table view."""

    def __init__(self) -> None:
        super().__init__()
        self.table = _EMPTY
        self._rows: list[ResultRow] = []

    def show_table(self, table: ResultTable) -> None:
        """Show these rows, in the order given."""
        self.beginResetModel()
        self.table, self._rows = table, list(table.rows)
        self.endResetModel()

    def rowCount(self, parent: _AnyIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: _AnyIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.table.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.table.columns[section]
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(section)
        return None

    def _alignment(self, column: int) -> int:
        number = self.table.columns[column] in self.table.numbers
        side = Qt.AlignmentFlag.AlignRight if number else Qt.AlignmentFlag.AlignLeft
        return int(side | Qt.AlignmentFlag.AlignVCenter)

    def data(self, index: _AnyIndex, role: int = 0) -> Any:
        row = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.cells[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return row.tip or row.cells[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(index.column())
        return row if role == _ROW else None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if not 0 <= column < len(self.table.columns):
            return
        self.layoutAboutToBeChanged.emit()
        self._rows.sort(key=lambda row: row.keys[column], reverse=order == Qt.SortOrder.DescendingOrder)
        self.layoutChanged.emit()


class ResultView(QTableView):
    """One table; `name` is what it is called for people who hear it."""

    def __init__(self, name: str, theme: Theme) -> None:
        super().__init__()
        self.rows = ResultModel()
        self._delegate = _IntervalDelegate(self, theme)
        self.setModel(self.rows)
        self.setAccessibleName(name)
        self.setSortingEnabled(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setItemDelegate(self._delegate)
        self.verticalHeader().setVisible(False)
        self.verticalHeader().setDefaultSectionSize(28)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setStretchLastSection(True)

    def show_table(self, table: ResultTable) -> None:
        """Show a table; columns are as wide as they need, within reason."""
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.rows.show_table(table)
        self.resizeColumnsToContents()
        for column, name in enumerate(table.columns):
            most = 250 if column == 0 else 200
            width = 260 if name == INTERVAL else max(80, min(self.columnWidth(column) + 12, most))
            self.setColumnWidth(column, width)

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self._delegate.theme = theme
        self.viewport().update()


class _IntervalDelegate(QStyledItemDelegate):
    """Draws a share as a bar with a whisker for its interval, beside its text."""

    def __init__(self, parent: ResultView, theme: Theme) -> None:
        super().__init__(parent)
        self.theme = theme
        self._view = parent

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _AnyIndex) -> None:
        if self._view.rows.table.columns[index.column()] != INTERVAL:
            super().paint(painter, option, index)
            return
        row: ResultRow = index.data(_ROW)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, self.theme.colour("select"))
        left, middle = option.rect.left() + 8.0, option.rect.center().y() + 0.5
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.colour("border"))
        painter.drawRoundedRect(QRectF(left, middle - 5, _BAR_PX, 10), 3, 3)
        painter.setBrush(self.theme.colour("accent"))
        painter.drawRoundedRect(QRectF(left, middle - 5, _BAR_PX * row.share, 10), 3, 3)
        painter.setPen(QPen(self.theme.colour("text"), 1.5))
        low, high = left + _BAR_PX * row.interval.low, left + _BAR_PX * row.interval.high
        painter.drawLine(int(low), int(middle), int(high), int(middle))
        for x in (low, high):
            painter.drawLine(int(x), int(middle) - 4, int(x), int(middle) + 4)
        painter.setFont(option.font)
        painter.setPen(self.theme.colour("text"))
        room = option.rect.adjusted(_BAR_PX + 20, 0, -4, 0)
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, row.cells[index.column()])
        painter.restore()
