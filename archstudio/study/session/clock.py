"""Time as a session takes it: a monotonic clock for durations, the wall clock for dates, both exchangeable in tests."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final, Protocol

SECOND_NS: Final = 1_000_000_000
MS_NS: Final = 1_000_000
DRIFT_NS: Final = 2 * SECOND_NS
"""A wall clock that moves this much against the monotonic one has jumped."""
IDLE_NS: Final = 120 * SECOND_NS
"""So long without any input is idle, counted from the last input."""


class Clock(Protocol):
    """Where a session gets its times."""

    def monotonic_ns(self) -> int:
        """Nanoseconds that never run backwards."""

    def wall_ms(self) -> int:
        """Unix time in milliseconds; may jump."""


class SystemClock:
    """The machine's clocks."""

    def monotonic_ns(self) -> int:
        return time.monotonic_ns()

    def wall_ms(self) -> int:
        return time.time_ns() // MS_NS


@dataclass
class ManualClock:
    """Clocks that stand still until they are moved; for tests and for simulated participants."""

    mono_ns: int = 0
    at_ms: int = 1_780_000_000_000

    def monotonic_ns(self) -> int:
        return self.mono_ns

    def wall_ms(self) -> int:
        return self.at_ms

    def advance(self, seconds: float) -> None:
        """Let both clocks run on."""
        self.mono_ns += round(seconds * SECOND_NS)
        self.at_ms += round(seconds * 1000)

    def jump(self, seconds: float) -> None:
        """Move the wall clock alone, as a person or a time server does."""
        self.at_ms += round(seconds * 1000)
