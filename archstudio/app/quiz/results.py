"""What a session came to: shares with intervals beside chance, Brier scores, pairs in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from archstudio.app.quiz.item import ItemKey, QuizItem
from archstudio.app.quiz.record import Answer
from archstudio.app.quiz.session import QuizSession
from archstudio.intuition.questions.scoring import Proportion, inversions, proportion
from archstudio.intuition.records import json_bytes
from archstudio.stats.forecasts import brier


@dataclass(frozen=True)
class Scored:
    """One answered question beside its answer. `brier` is for choices, `pairs` (in order, of all) for rankings."""

    item: QuizItem
    answer: Answer
    key: ItemKey
    brier: float | None = None
    pairs: tuple[int, int] | None = None

    @property
    def right(self) -> bool:
        """Whether the right choice was given, or every pair is in order."""
        if self.pairs is not None:
            return self.pairs[0] == self.pairs[1]
        return self.answer.choice == self.key.right


@dataclass(frozen=True)
class Line:
    """Choice questions of one kind: how many were right, what chance gives, and how good the probabilities were.

    The Brier score is the sum over the choices of the squared distance between probability and outcome, averaged over
    questions: 0 is certain and right, 2 certain and wrong.    [G. W. Brier, Monthly Weather Review 78, 1950]
    """

    name: str
    right: Proportion
    chance: float
    brier: float
    brier_even: float
    """What equal probabilities would score."""
    sure: float
    """The mean probability given to the chosen answer."""


@dataclass(frozen=True)
class Results:
    """All of a session's figures; `lines` begins with all choice questions together."""

    asked: int
    answered: int
    scored: tuple[Scored, ...]
    lines: tuple[Line, ...]
    pairs: tuple[int, int] | None
    """Pairs of rankings in the right order, and all pairs; chance gives half of them."""


def results_of(session: QuizSession) -> Results:
    """Return the figures of the answers so far; without a key, or in a blind session under way, none is scored."""
    key = session.pack.key if session.may_score else None
    scored = [] if key is None else [_scored(session.pack.item(a.item), a, key) for a in session.record.answers]
    scored_choices = [one for one in scored if one.brier is not None]
    ranked = [one.pairs for one in scored if one.pairs is not None]
    lines = [_line("all", scored_choices)] if scored_choices else []
    for kind in (_family, _type):
        groups = _grouped(scored_choices, kind)
        if len(groups) > 1:
            lines += [_line(name, members) for name, members in groups.items()]
    pairs = (sum(p[0] for p in ranked), sum(p[1] for p in ranked)) if ranked else None
    return Results(session.count, len(session.record.answers), tuple(scored), tuple(lines), pairs)


def _family(one: Scored) -> str:
    return one.item.family


def _type(one: Scored) -> str:
    return one.item.type


def _grouped(scored: Sequence[Scored], kind: Callable[[Scored], str]) -> dict[str, list[Scored]]:
    groups: dict[str, list[Scored]] = {}
    for one in scored:
        groups.setdefault(kind(one), []).append(one)
    return groups


def _scored(item: QuizItem, answer: Answer, key: Mapping[str, ItemKey]) -> Scored:
    of = key[item.id]
    if answer.order is not None:
        most = len(of.order) * (len(of.order) - 1) // 2
        return Scored(item, answer, of, pairs=(most - inversions(of.order, answer.order), most))
    assert answer.probabilities is not None  # the record's own check
    return Scored(item, answer, of, brier=brier(answer.probabilities, of.right))


def _line(name: str, scored: Sequence[Scored]) -> Line:
    sizes = [len(one.item.choices) for one in scored]
    count = len(scored)
    given = [(one.answer.probabilities or {}).get(one.answer.choice or "", 0.0) for one in scored]
    return Line(
        name=name,
        right=proportion(sum(one.right for one in scored), count),
        chance=sum(1 / size for size in sizes) / count,
        brier=sum(one.brier or 0.0 for one in scored) / count,
        brier_even=sum(1 - 1 / size for size in sizes) / count,
        sure=sum(given) / count,
    )


def session_export(session: QuizSession) -> bytes:
    """Return a session as the bytes of a JSON file: what was given, and the figures where they may be shown."""
    results = results_of(session)
    content: dict[str, Any] = session.record.as_json()
    if results.lines or results.pairs:
        content["results"] = {
            "lines": [
                {
                    "name": line.name,
                    **line.right.as_json(),
                    "chance": line.chance,
                    "brier": line.brier,
                    "brier_even": line.brier_even,
                    "mean_confidence": line.sure,
                }
                for line in results.lines
            ],
            "pairs": None if results.pairs is None else {"right": results.pairs[0], "n": results.pairs[1]},
        }
    return json_bytes(content)
