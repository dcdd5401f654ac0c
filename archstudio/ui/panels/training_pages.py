"""Pages about runs: why one failed, how several differ, and what trained weights say of samples."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QProcess, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QScrollArea,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from archstudio.app.training_compare import ComparedRow
from archstudio.training.findings import Finding
from archstudio.training.store import StoredRun
from archstudio.ui.panels.panel import label, set_role

_WHY_PX, _TABLE_PX = (620, 480), (760, 480)
_ROLES = {"cause": "error", "suspect": "warn", "fine": "ok"}


class WhyPage(QDialog):
    """What was found about a run, seed by seed: each finding with the measured facts and what to try."""

    def __init__(self, parent: QWidget, name: str, told: Sequence[tuple[int, Sequence[Finding]]]) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Why did it fail?"))
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setSpacing(10)
        column.addWidget(label(name, "heading", wrap=True))
        for seed, found in told:
            if len(told) > 1:
                column.addWidget(label(self.tr("Seed {seed}").format(seed=seed), "title"))
            for finding in found:
                column.addWidget(self._card(finding))
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(inner)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(8, 8, 8, 8)
        outer.addWidget(scroll)
        self.resize(*_WHY_PX)

    def _card(self, finding: Finding) -> QFrame:
        card = QFrame()
        card.setProperty("role", "card")
        column = QVBoxLayout(card)
        column.setSpacing(4)
        weights = {"cause": self.tr("likely cause"), "suspect": self.tr("worth a look"), "fine": self.tr("fine")}
        title = label(finding.title, "title", wrap=True)
        head = QHBoxLayout()
        head.addWidget(title, 1)
        head.addWidget(label(weights[finding.weight], _ROLES[finding.weight]), 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(head)
        for fact in finding.facts:
            column.addWidget(_selectable(label(fact, "", wrap=True)))
        if finding.remedy:
            column.addWidget(label(self.tr("Try: {remedy}").format(remedy=finding.remedy), "accent", wrap=True))
        return card


class ComparePage(QDialog):
    """Runs side by side: the settings in which they differ, then their results."""

    def __init__(self, parent: QWidget, names: Sequence[str], rows: Sequence[ComparedRow]) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Compare runs"))
        self.table = _table(self, [self.tr("Setting or result"), *names], [(row.name, *row.values) for row in rows])
        outer = QVBoxLayout(self)
        outer.addWidget(label(self.tr("Settings that are equal in all are left out."), "muted"))
        outer.addWidget(self.table, 1)
        self.resize(*_TABLE_PX)


class PredictPage(QDialog):
    """Answers of trained weights, made in a process of its own: of validation samples beside targets, or of a file."""

    def __init__(self, parent: QWidget, run: StoredRun, name: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Predict"))
        self._run = run
        self.seed = QComboBox()
        self.seed.setAccessibleName(self.tr("Seed"))
        for seed in run.description.seeds:
            self.seed.addItem(self.tr("seed {seed}").format(seed=seed), seed)
        self.best = QCheckBox(self.tr("best weights"))
        self.best.setToolTip(self.tr("Those of the lowest validation loss instead of the last."))
        self.best.setEnabled(any(run.seed(seed).best_model.exists() for seed in run.description.seeds))
        self.sample = QPushButton(self.tr("Validation samples"))
        self.sample.clicked.connect(lambda: self.start(None))
        self.file = QPushButton(self.tr("A file…"))
        self.file.clicked.connect(self._ask_file)
        self.message = label("", "muted", wrap=True)
        self.table = _table(self, [], [])
        line = QHBoxLayout()
        for part in (self.seed, self.best, self.sample, self.file):
            line.addWidget(part)
        line.addStretch(1)
        outer = QVBoxLayout(self)
        outer.addWidget(label(name, "heading", wrap=True))
        outer.addLayout(line)
        outer.addWidget(self.message)
        outer.addWidget(self.table, 1)
        self.resize(*_TABLE_PX)
        self._process = QProcess(self)
        self._process.finished.connect(self._finished)
        self._process.errorOccurred.connect(lambda _: self._say(self._process.errorString(), "error"))

    def start(self, file: Path | None) -> None:
        """Ask for answers; they arrive in a moment."""
        if self._process.state() != QProcess.ProcessState.NotRunning:
            return
        arguments = ["predict", str(self._run.folder), *([str(file)] if file else [])]
        arguments += ["--seed", str(self.seed.currentData()), "--count", "50", "--json"]
        arguments += ["--best"] if self.best.isChecked() else []
        program, *first = _program()
        self._say(self.tr("Loading the weights…"), "muted")
        self._process.start(program, [*first, *arguments])

    def _ask_file(self) -> None:
        kinds = self.tr("Data (*.csv *.npy *.npz *.pt *.safetensors *.png *.jpg *.jpeg *.bmp *.webp)")
        name, _ = QFileDialog.getOpenFileName(self, self.tr("Predict on a file"), "", kinds)
        if name:
            self.start(Path(name))

    def _finished(self, code: int) -> None:
        if code != 0:
            told = bytes(self._process.readAllStandardError().data()).decode(errors="replace").strip()
            self._say(told.removeprefix("archstudio: "), "error")
            return
        self.show_answers(json.loads(bytes(self._process.readAllStandardOutput().data())))

    def show_answers(self, said: dict[str, Any]) -> None:
        """Show what `archstudio predict --json` printed."""
        samples = said["samples"]
        header = list(samples[0]) if samples else []
        _fill(self.table, header, [tuple(str(sample[name]) for name in header) for sample in samples])
        if "target" in header:
            right = sum(sample["target"] == sample["answer"] for sample in samples)
            self._say(self.tr("{right} of {n} answers are the target.").format(right=right, n=len(samples)), "muted")
        else:
            self._say(self.tr("{n} samples").format(n=len(samples)), "muted")

    def _say(self, text: str, role: str) -> None:
        self.message.setText(text)
        set_role(self.message, role)

    def done(self, result: int) -> None:
        """Close; a process that still works is ended."""
        if self._process.state() != QProcess.ProcessState.NotRunning:
            self._process.blockSignals(True)
            self._process.kill()
            self._process.waitForFinished(1000)
        super().done(result)


def _program() -> list[str]:
    return [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "archstudio"]


def _selectable(text: Any) -> Any:
    text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return text


def _table(parent: QDialog, header: Sequence[str], rows: Sequence[Sequence[str]]) -> QTableWidget:
    table = QTableWidget(parent)
    table.setAccessibleName(parent.windowTitle())
    table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    table.verticalHeader().setVisible(False)
    table.setShowGrid(False)
    table.setAlternatingRowColors(True)
    table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    _fill(table, header, rows)
    return table


def _fill(table: QTableWidget, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table.setColumnCount(len(header))
    table.setHorizontalHeaderLabels(list(header))
    table.setRowCount(len(rows))
    for k, row in enumerate(rows):
        for column, text in enumerate(row):
            item = QTableWidgetItem(text)
            item.setToolTip(text)
            table.setItem(k, column, item)
    table.resizeColumnsToContents()
    if header:
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        table.horizontalHeader().setStretchLastSection(True)
