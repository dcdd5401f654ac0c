"""Reading recorded cases and counting how many come out as recorded, for every room that replays some."""

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any


class NotACase(ValueError):
    """A record lacks what its kind of case needs; the text says what."""


@dataclass
class ConformReport:
    """Counts of recorded cases, with a sentence for each of the first that differ or could not be judged."""

    agree: int = 0
    differ: int = 0
    uncovered: int = 0
    differences: list[str] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)
    keep: int = 20

    def agreed(self) -> None:
        """Count a case that came out as recorded."""
        self.agree += 1

    def differs(self, text: str) -> None:
        """Count a case that came out differently; `text` says which case, where, what was recorded and what came."""
        self.differ += 1
        if len(self.differences) < self.keep:
            self.differences.append(text)

    def not_covered(self, text: str) -> None:
        """Count a case that could not be judged; `text` says which and why."""
        self.uncovered += 1
        if len(self.gaps) < self.keep:
            self.gaps.append(text)

    def compared(self, name: str, difference: str | None) -> None:
        """Count case `name` by the difference found in it, or None."""
        if difference is None:
            self.agreed()
        else:
            self.differs(f"{name}: {difference}")

    @property
    def summary(self) -> str:
        """`N agree, M differ, K uncovered`."""
        return f"{self.agree} agree, {self.differ} differ, {self.uncovered} uncovered"

    @property
    def exit_code(self) -> int:
        """0 when everything agrees, 3 when some cases are uncovered but none differs, else 1."""
        if self.differ:
            return 1
        return 3 if self.uncovered else 0


def read_cases(lines: Iterable[str], report: ConformReport) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each case with a name for it; blank lines and `about` lines are none, unreadable ones count as uncovered."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            report.not_covered(f"line {number}: not readable as JSON ({error})")
            continue
        if not isinstance(record, dict):
            report.not_covered(f"line {number}: holds no JSON object")
        elif "about" not in record:
            yield f"line {number} ({record['id']})" if "id" in record else f"line {number}", record


def first_difference(recorded: Any, now: Any, at: str = "") -> str | None:
    """Where and how two JSON values differ, or None.

    12 equals 12.0, true does not equal 1, and NaN or infinity now equals a recorded null.
    """
    if isinstance(recorded, dict) and isinstance(now, dict):
        if recorded.keys() != now.keys():
            return f"{at or 'the record'}: recorded the keys {sorted(recorded)}, now {sorted(now)}"
        pairs = [(f"{at}.{name}".lstrip("."), recorded[name], now[name]) for name in recorded]
    elif isinstance(recorded, list) and isinstance(now, list) and len(recorded) == len(now):
        pairs = [(f"{at}[{place}]", old, new) for place, (old, new) in enumerate(zip(recorded, now, strict=True))]
    elif _equal(recorded, now):
        return None
    else:
        return f"{at}: recorded {_short(recorded)}, now {_short(now)}"
    return next((found for place, old, new in pairs if (found := first_difference(old, new, place))), None)


def _equal(recorded: Any, now: Any) -> bool:
    if isinstance(now, float) and not math.isfinite(now):
        return recorded is None or (isinstance(recorded, float) and recorded == now)
    if isinstance(recorded, bool) or isinstance(now, bool):
        return recorded is now
    if isinstance(recorded, int | float) and isinstance(now, int | float):
        return recorded == now or _as_double(recorded) == _as_double(now)
    return type(recorded) is type(now) and not isinstance(now, dict | list) and bool(recorded == now)


def _as_double(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.copysign(math.inf, value)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 200 else f"{text[:200]}…"
