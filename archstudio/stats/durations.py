"""How long success takes, where some never come to it: medians, geometric means, and Kaplan–Meier under limits."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from archstudio.stats.extra import of_study


@dataclass(frozen=True)
class Step:
    """A time at which the curve falls: how many were still at it, how many came to success then, and what is left."""

    time: float
    at_risk: int
    events: int
    survival: float
    se: float


@dataclass(frozen=True)
class Durations:
    """Times in one figure; None without any. The geometric mean leaves out times of zero."""

    n: int
    median: float | None
    geometric_mean: float | None


def durations(times: Sequence[float]) -> Durations:
    """Median and geometric mean of some times."""
    positive = [time for time in times if time > 0]
    mean = float(of_study("scipy.stats").gmean(positive)) if positive else None
    return Durations(len(times), float(median(times)) if times else None, mean)


def kaplan_meier(times: Sequence[float], succeeded: Sequence[bool]) -> list[Step]:
    """The share not yet at success, over time; who fails, stops or reaches the limit is censored at that time.

    The standard error is Greenwood's.    [E. L. Kaplan and P. Meier, JASA 53, 1958; by statsmodels]
    """
    if not any(succeeded):
        return []
    survival = of_study("statsmodels.duration.survfunc").SurvfuncRight(times, [int(each) for each in succeeded])
    rows = zip(
        *(survival.surv_times, survival.n_risk, survival.n_events, survival.surv_prob, survival.surv_prob_se),
        strict=True,
    )
    # With nobody left, Greenwood's sum is infinite and statsmodels gives NaN or 0; the curve is at 0 with certainty.
    return [Step(float(t), int(r), int(e), float(s), float(se) if s > 0 else 0.0) for t, r, e, s, se in rows if e]


def median_time(steps: Sequence[Step]) -> float | None:
    """The first time at which at least half have come to success; None if the curve never falls that far."""
    return next((step.time for step in steps if step.survival <= 0.5 + 1e-12), None)


def share_by(limits: Sequence[float], successes: Sequence[float], total: int) -> list[float | None]:
    """Of all, the share that came to success within each limit; who failed or stopped never does."""
    return [sum(time <= limit for time in successes) / total if total else None for limit in limits]
