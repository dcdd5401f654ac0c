"""Uncertainty by resampling whole clusters, with draws that anyone can repeat with Python's standard library.

Answers of one person hang together, and so do questions on one dataset; so people and datasets are drawn again, not
answers. All draws come from `random.Random(seed)` in a fixed order, so that an independent script gets the same numbers
to the last digit.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from archstudio.stats.proportions import Interval

SEED: Final = 1927
REPLICATES: Final = 2_000
FLIPS: Final = 10_000
_EXACT_UP_TO: Final = 13
"""Clusters up to which every sign pattern is counted (2^13 = 8,192); above, `FLIPS` are drawn."""
_SLACK: Final = 1e-9
"""Sums that differ by less are equal: they differ by rounding alone."""

Floats: TypeAlias = NDArray[np.float64]


class Estimate(NamedTuple):
    """A figure with its 95 % interval; None where there is nothing to estimate from, or one cluster alone."""

    value: float | None
    low: float | None
    high: float | None
    clusters: int


@lru_cache(maxsize=64)
def weights(clusters: int, seed: int = SEED, replicates: int = REPLICATES) -> Floats:
    """How often each cluster is drawn in each replicate: (replicates, clusters).

    One replicate after the other takes `clusters` draws `int(random() * clusters)` from `random.Random(seed)`.
    """
    draw = random.Random(seed).random
    drawn = [int(draw() * clusters) for _ in range(replicates * clusters)]
    counts = np.zeros((replicates, clusters))
    np.add.at(counts, (np.repeat(np.arange(replicates), clusters), np.asarray(drawn)), 1.0)
    return counts


def cluster_mean(sums: Sequence[float], counts: Sequence[float]) -> Estimate:
    """The mean over all answers, from each cluster's sum and number of answers, with a percentile interval.

    The interval is that of the cluster bootstrap; with a single cluster there is none.    [A. C. Davison and
    D. V. Hinkley, Bootstrap Methods and their Application, 1997, section 3.8]
    """
    total = sum(counts)
    if not total:
        return Estimate(None, None, None, len(counts))
    value = sum(sums) / total
    if len(counts) < 2:
        return Estimate(value, None, None, len(counts))
    drawn = weights(len(counts))
    divisors = drawn @ np.asarray(counts, dtype=float)
    means = (drawn @ np.asarray(sums, dtype=float))[divisors > 0] / divisors[divisors > 0]
    return Estimate(value, *percentile_interval(means), len(counts))


def percentile_interval(replicates: Floats) -> Interval:
    """The 2.5th and 97.5th percentile, linear between neighbours."""
    low, high = np.quantile(replicates, (0.025, 0.975))
    return Interval(float(low), float(high))


@dataclass(frozen=True)
class Paired:
    """People against one model on the same items."""

    difference: Estimate
    """Mean over items of (share of people right − model's result); `clusters` are instances."""
    p: float | None
    items: int


@dataclass(frozen=True)
class Crossed:
    """Answers of people to items: `sums` and `counts` are (people, items); `clusters` the items' instances, from 0."""

    sums: Floats
    counts: Floats
    clusters: Sequence[int]

    def shares(self) -> Floats:
        """Share right of each item, over people; NaN where nobody answered."""
        return _ratio(self.sums.sum(axis=0), self.counts.sum(axis=0))


def paired_difference(answers: Crossed, model: Sequence[float]) -> Paired:
    """The mean difference per item, its interval with people and instances both drawn again, and its p-value.

    The interval is the crossed (pigeonhole) bootstrap, which does not understate the spread over either.
    [A. B. Owen, Annals of Applied Statistics 1(2), 2007]
    """
    differences = answers.shares() - np.asarray(model, dtype=float)
    valid = np.flatnonzero(~np.isnan(differences))
    if not len(valid):
        return Paired(Estimate(None, None, None, 0), None, 0)
    groups, of_item = np.unique(np.asarray(answers.clusters)[valid], return_inverse=True)
    by_group = np.bincount(of_item, weights=differences[valid], minlength=len(groups))
    p = sign_flip(by_group.tolist()) if len(groups) > 1 else None
    low, high = _crossed_interval(answers, np.asarray(model, dtype=float), valid, of_item) or (None, None)
    return Paired(Estimate(float(differences[valid].mean()), low, high, len(groups)), p, len(valid))


def _crossed_interval(answers: Crossed, model: Floats, valid: Any, of_item: Any) -> Interval | None:
    people, groups = answers.sums.shape[0], int(of_item.max()) + 1
    if people < 2 or groups < 2:
        return None
    of_people, of_groups = weights(people), weights(groups, SEED + 1)[:, of_item]
    shares = _ratio(of_people @ answers.sums[:, valid], of_people @ answers.counts[:, valid])
    seen = np.where(np.isnan(shares), 0.0, of_groups)
    totals = seen.sum(axis=1)
    sums = (seen * np.nan_to_num(shares - model[valid])).sum(axis=1)
    return percentile_interval(sums[totals > 0] / totals[totals > 0])


def _ratio(above: Floats, below: Floats) -> Floats:
    made: Floats = np.divide(above, below, out=np.full(np.shape(above), np.nan), where=below > 0)
    return made


def sign_flip(sums: Sequence[float]) -> float:
    """The two-sided p-value of "no difference", by turning the sign of each cluster's summed difference.

    All patterns are counted up to 13 clusters. Above, 10,000 are drawn (bit c of `getrandbits(clusters)` set: cluster
    c keeps its sign), and the p-value is (as extreme + 1) / (drawn + 1), which is never 0.    [B. Phipson and
    G. K. Smyth, 2010]
    """
    values = np.asarray(sums, dtype=float)
    extreme = abs(values.sum()) - _SLACK
    if len(values) <= _EXACT_UP_TO:
        patterns = np.arange(2 ** len(values))[:, None] >> np.arange(len(values))
        return float((np.abs((1 - 2 * (patterns & 1)) @ values) >= extreme).mean())
    flipped = np.abs(_signs(len(values)) @ values)
    return float(((flipped >= extreme).sum() + 1) / (FLIPS + 1))


@lru_cache(maxsize=16)
def _signs(clusters: int) -> Floats:
    draw = random.Random(SEED).getrandbits
    masks = [draw(clusters) for _ in range(FLIPS)]
    return np.asarray([[1.0 if mask >> c & 1 else -1.0 for c in range(clusters)] for mask in masks])
