"""The pictures of the page: curves, finals, rules beside chance, early and final order, gaps."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from archstudio.intuition.analysis.drawing import WIDTH, Axis, Plane, Point
from archstudio.intuition.analysis.figures import SetAnalysis
from archstudio.intuition.analysis.material import Traced
from archstudio.intuition.analysis.pairs import Pair
from archstudio.intuition.analysis.rules import BASELINES, Score

_LEFT: Final = 64.0
_RIGHT: Final = WIDTH - 96.0
_WIDE_RANGE: Final = 8
"""Ratio of largest to smallest value from which on a metric stands on a log scale."""
MOST_BANDS: Final = 2
"""Sets up to which bands can be told apart; for more the intervals stand in the table alone."""
_SHOWN: Final = ("best", "middle", "worst")


def _metric_axis(values: Sequence[float], start: float, end: float) -> Axis:
    low, high = min(values), max(values)
    if low > 0 and high / low > _WIDE_RANGE:
        return Axis(low / 1.08, high * 1.08, start, end, log=True)
    room = 0.04 * (high - low) or max(abs(low), 1e-9) * 0.1
    return Axis(low - room, high + room, start, end)


def _chosen(found: SetAnalysis) -> list[tuple[str, Traced]]:
    """The best, middle and worst candidate by final."""
    ordered = sorted(found.of.traced, key=lambda each: (each.final, each.id))
    places = dict(zip(_SHOWN, (0, (len(ordered) - 1) // 2, len(ordered) - 1), strict=True))
    return [(name, ordered[place]) for name, place in places.items() if len(ordered) >= 3 or name != "middle"]


def curves(found: SetAnalysis, name: str) -> str:
    """All mean curves of a set; best, middle and worst with a band of one deviation over seeds."""
    chosen = _chosen(found)
    means = found.of.means
    x = Axis(float(found.of.samples[0]), float(found.of.samples[-1]), _LEFT, _RIGHT, log=True)
    highest = max(float(np.quantile(means, 0.99)), float(means[:, -1].max()))
    y = _metric_axis(np.minimum(means, highest).ravel().tolist(), 306, 28)
    metric = found.of.traced[0].candidate.summary.selection_metric
    told = "; ".join(f"{place}: {each.id} ends at {each.final:.4g}" for place, each in chosen)
    plane = Plane(352, f"Learning curves of {found.of.id}", f"{len(means)} mean curves. {told}.", name)
    plane.frame(x, y, "samples seen (log)", _measured(metric, y))
    for row in means:
        plane.path([(x(s), y(min(v, y.high))) for s, v in zip(found.of.samples, row, strict=True)], "faint")
    labels: list[tuple[float, str, str]] = []
    for place, each in chosen:
        _banded(plane, each, x, y, place)
        labels.append((y(float(each.curves.mean[-1])), place, place))
    _ends(plane, labels)
    return plane.svg()


def _measured(metric: str, axis: Axis) -> str:
    return f"{metric}{' (log)' * axis.log}, lower is better"


def _banded(plane: Plane, each: Traced, x: Axis, y: Axis, kind: str) -> None:
    mean, std, samples = each.curves.mean, each.curves.std, each.curves.samples.tolist()

    def line(values: Sequence[float]) -> list[Point]:
        kept = np.clip(values, y.low, y.high).tolist()
        return [(x(min(max(s, x.low), x.high)), y(v)) for s, v in zip(samples, kept, strict=True)]

    plane.band(line((mean - std).tolist()), line((mean + std).tolist()), f"band {kind}")
    plane.path(line(mean.tolist()), f"strong {kind}")


def _ends(plane: Plane, labels: list[tuple[float, str, str]]) -> None:
    """Names at the ends of lines, moved apart where they would touch."""
    last = -1e9
    for height, text, kind in sorted(labels):
        last = max(height + 4, last + 14)
        plane.text((_RIGHT + 8, last), text, f"end {kind}")


def finals(found: SetAnalysis, name: str) -> str:
    """How each candidate ends, best first: mean, and all seeds from the best to the worst."""
    ordered = sorted(found.of.traced, key=lambda each: (each.final, each.id))
    ends = [each.candidate.summary.good_finals() for each in ordered]
    x = Axis(0.5, len(ordered) + 0.5, _LEFT, _RIGHT)
    y = _metric_axis([float(v) for end in ends for v in end], 246, 28)
    metric = ordered[0].candidate.summary.selection_metric
    told = f"From {ordered[0].final:.4g} to {ordered[-1].final:.4g}, middle {float(np.median(found.of.finals)):.4g}."
    plane = Plane(292, f"Finals of {found.of.id}", told, name)
    plane.frame(x, y, "candidate, by rank of its mean", _measured(metric, y))
    for place, (each, end) in enumerate(zip(ordered, ends, strict=True), start=1):
        plane.line((x(place), y(float(end.min()))), (x(place), y(float(end.max()))), "range")
        plane.dot((x(place), y(each.final)), "point", 3)
    return plane.svg()


def forest(scores: Sequence[Score], name: str) -> str:
    """Rules over all questions, best first, with intervals and the line of chance."""
    ordered = sorted(scores, key=lambda each: (-each.share, each.rule))
    left, row = 190.0, 26.0
    bottom = 34 + row * len(ordered)
    x = Axis(0, 1, left, WIDTH - 118)
    told = "; ".join(f"{e.rule} {e.share:.1%} [{e.low:.1%} to {e.high:.1%}], n = {e.n}" for e in ordered)
    plane = Plane(bottom + 44, "Share of questions answered rightly by each rule", told, name)
    for value in (0, 0.2, 0.4, 0.6, 0.8, 1):
        plane.line((x(value), 24), (x(value), bottom), "grid")
        plane.text((x(value), bottom + 16), f"{100 * value:.0f}", "tick", "middle")
    plane.text(((x.start + x.end) / 2, bottom + 36), "right, % (95 % Wilson interval)", "label", "middle")
    chance = ordered[0].chance
    plane.line((x(chance), 20), (x(chance), bottom), "chance")
    plane.text((x(chance), 14), f"chance {100 * chance:.1f} %", "tick", "middle")
    for place, each in enumerate(ordered):
        height = 40 + row * place
        seen = "seen" if each.rule == "early_look" else "tree" if each.rule not in BASELINES else "rule"
        plane.text((left - 10, height + 4), each.rule.replace("_", " "), "name", "end")
        plane.line((x(each.low), height), (x(each.high), height), f"whisker {seen}")
        plane.dot((x(each.share), height), f"mark {seen}", 4.5)
        plane.text((WIDTH - 108, height + 4), f"{100 * each.share:.1f} %", "name")
        plane.text((WIDTH, height + 4), f"{each.right}/{each.n}", "tick", "end")
    return plane.svg()


def early_order(sets: Sequence[SetAnalysis], name: str) -> str:
    """Rank correlation of the order so far with the final order, one line a set; with intervals for few sets."""
    looks = [look for each in sets for look in each.figures.looks if look.rho is not None]
    x = Axis(min(look.share for look in looks), max(1.0, *(look.share for look in looks)), _LEFT, _RIGHT, log=True)
    banded = len(sets) <= MOST_BANDS
    lowest = min([0.0, *((look.low if banded else None) or look.rho or 0.0 for look in looks)])
    y = Axis(max(-1.0, lowest - 0.05), 1, 286, 28)
    ends = [(each, [look for look in each.figures.looks if look.rho is not None]) for each in sets]
    told = "; ".join(f"{each.of.id}: {mine[0].rho or 0:.2f} at first" for each, mine in ends if mine)
    plane = Plane(332, "Rank correlation of early and final order", told, name)
    plane.frame(x, y, "part of the budget seen (log)", "Spearman's ρ with the final order", per_cent=True)
    plane.line((x.start, y(0)), (x.end, y(0)), "chance")
    plane.text((x.end + 8, y(0) + 4), "unrelated", "tick")
    for place, (_, mine) in enumerate(ends if banded else ()):
        ranged = [look for look in mine if look.low is not None and look.high is not None]
        low = [(x(look.share), y(max(look.low or 0.0, y.low))) for look in ranged]
        high = [(x(look.share), y(look.high or 0.0)) for look in ranged]
        plane.band(low, high, f"band set{place % 4}")
    labels = []
    for place, (_, mine) in enumerate(ends):
        plane.path([(x(look.share), y(look.rho or 0.0)) for look in mine], f"strong set{place % 4}")
        if mine:
            labels.append((y(mine[-1].rho or 0.0), f"set {place + 1}", f"set{place % 4}"))
    _ends(plane, labels)
    return plane.svg()


EDGES: Final = (0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, float("inf"))
"""Bins of relative gaps."""


def gaps(found: Sequence[Pair], name: str) -> str:
    """How far pairs of candidates are apart, and in how many of them every seed agrees."""
    counts = [
        (sum(e.apart for e in mine), len(mine))
        for low, high in pairwise(EDGES)
        for mine in [[e for e in found if low <= e.relative_gap < high or (high == EDGES[-1] <= e.relative_gap)]]
    ]
    y = Axis(0, max(1, *(total for _, total in counts)) * 1.12, 226, 36)
    step = (_RIGHT - _LEFT) / len(counts)
    told = "; ".join(f"{_bin(i)}: {apart} of {total} apart" for i, (apart, total) in enumerate(counts))
    plane = Plane(276, "Relative gaps of pairs", told, name)
    for value in y.ticks():
        plane.line((_LEFT, y(value)), (_RIGHT, y(value)), "grid")
        plane.text((_LEFT - 8, y(value) + 4), f"{value:,.0f}", "tick", "end")
    for place, (apart, total) in enumerate(counts):
        left = _LEFT + step * place
        plane.bar((left + 4, y(total)), step - 8, y(0) - y(total), "mixed")
        plane.bar((left + 4, y(apart)), step - 8, y(0) - y(apart), "apart")
        plane.text((left + step / 2, 242), _bin(place), "tick", "middle")
        if total:
            plane.text((left + step / 2, y(total) - 5), f"{100 * apart / total:.0f} %", "tick", "middle")
    plane.line((_LEFT, y(0)), (_RIGHT, y(0)), "axis")
    plane.text(((_LEFT + _RIGHT) / 2, 266), "relative gap of the means, %", "label", "middle")
    plane.text((_LEFT, 16), "pairs; above each bar the share in which all seeds agree", "label")
    return plane.svg()


def _bin(place: int) -> str:
    low, high = EDGES[place], EDGES[place + 1]
    return f"≥ {100 * low:g}" if high == float("inf") else f"{100 * low:g}–{100 * high:g}"
