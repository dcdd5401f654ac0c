"""Says how long a run will still take, as a range, from how fast it went lately."""

import math
from dataclasses import dataclass

_HALF_LIFE_SECONDS = 10.0
_SPREADS = 2.0
_LEAST_SPREAD = 0.05


@dataclass(frozen=True)
class TimeLeft:
    """Seconds left, from `low` to `high`."""

    low: float
    high: float


class Rate:
    """An exponentially weighted mean and spread of samples a second (half-life 10 s of training)."""

    def __init__(self) -> None:
        self._at: tuple[int, float] | None = None
        self._mean = 0.0
        self._variance = 0.0
        self._weight = 0.0

    def update(self, samples: int, seconds: float) -> None:
        """Take in the position of a run: samples seen, and seconds trained without pauses."""
        before, self._at = self._at, (samples, seconds)
        if before is None or seconds <= before[1] or samples < before[0]:
            return
        passed = seconds - before[1]
        rate = (samples - before[0]) / passed
        kept = 0.5 ** (passed / _HALF_LIFE_SECONDS)
        self._weight = kept * self._weight + (1 - kept)
        share = (1 - kept) / self._weight
        difference = rate - self._mean
        self._mean += share * difference
        self._variance = (1 - share) * (self._variance + share * difference**2)

    def left(self, samples: int) -> TimeLeft | None:
        """Return how long `samples` more will take, None before anything was measured."""
        if self._mean <= 0:
            return None
        spread = min(0.9, max(_LEAST_SPREAD, _SPREADS * math.sqrt(self._variance) / self._mean))
        typical = samples / self._mean
        return TimeLeft(typical / (1 + spread), typical / (1 - spread))
