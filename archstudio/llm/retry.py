"""When a failed request is sent again: later each time, at random so that many do not come back at once."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

RETRIED_STATUSES: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Answers that may be others later. [RFC 9110, RFC 6585; 529 is used for overload]"""


@dataclass(frozen=True)
class Backoff:
    """Exponential delays with full jitter    [M. Brooker, "Exponential Backoff And Jitter", AWS 2015]."""

    attempts: int = 6
    first_s: float = 1.0
    most_s: float = 60.0
    longest_asked_s: float = 300.0
    """A service that asks for more patience than this is given up at once."""
    draw: Callable[[], float] = random.random

    def delay_s(self, failed: int, asked_s: float | None) -> float | None:
        """Seconds to wait after `failed` attempts; None to give up. What the service asks for is waited at least."""
        if failed >= self.attempts or (asked_s is not None and asked_s > self.longest_asked_s):
            return None
        jittered = self.draw() * min(self.most_s, self.first_s * 2.0 ** min(failed - 1, 60))
        return jittered if asked_s is None else asked_s + min(jittered, self.first_s)


def asked_delay_s(retry_after: str | None, now: datetime | None = None) -> float | None:
    """The seconds a Retry-After header asks for, written as a number or a date; None if it cannot be read."""
    if retry_after is None:
        return None
    text = retry_after.strip()
    try:
        seconds = float(text)
    except ValueError:
        try:
            moment = parsedate_to_datetime(text)
        except ValueError:
            return None
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        seconds = (moment - (now or datetime.now(UTC))).total_seconds()
    return max(0.0, seconds) if abs(seconds) < float("inf") else None
