"""Does my design beat these candidates? The open graph is trained like one of a set, and shown in its ranking."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QProgressBar,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from archstudio.app.document import Document
from archstudio.app.quiz.designs import CannotUse, Field, design_of, save_design
from archstudio.app.quiz.item import Curve
from archstudio.app.quiz.own import CannotTry
from archstudio.app.quiz.wording import metric_title, number_text, set_up_words, time_text
from archstudio.app.quiz.workbench import NO_LIMIT, Trial, Workbench
from archstudio.files.atomic import SaveFailed
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.candidates.sizes import parameter_count
from archstudio.intuition.candidates.spec import CandidateSpec
from archstudio.intuition.datasets.spec import DatasetSpec
from archstudio.intuition.design import DesignCandidate
from archstudio.intuition.truth.sets import Candidate
from archstudio.ui.panels.panel import label, set_role
from archstudio.ui.quiz.looks import quiz_sheet
from archstudio.ui.quiz.own_form import RecipeForm, field
from archstudio.ui.quiz.result_plot import Drawn, ResultPlot
from archstudio.ui.theme import Theme

POLL_MS = 200
_DESIGN_PLACE = 1
_SIZE_PX = (1080, 760)


class DesignDialog(QDialog):
    """`trial` is the run of the design; its results are written beside the set's candidates when it ends."""

    def __init__(self, parent: QWidget, document: Document, of: Field, bench: Workbench, theme: Theme) -> None:
        super().__init__(parent)
        self._document, self._field, self._bench = document, of, bench
        self._what: DesignCandidate | None = None
        self.trial: Trial | None = None
        self.saved = ""
        self.setStyleSheet(quiz_sheet(theme))
        self.setWindowTitle(self.tr("{title} among candidates").format(title=document.title))
        best = of.usable[0]
        self.recipe = RecipeForm(best.spec)
        self.source = self._sources()
        self.train, self.stop = QPushButton(self.tr("Train")), QPushButton(self.tr("Stop"))
        self.train.setProperty("role", "primary")
        self.train.clicked.connect(self.start)
        self.stop.clicked.connect(self._stop)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 1000)
        self.bar.setAccessibleName(self.tr("Training"))
        self.told = label("", "muted", wrap=True)
        self.verdict = label("", "verdictTitle", wrap=True)
        self.plot = ResultPlot(theme, metric_title(best.spec.metric))
        self.table = self._make_table()
        self._arrange(document, of)
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self._poll)
        self.resize(*_SIZE_PX)
        self._inherit()
        self._show()

    def _sources(self) -> QComboBox:
        box = QComboBox()
        for place, one in enumerate(self._field.usable, 1):
            mean = number_text(one.summary.mean or 0.0)
            box.addItem(
                self.tr("{place}. {what}: {mean}").format(place=place, what=set_up_words(one.spec), mean=mean), one
            )
        box.currentIndexChanged.connect(self._inherit)
        return box

    def _arrange(self, document: Document, of: Field) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(10)
        title = self.tr("Does {title} beat these {n} candidates?").format(title=document.title, n=len(of.usable))
        column.addWidget(label(title, "heading", wrap=True))
        spec = of.usable[0].spec
        words = self.tr("Trained like them: {samples} samples in batches of {batch}, {seeds} seeds, on {dataset}.")
        told = words.format(
            samples=f"{spec.budget.total_samples_seen:,}", batch=spec.budget.batch_size, seeds=len(of.seeds),
            dataset=of.dataset.id,
        )  # fmt: skip
        column.addWidget(label(told, "muted", wrap=True))
        line = QHBoxLayout()
        line.addWidget(field(self.tr("Optimiser and loss of"), self.source))
        line.addWidget(self.recipe, 1)
        column.addLayout(line)
        buttons = QHBoxLayout()
        for part in (self.train, self.stop):
            buttons.addWidget(part)
        buttons.addWidget(self.bar, 1)
        column.addLayout(buttons)
        column.addWidget(self.told)
        column.addWidget(self.verdict)
        below = QHBoxLayout()
        below.setSpacing(14)
        below.addWidget(self.plot, 3)
        below.addWidget(self.table, 2)
        column.addLayout(below, 1)

    def _make_table(self) -> QTableWidget:
        heads = ["#", self.tr("Set-up"), self.tr("Mean"), "±", self.tr("Parameters")]
        table = QTableWidget(0, len(heads))
        table.setAccessibleName(self.tr("Ranking, lowest first"))
        table.setHorizontalHeaderLabels(heads)
        table.verticalHeader().setVisible(False)
        table.setShowGrid(False)
        table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        return table

    # ----------------------------------------------------------------- acting

    def _inherit(self) -> None:
        chosen = self.source.currentData()
        assert isinstance(chosen, Candidate)
        self.recipe.show_recipe(chosen.spec.optimizer, chosen.spec.loss)

    def start(self) -> None:
        """Train the graph as it is now."""
        try:
            self._what = DesignCandidate(design_of(self._document, self._field.dataset.spec), self._carrier())
            self._bench.take(("set", str(self._field.of.folder)), _unlimited(self._field), self._field.dataset.folder)
        except (CannotUse, CannotTry, ValueError, UnusableFile, SaveFailed, OSError) as reason:
            self._say(str(reason), "error")
            return
        self.saved = ""
        self.trial = self._bench.start(self._what, self._document.title, self._field.seeds)
        self._timer.start()
        self._show()

    def _carrier(self) -> CandidateSpec:
        chosen = self.source.currentData()
        assert isinstance(chosen, Candidate)
        parts = {"optimizer": self.recipe.optimizer(), "loss": self.recipe.loss_spec()}
        return chosen.spec.model_copy(update=parts)

    def _stop(self) -> None:
        self._bench.stop()
        self._show()

    def _poll(self) -> None:
        if self._bench.poll():
            self._keep()
            self._show()
        if not self._bench.busy:
            self._timer.stop()

    def _keep(self) -> None:
        """Write what ended beside the candidates, once."""
        if self.trial is None or self.trial.truth is None or self.saved or self._what is None:
            return
        try:
            self.saved = str(save_design(self._field, self._what, self._document, self.trial))
        except SaveFailed as failed:
            self.saved = " "
            self._say(str(failed), "error")

    # ---------------------------------------------------------------- showing

    def _show(self) -> None:
        trial = self.trial
        active = trial is not None and not trial.over
        self.train.setEnabled(not active)
        self.stop.setEnabled(active)
        self.bar.setRange(0, 0 if trial is not None and trial.state == "preparing" else 1000)
        self.bar.setValue(0 if trial is None else round(1000 * trial.done))
        if trial is not None:
            self._say(self._state(trial), "error" if trial.state == "failed" else "muted")
        self.verdict.setText("" if trial is None or trial.mean is None else self._verdict(trial.mean))
        self._draw(trial)
        self._rank(trial)

    def _state(self, trial: Trial) -> str:
        match trial.state:
            case "preparing":
                return self.tr("Preparing the data…")
            case "training":
                left = "" if trial.left is None else self.tr(", {time} left").format(time=time_text(trial.left))
                return self.tr("{done} trained").format(done=f"{trial.done:.0%}") + left
            case "finished":
                return self.tr("Kept in {folder}").format(folder=self.saved) if self.saved.strip() else ""
            case "stopped":
                return self.tr("Stopped.")
            case _:
                return trial.message

    def _verdict(self, mean: float) -> str:
        rank, count = self._field.rank(mean), len(self._field.usable)
        told = self.tr("Place {rank} of {all}: it beats {n} of {count} candidates.")
        return told.format(rank=rank, all=count + 1, n=count - rank + 1, count=count)

    def _draw(self, trial: Trial | None) -> None:
        """The best and the middle of the candidates, and the design."""
        usable = self._field.usable
        shown = {self.tr("best"): usable[0], self.tr("median"): usable[len(usable) // 2]}
        drawn = [Drawn(name, _curve(one), 2 + place) for place, (name, one) in enumerate(shown.items())]
        if trial is not None and trial.curve.samples:
            drawn.append(Drawn(self.tr("yours"), trial.curve, _DESIGN_PLACE, own=True))
        self.plot.show_curves(drawn)

    def _rank(self, trial: Trial | None) -> None:
        rows = [
            (set_up_words(one.spec), one.summary.mean, one.summary.std, parameter_count(one.spec.model))
            for one in self._field.usable
        ]
        own = None
        if trial is not None and trial.mean is not None and self._what is not None:
            own = self._field.rank(trial.mean) - 1
            rows.insert(own, (self._document.title, trial.mean, trial.std, self._what.design.parameters or 0))
        self.table.setRowCount(len(rows))
        for row, (name, mean, std, parameters) in enumerate(rows):
            texts = (str(row + 1), name, number_text(mean or 0.0), f"{std or 0.0:.2g}", f"{parameters:,}")
            for column, text in enumerate(texts):
                self.table.setItem(row, column, QTableWidgetItem(text))
        if own is not None:
            self.table.selectRow(own)

    def _say(self, text: str, role: str) -> None:
        self.told.setText(text)
        set_role(self.told, role)

    def closeEvent(self, event: QCloseEvent) -> None:
        """What is under way is stopped."""
        self.done(0)
        event.accept()

    def done(self, code: int) -> None:
        """Stop what is under way."""
        self._timer.stop()
        self._bench.stop()
        super().done(code)


def _unlimited(of: Field) -> DatasetSpec:
    """The data set's spec without a limit above which a run has failed: a design is shown where it ends."""
    spec = of.dataset.spec
    significance = spec.significance.model_copy(update={"fail_threshold": NO_LIMIT})
    return spec.model_copy(update={"significance": significance})


def _curve(candidate: Candidate) -> Curve:
    read = candidate.curves()
    return Curve(*(tuple(map(float, values)) for values in (read.samples, read.mean, read.std)))
