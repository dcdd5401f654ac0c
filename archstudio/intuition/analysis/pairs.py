"""How clear the differences between the candidates of a set are: relative gaps, and which pairs come apart fully."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from archstudio.intuition.analysis.material import SetMaterial
from archstudio.intuition.questions.record import Question
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


@dataclass(frozen=True)
class QuestionGaps:
    """How far the winners of a family's questions are ahead, relative to their own mean: tenth, median, ninetieth."""

    family: str
    n: int
    tenth: float
    median: float
    ninetieth: float
    apart: int
    """Questions in which the winner's worst seed is below the best of every rival."""


def question_gaps(questions: Sequence[Question]) -> list[QuestionGaps]:
    """Return the gaps by family, worked out from the candidates' results and not from what the questions record."""
    made = []
    for family in sorted({question.record.family for question in questions}):
        mine = [_closest(question) for question in questions if question.record.family == family]
        low, middle, high = np.quantile([each.relative_gap for each in mine], (0.1, 0.5, 0.9)).tolist()
        made.append(QuestionGaps(family, len(mine), low, middle, high, sum(each.apart for each in mine)))
    return made


def _closest(question: Question) -> Pair:
    """The winner and the next one by mean; `apart` from all rivals."""
    ends = [(c.summary.mean, c.summary.ranked_finals()) for c in question.candidates]
    known = sorted(((mean, finals) for mean, finals in ends if mean is not None), key=lambda end: end[0])
    (best, finals), (second, _) = known[:2]
    gap = (second - best) / best if best > 0 else float("inf")
    return Pair(gap, all(bool(finals.max() < rival.min()) for _, rival in known[1:]))
