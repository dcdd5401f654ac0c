"""The page of all questions: ways to begin, and the sessions that were begun."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from archstudio.app.quiz.record import SessionRecord
from archstudio.app.quiz.shelf import Shelf
from archstudio.app.quiz.wording import protocol_title
from archstudio.ui.panels.panel import label
from archstudio.ui.quiz.looks import quiz_sheet
from archstudio.ui.theme import Theme


class HomePage(QWidget):
    """Emits what was chosen; the host does it."""

    open_asked = Signal()
    practice_asked = Signal()
    session_chosen = Signal(object)
    results_chosen = Signal(object)
    forget_chosen = Signal(object)
    leave_asked = Signal()

    def __init__(self, shelf: Shelf, theme: Theme) -> None:
        super().__init__()
        self._shelf = shelf
        self._records: list[SessionRecord] = []
        self.setObjectName("quiz")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.open, self.practice = QPushButton(self.tr("Open a pack…")), QPushButton(self.tr("Practise on a folder…"))
        self.open.setProperty("role", "primary")
        self.open.clicked.connect(self.open_asked)
        self.practice.clicked.connect(self.practice_asked)
        back = QPushButton(self.tr("Back to the graphs"))
        back.clicked.connect(self.leave_asked)
        self.go_on, self.results = QPushButton(self.tr("Continue")), QPushButton(self.tr("Results"))
        self.forget = QPushButton(self.tr("Delete…"))
        for button, signal in (
            (self.go_on, self.session_chosen), (self.results, self.results_chosen), (self.forget, self.forget_chosen),
        ):  # fmt: skip
            button.clicked.connect(lambda _=False, tell=signal: self._tell(tell))
        self.table = self._make_table()
        self._faults = label("", "warn", wrap=True)
        top, below = QHBoxLayout(), QHBoxLayout()
        for part in (self.open, self.practice):
            top.addWidget(part)
        top.addStretch(1)
        top.addWidget(back)
        for part in (self.go_on, self.results, self.forget):
            below.addWidget(part)
        below.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(48, 36, 48, 28)
        column.setSpacing(10)
        column.addWidget(label(self.tr("Questions"), "display"))
        told = self.tr("One data set, a few ways to train on it: which ends best? Every answer was found by training.")
        column.addWidget(label(told, "muted", wrap=True))
        column.addSpacing(8)
        column.addLayout(top)
        column.addSpacing(14)
        column.addWidget(label(self.tr("Sessions"), "heading"))
        column.addWidget(self._faults)
        column.addWidget(self.table, 1)
        column.addLayout(below)
        self.set_theme(theme)
        self.refresh()

    def _make_table(self) -> QTableWidget:
        heads = [self.tr("Questions"), self.tr("Protocol"), self.tr("Answered"), self.tr("Begun"), self.tr("State")]
        table = QTableWidget(0, len(heads))
        table.setAccessibleName(self.tr("Sessions"))
        table.setHorizontalHeaderLabels(heads)
        table.verticalHeader().setVisible(False)
        table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        table.setSelectionMode(QTableWidget.SelectionMode.SingleSelection)
        table.setShowGrid(False)
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        table.itemActivated.connect(lambda: self._tell(self.session_chosen))
        table.itemSelectionChanged.connect(self._update)
        return table

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self.setStyleSheet(quiz_sheet(theme))

    def refresh(self) -> None:
        """Show the sessions as they are on disk."""
        self._records, faults = self._shelf.records()
        self._faults.setText("\n".join(faults))
        self._faults.setVisible(bool(faults))
        self.table.setRowCount(len(self._records))
        for row, record in enumerate(self._records):
            state = self.tr("over") if record.finished_at else self.tr("under way")
            answered = f"{len(record.answers)} / {len(record.order)}"
            begun = datetime.fromisoformat(record.started_at).astimezone().strftime("%Y-%m-%d %H:%M")
            cells = (record.pack_title, protocol_title(record.protocol), answered, begun, state)
            for column, text in enumerate(cells):
                self.table.setItem(row, column, QTableWidgetItem(text))
        if self._records:
            self.table.selectRow(0)
        self._update()

    def _update(self) -> None:
        chosen = self.chosen
        self.go_on.setEnabled(chosen is not None and chosen.finished_at is None)
        self.results.setEnabled(chosen is not None)
        self.forget.setEnabled(chosen is not None)

    @property
    def chosen(self) -> SessionRecord | None:
        """The session selected."""
        rows = self.table.selectionModel().selectedRows()
        return self._records[rows[0].row()] if rows else None

    def _tell(self, signal: object) -> None:
        chosen = self.chosen
        if chosen is not None:
            signal.emit(chosen)  # type: ignore[attr-defined]
