"""The runs that are kept, as a table: name in the colour of its curve, state and progress, result."""

from __future__ import annotations

from collections.abc import Callable

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
    why_asked = Signal()
    predict_asked = Signal()
    settings_asked = Signal()
    compare_asked = Signal()
    pin_asked = Signal()
    free_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(0, len(_COLUMNS))
        self._theme = theme
        self._lines: list[RunRow | str] = []
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
            (self.tr("Why Did It Fail?…"), self.why_asked),
            (self.tr("Predict…"), self.predict_asked),
            (self.tr("Compare…"), self.compare_asked),
            (self.tr("Use Its Settings"), self.settings_asked),
            (self.tr("Pin or Unpin Its Curve"), self.pin_asked),
            (self.tr("Copy Values as CSV"), self.copy_asked),
            (self.tr("Free Its Weights…"), self.free_asked),
            (self.tr("Delete Run…"), self.delete_asked),
        ):
            action = QAction(title, self)
            action.triggered.connect(signal)
            self.addAction(action)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self._theme = theme
        self._write_lines()

    def show_rows(self, rows: list[RunRow], heading: Callable[[RunRow], str] | None = None) -> None:
        """Show these runs, under a heading for each group if asked for."""
        kept = {row.run_id for row in self.chosen_rows()}
        self._lines = list(rows) if heading is None else _grouped(rows, heading)
        self.blockSignals(True)
        self._write_lines()
        if {row.run_id for row in self.chosen_rows()} != kept:
            self.select(kept)
        self.blockSignals(False)

    def _write_lines(self) -> None:
        self.clearSpans()
        self.setRowCount(len(self._lines))
        for k, line in enumerate(self._lines):
            if isinstance(line, str):
                self._write_heading(k, line)
                continue
            pin = self.tr("pinned · ") if line.pinned else ""
            texts = (pin + line.name, f"{line.state_text}, {line.progress_text}", line.result_text)
            for column, text in enumerate(texts):
                self._write(k, column, text, line)

    def _write_heading(self, k: int, text: str) -> None:
        item = QTableWidgetItem(text)
        item.setFlags(Qt.ItemFlag.ItemIsEnabled)
        font = item.font()
        font.setBold(True)
        item.setFont(font)
        item.setForeground(self._theme.colour("muted"))
        self.setItem(k, 0, item)
        self.setSpan(k, 0, 1, len(_COLUMNS))

    def _write(self, k: int, column: int, text: str, row: RunRow) -> None:
        item = self.item(k, column)
        if item is None or not item.flags() & Qt.ItemFlag.ItemIsSelectable:
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
        lines = [self._lines[k] for k in sorted(places) if k < len(self._lines)]
        return [line for line in lines if not isinstance(line, str)]

    def select(self, run_ids: set[str]) -> None:
        """Select exactly these runs."""
        self.clearSelection()
        mode = self.selectionMode()
        self.setSelectionMode(QAbstractItemView.SelectionMode.MultiSelection)
        for k, line in enumerate(self._lines):
            if not isinstance(line, str) and line.run_id in run_ids:
                self.selectRow(k)
        self.setSelectionMode(mode)


def _grouped(rows: list[RunRow], heading: Callable[[RunRow], str]) -> list[RunRow | str]:
    """Runs under headings, these in the order of their newest run."""
    groups: dict[str, list[RunRow]] = {}
    for row in rows:
        groups.setdefault(heading(row), []).append(row)
    lines: list[RunRow | str] = []
    for title, members in groups.items():
        lines += [f"{title} ({len(members)})", *members]
    return lines
