"""What one run is in the plot: its line, the raw curves behind it, a band over seeds, and marks where it broke."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from archstudio.training.curves import Band, BandKind, Floats, band
from archstudio.training.live_curves import Axis, LiveCurve, Look
from archstudio.ui.panels.curve_colours import LIGHT

DASHES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine)
_FAINT, _BAND_ALPHA = 70, 45
_CROSS_PX = 11


@dataclass(frozen=True, slots=True)
class Mark:
    """A place where a run broke (in samples seen), and what to say of it."""

    x: float
    y: float
    text: str


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of the plot: the run's id and name, a growing curve for each seed, and where it broke."""

    key: str
    name: str
    seeds: Sequence[LiveCurve]
    place: int
    """Which colour and dash it has, kept while runs come and go."""
    marks: tuple[Mark, ...] = ()
    ceiling: tuple[float, str] | None = None
    """The best that any model can reach, and a sentence about it."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How all curves are drawn; smoothing in samples, `width` is that of a bucket on the axis."""

    axis: Axis = "samples"
    smoothing: float = 0.0
    log_x: bool = False
    log_y: bool = False
    band: BandKind = "t95"
    width: float = 1.0
    per_decade: int = 200

    def look(self, *, smooth: bool) -> Look:
        """The same for one curve."""
        per_decade = self.per_decade if self.log_x else 0
        return Look(self.smoothing if smooth else 0.0, self.width, per_decade, self.log_y, self.axis)


@dataclass
class RunItems:
    """The plot's items of one run, made once and given new data."""

    plot: pg.PlotItem
    colour: QColor
    place: int
    line: pg.PlotDataItem | None = None
    dot: pg.PlotDataItem | None = None
    raw: list[pg.PlotDataItem] = field(default_factory=list)
    edges: tuple[pg.PlotDataItem, pg.PlotDataItem] | None = None
    fill: pg.FillBetweenItem | None = None
    crosses: pg.ScatterPlotItem | None = None
    ceiling: pg.InfiniteLine | None = None
    name: str = ""

    def draw(self, curve: Curve, settings: Settings, few: str, error: QColor) -> None:
        """Show the curve as it is now."""
        seeds = [seed for seed in curve.seeds if len(seed) and seed.has(settings.axis)]
        self._draw_raw(seeds if settings.smoothing > 0 else [], settings)
        if len(seeds) > 1:
            summary = self._draw_band(seeds, settings)
            x, y = _shown(summary.x, summary.centre, settings)
            self._draw_line(x, y, f"{curve.name} ({summary.label}{few if summary.is_thin else ''})")
        else:
            self._drop_band()
            if seeds:
                drawn = seeds[0].drawn(settings.look(smooth=True))
                self._draw_line(drawn.x, drawn.y, curve.name)
            elif self.line is not None:
                self._draw_line(np.empty(0), np.empty(0), self.name)
        self._draw_marks(
            [replace(m, x=seeds[0].place(m.x, settings.axis)) for m in curve.marks if seeds], settings, error
        )
        self._draw_ceiling(curve.ceiling, settings)

    def remove(self) -> None:
        """Take everything out of the plot."""
        for item in (self.line, self.dot, *self.raw, self.fill, self.crosses, self.ceiling):
            if item is not None:
                self.plot.removeItem(item)

    def _pen(self, alpha: int = 255) -> Any:
        colour = QColor(self.colour)
        colour.setAlpha(alpha)
        return pg.mkPen(colour, width=1, style=DASHES[(self.place // len(LIGHT)) % len(DASHES)])

    def _draw_line(self, x: Floats, y: Floats, name: str) -> None:
        if self.line is None or name != self.name:
            if self.line is not None:
                self.plot.removeItem(self.line)
            self.name = name
            self.line = self.plot.plot([], [], pen=self._pen(), name=name, connect="finite", antialias=False)
        self.line.setData(x, y)
        lone = len(x) == 1
        if lone and self.dot is None:
            self.dot = self.plot.plot(
                [], [], pen=None, symbol="o", symbolSize=5, symbolBrush=self.colour, symbolPen=None
            )
        if self.dot is not None:
            self.dot.setData(*((x, y) if lone else ([], [])))

    def _draw_raw(self, seeds: Sequence[LiveCurve], settings: Settings) -> None:
        while len(self.raw) > len(seeds):
            self.plot.removeItem(self.raw.pop())
        while len(self.raw) < len(seeds):
            self.raw.append(self.plot.plot([], [], pen=self._pen(_FAINT), connect="finite", antialias=False))
        for item, seed in zip(self.raw, seeds, strict=True):
            drawn = seed.drawn(settings.look(smooth=False))
            item.setData(drawn.x, drawn.y)

    def _draw_band(self, seeds: Sequence[LiveCurve], settings: Settings) -> Band:
        summary = seed_band(seeds, settings)
        x, low = _shown(summary.x, summary.low, settings)
        _, high = _shown(summary.x, summary.high, settings)
        known = np.isfinite(low) & np.isfinite(high)
        if known.sum() < 2:
            self._drop_band()
            return summary
        # the edges are not in the plot, so it does not take their logarithm
        across = np.log10(x[known]) if settings.log_x else x[known]
        low, high = ((np.log10(edge[known]) if settings.log_y else edge[known]) for edge in (low, high))
        if self.edges is None:
            self.edges = pg.PlotDataItem(), pg.PlotDataItem()
            brush = QColor(self.colour)
            brush.setAlpha(_BAND_ALPHA)
            for edge in self.edges:
                edge.setData(across, low)
            self.fill = pg.FillBetweenItem(*self.edges, brush=brush)
            self.plot.addItem(self.fill)
        self.edges[0].setData(across, low)
        self.edges[1].setData(across, high)
        return summary

    def _drop_band(self) -> None:
        if self.fill is not None:
            self.plot.removeItem(self.fill)
        self.fill = self.edges = None

    def _draw_marks(self, marks: Sequence[Mark], settings: Settings, error: QColor) -> None:
        x, y = np.array([mark.x for mark in marks], float), np.array([mark.y for mark in marks], float)
        x = np.log10(np.where(x > 0, x, np.nan)) if settings.log_x else x
        y = np.log10(np.where(y > 0, y, np.nan)) if settings.log_y else y
        known = np.isfinite(x) & np.isfinite(y)
        if self.crosses is None:
            if not known.any():
                return
            self.crosses = pg.ScatterPlotItem(symbol="x", size=_CROSS_PX, pen=pg.mkPen(error, width=2))
            self.plot.addItem(self.crosses)
        self.crosses.setData(x[known], y[known])

    def _draw_ceiling(self, ceiling: tuple[float, str] | None, settings: Settings) -> None:
        known = ceiling is not None and (ceiling[0] > 0 or not settings.log_y)
        if self.ceiling is None:
            if not known:
                return
            pen = pg.mkPen(self.colour, width=1, style=Qt.PenStyle.DashDotDotLine)
            self.ceiling = pg.InfiniteLine(angle=0, pen=pen, movable=False)
            self.plot.addItem(self.ceiling, ignoreBounds=True)
        self.ceiling.setVisible(known)
        if ceiling is not None and known:
            self.ceiling.setPos(np.log10(ceiling[0]) if settings.log_y else ceiling[0])


def seed_band(seeds: Sequence[LiveCurve], settings: Settings) -> Band:
    """The band over seeds, at one x a pixel at most: the last of each bucket, so that it stands where data is.

    Seconds are those of each seed alone, so no two seeds have a value at the same one; there the band stands at the
    ends of buckets, with what lies in proportion between two measurements.
    """
    if settings.axis == "seconds":
        return band([_between(seed, settings) for seed in seeds], settings.band)
    pairs = []
    for seed in seeds:
        x = seed.along(settings.axis)
        last = np.flatnonzero(np.diff(np.floor(x / settings.width), append=np.inf))
        pairs.append((x[last], seed.smoothed(settings.smoothing)[last]))
    return band(pairs, settings.band)


def _between(seed: LiveCurve, settings: Settings) -> tuple[Floats, Floats]:
    x = seed.along(settings.axis)
    ends = np.arange(np.ceil(x[0] / settings.width), np.floor(x[-1] / settings.width) + 1) * settings.width
    return ends, np.interp(ends, x, seed.smoothed(settings.smoothing))


def _shown(x: Floats, y: Floats, settings: Settings) -> tuple[Floats, Floats]:
    """Without what a logarithmic axis cannot show."""
    if settings.log_y:
        y = np.where(y > 0, y, np.nan)
    return (x[x > 0], y[x > 0]) if settings.log_x else (x, y)
