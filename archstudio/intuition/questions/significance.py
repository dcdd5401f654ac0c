"""Decides whether one of several trained candidates is the winner beyond doubt."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from archstudio.intuition.profile import Significance
from archstudio.intuition.truth.summary import Summary


@dataclass(frozen=True)
class Judged:
    """The winner's number among the choices, and how far ahead it is of the second best; `passed` by the rules."""

    passed: bool
    winner: int
    gap: float
    relative_gap: float
    win_rate: float


def judge(summaries: Sequence[Summary], rules: Significance) -> Judged | None:
    """Return the verdict on two or more candidates, None where one is excluded or has no mean.

    Under profile v1 the gap of the means, the share of seeds that the winner wins (a failed seed loses) and intervals
    of one deviation decide; under full separation also the winner's worst seed must beat every rival's best.
    """
    means = [summary.mean for summary in summaries]
    if any(summary.excluded for summary in summaries) or any(mean is None for mean in means):
        return None
    order = np.argsort(np.array(means, np.float64), kind="stable")
    winner, second = int(order[0]), int(order[1])
    first_mean, second_mean = _number(means[winner]), _number(means[second])
    gap = second_mean - first_mean
    finals = np.stack([summary.ranked_finals() for summary in summaries])
    rivals = np.delete(finals, winner, axis=0)
    win_rate = float((finals[winner] < rivals.min(axis=0)).mean())
    apart = first_mean + _number(summaries[winner].std) < second_mean - _number(summaries[second].std)
    passed = gap >= rules.gap_min and win_rate >= rules.win_rate_min and (apart or not rules.use_non_overlap)
    if rules.full_separation:
        passed = passed and bool(finals[winner].max() < rivals.min())
    return Judged(passed, winner, gap, gap / first_mean if first_mean > 0 else float("inf"), win_rate)


def _number(value: float | None) -> float:
    assert value is not None
    return value
