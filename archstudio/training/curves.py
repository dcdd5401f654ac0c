"""Prepares curves for drawing, in numpy alone: smoothing, thinning, logarithmic axes and bands over seeds."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from archstudio.training.student_t import t_quantile

Floats = NDArray[np.float64]
BandKind = Literal["t95", "sd", "range", "quantiles"]

_STRETCH = 16.0
"""A stretch that is summed at once is so many scales long: e^16 leaves a double its digits."""
_DENSE = 64
"""Below so many points a stretch, going point by point is as fast."""

FEW = 3
"""Below so many curves a band says little; the window warns."""


def smooth(x: ArrayLike, y: ArrayLike, scale: float) -> Floats:
    """Return the debiased exponential average of y over everything before and at each x.

    A value `scale` x-units back weighs 1/e of the present one, however densely x is sampled; `scale` 0 changes nothing.
    Values that are not finite are left out of the average and stay as they are. x must not fall.
    """
    return Smoother(scale).extend(np.asarray(x, np.float64), np.asarray(y, np.float64))


class Smoother:
    """The same average for a curve that grows: each call takes what is new and returns its smoothed values.

    However a curve is cut into calls, it comes out the same to the last bit. Where points are dense against the scale,
    whole stretches are summed at once: sums run from stretch to stretch at fixed x, so later points change no earlier.
    """

    def __init__(self, scale: float) -> None:
        self.scale = scale
        self._level: float | None = None
        """The first finite value; averaging differences to it keeps a constant exactly what it is."""
        self._sum = self._weight = 0.0
        self._last: float | None = None
        self._dense: bool | None = None
        self._open_x, self._open_y = np.empty(0), np.empty(0)

    def extend(self, x: Floats, y: Floats) -> Floats:
        """Return the smoothed values of further points; x goes on where it ended."""
        if self.scale <= 0 or len(y) == 0:
            return np.array(y, np.float64)
        held = len(self._open_x)
        x, y = np.concatenate([self._open_x, x]), np.concatenate([self._open_y, y])
        if self._dense is None:
            if len(x) < 2:
                self._open_x, self._open_y = x, y
                return y[held:].copy()
            self._dense = bool(0 < (x[1] - x[0]) * _DENSE <= self.scale * _STRETCH)
        if not self._dense:
            self._open_x, self._open_y = x[:0], y[:0]
            return self._one_by_one(x, y)[held:]
        starts = np.flatnonzero(np.diff(np.floor(x / (self.scale * _STRETCH)), prepend=-np.inf))
        pieces = [self._stretch(x[a:b], y[a:b]) for a, b in pairwise(starts.tolist())]
        self._open_x, self._open_y = x[starts[-1] :], y[starts[-1] :]
        kept = self._last, self._sum, self._weight, self._level
        pieces.append(self._stretch(self._open_x, self._open_y))
        self._last, self._sum, self._weight, self._level = kept
        return np.concatenate(pieces)[held:]

    def _stretch(self, x: Floats, y: Floats) -> Floats:
        """Smooth a stretch of at most a few scales, and move the sums to its end."""
        usable = np.isfinite(y)
        if self._level is None and usable.any():
            self._level = float(y[usable][0])
        grown = np.exp((x - x[0]) / self.scale)
        decay = 0.0 if self._last is None else float(np.exp(-(x[0] - self._last) / self.scale))
        shares = np.where(usable, grown, 0.0)
        weights = self._weight * decay + np.cumsum(shares)
        sums = self._sum * decay + np.cumsum(shares * np.where(usable, y - (self._level or 0.0), 0.0))
        self._last, self._sum, self._weight = float(x[-1]), float(sums[-1] / grown[-1]), float(weights[-1] / grown[-1])
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(usable, (self._level or 0.0) + sums / weights, y)

    def _one_by_one(self, x: Floats, y: Floats) -> Floats:
        if self._level is None:
            self._level = 0.0
        before = x[0] if self._last is None else self._last
        with np.errstate(over="ignore"):  # steps infinitely long against the scale keep nothing, which is right
            kept = np.exp(-np.diff(x, prepend=before) / self.scale).tolist()
        result: list[float] = []
        average, weight = self._sum, self._weight
        for decay, value, usable in zip(kept, y.tolist(), np.isfinite(y).tolist(), strict=True):
            weight *= decay
            if usable:
                weight += 1.0
                average += (value - average) / weight  # in this form a constant stays exactly what it is
            result.append(average if usable else value)
        self._sum, self._weight, self._last = average, weight, float(x[-1])
        return np.array(result)


@dataclass(frozen=True)
class Thinned:
    """What is left of a curve for drawing: at most two points a bucket, the lowest and the highest, in order of x."""

    x: Floats
    y: Floats


def bucket_width(x_range: float, pixels: int) -> float:
    """Return the power of two that cuts a range of x into at most `pixels` buckets, and more than half as many.

    Powers of two keep most of the picture where it is while a curve grows or is zoomed.
    """
    if x_range <= 0 or pixels < 1:
        return 1.0
    return float(2.0 ** np.ceil(np.log2(x_range / pixels)))


def thin(x: ArrayLike, y: ArrayLike, width: float) -> Thinned:
    """Return the lowest and highest value of every bucket [k·width, (k+1)·width), k a whole number.

    Buckets lie at fixed x, so a longer curve changes none but the last. Values that are not finite are kept out of the
    choice; a bucket with no other gives one NaN, which is drawn as a gap. x must not fall.
    """
    places, values = np.asarray(x, np.float64), np.asarray(y, np.float64)
    return _thinned(places, values, np.floor(places / width))


def thin_log(x: ArrayLike, y: ArrayLike, per_decade: int) -> Thinned:
    """Return the same as `thin` with `per_decade` buckets of equal width on a logarithmic x axis, without x <= 0."""
    places, values = np.asarray(x, np.float64), np.asarray(y, np.float64)
    shown = places > 0
    places, values = places[shown], values[shown]
    return _thinned(places, values, np.floor(np.log10(places) * per_decade))


def _thinned(x: Floats, y: Floats, bucket: Floats) -> Thinned:
    if len(x) == 0:
        return Thinned(x, y)
    starts = np.flatnonzero(np.diff(bucket, prepend=bucket[0] - 1))
    finite = np.isfinite(y)
    low = _first_lowest(np.where(finite, y, np.inf), starts)
    high = _first_lowest(np.where(finite, -y, np.inf), starts)
    pair = np.sort(np.stack([low, high], axis=1), axis=1).reshape(-1)
    kept = pair[np.insert(np.diff(pair) > 0, 0, True)]
    return Thinned(x[kept], np.where(finite[kept], y[kept], np.nan))


def _first_lowest(y: Floats, starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the index of the first lowest entry of each bucket."""
    lowest = np.minimum.reduceat(y, starts)
    sizes = np.diff(np.append(starts, len(y)))
    equal = np.flatnonzero(y == np.repeat(lowest, sizes))
    group = np.searchsorted(starts, equal, side="right") - 1
    return equal[np.unique(group, return_index=True)[1]]


@dataclass(frozen=True)
class LogCurve:
    """A curve for a logarithmic y axis: NaN where it cannot be drawn, and the stretches of x where that is so."""

    y: Floats
    gaps: tuple[tuple[float, float], ...]


def for_log_axis(x: ArrayLike, y: ArrayLike) -> LogCurve:
    """Return the curve with values <= 0 taken out and marked as gaps, each from its first x to its last."""
    places, values = np.asarray(x, np.float64), np.asarray(y, np.float64)
    below = values <= 0
    edges = np.flatnonzero(np.diff(np.concatenate([[False], below, [False]])))
    gaps = tuple(
        (float(places[start]), float(places[stop - 1])) for start, stop in zip(edges[::2], edges[1::2], strict=True)
    )
    return LogCurve(np.where(below, np.nan, values), gaps)


@dataclass(frozen=True)
class Band:
    """A centre line, a band around it, and over how many curves each point was taken."""

    x: Floats
    centre: Floats
    low: Floats
    high: Floats
    n: NDArray[np.int64]

    @property
    def label(self) -> str:
        """How many curves stand behind the band: "n = 5", or "n = 3 to 5" where some are shorter."""
        fewest, most = (int(self.n.min()), int(self.n.max())) if len(self.n) else (0, 0)
        return f"n = {most}" if fewest == most else f"n = {fewest} to {most}"

    @property
    def is_thin(self) -> bool:
        """Whether it stands on so few curves that the band says little."""
        return bool(self.n.max(initial=0) < FEW)


def band(
    curves: Sequence[tuple[ArrayLike, ArrayLike]], kind: BandKind = "t95", quantiles: tuple[float, float] = (0.1, 0.9)
) -> Band:
    """Return the band over curves (x, y), point by point at every x that any of them has.

    "t95": mean and its 95 % Student interval; "sd": mean ± one standard deviation (n - 1); "range": mean, least and
    greatest; "quantiles": median and the two quantiles given. With one curve t95 and sd have no width (NaN).
    """
    x, table = _aligned(curves)
    known = np.isfinite(table)
    n = known.sum(axis=0)
    if kind == "quantiles":
        low, centre, high = _quantiles(table, n, (quantiles[0], 0.5, quantiles[1]))
        return Band(x, centre, low, high, n)
    some = np.maximum(n, 1)
    first = table[np.argmax(known, axis=0), np.arange(len(x))] if len(table) else np.empty(0)
    # differences to the first: the sum of n equal numbers, divided by n, may be off in the last digit
    off = np.where(known, table - first, 0.0)
    mean = off.sum(axis=0) / some
    centre = np.where(n > 0, first + mean, np.nan)
    if kind == "range":
        low = np.where(n > 0, np.where(known, table, np.inf).min(axis=0, initial=np.inf), np.nan)
        high = np.where(n > 0, np.where(known, table, -np.inf).max(axis=0, initial=-np.inf), np.nan)
        return Band(x, centre, low, high, n)
    squares = np.where(known, (off - mean) ** 2, 0.0).sum(axis=0)
    spread = np.where(n > 1, np.sqrt(squares / np.maximum(n - 1, 1)), np.nan)
    if kind == "t95":
        factors = np.array([np.nan, np.nan, *(t_quantile(0.975, k - 1) / np.sqrt(k) for k in range(2, len(table) + 1))])
        spread = spread * factors[n]
    return Band(x, centre, centre - spread, centre + spread, n)


def _quantiles(table: Floats, n: NDArray[np.int64], shares: Sequence[float]) -> list[Floats]:
    """Return the quantiles over the finite values of each column, linear between them as numpy's are."""
    ordered = np.sort(np.where(np.isfinite(table), table, np.inf), axis=0)
    made = []
    for share in shares:
        at = share * np.maximum(n - 1, 0)
        low = np.floor(at).astype(np.int64)
        high, rest = np.minimum(low + 1, np.maximum(n - 1, 0)), at - low
        below, above = (np.take_along_axis(ordered, row[None], axis=0)[0] for row in (low, high))
        with np.errstate(invalid="ignore"):
            between = below + np.where(rest > 0, (above - below) * rest, 0.0)
        made.append(np.where(n > 0, between, np.nan))
    return made


def _aligned(curves: Sequence[tuple[ArrayLike, ArrayLike]]) -> tuple[Floats, Floats]:
    """Return all x, sorted, and a table (curves, x) with NaN where a curve has no value."""
    pairs = [(np.asarray(x, np.float64), np.asarray(y, np.float64)) for x, y in curves]
    everywhere = np.unique(np.concatenate([x for x, _ in pairs])) if pairs else np.empty(0)
    table = np.full((len(pairs), len(everywhere)), np.nan)
    for row, (x, y) in zip(table, pairs, strict=True):
        row[np.searchsorted(everywhere, x)] = y
    return everywhere, table
