"""Learning curves: the seeds of each run as a mean with a band, thinned to the pixels there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QVBoxLayout, QWidget

from archstudio.training.curves import Band, band, bucket_width, for_log_axis, smooth, thin
from archstudio.ui.panels.curve_colours import LIGHT, run_colour
from archstudio.ui.theme import Theme

DASHES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine)


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of the plot: a name, and for each seed its x (samples seen) and y."""

    name: str
    seeds: Sequence[tuple[Any, Any]]
    place: int
    """Which colour and dash it has, kept while runs come and go."""
    faint: bool = False


class CurvePlot(QWidget):
    """A plot of curves over samples seen, with a read-out under the pointer."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._curves: list[Curve] = []
        self._log = False
        self._smoothing = 0.0
        self.plot = pg.PlotWidget()
        self.plot.setAccessibleName(self.tr("Learning curves"))
        self._legend = self.plot.addLegend(offset=(-10, 10))
        self._readout = pg.TextItem(anchor=(0, 0))
        self._line = pg.InfiniteLine(angle=90, movable=False)
        self.plot.scene().sigMouseMoved.connect(self._hover)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.plot)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self._theme = theme
        self.plot.setBackground(theme.colour("surface"))
        for name, text in (("bottom", self.tr("samples seen")), ("left", "")):
            axis = self.plot.getAxis(name)
            axis.setPen(theme.colour("border"))
            axis.enableAutoSIPrefix(False)
            axis.setTextPen(theme.colour("muted"))
            axis.setLabel(text, color=theme.colour("muted").name())
        self.plot.showGrid(x=True, y=True, alpha=0.15)
        self._readout.setColor(theme.colour("text"))
        ground = theme.colour("surface")
        ground.setAlpha(130)
        self._legend.setBrush(ground)
        self._legend.setLabelTextColor(theme.colour("text"))
        self._line.setPen(pg.mkPen(theme.colour("muted"), style=Qt.PenStyle.DotLine))
        self.redraw()

    def set_log(self, on: bool) -> None:
        """A logarithmic y axis, or not; values of zero and below leave gaps."""
        self._log = on
        self.plot.setLogMode(x=False, y=on)
        self.redraw()

    def set_smoothing(self, samples: float) -> None:
        """Average over about so many samples seen; 0 leaves the values as they are. Raw curves stay visible."""
        self._smoothing = samples
        self.redraw()

    def show_curves(self, curves: list[Curve], title: str) -> None:
        """Show these curves; `title` names what they measure."""
        self._curves = curves
        self.plot.getAxis("left").setLabel(title, color=self._theme.colour("muted").name())
        self.redraw()

    def redraw(self) -> None:
        """Draw everything anew from the full data."""
        self.plot.clear()
        self._legend.clear()
        for curve in self._curves:
            self._draw(curve)
        self.plot.addItem(self._line, ignoreBounds=True)
        self.plot.addItem(self._readout, ignoreBounds=True)
        self._line.hide()
        self._readout.hide()

    def _draw(self, curve: Curve) -> None:
        seeds = [(np.asarray(x), np.asarray(y)) for x, y in curve.seeds if len(x)]
        if not seeds:
            return
        colour = run_colour(curve.place, self._theme)
        if self._smoothing > 0:
            for x, y in seeds:
                self._line_of(x, y, QColor(colour.red(), colour.green(), colour.blue(), 70), curve.place, None)
            seeds = [(x, smooth(x, y, self._smoothing)) for x, y in seeds]
        if len(seeds) == 1:
            self._line_of(*seeds[0], colour, curve.place, curve.name)
            return
        summary = band(seeds)
        self._band_of(summary, colour)
        few = self.tr(", few") if summary.is_thin else ""
        self._line_of(summary.x, summary.centre, colour, curve.place, f"{curve.name} ({summary.label}{few})")

    def _line_of(self, x: Any, y: Any, colour: QColor, place: int, name: str | None) -> None:
        if self._log:
            y = for_log_axis(x, y).y
        span = float(x[-1] - x[0]) if len(x) > 1 else 0.0
        kept = thin(x, y, bucket_width(span, max(self.plot.width(), 200)))
        pen = pg.mkPen(colour, width=1, style=DASHES[(place // len(LIGHT)) % len(DASHES)])
        self.plot.plot(kept.x, kept.y, pen=pen, name=name, connect="finite", antialias=False)
        if len(kept.x) == 1:
            self.plot.plot(kept.x, kept.y, pen=None, symbol="o", symbolSize=5, symbolBrush=colour, symbolPen=None)

    def _band_of(self, summary: Band, colour: QColor) -> None:
        low, high = summary.low, summary.high
        if self._log:
            low, high = (np.log10(np.where(edge > 0, edge, np.nan)) for edge in (low, high))
        known = np.isfinite(low) & np.isfinite(high)
        if known.sum() < 2:
            return
        edges = [pg.PlotDataItem(summary.x[known], edge[known]) for edge in (low, high)]
        brush = QColor(colour)
        brush.setAlpha(45)
        self.plot.addItem(pg.FillBetweenItem(*edges, brush=brush))

    def _hover(self, position: Any) -> None:
        """Tell every curve's value at the pointer."""
        box = self.plot.getPlotItem().vb
        if not self._curves or not self.plot.sceneBoundingRect().contains(position):
            self._line.hide()
            self._readout.hide()
            return
        at = box.mapSceneToView(position)
        told = [text for curve in self._curves if (text := _value_at(curve, at.x()))]
        self._line.setPos(at.x())
        self._readout.setPos(at.x(), at.y())
        self._readout.setText(f"{at.x():,.0f} samples\n" + "\n".join(told))
        self._line.show()
        self._readout.show()


def _value_at(curve: Curve, x: float) -> str:
    values = []
    for xs, ys in curve.seeds:
        k = int(np.searchsorted(xs, x, side="right")) - 1
        if k >= 0:
            values.append(float(ys[k]))
    return f"{curve.name}: {np.mean(values):.4g}" if values else ""
