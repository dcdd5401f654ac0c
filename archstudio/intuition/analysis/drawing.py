"""A plane of SVG: axes, lines, dots, bars; colours are the page's, light or dark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from math import ceil, floor, log10
from typing import Final

WIDTH: Final = 720
Point = tuple[float, float]


@dataclass(frozen=True)
class Axis:
    """A scale from values to pixels, linear or logarithmic."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        """The pixel of a value."""
        a, b, v = (log10(each) if self.log else each for each in (self.low, self.high, value))
        return self.start + (self.end - self.start) * ((v - a) / (b - a) if b != a else 0.5)

    def ticks(self) -> list[float]:
        """Round values within the ends, about five."""
        return _log_ticks(self.low, self.high) if self.log else _even_ticks(self.low, self.high)


def _even_ticks(low: float, high: float) -> list[float]:
    span = high - low
    if span <= 0:
        return [low]
    size = 10 ** floor(log10(span / 5))
    step = next(size * m for m in (1, 2, 5, 10) if span / (size * m) <= 6)
    return [round(step * k, 12) for k in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def _log_ticks(low: float, high: float) -> list[float]:
    decades = range(floor(log10(low)), ceil(log10(high)) + 1)
    for steps in ((1,), (1, 3), (1, 2, 5), (1, 1.5, 2, 3, 4, 5, 6, 8)):
        found = [m * 10.0**d for d in decades for m in steps if low * 0.999 <= m * 10.0**d <= high * 1.001]
        if len(found) >= 3:
            return found
    return _even_ticks(low, high)


def plain(value: float) -> str:
    """A number as an axis says it."""
    if value == 0:
        return "0"
    return (f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}").replace("-", "−")


@dataclass
class Plane:
    """A picture being drawn; `title` and `told` are read out instead of it."""

    height: float
    title: str
    told: str
    name: str
    parts: list[str] = field(default_factory=list)

    def line(self, a: Point, b: Point, kind: str) -> None:
        """A straight line."""
        self.parts.append(f'<line class="{kind}" x1="{_px(a[0])}" y1="{_px(a[1])}" x2="{_px(b[0])}" y2="{_px(b[1])}"/>')

    def path(self, points: Sequence[Point], kind: str) -> None:
        """A line through points."""
        self.parts.append(f'<polyline class="{kind}" points="{_points(points)}"/>')

    def band(self, low: Sequence[Point], high: Sequence[Point], kind: str) -> None:
        """The area between two lines."""
        self.parts.append(f'<polygon class="{kind}" points="{_points([*low, *reversed(high)])}"/>')

    def dot(self, at: Point, kind: str, radius: float = 3.5) -> None:
        """A disc."""
        self.parts.append(f'<circle class="{kind}" cx="{_px(at[0])}" cy="{_px(at[1])}" r="{radius:g}"/>')

    def bar(self, corner: Point, width: float, height: float, kind: str) -> None:
        """A rectangle from its upper left corner."""
        x, y = corner
        self.parts.append(
            f'<rect class="{kind}" x="{_px(x)}" y="{_px(y)}" width="{_px(width)}" height="{_px(height)}"/>'
        )

    def text(self, at: Point, text: str, kind: str = "", anchor: str = "start") -> None:
        """A text on its base line."""
        self.parts.append(
            f'<text class="{kind}" x="{_px(at[0])}" y="{_px(at[1])}" text-anchor="{anchor}">{escape(text)}</text>'
        )

    def frame(self, x: Axis, y: Axis, x_label: str, y_label: str, *, per_cent: bool = False) -> None:
        """Grid, ticks and labels of both axes; `per_cent`: x is a share."""
        for value in x.ticks():
            self.line((x(value), y.end), (x(value), y.start), "grid")
            label = f"{100 * value:g} %" if per_cent else plain(value)
            self.text((x(value), y.start + 16), label, "tick", "middle")
        for value in y.ticks():
            self.line((x.start, y(value)), (x.end, y(value)), "grid")
            self.text((x.start - 8, y(value) + 4), plain(value), "tick", "end")
        self.line((x.start, y.start), (x.end, y.start), "axis")
        self.text(((x.start + x.end) / 2, y.start + 36), x_label, "label", "middle")
        self.text((x.start, y.end - 10), y_label, "label")

    def svg(self) -> str:
        """The picture as an element of a page."""
        ids = f"{self.name}-t {self.name}-d"
        return (
            f'<svg viewBox="0 0 {WIDTH} {_px(self.height)}" role="img" aria-labelledby="{ids}">'
            f'<title id="{self.name}-t">{escape(self.title)}</title><desc id="{self.name}-d">{escape(self.told)}</desc>'
            f"{''.join(self.parts)}</svg>"
        )


def _px(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{_px(x)},{_px(y)}" for x, y in points)
