"""How many people and how many items a study needs, by the width of the interval it will report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from archstudio.stats import wilson

MOST = 1_000_000


def half_width(responses: int, rate: float = 0.6) -> float:
    """Half the width of the Wilson interval of the whole number of successes nearest to `rate`, in points of 100.

    At 60 %: n = 12 gives 24.4, 100 gives 9.4, 400 gives 4.8.
    """
    if responses < 1 or not 0 <= rate <= 1:
        raise ValueError(f"{responses} responses at a rate of {rate} cannot be planned for")
    low, high = wilson(round(rate * responses), responses)
    return 50 * (high - low)


@dataclass(frozen=True, slots=True)
class Planned:
    """A design, and the half-width of its interval in points."""

    people: int
    items_each: int
    design_effect: float
    """1 + (items - 1) · ICC: what answers of one person having something in common costs.  [L. Kish, 1965]"""
    effective: float
    """Independent answers that tell as much."""
    half_width_points: float


def planned(people: int, items_each: int, rate: float = 0.6, icc: float = 0.2) -> Planned:
    """What `people` with `items_each` answers will tell; `icc` is how alike the answers of one person are (0 to 1)."""
    if people < 1 or items_each < 1 or not 0 <= icc <= 1:
        raise ValueError(f"{people} people with {items_each} items and an ICC of {icc} cannot be planned for")
    effect = 1 + (items_each - 1) * icc
    effective = people * items_each / effect
    return Planned(people, items_each, effect, effective, half_width(max(1, round(effective)), rate))


def people_for(target_points: float, items_each: int, rate: float = 0.6, icc: float = 0.2) -> Planned:
    """The fewest people whose interval is no wider than `target_points` to each side; ValueError if none are."""
    if not target_points > 0:
        raise ValueError(f"a half-width of {target_points} points cannot be reached")
    low, high = 1, MOST
    if planned(high, items_each, rate, icc).half_width_points > target_points:
        raise ValueError(f"a half-width of {target_points} points would take more than {MOST:,} people")
    while low < high:
        middle = (low + high) // 2
        if planned(middle, items_each, rate, icc).half_width_points <= target_points:
            high = middle
        else:
            low = middle + 1
    return planned(low, items_each, rate, icc)


def table(sizes: Sequence[int] = (12, 25, 50, 100, 200, 400, 1000), rate: float = 0.6) -> list[tuple[int, float]]:
    """Independent answers and the half-width they give."""
    return [(size, half_width(size, rate)) for size in sizes]
