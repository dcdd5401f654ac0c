"""Shares of successes: their uncertainty, and what they say about several tries."""

from math import comb, sqrt
from typing import Final, NamedTuple

Z_95: Final = 1.96
"""Two-sided 95 % of the normal distribution, rounded as published tables round it."""


class Interval(NamedTuple):
    """The bounds of a share, both within 0 to 1."""

    low: float
    high: float


def wilson(successes: int, trials: int, z: float = Z_95) -> Interval:
    """The score interval of a share: about 95 % of such intervals hold the true share, also for few trials.

    Without trials nothing is known: 0 to 1. ValueError for counts that cannot be.    [E. B. Wilson, JASA 1927]
    """
    _check_counts(successes, trials)
    if trials == 0:
        return Interval(0.0, 1.0)
    share, spread = successes / trials, z * z / trials
    centre = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * sqrt((share * (1 - share) + spread / 4) / trials)
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == trials else min(1.0, centre + half)
    return Interval(low, high)


def pass_at_k(successes: int, trials: int, k: int) -> float | None:
    """The chance that at least one of `k` tries succeeds, without bias; None with fewer than `k` trials.

    1 - C(n - c, k) / C(n, k)    [M. Chen and others, arXiv 2107.03374]
    """
    _check_counts(successes, trials)
    _check_tries(k)
    return None if trials < k else 1 - comb(trials - successes, k) / comb(trials, k)


def pass_every_k(successes: int, trials: int, k: int) -> float | None:
    """The chance that all of `k` tries succeed (pass^k), without bias; None with fewer than `k` trials.

    C(c, k) / C(n, k)    [S. Yao and others, tau-bench, arXiv 2406.12045]
    """
    _check_counts(successes, trials)
    _check_tries(k)
    return None if trials < k else comb(successes, k) / comb(trials, k)


def _check_counts(successes: int, trials: int) -> None:
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials cannot be")


def _check_tries(k: int) -> None:
    if k < 1:
        raise ValueError(f"{k} tries cannot be; at least 1")
