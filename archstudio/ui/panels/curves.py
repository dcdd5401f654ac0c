"""The curves of the runs with what a person sets about them: metric, axes, smoothing, band. pyqtgraph loads late."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QMenu,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
    QWidgetAction,
)

from archstudio.app.runs import RunRow, RunsBook, metric_choices, metric_title
from archstudio.ui.panels.panel import label, roomy
from archstudio.ui.theme import Theme

if TYPE_CHECKING:
    from archstudio.ui.panels.curve_items import Curve
    from archstudio.ui.panels.curve_plot import CurvePlot

SHOWN = 4
"""Curves drawn while no run is selected or pinned: those of the newest runs."""


class CurvesView(QWidget):
    """A line of settings over the plot, which is made with the first curve."""

    def __init__(self, book: RunsBook, theme: Theme) -> None:
        super().__init__()
        self._book = book
        self._theme = theme
        self._rows: list[RunRow] = []
        self.plot: CurvePlot | None = None
        self.metric_box = self._box(self.tr("Metric"), [(metric, metric_title(metric)) for metric in metric_choices()])
        self.metric_box.currentIndexChanged.connect(self.draw)
        self.axis_box = self._box(
            self.tr("What the curves are drawn over"),
            [
                ("samples", self.tr("samples seen")),
                ("steps", self.tr("steps")),
                ("epochs", self.tr("epochs")),
                ("seconds", self.tr("time, each seed's own")),
            ],
        )
        self.band_box = self._box(
            self.tr("What the band over several seeds shows"),
            [
                ("t95", self.tr("95 % interval")),
                ("sd", self.tr("standard deviation")),
                ("range", self.tr("lowest to highest")),
                ("quantiles", self.tr("10 % to 90 %")),
            ],
        )
        self.log_axis = QCheckBox(self.tr("log y"))
        self.log_axis.setToolTip(self.tr("A logarithmic axis of values; zero and below leave gaps."))
        self.log_x = QCheckBox(self.tr("log x"))
        self.log_x.setToolTip(self.tr("A logarithmic axis from left to right: the beginning gets more room."))
        self.smoothing = roomy(QSpinBox())
        self.smoothing.setAccessibleName(self.tr("Smoothing, samples"))
        self.smoothing.setToolTip(self.tr("Average over about so many samples; the raw curve stays visible."))
        self.smoothing.setRange(0, 10_000_000)
        self.smoothing.setSingleStep(500)
        self.smoothing.setSpecialValueText(self.tr("none"))
        self.smoothing.setGroupSeparatorShown(True)
        for box in (self.axis_box, self.band_box):
            box.currentIndexChanged.connect(self._apply)
        for check in (self.log_x, self.log_axis):
            check.toggled.connect(self._apply)
        self.smoothing.valueChanged.connect(self._apply)
        self._none = label(self.tr("Curves appear here while a run trains."), "muted")
        self._none.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._arrange()

    def _box(self, name: str, entries: Sequence[tuple[str, str]]) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(name)
        box.setToolTip(name)
        for kind, title in entries:
            box.addItem(title, kind)
        return box

    def _arrange(self) -> None:
        """One line over the plot, however narrow the dock is; what is set seldom drops down from it."""
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(8, 8, 8, 4)
        line = QHBoxLayout()
        line.addWidget(self.metric_box, 1)
        line.addStretch(1)
        self.settings = QToolButton()
        self.settings.setText(self.tr("Axes") + " ▾")
        self.settings.setToolTip(
            self.tr("What the curves are drawn over, logarithms, smoothing, and the band over seeds.")
        )
        self.settings.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.settings)
        holder = QWidgetAction(menu)
        holder.setDefaultWidget(self._form())
        menu.addAction(holder)
        self.settings.setMenu(menu)
        line.addWidget(self.settings)
        self._column.addLayout(line)
        self._column.addWidget(self._none, 1)

    def _form(self) -> QWidget:
        form = QWidget()
        rows = QFormLayout(form)
        rows.setContentsMargins(12, 12, 12, 12)
        logarithms = QHBoxLayout()
        logarithms.addWidget(self.log_x)
        logarithms.addWidget(self.log_axis)
        rows.addRow(self.tr("Over"), self.axis_box)
        rows.addRow("", logarithms)
        rows.addRow(self.tr("Smooth"), self.smoothing)
        rows.addRow(self.tr("Band"), self.band_box)
        return form

    def show_runs(self, chosen: list[RunRow]) -> None:
        """Draw the curves of these runs and of pinned ones; of the newest ones if there are none."""
        self._rows = chosen
        self.draw()

    @property
    def shown(self) -> list[RunRow]:
        """The runs whose curves are drawn."""
        pinned = [row for row in self._book.rows if row.pinned and row not in self._rows]
        return [row for row in [*self._rows, *pinned] or self._book.rows[:SHOWN] if row.has_curves]

    def draw(self) -> None:
        """Read what is new from disk and draw it."""
        rows = self.shown
        if self.plot is None and not rows:
            return
        metric = self.metric_box.currentData()
        self._made().show_curves([self._curve(row, metric) for row in rows], metric_title(metric))

    def _curve(self, row: RunRow, metric: str) -> Curve:
        from archstudio.ui.panels.curve_items import Curve, Mark

        seeds = self._book.live(row.run_id, metric)
        ends = [float(seed.y[-1]) for seed in seeds if len(seed)]
        marks = tuple(Mark(x, ends[min(k, len(ends) - 1)], text) for k, (x, text) in enumerate(row.marks) if ends)
        return Curve(row.run_id, row.name, seeds, row.place, marks, row.ceilings.get(metric))

    def _made(self) -> CurvePlot:
        if self.plot is None:
            from archstudio.ui.panels.curve_plot import CurvePlot

            self.plot = CurvePlot(self._theme)
            self._apply()
            self._column.replaceWidget(self._none, self.plot)
            self._column.setStretchFactor(self.plot, 1)
            self._none.hide()
        return self.plot

    def _apply(self) -> None:
        """Draw with the axes, smoothing and band that the fields say."""
        if self.plot is not None:
            self.plot.set_up(
                log_x=self.log_x.isChecked(),
                log_y=self.log_axis.isChecked(),
                smoothing=float(self.smoothing.value()),
                band=self.band_box.currentData(),
                axis=self.axis_box.currentData(),
            )

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self._theme = theme
        if self.plot is not None:
            self.plot.set_theme(theme)

    def grab_to(self, path: Path) -> None:
        """Save the curves as a picture, if there are any; `OSError` if it cannot be written."""
        if self.plot is not None:
            self.plot.save_picture(path, self.provenance())

    def provenance(self) -> str:
        """Which runs are shown, with the digests of their descriptions."""
        runs = [(row, self._book.stored(row.run_id)) for row in self.shown]
        return "; ".join(f"{row.name}: run {run.run_id}, description sha256 {run.spec_sha256}" for row, run in runs)
