"""The runs that are kept, as a table: name in the colour of its curve, state and progress, result."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QBrush
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from archstudio.app.runs import RunRow
from archstudio.ui.panels.curve_colours import run_colour
from archstudio.ui.theme import Theme

_COLUMNS = ("Run", "State", "Result")
_WIDTHS_PX = (150, 176, 120)


class RunsTable(QTableWidget):
    """Rows are rewritten in place, so that the selection and the scroll stay. `delete_asked` means the selected."""

    chosen = Signal()
    delete_asked = Signal()
    copy_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(0, len(_COLUMNS))
        self._theme = theme
        self._rows: list[RunRow] = []
        self.setAccessibleName(self.tr("Runs"))
        self.setHorizontalHeaderLabels([self.tr(c) for c in _COLUMNS])
        self.verticalHeader().setVisible(False)
        self.verticalHeader().setDefaultSectionSize(26)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setShowGrid(False)
        self.setMinimumWidth(120)
        self.setTabKeyNavigation(False)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setWordWrap(False)
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        for column, width in enumerate(_WIDTHS_PX):
            self.setColumnWidth(column, width)
        header.setStretchLastSection(True)
        header.setHighlightSections(False)
        self.itemSelectionChanged.connect(self.chosen)
        for title, signal in (
            (self.tr("Copy Values as CSV"), self.copy_asked),
            (self.tr("Delete Run…"), self.delete_asked),
        ):
            action = QAction(title, self)
            action.triggered.connect(signal)
            self.addAction(action)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self._theme = theme
        self.show_rows(self._rows)

    def show_rows(self, rows: list[RunRow]) -> None:
        """Show these runs."""
        kept = {row.run_id for row in self.chosen_rows()}
        self._rows = list(rows)
        self.blockSignals(True)
        self.setRowCount(len(rows))
        for k, row in enumerate(rows):
            texts = (row.name, f"{row.state_text}, {row.progress_text}", row.result_text)
            for column, text in enumerate(texts):
                self._write(k, column, text, row)
        if {row.run_id for row in self.chosen_rows()} != kept:
            self.select(kept)
        self.blockSignals(False)

    def _write(self, k: int, column: int, text: str, row: RunRow) -> None:
        item = self.item(k, column)
        if item is None:
            item = QTableWidgetItem()
            self.setItem(k, column, item)
        item.setText(text)
        item.setToolTip(row.failure or text)
        if column == 0:
            item.setForeground(run_colour(row.place, self._theme))
        elif column == 1:
            item.setForeground(self._theme.colour("error") if row.state == "failed" else QBrush())

    def chosen_rows(self) -> list[RunRow]:
        """The selected runs, from the top."""
        places = {index.row() for index in self.selectionModel().selectedRows()}
        return [self._rows[k] for k in sorted(places) if k < len(self._rows)]

    def select(self, run_ids: set[str]) -> None:
        """Select exactly these runs."""
        self.clearSelection()
        mode = self.selectionMode()
        self.setSelectionMode(QAbstractItemView.SelectionMode.MultiSelection)
        for k, row in enumerate(self._rows):
            if row.run_id in run_ids:
                self.selectRow(k)
        self.setSelectionMode(mode)
