"""Curves that grow while they are looked at: only what is new is smoothed and thinned, the rest stays as it was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from archstudio.training.curves import Floats, Smoother, Thinned, thin, thin_log

_LOOKS_KEPT = 3
"""The raw curve, the smoothed one, and its values for a band."""


@dataclass(frozen=True)
class Look:
    """How a curve is drawn: smoothing in x-units, buckets (width, or so many a decade on a log axis), log y."""

    smoothing: float = 0.0
    width: float = 1.0
    per_decade: int = 0
    """Above 0: the x axis is logarithmic, and `width` does not matter."""
    log_y: bool = False


class LiveCurve:
    """One metric of one seed. `extend` takes new records, `drawn` returns the few points worth drawing."""

    def __init__(self) -> None:
        self._x, self._y = _Column(), _Column()
        self._views: dict[Look, _View] = {}

    def __len__(self) -> int:
        return len(self._x)

    @property
    def x(self) -> Floats:
        """All x so far."""
        return self._x.values

    @property
    def y(self) -> Floats:
        """All values so far."""
        return self._y.values

    def extend(self, records: NDArray[Any]) -> None:
        """Take further records of a metric file (samples, value)."""
        self._x.extend(records["samples"].astype(np.float64))
        self._y.extend(records["value"])

    def smoothed(self, scale: float) -> Floats:
        """All values, smoothed."""
        return self._view(Look(scale)).smoothed(self.x, self.y)

    def drawn(self, look: Look) -> Thinned:
        """At most two points a bucket of the smoothed curve; NaN where a log axis cannot show a value."""
        return self._view(look).drawn(self.x, self.y)

    def _view(self, look: Look) -> _View:
        if look not in self._views:
            while len(self._views) >= _LOOKS_KEPT:
                del self._views[next(iter(self._views))]
            self._views[look] = _View(look)
        return self._views[look]


class _View:
    """A curve under one look: how far it was smoothed, and the finished buckets."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._smoother = Smoother(look.smoothing)
        self._smooth = _Column()
        self._done = 0
        self._x, self._y = _Column(), _Column()

    def smoothed(self, x: Floats, y: Floats) -> Floats:
        have = len(self._smooth)
        if have < len(x):
            self._smooth.extend(self._smoother.extend(x[have:], y[have:]))
        return self._smooth.values

    def drawn(self, x: Floats, y: Floats) -> Thinned:
        values = self.smoothed(x, y) if self._look.smoothing > 0 else y
        tail_x, tail_y = x[self._done :], values[self._done :]
        if self._look.log_y:
            tail_y = np.where(tail_y > 0, tail_y, np.nan)
        if len(tail_x) == 0:
            return Thinned(self._x.values, self._y.values)
        open_from = int(np.searchsorted(self._bucket(tail_x), self._bucket(tail_x[-1:])[0]))
        if open_from:  # every bucket but the last is finished, later points cannot change it
            closed = self._thin(tail_x[:open_from], tail_y[:open_from])
            self._x.extend(closed.x)
            self._y.extend(closed.y)
            self._done += open_from
        tail = self._thin(tail_x[open_from:], tail_y[open_from:])
        return Thinned(np.concatenate([self._x.values, tail.x]), np.concatenate([self._y.values, tail.y]))

    def _thin(self, x: Floats, y: Floats) -> Thinned:
        if self._look.per_decade:
            return thin_log(x, y, self._look.per_decade)
        return thin(x, y, self._look.width)

    def _bucket(self, x: Floats) -> Floats:
        if self._look.per_decade:
            return np.asarray(np.floor(np.log10(np.maximum(x, 1e-300)) * self._look.per_decade))
        return np.asarray(np.floor(x / self._look.width))


class _Column:
    """Numbers that are appended to; room doubles, so that appending costs nothing that grows."""

    def __init__(self) -> None:
        self._room = np.empty(256)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def values(self) -> Floats:
        return self._room[: self._count]

    def extend(self, new: Floats) -> None:
        wanted = self._count + len(new)
        if wanted > len(self._room):
            room = np.empty(max(wanted, 2 * len(self._room)))
            room[: self._count] = self.values
            self._room = room
        self._room[self._count : wanted] = new
        self._count = wanted
