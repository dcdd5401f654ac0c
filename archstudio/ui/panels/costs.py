"""The costs in the Verdict dock: memory, caches and latency, and the machine they are told for."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QSpinBox, QVBoxLayout, QWidget

from archstudio.app.cost_lines import (
    MOST_CONTEXT,
    MOST_LAYERS,
    CostRow,
    cache_rows,
    latency_rows,
    memory_rows,
    network_costs,
    store_choice,
    stored_choice,
    weight_rows,
)
from archstudio.app.document import Document
from archstudio.files.atomic import SaveFailed
from archstudio.files.settings import SettingsFile
from archstudio.ui.panels.panel import label, roomy
from archstudio.ui.panels.rows import Row, Rows
from archstudio.verify.costs.machines import machines
from archstudio.verify.costs.report import Costs
from archstudio.verify.costs.weights import WEIGHT_BYTES

_NARROW_PX = 96


class CostsPart(QWidget):
    """Rows of costs. `follow` says of what; `work_out` is called when editing pauses, as it may take a while."""

    def __init__(self, settings: SettingsFile) -> None:
        super().__init__()
        self._settings = settings
        self._choice = stored_choice(settings)
        self._document: Document | None = None
        self._batch = 1
        self._found: Costs | None = None
        self._found_of: Document | None = None
        self.rows = Rows(self.tr("Costs"))
        self.latencies = Rows(self.tr("Latency"))
        self.ask = QPushButton(self.tr("Work out memory and latency"))
        self.ask.clicked.connect(lambda: self.work_out(asked=True))
        self.machine = self._combo(self.tr("Machine"), list(machines()), self._choice.machine)
        self.format = self._combo(self.tr("Format of weights"), list(WEIGHT_BYTES), self._choice.format)
        self.context = roomy(QSpinBox())
        self.context.setRange(1, MOST_CONTEXT)
        self.context.setGroupSeparatorShown(True)
        self.context.setKeyboardTracking(False)
        self.context.setValue(self._choice.context)
        self.context.setAccessibleName(self.tr("Context in tokens"))
        self.context.setMinimumWidth(_NARROW_PX)
        self.context.valueChanged.connect(self._choose)
        self._on_what = self._choices()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for part in (self.rows, self.ask, self.latencies, self._on_what):
            column.addWidget(part)

    def _combo(self, name: str, items: list[str], chosen: str) -> QComboBox:
        made = QComboBox()
        made.setAccessibleName(name)
        made.addItems(items)
        made.setCurrentText(chosen)
        made.setMinimumContentsLength(8)
        made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        made.currentTextChanged.connect(self._choose)
        return made

    def _choices(self) -> QWidget:
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        both = QWidget()
        line = QHBoxLayout(both)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.machine, 1)
        line.addWidget(self.format)
        column.addWidget(both)
        column.addWidget(labelled(self.tr("Context, tokens"), self.context))
        return made

    def _choose(self) -> None:
        self._choice = replace(
            self._choice,
            machine=self.machine.currentText(),
            context=self.context.value(),
            format=self.format.currentText(),
        )
        try:
            store_choice(self._settings, self._choice)
        except SaveFailed:
            self.machine.setToolTip(self.tr("This choice could not be remembered for the next start."))
        self.work_out(asked=True)

    def follow(self, document: Document, batch: int) -> None:
        """Show what is known of a document at once; the rest comes with `work_out`."""
        if document is not self._document or not document.verdict.runs:
            self._found, self._found_of = None, None
        self._document, self._batch = document, batch
        self._show()

    def work_out(self, *, asked: bool = False) -> None:
        """Bring the costs up to date; for a large graph only if a person asks."""
        document = self._document
        if document is None or self.isHidden():
            return
        self._found, self._found_of = None, None
        if asked or len(document.graph) <= MOST_LAYERS:
            self._found, self._found_of = network_costs(document, self._choice), document
        self._show()

    def _show(self) -> None:
        document = self._document
        if document is None:
            return
        parameters = document.verdict.parameters
        pending = document.verdict.runs and self._found is None and len(document.graph) > MOST_LAYERS
        rows = weight_rows(None if parameters is None else int(parameters))
        if not pending:
            rows += [*memory_rows(self._found, self._batch), *cache_rows(self._found)]
        self.rows.show_rows([_row(row) for row in rows])
        self.ask.setVisible(pending)
        told = latency_rows(self._found, self._choice)
        self.latencies.show_rows([_row(row) for row in told])
        self._on_what.setVisible(bool(told))


def _row(row: CostRow) -> Row:
    return Row(row.title, row.value, tip=row.how)


def labelled(text: str, control: QWidget) -> QWidget:
    """A control at the right end of a line that says what it is."""
    made = QWidget()
    line = QHBoxLayout(made)
    line.setContentsMargins(0, 0, 0, 0)
    line.addWidget(label(text, "muted"))
    line.addStretch(1)
    line.addWidget(control, 0, Qt.AlignmentFlag.AlignRight)
    return made
