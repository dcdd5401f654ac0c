"""How good stated probabilities are: scores, reliability, over-confidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Final

PROBABILITY_FLOOR: Final = 0.001
"""A probability below counts as this much in the log score: sliders are moved in whole per cent, and ln 0 is -inf."""
BINS: Final = 10


def brier(probabilities: Mapping[str, float], right: str) -> float:
    """Sum over choices of (probability − truth)²: 0 is best, 2 worst.    [G. W. Brier, 1950]"""
    return sum((value - (name == right)) ** 2 for name, value in probabilities.items())


def log_score(probabilities: Mapping[str, float], right: str) -> float:
    """ln of the probability given to the right choice, at least ln 0.001: 0 is best.    [I. J. Good, 1952]"""
    return log(max(probabilities[right], PROBABILITY_FLOOR))


@dataclass(frozen=True)
class Bin:
    """Answers whose confidence lies in [low, high), the last bin with 1 included."""

    low: float
    high: float
    n: int
    confidence: float
    accuracy: float


def reliability(confidences: Sequence[float], correct: Sequence[bool]) -> list[Bin]:
    """Confidence beside accuracy in ten bins of equal width; empty bins are left out.    [A. H. Murphy, 1973]"""
    rows: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in zip(confidences, correct, strict=True):
        rows.setdefault(min(int(confidence * BINS + 1e-9), BINS - 1), []).append((confidence, right))
    return [_bin(number, rows[number]) for number in sorted(rows)]


def _bin(number: int, rows: Sequence[tuple[float, bool]]) -> Bin:
    n = len(rows)
    mean = sum(confidence for confidence, _ in rows) / n
    return Bin(number / BINS, (number + 1) / BINS, n, mean, sum(right for _, right in rows) / n)


def calibration_error(bins: Sequence[Bin]) -> float | None:
    """Mean distance of confidence from accuracy over the bins, each by its number of answers."""
    total = sum(each.n for each in bins)
    return sum(each.n * abs(each.confidence - each.accuracy) for each in bins) / total if total else None
