"""Order parameters: a few numbers that say how a learning curve runs, and when the order of several is settled.

m(s) is the mean of the metric over the seeds that did not fail, after s samples; lower is better. Between measurements
it is linear in ln s. Where no number can be, None stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import atanh, sqrt, tanh

import numpy as np

from archstudio.intuition.analysis.material import Floats, SetMaterial, Traced
from archstudio.stats.proportions import Z_95, Interval


@dataclass(frozen=True)
class CurveFigures:
    """How one candidate's curve runs."""

    candidate_id: str
    final: float
    """Mean final as it was recorded; under a protocol with validation it is on the test split, the curve is not."""
    best: float
    """min m(s)."""
    best_at: int
    """The first s where m(s) is `best`."""
    area: float
    """Mean height in log samples: ∫ m d ln s / (ln s_n − ln s_1), by trapezes."""
    to_half: float | None
    """The first s where m(s) ≤ m(s_1) − 0.5 · (m(s_1) − best); None where nothing is gained."""
    to_90: float | None
    """The same with 0.9."""
    early_slope: float | None
    """Least-squares slope of m over log10 s for s ≤ √(s_1 s_n): change a decade in the first half of log samples."""
    late_slope: float | None
    """The same for s ≥ √(s_1 s_n)."""
    spread_first: float
    """Population deviation over seeds at s_1."""
    spread_last: float
    """The same at s_n."""
    spread_mean: float
    """The mean of that deviation over the measurements."""
    failed: int
    seeds: int
    validation_gap: float | None
    """final − m(s_n) where the curve is on a validation split; None where both are on the test split. Training losses
    are not recorded, so the gap to them is unknown."""


def curve_figures(traced: Traced) -> CurveFigures:
    """Return the order parameters of one candidate."""
    curves, summary = traced.curves, traced.candidate.summary
    mean, std, log_s = curves.mean, curves.std, np.log(curves.samples)
    best = int(mean.argmin())
    middle = (log_s[0] + log_s[-1]) / 2
    protocol = traced.candidate.spec.protocol
    return CurveFigures(
        candidate_id=traced.id,
        final=traced.final,
        best=float(mean[best]),
        best_at=int(curves.samples[best]),
        area=area(log_s, mean),
        to_half=samples_to(log_s, mean, 0.5),
        to_90=samples_to(log_s, mean, 0.9),
        early_slope=slope(log_s[log_s <= middle + 1e-12], mean[log_s <= middle + 1e-12]),
        late_slope=slope(log_s[log_s >= middle - 1e-12], mean[log_s >= middle - 1e-12]),
        spread_first=float(std[0]),
        spread_last=float(std[-1]),
        spread_mean=float(std.mean()),
        failed=summary.failed_seeds,
        seeds=summary.n_seeds,
        validation_gap=traced.final - float(mean[-1]) if protocol is not None and protocol.validation else None,
    )


def area(log_samples: Floats, mean: Floats) -> float:
    """Return the mean height of a curve over log samples; of a single point its height."""
    if len(mean) == 1:
        return float(mean[0])
    heights = (mean[1:] + mean[:-1]) / 2
    return float((heights * np.diff(log_samples)).sum() / (log_samples[-1] - log_samples[0]))


def samples_to(log_samples: Floats, mean: Floats, part: float) -> float | None:
    """Return the samples after which `part` of the gain from the first to the best point is made."""
    gain = mean[0] - mean.min()
    if gain <= 0:
        return None
    goal = mean[0] - part * gain
    after = int(np.argmax(mean <= goal))
    before = after - 1
    share = (mean[before] - goal) / (mean[before] - mean[after])
    return float(np.exp(log_samples[before] + share * (log_samples[after] - log_samples[before])))


def slope(log_samples: Floats, mean: Floats) -> float | None:
    """Return the least-squares slope a decade, None from fewer than two points."""
    if len(mean) < 2:
        return None
    x = log_samples / np.log(10)
    x = x - x.mean()
    return float((x * (mean - mean.mean())).sum() / (x * x).sum())


def crossings(a: Floats, b: Floats) -> int:
    """Return how often one curve comes to lie on the other side of the other; touching is no crossing."""
    signs = np.sign(a - b)
    signs = signs[signs != 0]
    return int((signs[1:] != signs[:-1]).sum())


def ranks(values: Floats) -> Floats:
    """Return ranks from 1; equal values share the mean of theirs."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[places], np.float64)


def rank_correlation(a: Floats, b: Floats) -> float | None:
    """Spearman's ρ: Pearson's correlation of ranks; None where one side does not vary."""
    x, y = ranks(a), ranks(b)
    x, y = x - x.mean(), y - y.mean()
    size = sqrt(float((x * x).sum() * (y * y).sum()))
    return float((x * y).sum()) / size if size else None


def rank_interval(rho: float, n: int) -> Interval | None:
    """95 % interval of ρ by Fisher's z with the variance (1 + ρ²/2) / (n − 3); None for n < 4 or |ρ| = 1.

    [D. G. Bonett and T. A. Wright, Psychometrika 65, 2000]
    """
    if n < 4 or abs(rho) >= 1 - 1e-12:
        return None
    half = Z_95 * sqrt((1 + rho * rho / 2) / (n - 3))
    return Interval(tanh(atanh(rho) - half), tanh(atanh(rho) + half))


@dataclass(frozen=True)
class EarlyLook:
    """How far the order after `samples` is that of the finals, over `n` candidates; ρ of unrelated orders is 0."""

    samples: int
    share: float
    rho: float | None
    low: float | None
    high: float | None
    n: int
    leader: bool
    """Whether the candidate with the lowest final leads already."""


@dataclass(frozen=True)
class SetFigures:
    """How the curves of a set lie to each other."""

    set_id: str
    n: int
    pairs: int
    crossing_pairs: int
    """Pairs whose mean curves cross at least once."""
    crossings: int
    settled_at: int | None
    """The first s from which on m orders the candidates as at s_n; None where that is s_n alone."""
    leader_at: int | None
    """The first s from which on the leader at s_n leads; None where that is s_n alone."""
    failed: int
    runs: int
    looks: tuple[EarlyLook, ...]


def set_figures(of: SetMaterial) -> SetFigures:
    """Return the order parameters of a set."""
    means, samples = of.means, of.samples.astype(int)
    crossed = [crossings(a, b) for a, b in combinations(means, 2)]
    orders = means.argsort(axis=0, kind="stable")
    summaries = [candidate.summary for candidate in of.of.candidates]
    looks = []
    for place, after in enumerate(samples):
        rho = rank_correlation(means[:, place], of.finals)
        interval = None if rho is None else rank_interval(rho, len(means))
        low, high = interval if interval is not None else (None, None)
        leads = bool(means[:, place].argmin() == of.finals.argmin())
        looks.append(EarlyLook(int(after), float(after / of.budget), rho, low, high, len(means), leads))
    return SetFigures(
        set_id=of.id,
        n=len(means),
        pairs=len(crossed),
        crossing_pairs=sum(each > 0 for each in crossed),
        crossings=sum(crossed),
        settled_at=_since(samples, (orders == orders[:, -1:]).all(axis=0)),
        leader_at=_since(samples, orders[0] == orders[0, -1]),
        failed=sum(each.failed_seeds for each in summaries),
        runs=sum(each.n_seeds for each in summaries),
        looks=tuple(looks),
    )


def _since(samples: Floats, holds: Floats) -> int | None:
    """The first place from which on `holds` is true to the end, None where that is the last."""
    broken = np.flatnonzero(~holds.astype(bool))
    first = int(broken[-1]) + 1 if broken.size else 0
    return int(samples[first]) if first < len(samples) - 1 or len(samples) == 1 else None
