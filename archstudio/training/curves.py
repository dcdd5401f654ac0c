"""Prepares curves for drawing, in numpy alone: smoothing, thinning, logarithmic axes and bands over seeds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from archstudio.training.student_t import t_quantile

Floats = NDArray[np.float64]
BandKind = Literal["t95", "sd", "range", "quantiles"]

FEW = 3
"""Below so many curves a band says little; the window warns."""


def smooth(x: ArrayLike, y: ArrayLike, scale: float) -> Floats:
    """Return the debiased exponential average of y over everything before and at each x.

    A value `scale` x-units back weighs 1/e of the present one, however densely x is sampled; `scale` 0 changes nothing.
    Values that are not finite are left out of the average and stay as they are. x must not fall.
    """
    places, values = np.asarray(x, np.float64), np.asarray(y, np.float64)
    if scale <= 0 or len(values) == 0:
        return values.copy()
    with np.errstate(over="ignore"):  # steps infinitely long against the scale keep nothing, which is right
        kept = np.exp(-np.diff(places, prepend=places[0]) / scale).tolist()
    result: list[float] = []
    average = weight = 0.0
    # one pass in plain floats: a block-wise numpy version would round differently as the curve grows
    for decay, value, usable in zip(kept, values.tolist(), np.isfinite(values).tolist(), strict=True):
        weight *= decay
        if usable:
            weight += 1.0
            average += (value - average) / weight  # in this form a constant stays exactly what it is
        result.append(average if usable else value)
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
    n = np.sum(np.isfinite(table), axis=0)
    if kind == "quantiles":
        low, centre, high = _by_column(table, lambda ys: np.quantile(ys, [quantiles[0], 0.5, quantiles[1]]))
        return Band(x, centre, low, high, n)
    # differences to the first: the sum of n equal numbers, divided by n, may be off in the last digit
    low, centre, high = _by_column(table, lambda ys: np.array([ys.min(), ys[0] + np.mean(ys - ys[0]), ys.max()]))
    if kind == "range":
        return Band(x, centre, low, high, n)
    (spread,) = _by_column(table, lambda ys: np.array([(ys - ys[0]).std(ddof=1) if len(ys) > 1 else np.nan]))
    if kind == "t95":
        spread = spread * np.array([t_quantile(0.975, int(k) - 1) / np.sqrt(k) if k > 1 else np.nan for k in n])
    return Band(x, centre, centre - spread, centre + spread, n)


def _aligned(curves: Sequence[tuple[ArrayLike, ArrayLike]]) -> tuple[Floats, Floats]:
    """Return all x, sorted, and a table (curves, x) with NaN where a curve has no value."""
    pairs = [(np.asarray(x, np.float64), np.asarray(y, np.float64)) for x, y in curves]
    everywhere = np.unique(np.concatenate([x for x, _ in pairs])) if pairs else np.empty(0)
    table = np.full((len(pairs), len(everywhere)), np.nan)
    for row, (x, y) in zip(table, pairs, strict=True):
        row[np.searchsorted(everywhere, x)] = y
    return everywhere, table


def _by_column(table: Floats, summary: Callable[[Floats], Floats]) -> Floats:
    """Return (k, x): the k numbers of `summary` over the finite values at each x, NaN where there are none."""
    finite = np.isfinite(table)
    columns = [summary(ys[usable]) if usable.any() else None for ys, usable in zip(table.T, finite.T, strict=True)]
    size = next((len(column) for column in columns if column is not None), len(summary(np.zeros(1))))
    return np.array([np.full(size, np.nan) if column is None else column for column in columns]).reshape(-1, size).T
