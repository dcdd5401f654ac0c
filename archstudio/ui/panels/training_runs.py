"""The runs with what is done to them: searched, grouped, compared, explained, exported, freed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QMenu, QToolButton, QVBoxLayout, QWidget

from archstudio.app.runs import RunRow, RunsBook, size_text
from archstudio.ui.panels.flow import FlowLayout
from archstudio.ui.panels.panel import label
from archstudio.ui.panels.runs_table import RunsTable
from archstudio.ui.theme import Theme

_GROUPS: dict[str, Callable[[RunRow], str] | None] = {
    "none": None,
    "graph": lambda row: row.title,
    "settings": lambda row: row.settings,
    "state": lambda row: row.state,
}


class RunsView(QWidget):
    """A line of tools over the table. `export_asked` names the kind of file."""

    export_asked = Signal(str)

    def __init__(self, book: RunsBook, theme: Theme) -> None:
        super().__init__()
        self._book = book
        self.table = RunsTable(theme)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search runs"))
        self.search.setAccessibleName(self.tr("Search runs"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self.show_rows)
        self.group = QComboBox()
        self.group.setAccessibleName(self.tr("Group runs"))
        titles = (self.tr("not grouped"), self.tr("by graph"), self.tr("by settings"), self.tr("by state"))
        for key, title in zip(_GROUPS, titles, strict=True):
            self.group.addItem(title, key)
        self.group.currentIndexChanged.connect(self.show_rows)
        self.compare = self._tool(self.tr("Compare"), self.tr("In which settings the selected runs differ."))
        self.compare.clicked.connect(self.table.compare_asked)
        self.why = self._tool(self.tr("Why?"), self.tr("Why the selected run failed or learnt little."))
        self.why.clicked.connect(self.table.why_asked)
        self.predict = self._tool(self.tr("Predict"), self.tr("What the trained graph says of samples or a file."))
        self.predict.clicked.connect(self.table.predict_asked)
        self.export = self._tool(self.tr("Export"), self.tr("Curves and values of the runs shown, with their digests."))
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.export.setMenu(self._export_menu())
        self.disk = label("", "muted")
        self._arrange()
        self.table.itemSelectionChanged.connect(self._enable)
        self._enable()

    def _tool(self, text: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(tip)
        return button

    def _export_menu(self) -> QMenu:
        menu = QMenu(self)
        kinds = (
            ("csv", self.tr("Values as CSV…")),
            ("json", self.tr("Everything as JSON…")),
            ("png", self.tr("Picture as PNG…")),
            ("svg", self.tr("Picture as SVG…")),
            ("pdf", self.tr("Picture as PDF…")),
            ("tensorboard", self.tr("TensorBoard event files…")),
        )
        for kind, title in kinds:
            menu.addAction(title).triggered.connect(lambda _=False, kind=kind: self.export_asked.emit(kind))
        return menu

    def _arrange(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self.search, 1)
        top.addWidget(self.group)
        tools = FlowLayout(spacing=4)
        for button in (self.why, self.compare, self.predict, self.export):
            tools.addWidget(button)
        tools.addWidget(self.disk)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 4)
        column.setSpacing(6)
        column.addLayout(top)
        column.addLayout(tools)
        column.addWidget(self.table, 1)

    def show_rows(self) -> None:
        """Show the runs that match the search, grouped as chosen, and what all of them take on disk."""
        rows = [row for row in self._book.rows if row.matches(self.search.text())]
        self.table.show_rows(rows, _GROUPS[self.group.currentData()])
        used = self._book.bytes_used
        self.disk.setText(self.tr("{size} on disk").format(size=size_text(used)) if used else "")
        self._enable()

    def _enable(self) -> None:
        chosen = self.table.chosen_rows()
        self.compare.setEnabled(len(chosen) > 1)
        self.why.setEnabled(len(chosen) == 1)
        self.predict.setEnabled(len(chosen) == 1)
        self.export.setEnabled(bool(self._book.rows))

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self.table.set_theme(theme)
