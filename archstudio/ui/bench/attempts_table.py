"""What was submitted for the open task, newest first."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QBrush, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from archstudio.app.tasks.attempts import Attempt
from archstudio.app.tasks.details import duration_text, when_text
from archstudio.study.visibility import Visibility
from archstudio.ui.theme import Theme

_COLUMNS = ("#", "When (UTC)", "Runs", "Task", "Brief", "Score", "Actions", "Time")
_WIDTHS_PX = (36, 140, 56, 56, 92, 60, 70, 64)
_RUNS, _TASK, _BRIEF, _SCORE = 2, 3, 4, 5
_MARKS = {True: "✔", False: "✖", None: "–"}


class AttemptsTable(QTableWidget):
    """Enter or a double click asks to open an attempt's graph in a tab."""

    open_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(0, len(_COLUMNS))
        self._theme = theme
        self._attempts: list[Attempt] = []
        self._seen = Visibility()
        self.setObjectName("attempts")
        self.setAccessibleName(self.tr("Attempts"))
        self.setHorizontalHeaderLabels([self.tr(column) for column in _COLUMNS])
        self.verticalHeader().setVisible(False)
        self.verticalHeader().setDefaultSectionSize(26)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setHighlightSections(False)
        header.setStretchLastSection(True)
        for column, width in enumerate(_WIDTHS_PX):
            self.setColumnWidth(column, width)
        action = QAction(self.tr("Open Attempt"), self)
        action.triggered.connect(self.open_asked)
        self.addAction(action)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.cellDoubleClicked.connect(lambda: self.open_asked.emit())

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self._theme = theme
        self.show_attempts(self._attempts, self._seen, again=True)

    def show_attempts(self, attempts: list[Attempt], seen: Visibility, *, again: bool = False) -> None:
        """Show these, given oldest first; verdicts only where they may be seen."""
        if attempts == self._attempts and seen == self._seen and not again:
            return
        self._attempts, self._seen = attempts, seen
        hidden = {_RUNS: seen.exact_verdict, _TASK: seen.task_verdict, _BRIEF: seen.brief_verdict}
        for column, shown in {**hidden, _SCORE: seen.task_verdict}.items():
            self.setColumnHidden(column, not shown)
        self.setRowCount(len(attempts))
        for row, number in enumerate(range(len(attempts), 0, -1)):
            self._write(row, number, attempts[number - 1])

    def _write(self, row: int, number: int, attempt: Attempt) -> None:
        facts = f" {attempt.facts_met} of {attempt.facts}" if attempt.facts else ""
        texts = (
            str(number),
            when_text(attempt),
            _MARKS[attempt.runs],
            _MARKS[attempt.passed],
            f"{_MARKS[attempt.does_the_brief]}{facts}",
            "" if attempt.score is None else f"{attempt.score:g}",
            str(len(attempt.actions)),
            duration_text(attempt.seconds),
        )
        holds = {_RUNS: attempt.runs, _TASK: attempt.passed, _BRIEF: attempt.does_the_brief}
        tip = "\n".join(attempt.failures) if self._seen.task_verdict else ""
        for column, text in enumerate(texts):
            item = QTableWidgetItem(text)
            item.setToolTip(tip or text)
            if column in holds:
                item.setForeground(self._colour(holds[column]))
                item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{_COLUMNS[column]}: {_spoken(holds[column])}{facts}")
            self.setItem(row, column, item)

    def _colour(self, holds: bool | None) -> QBrush:
        return QBrush(self._theme.colour("muted" if holds is None else "ok" if holds else "error"))

    def chosen(self) -> Attempt | None:
        """The selected attempt, if any."""
        rows = self.selectionModel().selectedRows()
        at = len(self._attempts) - 1 - rows[0].row() if rows else -1
        return self._attempts[at] if 0 <= at < len(self._attempts) else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.chosen() is not None:
            self.open_asked.emit()
            return
        super().keyPressEvent(event)


def _spoken(holds: bool | None) -> str:
    return "unknown" if holds is None else "yes" if holds else "no"
