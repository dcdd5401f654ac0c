"""Plots of data sets, one way for each family. pyqtgraph loads with this module, so it is imported late."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QWheelEvent
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from archstudio.app.quiz.item import ShownData
from archstudio.app.quiz.pictures import Array, chances, feature_pairs, slices, target_line, transition
from archstudio.app.words import said
from archstudio.intuition.datasets.spec import BigramParams, MultivariateParams, TabularParams, UnivariateParams
from archstudio.intuition.packs.bake import Plot, PlotPoint
from archstudio.ui.panels.curve_colours import run_colour
from archstudio.ui.panels.panel import label
from archstudio.ui.theme import Theme

pg.setConfigOption("imageAxisOrder", "row-major")

PLOT_PX = 310
_SLICE_PX = 132
_SHOWN_TOKENS = 64
_EDGE = 0.4


class StillPlot(pg.PlotWidget):  # type: ignore[misc]
    """A plot that is looked at: the wheel scrolls the page, not the axes."""

    def __init__(self, theme: Theme, bottom: str = "", left: str = "") -> None:
        super().__init__()
        self.setMenuEnabled(False)
        self.hideButtons()
        self.getPlotItem().setMouseEnabled(x=False, y=False)
        self.setBackground(theme.colour("surface"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        dress(self.getPlotItem(), theme, bottom, left)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page."""
        event.ignore()


def dress(plot: pg.PlotItem, theme: Theme, bottom: str = "", left: str = "") -> None:
    """Axes in the colours of a theme; names of axes are plain text, wherever they come from."""
    for side, text in (("bottom", bottom), ("left", left)):
        axis = plot.getAxis(side)
        axis.enableAutoSIPrefix(False)
        axis.setPen(theme.colour("border"))
        axis.setTextPen(theme.colour("muted"))
        if text:
            axis.setLabel(escape(text), color=theme.colour("muted").name())
    plot.showGrid(x=True, y=True, alpha=0.12)


def data_plot(data: ShownData, theme: Theme) -> QWidget | None:
    """Return the picture of a data set; None where nothing is known that could be drawn."""
    params, plot = data.params, data.plot
    if isinstance(params, MultivariateParams):
        return _slices(params, theme)
    if isinstance(params, BigramParams) or (plot is not None and plot.matrix):
        return _heat_map(params if isinstance(params, BigramParams) else None, plot, theme)
    if isinstance(params, TabularParams) or (plot is not None and plot.kind == "classification"):
        return TabularPlot(params if isinstance(params, TabularParams) else None, plot, theme)
    if isinstance(params, UnivariateParams) or (plot is not None and plot.train):
        return _scatter(params if isinstance(params, UnivariateParams) else None, plot, theme)
    return None


def _scatter(params: UnivariateParams | None, plot: Plot | None, theme: Theme) -> QWidget:
    made = StillPlot(theme, "x", "y")
    made.setFixedHeight(PLOT_PX)
    legend = _legend(made, theme, left=_rises(plot))
    if params is not None:
        made.plot(
            *target_line(params), pen=pg.mkPen(theme.colour("muted"), width=2), antialias=True, name=said("formula")
        )
    for place, (name, points) in enumerate(((said("train"), plot.train), (said("test"), plot.test)) if plot else ()):
        if points:
            _dots(made, points, run_colour(place, theme), name, filled=place == 0)
    legend.setVisible(bool(legend.items))
    return made


def _rises(plot: Plot | None) -> bool:
    """Whether the points are higher at the right end, where a legend would hide them."""
    points = sorted((plot.train or []) if plot is not None else [], key=lambda point: point.x)
    end = len(points) // 4
    if not end:
        return False
    return max(float(p.y) for p in points[-end:]) > max(float(p.y) for p in points[:end])


def _legend(plot: StillPlot, theme: Theme, *, left: bool = False) -> pg.LegendItem:
    legend = plot.addLegend(offset=(8 if left else -8, 8), labelTextColor=theme.colour("text"))
    ground = theme.colour("surface")
    ground.setAlpha(200)
    legend.setBrush(ground)
    return legend


def _dots(
    plot: StillPlot, points: Sequence[PlotPoint], colour: QColor, name: str, *, filled: bool, symbol: str = "o"
) -> None:
    x, y = [float(p.x) for p in points], [float(p.y) for p in points]
    brush = colour if filled else None
    plot.plot(x, y, pen=None, symbol=symbol, symbolSize=6, symbolBrush=brush, symbolPen=colour, name=name)


def _slices(params: MultivariateParams, theme: Theme) -> QWidget:
    """Small multiples: each coordinate alone, averaged over the others, with the band of 80 % of them."""
    made = slices(params)
    columns = 2 if len(made) <= 4 else 3
    area = QWidget()
    grid = QGridLayout(area)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setSpacing(2)
    low, high = min(float(s.low.min()) for s in made), max(float(s.high.max()) for s in made)
    for place, one in enumerate(made):
        plot = StillPlot(theme, f"x{_low(one.coordinate)}")
        plot.setFixedHeight(_SLICE_PX)
        plot.setYRange(low, high)
        fill_between(plot, one.x, one.low, one.high, run_colour(0, theme))
        plot.plot(one.x, one.mean, pen=pg.mkPen(run_colour(0, theme), width=2), antialias=True)
        grid.addWidget(plot, place // columns, place % columns)
    for column in range(columns):
        grid.setColumnStretch(column, 1)
    told = area.tr("The target over one coordinate, averaged over the others; the band holds 80 % of them.")
    grid.addWidget(label(told, "muted", wrap=True), grid.rowCount(), 0, 1, columns)
    return area


def _low(index: int) -> str:
    return "".join(chr(0x2080 + int(digit)) for digit in str(index))


def fill_between(plot: StillPlot, x: Any, low: Any, high: Any, colour: QColor) -> None:
    """Fill the band between two edges, given as the axes count (logarithms on logarithmic axes)."""
    fill = QColor(colour)
    fill.setAlpha(48)
    edges = [pg.PlotDataItem(x, edge) for edge in (low, high)]  # with pens, else they have no path to fill to
    plot.addItem(pg.FillBetweenItem(*edges, brush=fill))


def _heat_map(params: BigramParams | None, plot: Plot | None, theme: Theme) -> QWidget:
    given = plot.matrix if plot is not None else None
    grid = np.array(given, dtype=float) if given else None
    if grid is None:
        assert params is not None  # the caller's own check
        grid = transition(params)
    grid = grid[:_SHOWN_TOKENS, :_SHOWN_TOKENS]
    made = StillPlot(
        theme, made_of(plot, "x_label", said("next token")), made_of(plot, "y_label", said("previous token"))
    )
    made.setFixedHeight(PLOT_PX + 60)
    made.showGrid(x=False, y=False)
    made.invertY(True)
    image = pg.ImageItem(grid)
    most = float(np.nanmax(grid))
    image.setColorMap(_ramp(theme))
    image.setLevels((0.0, most))
    made.addItem(image)
    made.setRange(xRange=(-_EDGE, grid.shape[1] + _EDGE), yRange=(-_EDGE, grid.shape[0] + _EDGE), padding=0)
    made.scene().sigMouseMoved.connect(lambda position: made.setToolTip(_cell(made, grid, position)))
    bar = pg.ColorBarItem(values=(0.0, most), colorMap=_ramp(theme), interactive=False, width=12)
    bar.getAxis("right").setTextPen(theme.colour("muted"))
    bar.getAxis("right").setPen(theme.colour("border"))
    bar.setImageItem(image, insert_in=made.getPlotItem())
    return made


def _cell(plot: StillPlot, grid: Array, position: Any) -> str:
    """The probability under the pointer."""
    at = plot.getPlotItem().getViewBox().mapSceneToView(position)
    row, column = int(np.floor(at.y())), int(np.floor(at.x()))
    if not (0 <= row < grid.shape[0] and 0 <= column < grid.shape[1]):
        return ""
    return f"P({column} | {row}) = {grid[row, column]:.3f}"


def made_of(plot: Plot | None, name: str, otherwise: str) -> str:
    """What a pack calls an axis, or what it is called here."""
    given = getattr(plot, name, None) if plot is not None else None
    return given if isinstance(given, str) and given else otherwise


def _ramp(theme: Theme) -> pg.ColorMap:
    """From the surface to the accent, and beyond it to the text."""
    stops = [theme.colour("surface"), theme.colour("accent"), theme.colour("text")]
    return pg.ColorMap([0.0, 0.7, 1.0], [colour.getRgb() for colour in stops])


class TabularPlot(QWidget):
    """Two features of a tabular set: its points, and the chance of label 1 behind them; the pair can be chosen."""

    def __init__(self, params: TabularParams | None, plot: Plot | None, theme: Theme) -> None:
        super().__init__()
        self._params, self._plot, self._theme = params, plot, theme
        self.pair = QComboBox()
        self.pair.setAccessibleName(self.tr("Features shown"))
        for first, second in self._pairs():
            self.pair.addItem(self.tr("features {a} and {b}").format(a=first, b=second), (first, second))
        self.pair.currentIndexChanged.connect(self._draw)
        self._view: StillPlot | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        line = QHBoxLayout()
        line.addWidget(label(self.tr("Shown:"), "muted"))
        line.addWidget(self.pair)
        line.addStretch(1)
        column.addLayout(line)
        self._column = column
        self._note = label("", "muted", wrap=True)
        column.addWidget(self._note)
        self._draw()

    def _pairs(self) -> list[tuple[int, int]]:
        """The pack's own pair first, since only it has points."""
        own = self._own_pair()
        found = [own] if own is not None else []
        if self._params is not None:
            found += [pair for pair in feature_pairs(self._params) if pair not in found]
        return found or [(0, 1)]

    def _own_pair(self) -> tuple[int, int] | None:
        given = None if self._plot is None else self._plot.feature_pair
        return None if given is None else (given[0], given[1])

    def _draw(self) -> None:
        first, second = self.pair.currentData()
        own = (first, second) == self._own_pair() or self._params is None
        names = [said("feature {n}").format(n=number) for number in (first, second)]
        if own:
            names = [made_of(self._plot, "x_label", names[0]), made_of(self._plot, "y_label", names[1])]
        made = StillPlot(self._theme, *names)
        made.setFixedHeight(PLOT_PX)
        if self._params is not None:
            self._ground(made, first, second)
        if own and self._plot is not None and self._plot.train:
            legend = _legend(made, self._theme)
            for value, symbol in ((0, "o"), (1, "t1")):
                points = [p for p in self._plot.train if p.label == value]
                _dots(
                    made,
                    points,
                    self._class_colour(value),
                    said("label {n}").format(n=value),
                    filled=False,
                    symbol=symbol,
                )
            legend.setVisible(True)
        if self._view is not None:
            self._column.removeWidget(self._view)
            self._view.deleteLater()
        self._view = made
        self._column.insertWidget(1, made, 1)
        self._note.setText(self._words(own))

    def _words(self, own: bool) -> str:
        ground = self.tr("Behind: the chance of label 1 by the rule, averaged over the other features.")
        points = "" if own else self.tr(" The pack has points for its own pair only.")
        return "" if self._params is None else ground + points

    def _class_colour(self, value: int) -> QColor:
        return run_colour(value, self._theme)

    def _ground(self, plot: StillPlot, first: int, second: int) -> None:
        assert self._params is not None  # the caller's own check
        made = chances(self._params, first, second)
        surface = _channels(self._theme.colour("surface"))
        ends = [_channels(self._class_colour(value)) for value in (0, 1)]
        soft = [tuple(round(0.72 * s + 0.28 * c) for s, c in zip(surface, end, strict=True)) for end in ends]
        image = pg.ImageItem(made.grid)
        image.setColorMap(pg.ColorMap([0.0, 0.5, 1.0], [soft[0], surface, soft[1]]))
        image.setLevels((0.0, 1.0))
        reach = float(made.at[-1])
        half = reach / (len(made.at) - 1)
        image.setRect(-reach - half, -reach - half, 2 * (reach + half), 2 * (reach + half))
        image.setZValue(-10)
        plot.addItem(image)


def _channels(colour: QColor) -> tuple[int, int, int]:
    return colour.red(), colour.green(), colour.blue()
