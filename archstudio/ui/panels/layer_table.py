"""The Layer Table dock: sizes and costs of every layer; its selection and the canvas's are one."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    Qt,
)
from PySide6.QtGui import QAction, QColor, QGuiApplication, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
)

from archstudio.app.application import Application
from archstudio.app.layer_table import (
    COLUMNS,
    NUMBER_COLUMNS,
    LayerRow,
    Subtotal,
    as_csv,
    as_markdown,
    frame_subtotals,
    grouped,
    layer_rows,
    subtotal,
)
from archstudio.app.words import said
from archstudio.ui.panels.panel import Panel

_SHARE = COLUMNS.index("Share")
_WIDTHS_PX = (180, 130, 150, 110, 110, 100, 90)
_AnyIndex = QModelIndex | QPersistentModelIndex


class LayerTablePanel(Panel):
    """A sortable table of layers."""

    def __init__(self, application: Application) -> None:
        super().__init__(application)
        self.model = LayerModel()
        self._table = QTableView()
        self._table.setAccessibleName(self.tr("Layer table"))
        self._table.setModel(self.model)
        self._table.setSortingEnabled(True)
        self._table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self._table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self._table.verticalHeader().setVisible(False)
        self._table.verticalHeader().setDefaultSectionSize(26)
        self._table.setShowGrid(False)
        self._table.setItemDelegateForColumn(_SHARE, _BarDelegate(self._table))
        header = self._table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        for column, width in enumerate(_WIDTHS_PX):
            self._table.setColumnWidth(column, width)
        header.setHighlightSections(False)
        self._syncing = False
        self._table.selectionModel().selectionChanged.connect(self._picked)
        self._add_copy()
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._table)

    def _add_copy(self) -> None:
        self._table.installEventFilter(self)
        copies = ((self.tr("Copy as Markdown"), self.copy_markdown), (self.tr("Copy as CSV"), self.copy_csv))
        for title, copy in copies:
            action = QAction(title, self._table)
            action.triggered.connect(copy)
            self._table.addAction(action)
        self._table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ctrl+C copies the table while it has the keyboard, not the layers selected on the canvas."""
        if isinstance(event, QKeyEvent) and event.matches(QKeySequence.StandardKey.Copy):
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
            elif event.type() == QEvent.Type.KeyPress:
                self.copy_markdown()
            return True
        return super().eventFilter(watched, event)

    def copy_markdown(self) -> None:
        """Put the whole table on the clipboard as Markdown, with subtotals of frames and the total."""
        QGuiApplication.clipboard().setText(as_markdown(self._listed()))

    def copy_csv(self) -> None:
        """The same as CSV with plain numbers."""
        QGuiApplication.clipboard().setText(as_csv(self._listed()))

    def _listed(self) -> list[LayerRow | Subtotal]:
        rows = self.model.rows
        if self.document is None:
            return []
        return [*grouped(rows, frame_subtotals(self.document, rows)), subtotal(self.tr("Total"), rows)]

    def refresh(self) -> None:
        document = self.document
        self._syncing = True
        self.model.show_rows([] if document is None else layer_rows(document))
        self._syncing = False
        if document is not None:
            self._table.setColumnHidden(2, not document.visibility.shapes)
            for column in NUMBER_COLUMNS:
                self._table.setColumnHidden(column, not document.visibility.counts)
        self.selected()

    def selected(self) -> None:
        document = self.document
        if document is None or self._syncing or not self.can_be_seen:
            return
        self._syncing = True
        chosen = [k for k, row in enumerate(self.model.rows) if row.node in document.selection.nodes]
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self._table.selectionModel().select(self._ranges(chosen), flags)
        if chosen:
            self._table.scrollTo(self.model.index(chosen[-1], 0))
        self._syncing = False

    def _ranges(self, rows: list[int]) -> QItemSelection:
        """These rows as a selection, with neighbours joined."""
        selection = QItemSelection()
        first = 0
        for k, row in enumerate(rows):
            if k + 1 == len(rows) or rows[k + 1] != row + 1:
                selection.select(self.model.index(rows[first], 0), self.model.index(row, 0))
                first = k + 1
        return selection

    def _picked(self) -> None:
        if self.document is not None and not self._syncing:
            rows = self._table.selectionModel().selectedRows()
            self._syncing = True
            self.document.selection.set(self.model.rows[i.row()].node for i in rows)
            self._syncing = False


class LayerModel(QAbstractTableModel):
    """The rows of `app.layer_table` for a table view."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[LayerRow] = []
        self._order: tuple[int, bool] | None = None

    def show_rows(self, rows: list[LayerRow]) -> None:
        """Show these rows, in the order last asked for."""
        self.beginResetModel()
        self.rows = self._sorted(rows)
        self.endResetModel()

    def rowCount(self, parent: _AnyIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: _AnyIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return said(COLUMNS[section])
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        return None

    def data(self, index: _AnyIndex, role: int = 0) -> Any:
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.cells[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(index.column())
        if role == Qt.ItemDataRole.UserRole:
            return row.share
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._order = None if column < 0 else (column, order == Qt.SortOrder.DescendingOrder)
        self.show_rows(self.rows)

    def _sorted(self, rows: list[LayerRow]) -> list[LayerRow]:
        if self._order is None:
            return rows
        column, descending = self._order
        return sorted(rows, key=lambda row: row.sort_key(column), reverse=descending)


def _alignment(column: int) -> int:
    side = Qt.AlignmentFlag.AlignRight if column in NUMBER_COLUMNS else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter)


class _BarDelegate(QStyledItemDelegate):
    """A share of the total as a bar behind its percentage."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _AnyIndex) -> None:
        share = index.data(Qt.ItemDataRole.UserRole) or 0.0
        colour = QColor(option.palette.highlight().color())
        colour.setAlpha(70)
        bar = QRect(option.rect)
        bar.setWidth(int(bar.width() * share))
        painter.fillRect(bar.adjusted(2, 5, -2, -5), colour)
        super().paint(painter, option, index)
