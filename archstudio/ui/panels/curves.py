"""The curves of the runs with what a person sets about them: metric, log axis, smoothing. pyqtgraph loads late."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QSpinBox, QVBoxLayout, QWidget

from archstudio.app.runs import RunRow, RunsBook, metric_choices, metric_title
from archstudio.ui.panels.flow import FlowLayout
from archstudio.ui.panels.panel import label, roomy
from archstudio.ui.theme import Theme

if TYPE_CHECKING:
    from archstudio.ui.panels.curve_plot import CurvePlot

SHOWN = 4
"""Curves drawn while no run is selected: those of the newest runs."""


class CurvesView(QWidget):
    """A line of settings over the plot, which is made with the first curve."""

    def __init__(self, book: RunsBook, theme: Theme) -> None:
        super().__init__()
        self._book = book
        self._theme = theme
        self._rows: list[RunRow] = []
        self.plot: CurvePlot | None = None
        self.metric_box = QComboBox()
        self.metric_box.setAccessibleName(self.tr("Metric"))
        for metric in metric_choices():
            self.metric_box.addItem(metric_title(metric), metric)
        self.metric_box.currentIndexChanged.connect(self.draw)
        self.log_axis = QCheckBox(self.tr("log axis"))
        self.log_axis.toggled.connect(self._set_log)
        self.smoothing = roomy(QSpinBox())
        self.smoothing.setAccessibleName(self.tr("Smoothing, samples"))
        self.smoothing.setToolTip(self.tr("Average over about so many samples; the raw curve stays visible."))
        self.smoothing.setRange(0, 10_000_000)
        self.smoothing.setSingleStep(500)
        self.smoothing.setMinimumWidth(92)
        self.smoothing.setGroupSeparatorShown(True)
        self.smoothing.valueChanged.connect(self._set_smoothing)
        self._none = label(self.tr("Curves appear here while a run trains."), "muted")
        self._none.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(8, 8, 8, 4)
        line = FlowLayout(spacing=10)
        for part in (self.metric_box, self.log_axis, label(self.tr("smooth"), "muted"), self.smoothing):
            line.addWidget(part)
        self._column.addLayout(line)
        self._column.addWidget(self._none, 1)

    def show_runs(self, chosen: list[RunRow]) -> None:
        """Draw the curves of these runs; of the newest ones if none are chosen."""
        self._rows = chosen
        self.draw()

    def draw(self) -> None:
        """Read the curves from disk and draw them."""
        rows = [row for row in self._rows or self._book.rows[:SHOWN] if row.has_curves]
        if self.plot is None and not rows:
            return
        from archstudio.ui.panels.curve_plot import Curve

        metric = self.metric_box.currentData()
        curves = [Curve(row.name, self._book.series(row.run_id, metric), row.place) for row in rows]
        self._made().show_curves(curves, metric_title(metric))

    def _made(self) -> CurvePlot:
        if self.plot is None:
            from archstudio.ui.panels.curve_plot import CurvePlot

            self.plot = CurvePlot(self._theme)
            self.plot.set_log(self.log_axis.isChecked())
            self.plot.set_smoothing(float(self.smoothing.value()))
            self._column.replaceWidget(self._none, self.plot)
            self._column.setStretchFactor(self.plot, 1)
            self._none.hide()
        return self.plot

    def _set_log(self, on: bool) -> None:
        if self.plot is not None:
            self.plot.set_log(on)

    def _set_smoothing(self, samples: int) -> None:
        if self.plot is not None:
            self.plot.set_smoothing(float(samples))

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self._theme = theme
        if self.plot is not None:
            self.plot.set_theme(theme)

    def grab_to(self, path: Path) -> None:
        """Save the curves as a picture, if there are any."""
        if self.plot is not None:
            self.plot.grab().save(str(path))
