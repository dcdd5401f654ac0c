"""Learning curves: the runs' items, axes, a read-out under the pointer, and places pinned."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QMarginsF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPageLayout, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QVBoxLayout, QWidget

from archstudio.training.curves import BandKind, bucket_width
from archstudio.training.live_curves import Axis
from archstudio.ui.panels.curve_colours import run_colour
from archstudio.ui.panels.curve_items import Curve, RunItems, Settings
from archstudio.ui.theme import Theme

_LEAST_PX = 200
_NEAR_PX = 8
_MOST_PINS = 5
_LEGEND_PX = 130
"""In a lower plot the legend would hide the curves; the read-out still names them."""
_ABOVE = 100
_PDF_DPI = 300
_POINTS_A_PIXEL = 72 / 96


class CurvePlot(QWidget):
    """A plot of curves. A click pins the read-out where it is; a click on a pin takes it away."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._title = ""
        self._curves: list[Curve] = []
        self._settings = Settings()
        self._items: dict[str, RunItems] = {}
        self._pins: list[tuple[pg.InfiniteLine, pg.TextItem]] = []
        self.plot = pg.PlotWidget()
        self.plot.setAccessibleName(self.tr("Learning curves"))
        self._legend = self.plot.addLegend(offset=(-10, 10))
        self._readout = pg.TextItem(anchor=(0, 0))
        self._line = pg.InfiniteLine(angle=90, movable=False)
        for item in (self._line, self._readout):
            self.plot.addItem(item, ignoreBounds=True)
            item.setZValue(_ABOVE)
            item.hide()
        self.plot.scene().sigMouseMoved.connect(self._hover)
        self.plot.scene().sigMouseClicked.connect(self._click)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.plot)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self._theme = theme
        self.plot.setBackground(theme.colour("surface"))
        for name in ("bottom", "left"):
            axis = self.plot.getAxis(name)
            axis.setPen(theme.colour("border"))
            axis.enableAutoSIPrefix(False)
            axis.setTextPen(theme.colour("muted"))
        self._label_axes()
        self.plot.showGrid(x=True, y=True, alpha=0.15)
        self._readout.setColor(theme.colour("text"))
        ground = QColor(theme.colour("surface"))
        ground.setAlpha(225)
        self._readout.fill = pg.mkBrush(ground)
        self._readout.border = pg.mkPen(theme.colour("border"))
        ground.setAlpha(150)
        self._legend.setBrush(ground)
        self._legend.setLabelTextColor(theme.colour("text"))
        self._line.setPen(pg.mkPen(theme.colour("muted"), style=Qt.PenStyle.DotLine))
        self._forget()
        self.redraw()

    def _label_axes(self) -> None:
        colour = self._theme.colour("muted").name()
        self.plot.getAxis("bottom").setLabel(self._axis_title(), color=colour)
        self.plot.getAxis("left").setLabel(self._title, color=colour)

    def _axis_title(self) -> str:
        titles = {
            "samples": self.tr("samples seen"),
            "steps": self.tr("steps"),
            "epochs": self.tr("epochs"),
            "seconds": self.tr("seconds of training"),
        }
        return titles[self._settings.axis]

    def set_up(self, *, log_x: bool, log_y: bool, smoothing: float, band: BandKind, axis: Axis = "samples") -> None:
        """What x counts, logarithmic axes (zero and below leave gaps), smoothing in samples (0: none), and the band."""
        before = self._settings
        self._settings = replace(before, log_x=log_x, log_y=log_y, smoothing=smoothing, band=band, axis=axis)
        if (log_x, log_y, axis) != (before.log_x, before.log_y, before.axis):
            self._forget_pins()
            self.plot.setLogMode(x=log_x, y=log_y)
            self._label_axes()
        self.redraw()

    def show_curves(self, curves: list[Curve], title: str) -> None:
        """Show these curves; `title` names what they measure."""
        self._curves = curves
        if title != self._title:
            self._title = title
            self._label_axes()
        self.redraw()

    def redraw(self) -> None:
        """Give every item its data as it is now; only what is new is worked on."""
        axis = self._settings.axis
        seeds = [seed for curve in self._curves for seed in curve.seeds if len(seed) and seed.has(axis)]
        last = max((float(seed.along(axis)[-1]) for seed in seeds), default=0.0)
        width = bucket_width(last, max(self.plot.width(), _LEAST_PX))
        if axis in ("samples", "steps"):
            width = max(1.0, width)
        if width != self._settings.width:
            self._settings = replace(self._settings, width=width)
        for key in set(self._items) - {curve.key for curve in self._curves}:
            self._items.pop(key).remove()
        for curve in self._curves:
            items = self._items.get(curve.key)
            if items is None:
                colour = run_colour(curve.place, self._theme)
                items = self._items[curve.key] = RunItems(self.plot.getPlotItem(), colour, curve.place)
            items.draw(curve, self._settings, self.tr(", few"), self._theme.colour("error"))
        self._legend.setVisible(self.plot.height() >= _LEGEND_PX)
        for line, text in self._pins:
            text.setHtml(self._told(self._place(float(line.value())), short=True))

    def _forget(self) -> None:
        """Take all items away, so that they are made anew in other colours."""
        for items in self._items.values():
            items.remove()
        self._items.clear()
        self._forget_pins()

    # ------------------------------------------------------------------- read-out

    def _hover(self, position: Any) -> None:
        """Tell every curve's value at the pointer."""
        if not self._curves or not self.plot.sceneBoundingRect().contains(position):
            self._line.hide()
            self._readout.hide()
            return
        at = self.plot.getPlotItem().vb.mapSceneToView(position)
        (left, right), _ = self.plot.viewRange()
        self._readout.setAnchor((1, 0) if at.x() > (left + right) / 2 else (0, 0))
        self._line.setPos(at.x())
        self._readout.setPos(at.x(), at.y())
        self._readout.setHtml(self._told(self._place(at.x())))
        self._line.show()
        self._readout.show()

    def _place(self, x: float) -> float:
        """What x counts at a place of the plot, whose axis may be logarithmic."""
        return float(10.0 ** min(x, 300.0)) if self._settings.log_x else x

    def _place_text(self, place: float) -> str:
        place = max(0.0, place)
        axis = self._settings.axis
        if axis == "epochs":
            return f"{place:,.2f} " + self.tr("epochs")
        if axis == "seconds":
            return f"{place:,.1f} s"
        return f"{place:,.0f} " + (self.tr("steps") if axis == "steps" else self.tr("samples"))

    def _told(self, place: float, *, short: bool = False) -> str:
        """The values of all curves at a place, and why a run ended before, as rich text; `short`: colours, no names."""
        axis = self._settings.axis
        lines = [self._place_text(place)]
        for curve in self._curves:
            if value := value_at(curve, place, self._settings.smoothing, axis):
                colour = run_colour(curve.place, self._theme).name()
                name = "" if short else f"{escape(curve.name)}: "
                lines.append(
                    f'<span style="color:{colour}">■</span> {name}{value.partition(" ")[0] if short else value}'
                )
            if curve.ceiling is not None and not short:
                best, why = f"{curve.ceiling[0]:.4g}", escape(curve.ceiling[1])
                lines.append("&nbsp;&nbsp;" + self.tr("best possible {value}: {why}").format(value=best, why=why))
            first = next((seed for seed in curve.seeds if len(seed)), None)
            broken = [m for m in curve.marks if not short and first and place >= first.place(m.x, axis)]
            lines += [f"&nbsp;&nbsp;× {escape(mark.text)}" for mark in broken]
        return "<br>".join(lines)

    def _click(self, event: Any) -> None:
        """Pin the read-out, or take a pin away."""
        if event.button() != Qt.MouseButton.LeftButton or not self._curves:
            return
        box = self.plot.getPlotItem().vb
        x = box.mapSceneToView(event.scenePos()).x()
        near = _NEAR_PX * box.viewPixelSize()[0]
        for pin in self._pins:
            if abs(pin[0].value() - x) <= near:
                self._unpin(pin)
                return
        self.pin(x)

    def pin(self, x: float) -> None:
        """Keep the read-out at a place of the axis; the oldest of more than five goes."""
        if len(self._pins) >= _MOST_PINS:
            self._unpin(self._pins[0])
        line = pg.InfiniteLine(x, angle=90, pen=pg.mkPen(self._theme.colour("muted"), style=Qt.PenStyle.DashLine))
        text = pg.TextItem(anchor=(0, 1), fill=self._readout.fill, border=self._readout.border)
        text.setColor(self._theme.colour("text"))
        text.setHtml(self._told(self._place(x), short=True))
        text.setPos(x, self.plot.viewRange()[1][0])
        text.setZValue(_ABOVE)
        for item in (line, text):
            self.plot.addItem(item, ignoreBounds=True)
        self._pins.append((line, text))

    @property
    def pins(self) -> list[float]:
        """Where the read-out is pinned, as places of the axis."""
        return [float(line.value()) for line, _ in self._pins]

    def _unpin(self, pin: tuple[pg.InfiniteLine, pg.TextItem]) -> None:
        self._pins.remove(pin)
        for item in pin:
            self.plot.removeItem(item)

    def _forget_pins(self) -> None:
        for pin in list(self._pins):
            self._unpin(pin)

    # -------------------------------------------------------------------- pictures

    def save_picture(self, path: Path, provenance: str) -> None:
        """Write what is seen as PNG, SVG or PDF, with a text in it that says what runs it shows. Raises `OSError`."""
        if path.suffix.lower() == ".svg":
            self._save_svg(path, provenance)
            return
        if path.suffix.lower() == ".pdf":
            self._save_pdf(path, provenance)
            return
        picture = self.plot.grab().toImage()
        picture.setText("Description", provenance)
        if not picture.save(str(path)):
            raise OSError(f"The picture could not be written to {path}.")

    def _save_svg(self, path: Path, provenance: str) -> None:
        made = QSvgGenerator()
        made.setFileName(str(path))
        made.setSize(self.plot.size())
        made.setViewBox(self.plot.rect())
        made.setTitle(self._title)
        made.setDescription(provenance)
        painter = QPainter()
        if not painter.begin(made):
            raise OSError(f"The picture could not be written to {path}.")
        self.plot.render(painter, QRectF(self.plot.rect()))
        painter.end()

    def _save_pdf(self, path: Path, provenance: str) -> None:
        made = QPdfWriter(str(path))
        made.setTitle(f"{self._title} ({provenance})")
        made.setCreator("Arch Studio")
        made.setResolution(_PDF_DPI)
        size = QSizeF(self.plot.size()) * _POINTS_A_PIXEL
        page = QPageSize(size, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch)
        made.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF()))
        painter = QPainter()
        if not painter.begin(made):
            raise OSError(f"The picture could not be written to {path}.")
        self.plot.render(painter, QRectF(0, 0, made.width(), made.height()))
        painter.end()


def value_at(curve: Curve, place: float, smoothing: float, axis: Axis = "samples") -> str:
    """The value of a curve at the last measurement up to a place; over several seeds the mean and the range."""
    values = []
    for seed in curve.seeds:
        if not seed.has(axis):
            continue
        k = int(np.searchsorted(seed.along(axis), place, side="right")) - 1
        if k >= 0:
            values.append(float(seed.smoothed(smoothing)[k]))
    if not values:
        return ""
    if len(values) == 1:
        return f"{values[0]:.4g}"
    return f"{np.mean(values):.4g} ({min(values):.4g} to {max(values):.4g}, n = {len(values)})"
