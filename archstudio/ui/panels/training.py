"""The Training dock: what will be trained on what, Start and Stop, the curves, and the runs that are kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from archstudio.app.application import Application
from archstudio.app.runs import RunRow, RunsBook, metric_choices, metric_title
from archstudio.app.training import CannotTrain, TrainingDesk, TrainSettings, optimiser_kinds, trainable
from archstudio.files.atomic import SaveFailed
from archstudio.files.unusable import UnusableFile
from archstudio.ui.panels.panel import Panel, label, set_role
from archstudio.ui.theme import Theme

if TYPE_CHECKING:
    from archstudio.ui.panels.curve_plot import CurvePlot

POLL_MS = 100
"""How often what workers reported is read and drawn: ten times a second is as smooth as a curve needs."""
_COLUMNS = ("Run", "State", "Progress", "Result")


class TrainingPanel(Panel):
    """Trains in child processes; the window only looks at their files. pyqtgraph is imported with the first run."""

    def __init__(self, application: Application, theme: Theme) -> None:
        self.desk = TrainingDesk()
        self.book = RunsBook(self.desk)
        self._theme = theme
        self._plot: CurvePlot | None = None
        super().__init__(application)
        self._make_fields()
        self._message = label("", "muted", wrap=True)
        self.start_button = QPushButton(self.tr("Train"))
        self.start_button.setProperty("role", "primary")
        self.start_button.clicked.connect(self.start)
        self.stop_button = QPushButton(self.tr("Stop"))
        self.stop_button.clicked.connect(self.stop)
        self.pause_button = QPushButton(self.tr("Pause"))
        self.pause_button.clicked.connect(self.pause_or_resume)
        self._make_view()
        self._arrange()
        self._poller = QTimer(self)
        self._poller.setInterval(POLL_MS)
        self._poller.timeout.connect(self._poll)

    # ---------------------------------------------------------------- making

    def _make_fields(self) -> None:
        self.loss, self.optimiser = QComboBox(), QComboBox()
        self.optimiser.addItems(list(optimiser_kinds()))
        self.lr = QDoubleSpinBox()
        self.lr.setDecimals(6)
        self.lr.setRange(1e-6, 10.0)
        self.lr.setSingleStep(0.0005)
        self.lr.setValue(0.001)
        self.batch, self.budget, self.seeds = QSpinBox(), QSpinBox(), QSpinBox()
        for box, low, high, value in (
            (self.batch, 1, 65_536, 32),
            (self.budget, 1, 100_000_000, 16_384),
            (self.seeds, 1, 64, 1),
        ):
            box.setRange(low, high)
            box.setValue(value)
            box.setGroupSeparatorShown(True)
        self.difficulty = QDoubleSpinBox()
        self.difficulty.setRange(0.0, 1.0)
        self.difficulty.setSingleStep(0.1)
        self.difficulty.setValue(0.3)

    def _make_view(self) -> None:
        self.metric_box = QComboBox()
        self.metric_box.setAccessibleName(self.tr("Metric"))
        for metric in metric_choices():
            self.metric_box.addItem(metric_title(metric), metric)
        self.metric_box.currentIndexChanged.connect(self._draw)
        self.log_axis = QCheckBox(self.tr("log y"))
        self.log_axis.toggled.connect(self._set_log)
        self.smoothing = QSpinBox()
        self.smoothing.setRange(0, 10_000_000)
        self.smoothing.setSingleStep(500)
        self.smoothing.setPrefix(self.tr("smooth "))
        self.smoothing.setGroupSeparatorShown(True)
        self.smoothing.valueChanged.connect(self._set_smoothing)
        self.table = QTableWidget(0, len(_COLUMNS))
        self.table.setAccessibleName(self.tr("Runs"))
        self.table.setHorizontalHeaderLabels([self.tr(c) for c in _COLUMNS])
        self.table.verticalHeader().setVisible(False)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setShowGrid(False)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.itemSelectionChanged.connect(self._update_buttons)

    def _arrange(self) -> None:
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        rows = (
            (self.tr("Loss"), self.loss),
            (self.tr("Optimiser"), self.optimiser),
            (self.tr("Learning rate"), self.lr),
            (self.tr("Batch size"), self.batch),
            (self.tr("Budget, samples"), self.budget),
            (self.tr("Seeds"), self.seeds),
            (self.tr("Difficulty of data"), self.difficulty),
        )
        for name, field in rows:
            field.setAccessibleName(name)
            form.addRow(label(name), field)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(14, 10, 14, 10)
        buttons = QHBoxLayout()
        for button in (self.start_button, self.pause_button, self.stop_button):
            buttons.addWidget(button)
        column.addLayout(buttons)
        column.addLayout(form)
        column.addWidget(self._message)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(left)
        scroll.setMinimumWidth(290)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        splitter = QSplitter()
        splitter.addWidget(scroll)
        splitter.addWidget(self._middle())
        splitter.addWidget(self.table)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([300, 560, 380])
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(splitter)

    def _middle(self) -> QWidget:
        middle = QWidget()
        self._plot_column = QVBoxLayout(middle)
        self._plot_column.setContentsMargins(0, 8, 0, 0)
        line = QHBoxLayout()
        for part in (self.metric_box, self.log_axis, self.smoothing):
            line.addWidget(part)
        line.addStretch(1)
        self._plot_column.addLayout(line)
        self._no_curves = label(self.tr("Curves appear here while a run trains."), "muted")
        self._no_curves.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._plot_column.addWidget(self._no_curves, 1)
        return middle

    # ------------------------------------------------------------ refreshing

    def refresh(self) -> None:
        """Say what would be trained on what, or why nothing can be."""
        document = self.document
        if not self.book.loaded and self.isVisible():
            self.book.load()
            self._show_runs()
        if document is None or not document.visibility.training:
            self._say(self.tr("No graph to train."), can_start=False)
            return
        try:
            ready = trainable(document)
        except CannotTrain as reason:
            self._say(str(reason), can_start=False)
            return
        chosen = self.loss.currentText()
        self.loss.blockSignals(True)
        self.loss.clear()
        self.loss.addItems(list(ready.losses))
        self.loss.setCurrentText(chosen if chosen in ready.losses else ready.losses[0])
        self.loss.blockSignals(False)
        self._say(" ".join(ready.reasons(self.settings())), can_start=True)

    def _say(self, text: str, *, can_start: bool, role: str = "muted") -> None:
        self._message.setText(text)
        set_role(self._message, role)
        self.start_button.setEnabled(can_start)
        self._update_buttons()

    @property
    def message(self) -> str:
        """What the dock says: what would be trained on what, or why nothing can be."""
        return self._message.text()

    def grab_curves(self, path: Path) -> None:
        """Save the curves as a picture, if there are any."""
        if self._plot is not None:
            self._plot.grab().save(str(path))

    def settings(self) -> TrainSettings:
        """What the fields say."""
        loss: Any = self.loss.currentText() or None
        optimiser: Any = self.optimiser.currentText()
        return TrainSettings(
            optimiser=optimiser,
            lr=self.lr.value(),
            batch_size=self.batch.value(),
            budget_samples=self.budget.value(),
            seeds=self.seeds.value(),
            difficulty=self.difficulty.value(),
            loss=loss,
        )

    # ---------------------------------------------------------------- acting

    def start(self) -> None:
        """Train the open graph with the settings shown."""
        document = self.document
        if document is None or not document.visibility.training:
            return
        try:
            handle = self.desk.start(document, self.settings())
        except (CannotTrain, SaveFailed, UnusableFile) as reason:
            self._say(str(reason), can_start=True, role="error")
            return
        self.book.add(handle.run_id)
        self._make_plot()
        self._poller.start()
        self._show_runs()
        self.table.selectRow(0)

    def stop(self) -> None:
        """Stop the selected run, or all that are going on."""
        for row in self._chosen() or self.book.active():
            self.desk.engine.stop(row.run_id)

    def pause_or_resume(self) -> None:
        """Hold the selected run (or all that are going on) at the next step, or let it go on."""
        for row in self._chosen() or self.book.active():
            if row.state == "paused":
                self.desk.engine.resume(row.run_id)
            else:
                self.desk.engine.pause(row.run_id)

    @property
    def active_runs(self) -> list[RunRow]:
        """Runs that are going on; closing the window ends them at their next step, to go on next time."""
        return self.book.active()

    def close_panel(self) -> None:
        super().close_panel()
        self._poller.stop()
        self.desk.close()

    # --------------------------------------------------------------- drawing

    def _poll(self) -> None:
        changed = self.book.poll()
        if changed:
            self._show_runs()
            self._draw()
        if not self.book.active():
            self._poller.stop()

    def _chosen(self) -> list[RunRow]:
        rows = {index.row() for index in self.table.selectionModel().selectedRows()}
        return [self.book.rows[k] for k in sorted(rows) if k < len(self.book.rows)]

    def _show_runs(self) -> None:
        chosen = {row.run_id for row in self._chosen()}
        self.table.blockSignals(True)
        self.table.setRowCount(len(self.book.rows))
        for k, row in enumerate(self.book.rows):
            for column, text in enumerate((row.title, row.state_text, row.progress_text, row.result_text)):
                item = QTableWidgetItem(text)
                item.setToolTip(row.failure or text)
                if column == 0 and self._plot is not None:
                    item.setForeground(self._plot.colour(row.place))
                self.table.setItem(k, column, item)
            if row.run_id in chosen:
                self.table.selectRow(k)
        self.table.blockSignals(False)
        failed = next((row for row in self.book.rows if row.failure), None)
        if failed is not None and failed is self.book.rows[0]:
            self._say(f"{failed.title}: {failed.failure}", can_start=self.start_button.isEnabled(), role="error")
        self._update_buttons()

    def _update_buttons(self) -> None:
        busy = bool(self.book.active())
        self.stop_button.setEnabled(busy)
        self.pause_button.setEnabled(busy)
        paused = any(row.state == "paused" for row in self._chosen() or self.book.active())
        self.pause_button.setText(self.tr("Resume") if paused else self.tr("Pause"))

    def _make_plot(self) -> CurvePlot:
        if self._plot is None:
            from archstudio.ui.panels.curve_plot import CurvePlot

            self._plot = CurvePlot(self._theme)
            self._plot_column.replaceWidget(self._no_curves, self._plot)
            self._plot_column.setStretchFactor(self._plot, 1)
            self._no_curves.hide()
        return self._plot

    def _draw(self) -> None:
        if self._plot is None and not any(row.has_curves for row in self.book.rows):
            return
        from archstudio.ui.panels.curve_plot import Curve

        metric = self.metric_box.currentData()
        rows = self._chosen() or self.book.rows[:4]
        curves = [Curve(row.title, self.book.series(row.run_id, metric), row.place) for row in rows]
        self._make_plot().show_curves(curves, metric_title(metric))

    def _set_log(self, on: bool) -> None:
        if self._plot is not None:
            self._plot.set_log(on)

    def _set_smoothing(self, samples: int) -> None:
        if self._plot is not None:
            self._plot.set_smoothing(float(samples))

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self._theme = theme
        if self._plot is not None:
            self._plot.set_theme(theme)
