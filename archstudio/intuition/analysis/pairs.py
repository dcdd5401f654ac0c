"""How clear the differences between the candidates of a set are: relative gaps, and which pairs come apart fully."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from archstudio.intuition.analysis.material import SetMaterial
from archstudio.stats import wilson
from archstudio.stats.proportions import Interval


@dataclass(frozen=True)
class Pair:
    """Two candidates of one set: (worse − better) / better of their mean finals, and whether all seeds agree."""

    relative_gap: float
    apart: bool
    """The worst seed of the better one is below the best of the other; a failed seed is worse than any value."""


def pairs(of: SetMaterial) -> list[Pair]:
    """Return all pairs of a set's candidates."""
    made = []
    ends = [(each.final, each.candidate.summary.ranked_finals()) for each in of.traced]
    for a, b in combinations(ends, 2):
        better, worse = (a, b) if a[0] <= b[0] else (b, a)
        gap = (worse[0] - better[0]) / better[0] if better[0] > 0 else float("inf")
        made.append(Pair(gap, bool(better[1].max() < worse[1].min())))
    return made


def share_apart(found: Sequence[Pair]) -> tuple[int, int, Interval]:
    """Return how many pairs come apart, of how many, with the Wilson interval as if pairs were independent."""
    apart = sum(each.apart for each in found)
    return apart, len(found), wilson(apart, len(found))
