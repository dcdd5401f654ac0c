"""Scores answers: letters by share right with an interval, orders by pairs in the wrong order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from archstudio.stats.proportions import wilson


@dataclass(frozen=True)
class Proportion:
    """A share and its 95 % Wilson interval (E. B. Wilson, JASA 22, 1927)."""

    right: int
    total: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """right / total."""
        return self.right / self.total

    def as_json(self) -> dict[str, Any]:
        """Return the figures as JSON values."""
        return {"right": self.right, "n": self.total, "share": self.share, "low": self.low, "high": self.high}


def proportion(right: int, total: int) -> Proportion:
    """Return `right` of `total` (at least 1) with its interval."""
    if not 0 <= right <= total or total < 1:
        raise ValueError(f"{right} of {total} is no share")
    return Proportion(right, total, *wilson(right, total))


@dataclass(frozen=True)
class LetterScore:
    """Answers to questions; one that is missing or no letter of its question counts as wrong."""

    overall: Proportion
    answered: int
    unparsed: tuple[str, ...]
    unexpected: tuple[str, ...]


def score_letters(
    key: Mapping[str, str], letters: Mapping[str, Sequence[str]], answers: Mapping[str, str]
) -> LetterScore:
    """Score answers by question id against the right letters; `letters` are those each question has."""
    given = {name: answer.strip().upper() for name, answer in answers.items() if name in key}
    valid = {name: answer for name, answer in given.items() if answer in letters[name]}
    return LetterScore(
        overall=proportion(sum(valid.get(name) == right for name, right in key.items()), len(key)),
        answered=len(valid),
        unparsed=tuple(name for name in key if name not in valid),
        unexpected=tuple(name for name in answers if name not in key),
    )


@dataclass(frozen=True)
class OrderRow:
    """One ranking question: pairs in the wrong order, and the most there can be."""

    inversions: int
    most: int
    valid: bool


@dataclass(frozen=True)
class OrderScore:
    """All ranking questions; 1 is every pair right, 0.5 what chance gives, 0 every pair wrong."""

    rows: dict[str, OrderRow]
    unexpected: tuple[str, ...]

    @property
    def inversions(self) -> int:
        """Pairs in the wrong order."""
        return sum(row.inversions for row in self.rows.values())

    @property
    def most(self) -> int:
        """Pairs."""
        return sum(row.most for row in self.rows.values())

    @property
    def score(self) -> float:
        """1 − inversions / pairs."""
        return 1 - self.inversions / self.most


def score_orders(key: Mapping[str, Sequence[str]], answers: Mapping[str, str | Sequence[str]]) -> OrderScore:
    """Score orders, each a list or a text with "," or ">" between; a missing or invalid one has every pair wrong."""
    rows = {}
    for name, right in key.items():
        answer = _listed(answers.get(name, ()))
        most = len(right) * (len(right) - 1) // 2
        valid = sorted(answer) == sorted(right)
        rows[name] = OrderRow(inversions(right, answer) if valid else most, most, valid)
    return OrderScore(rows, tuple(name for name in answers if name not in key))


def inversions(right: Sequence[str], answer: Sequence[str]) -> int:
    """Return how many pairs of two orders of the same things are in another order."""
    place = {item: number for number, item in enumerate(right)}
    order = [place[item] for item in answer]
    return sum(order[i] > order[j] for i in range(len(order)) for j in range(i + 1, len(order)))


def _listed(answer: str | Sequence[str]) -> list[str]:
    parts = answer.replace(">", ",").split(",") if isinstance(answer, str) else answer
    return [part.strip() for part in parts]
