"""The Verdict dock: three plain lines, the checklist and the brief's facts behind them, and the totals."""

from __future__ import annotations

from collections.abc import Callable, Collection

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QSpinBox, QVBoxLayout, QWidget

from archstudio.app.application import Application
from archstudio.app.cost_lines import sequence_of
from archstudio.app.document import Document
from archstudio.app.task_report import TaskReport, task_report
from archstudio.app.verdict_lines import (
    Line,
    brief_line,
    check_label,
    check_text,
    exact_line,
    fact_value,
    rubric_view,
    task_line,
    totals,
)
from archstudio.app.words import said_made
from archstudio.bench.rubric import Assessment
from archstudio.edits import SetMeta
from archstudio.ui.panels.costs import CostsPart, labelled
from archstudio.ui.panels.panel import Panel, label, roomy
from archstudio.ui.panels.rows import Mark, Row, Rows

REPORT_DELAY_MS = 60
"""The plan behind the task's line may take longer than a frame, so it waits until typing pauses."""


class VerdictPanel(Panel):
    """What is true of the graph, live. `reported` follows a new task report; `problems_asked` a press on line one."""

    reported = Signal()
    problems_asked = Signal()

    def __init__(self, application: Application) -> None:
        super().__init__(application)
        self.report: TaskReport | None = None
        """The last report, some milliseconds behind the graph."""
        self._rubric: Assessment | None = None
        self._rubric_of: Document | None = None
        self.exact = Rows(self.tr("Runs in PyTorch"))
        self.exact.pressed.connect(self.problems_asked)
        self.task, self.brief = Rows(self.tr("Task"), folds=True), Rows(self.tr("Brief"), folds=True)
        self.totals = Rows(self.tr("Totals"))
        self._batch = _size_box(self.tr("Batch size B"), self._set_batch)
        self._sequence = _size_box(self.tr("Sequence length T"), self._set_sequence)
        self.costs = CostsPart(application.settings)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(REPORT_DELAY_MS)
        self._late.timeout.connect(self.refresh_report)
        self._arrange()

    def _arrange(self) -> None:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(12, 4, 12, 10)
        column.setSpacing(8)
        self._empty = label(self.tr("Open a graph to see what PyTorch would say."), "muted", wrap=True)
        for part in (self._empty, self.exact, self.task, self.brief):
            column.addWidget(part)
        self._line = QFrame()
        self._line.setFrameShape(QFrame.Shape.HLine)
        self._line.setObjectName("hair")
        column.addWidget(self._line)
        column.addWidget(self.totals)
        column.addWidget(self.costs)
        self._batch_row = labelled(self.tr("Batch B"), self._batch)
        self._sequence_row = labelled(self.tr("Sequence T"), self._sequence)
        column.addWidget(self._batch_row)
        column.addWidget(self._sequence_row)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(body)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)

    def refresh(self) -> None:
        document = self.document
        self._empty.setVisible(document is None)
        self._batch_row.setVisible(document is not None and document.visibility.counts)
        self._line.setVisible(document is not None and document.visibility.counts)
        self.costs.setVisible(document is not None and document.visibility.counts)
        length = None if document is None else sequence_of(document)
        self._sequence_row.setVisible(length is not None and document is not None and document.visibility.counts)
        if document is None:
            for part in (self.exact, self.task, self.brief, self.totals):
                part.show_rows([])
            return
        visible = document.visibility
        self.exact.show_rows([_line_row(exact_line(document))] if visible.exact_verdict else [])
        self._show_totals(document)
        for box, size in ((self._batch, _batch_of(document)), (self._sequence, length or 1)):
            box.blockSignals(True)
            box.setValue(size)
            box.blockSignals(False)
        if visible.counts:
            self.costs.follow(document, _batch_of(document))
        self._late.start(self.patience_ms(REPORT_DELAY_MS))

    def _show_totals(self, document: Document) -> None:
        rubric = self._rubric if self._rubric_of is document else None
        rows = totals(document, rubric) if document.visibility.counts else []
        self.totals.show_rows([Row(title, value) for title, value in rows])

    def refresh_report(self) -> None:
        """Bring the task's line, the brief's facts and the rubric's numbers up to date."""
        document = self.document
        if document is not None and document.visibility.counts:
            self._rubric, self._rubric_of = rubric_view(document), document
            self._show_totals(document)
            self.costs.work_out()
        self.report = None if document is None else task_report(document)
        self.reported.emit()
        if document is None or self.report is None:
            self.task.show_rows([])
            self.brief.show_rows([])
            return
        visible = document.visibility
        self.task.show_rows(_task_rows(self.report) if visible.task_verdict else [])
        self.brief.show_rows(
            _brief_rows(self.report, [node.name for node in document.graph.nodes]) if visible.brief_verdict else []
        )

    def _set_batch(self, value: int) -> None:
        document = self.document
        if document is not None and value != _batch_of(document):
            document.push(SetMeta("batch", value), f"Set batch to {value}", "meta:batch")

    def _set_sequence(self, value: int) -> None:
        document = self.document
        if document is not None and value != sequence_of(document):
            document.push(SetMeta("sequence", value), f"Set sequence to {value}", "meta:sequence")


def _size_box(name: str, changed: Callable[[int], None]) -> QSpinBox:
    made = roomy(QSpinBox())
    made.setRange(1, 65536)
    made.setAccessibleName(name)
    made.setMinimumWidth(84)
    made.setKeyboardTracking(False)
    made.valueChanged.connect(changed)
    return made


def _batch_of(document: Document) -> int:
    chosen = document.graph.meta.get("batch")
    if isinstance(chosen, int):
        return chosen
    for node in document.graph.nodes:
        shape = node.params.get("shape")
        if node.type == "input" and isinstance(shape, list) and shape and isinstance(shape[0], int):
            return max(1, shape[0])
    return 1


def _mark(holds: bool | None) -> Mark:
    return "unknown" if holds is None else "ok" if holds else "error"


def _line_row(line: Line) -> Row:
    return Row(line.title, line.reason, _mark(line.holds), strong=True)


def _task_rows(report: TaskReport) -> list[Row]:
    rows = [_line_row(task_line(report))]
    for check in report.grade.checks:
        tip = "" if check.failure is None else said_made(check.failure.text)
        rows.append(Row(check_label(check), check_text(check), "ok" if check.ok else "error", tip=tip))
    return rows


def _brief_rows(report: TaskReport, names: Collection[str]) -> list[Row]:
    rows = [_line_row(brief_line(report))]
    rows += [Row(said_made(fact.text), fact_value(fact, names), _mark(fact.holds)) for fact in report.facts]
    return rows
