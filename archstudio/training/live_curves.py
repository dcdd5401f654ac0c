"""Curves that grow while they are looked at: only what is new is smoothed and thinned, the rest stays as it was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from archstudio.training.curves import Floats, Smoother, Thinned, thin, thin_log

Axis = Literal["samples", "steps", "epochs", "seconds"]
"""What x counts: samples seen, optimiser steps, rounds through the training samples, seconds of training."""

_LOOKS_KEPT = 3
"""The raw curve, the smoothed one, and its values for a band."""


@dataclass(frozen=True)
class Look:
    """How a curve is drawn: smoothing in samples, buckets (width, or so many a decade on a log axis), axes.

    Smoothing is in samples whatever x counts, so that another axis moves nothing up or down.
    """

    smoothing: float = 0.0
    width: float = 1.0
    per_decade: int = 0
    """Above 0: the x axis is logarithmic, and `width` does not matter."""
    log_y: bool = False
    axis: Axis = "samples"


class LiveCurve:
    """One metric of one seed. `extend` takes new records, `drawn` returns the few points worth drawing.

    `epoch_samples` is how many training samples there are; without it there is no axis of epochs.
    """

    def __init__(self, epoch_samples: int | None = None) -> None:
        self._epoch_samples = epoch_samples
        self._x, self._steps, self._seconds, self._y = _Column(), _Column(), _Column(), _Column()
        self._views: dict[Look, _View] = {}

    def __len__(self) -> int:
        return len(self._x)

    @property
    def x(self) -> Floats:
        """Samples seen at all values so far."""
        return self._x.values

    def has(self, axis: Axis) -> bool:
        """Whether its x can be counted so."""
        return axis != "epochs" or self._epoch_samples is not None

    def along(self, axis: Axis) -> Floats:
        """The x of all values so far, counted so; NaN where that is not known."""
        if axis == "steps":
            return self._steps.values
        if axis == "seconds":
            return self._seconds.values
        return self.x / (self._epoch_samples or np.nan) if axis == "epochs" else self.x

    def place(self, samples: float, axis: Axis) -> float:
        """Where a number of samples lies on an axis; between two measurements in proportion."""
        if axis == "samples" or not len(self):
            return samples
        if axis == "epochs":
            return samples / (self._epoch_samples or np.nan)
        return float(np.interp(samples, self.x, self.along(axis)))

    @property
    def y(self) -> Floats:
        """All values so far."""
        return self._y.values

    def extend(self, records: NDArray[Any]) -> None:
        """Take further records of a metric file (step, samples, seconds, value)."""
        self._x.extend(records["samples"].astype(np.float64))
        self._steps.extend(records["step"].astype(np.float64))
        # a run that goes on after a crash may count on from its last checkpoint; x must not fall
        before = self._seconds.values[-1:]
        self._seconds.extend(np.maximum.accumulate(np.concatenate([before, records["seconds"]]))[len(before) :])
        self._y.extend(records["value"])

    def smoothed(self, scale: float) -> Floats:
        """All values, smoothed."""
        return self._view(Look(scale)).smoothed(self.x, self.y)

    def drawn(self, look: Look) -> Thinned:
        """At most two points a bucket of the smoothed curve; NaN where a log axis cannot show a value."""
        return self._view(look).drawn(self.x, self.y, self.along(look.axis))

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

    def drawn(self, samples: Floats, y: Floats, x: Floats) -> Thinned:
        values = self.smoothed(samples, y) if self._look.smoothing > 0 else y
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
