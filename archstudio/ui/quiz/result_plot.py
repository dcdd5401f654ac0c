"""Curves of results: each choice's mean with its band, own settings beside them. pyqtgraph is imported late."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from archstudio.app.quiz.item import Curve
from archstudio.training.curves import bucket_width, thin
from archstudio.ui.panels.curve_colours import run_colour
from archstudio.ui.panels.flow import FlowLayout
from archstudio.ui.panels.panel import label
from archstudio.ui.quiz.plots import StillPlot, fill_between
from archstudio.ui.theme import Theme
from archstudio.ui.theme.fonts import base_pixels, ui_font

_BAND_POINTS = 600
_SOLID, _DASHES, _DOTS = Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine
_LEAST = 1e-12
_HEIGHT_PX, _MOST_PX = 270, 520
_CROWDED_DECADES = 2.2
"""A logarithmic axis over more decades names only the powers of ten, else also twice and five times them."""
_NAME_GAP, _NAME_WIDTH = 0.075, 0.018
"""What a name takes of the height, and each of its letters of the width."""
_FAR = 10
"""From so many times the lowest value on, a metric is shown on a logarithmic axis."""


@dataclass(frozen=True)
class Drawn:
    """A curve to draw: its name, its colour's place, whether it is an own setting (dashed)."""

    name: str
    curve: Curve
    place: int
    own: bool = False


class ResultPlot(QWidget):
    """Means with bands of one deviation, over samples seen; both axes can be logarithmic. Tells values on hover."""

    def __init__(self, theme: Theme, metric: str) -> None:
        super().__init__()
        self._theme = theme
        self._drawn: Sequence[Drawn] = ()
        self._ends: list[tuple[str, float, float, QColor]] = []
        self.plot = StillPlot(theme, self.tr("samples seen"), metric)
        self.plot.setMinimumHeight(_HEIGHT_PX)
        self.plot.setMaximumHeight(_MOST_PX)
        self.plot.setAccessibleName(self.tr("Learning curves of the choices"))
        self.log_x, self.log_y = QCheckBox(self.tr("log samples")), QCheckBox(self.tr("log metric"))
        self._chosen = False
        self.log_y.clicked.connect(self._choose)
        for box in (self.log_x, self.log_y):
            box.toggled.connect(self.redraw)
        self.told = label(self.tr("Mean over seeds; the band is one standard deviation."), "muted", wrap=True)
        line = FlowLayout(spacing=14)
        line.addWidget(self.log_x)
        line.addWidget(self.log_y)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(line)
        column.addWidget(self.plot, 1)
        column.addWidget(self.told)
        self._at = pg.InfiniteLine(angle=90, movable=False, pen=pg.mkPen(theme.colour("muted"), style=_DOTS))
        self.plot.scene().sigMouseMoved.connect(self._hover)

    def _choose(self) -> None:
        self._chosen = True

    def show_curves(self, drawn: Sequence[Drawn]) -> None:
        """Draw these curves, and no others; the metric is logarithmic where it falls far, unless chosen otherwise."""
        self._drawn = [one for one in drawn if one.curve.samples]
        if not self._chosen:
            values = [value for one in self._drawn for value in one.curve.mean if value > 0]
            self.log_y.setChecked(bool(values) and max(values) > _FAR * min(values))
        self.redraw()

    def redraw(self) -> None:
        """Draw everything anew, on axes that are logarithms already, so that bands follow them."""
        self.plot.clear()
        axes = self.plot.getPlotItem()
        axes.getAxis("bottom").setLogMode(self.log_x.isChecked())
        axes.getAxis("left").setLogMode(self.log_y.isChecked())
        self._ends = []
        for one in self._drawn:
            self._draw(one)
        self.plot.addItem(self._at, ignoreBounds=True)
        self._at.hide()
        self.plot.autoRange(padding=0.03)
        self._name_ends()
        for side, of, box in (("bottom", "samples", self.log_x), ("left", "mean", self.log_y)):
            values = [value for one in self._drawn for value in getattr(one.curve, of) if value > 0]
            axes.getAxis(side).setTicks(_log_ticks(values) if box.isChecked() and values else None)

    def _draw(self, one: Drawn) -> None:
        x, mean, std = (np.asarray(v, float) for v in (one.curve.samples, one.curve.mean, one.curve.std))
        colour = run_colour(one.place, self._theme)
        kept = np.unique(np.linspace(0, len(x) - 1, min(len(x), _BAND_POINTS)).round().astype(int))
        if std.any() and len(kept) > 1:
            low, high = self._high(mean[kept] - std[kept]), self._high(mean[kept] + std[kept])
            fill_between(self.plot, self._wide(x[kept]), low, high, colour)
        if len(x) > _BAND_POINTS:
            thinned = thin(x, mean, bucket_width(float(x[-1] - x[0]), max(400, self.plot.width())))
            x, mean = thinned.x, thinned.y
        across, up = self._wide(x), self._high(mean)
        pen = pg.mkPen(colour, width=2, style=_DASHES if one.own else _SOLID)
        self.plot.plot(across, up, pen=pen, antialias=True)
        self._ends.append((one.name, float(across[-1]), float(up[-1]), colour))

    def _name_ends(self) -> None:
        """Each curve's name beside its end, moved apart where ends lie close together."""
        (left, right), (low, high) = self.plot.viewRange()
        gap, below = (high - low) * _NAME_GAP, -np.inf
        for name, x, y, colour in sorted(self._ends, key=lambda end: end[2]):
            below = max(y, below + gap)
            item = pg.TextItem(name, color=colour, anchor=(0, 0.5))
            item.setFont(ui_font(base_pixels(), bold=True))
            item.setPos(x, below)
            self.plot.addItem(item, ignoreBounds=True)
        longest = max((len(end[0]) for end in self._ends), default=0)
        self.plot.setXRange(left, right + (right - left) * _NAME_WIDTH * longest, padding=0)

    def _wide(self, x: Any) -> Any:
        return np.log10(np.maximum(x, 1.0)) if self.log_x.isChecked() else x

    def _high(self, y: Any) -> Any:
        """Values for the y axis; where a logarithm has none, the least that is drawn at all."""
        if not self.log_y.isChecked():
            return y
        positive = [value for one in self._drawn for value in one.curve.mean if value > 0]
        return np.log10(np.maximum(y, min(positive, default=_LEAST) / 3))

    def _hover(self, position: Any) -> None:
        if not self._drawn or not self.plot.sceneBoundingRect().contains(position):
            self._at.hide()
            self.told.setText(self.tr("Mean over seeds; the band is one standard deviation."))
            return
        at = self.plot.getPlotItem().vb.mapSceneToView(position).x()
        samples = 10.0**at if self.log_x.isChecked() else at
        values = [f"{one.name} {_value(one.curve, samples):.4g}" for one in self._drawn]
        self._at.setPos(at)
        self._at.show()
        self.told.setText(f"{samples:,.0f} {self.tr('samples')}:  " + "   ".join(values))


def _value(curve: Curve, samples: float) -> float:
    return float(np.interp(samples, curve.samples, curve.mean))


def _log_ticks(values: Sequence[float]) -> list[list[tuple[float, str]]]:
    """Named ticks for an axis of logarithms, and short ones between."""
    low, high = np.log10(min(values)), np.log10(max(values))
    steps = (1,) if high - low > _CROWDED_DECADES else (1, 2, 5)
    powers = range(int(np.floor(low)) - 1, int(np.ceil(high)) + 2)
    named = [(power + float(np.log10(step)), f"{step * 10.0**power:,.10g}") for power in powers for step in steps]
    return [named, [(power + float(np.log10(step)), "") for power in powers for step in range(1, 10)]]
