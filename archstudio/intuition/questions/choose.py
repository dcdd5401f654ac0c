"""Chooses candidate-disjoint questions from a pool, by building around winners instead of trying every combination."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from random import Random

from archstudio.intuition.candidates.sizes import parameter_count
from archstudio.intuition.candidates.spec import AXES
from archstudio.intuition.profile import QuestionGeneration, Significance
from archstudio.intuition.questions.significance import Judged, judge
from archstudio.intuition.truth.sets import Candidate

RESTARTS = 100
TRIES_A_WINNER = 30


class CannotAsk(ValueError):
    """So many questions cannot be made; the text says how many can and what to do."""


@dataclass(frozen=True)
class Chosen:
    """The candidates of one question in the order of their letters, and the verdict on them."""

    candidates: tuple[Candidate, ...]
    judged: Judged

    @property
    def ratio(self) -> float:
        """Largest number of parameters over smallest."""
        return parameter_ratio(self.candidates)


def parameter_ratio(candidates: Sequence[Candidate]) -> float:
    """Return the largest number of trainable parameters over the smallest."""
    counts = [parameter_count(candidate.spec.model) for candidate in candidates]
    return max(counts) / min(counts)


def choose(
    pool: Sequence[Candidate],
    *,
    count: int,
    choices: int,
    rules: Significance,
    generation: QuestionGeneration,
    seed: int,
) -> list[Chosen]:
    """Return `count` questions in which no candidate occurs twice; raises `CannotAsk`."""
    if choices < 2 or choices > 26 or count < 1:
        raise CannotAsk(f"{count} questions of {choices} choices: there is at least one, of 2 to 26 choices.")
    usable = [candidate for candidate in pool if not candidate.summary.excluded]
    search = _Search(usable, choices, rules, generation, Random(seed))
    best: list[Chosen] = []
    for _ in range(RESTARTS):
        found = search.attempt(count)
        if len(found) > len(best):
            best = found
        if len(best) == count:
            return best
    raise CannotAsk(
        f"Only {len(best)} of {count} questions with {choices} choices were found among {len(usable)} usable "
        "candidates. Ask for fewer questions or choices, or train more candidates."
    )


class _Search:
    """Randomised greedy search; each attempt begins afresh."""

    def __init__(
        self,
        pool: Sequence[Candidate],
        choices: int,
        rules: Significance,
        generation: QuestionGeneration,
        rng: Random,
    ) -> None:
        self._pool = pool
        self._choices = choices
        self._rules = rules
        self._generation = generation
        self._rng = rng
        self._loses_to = [self._losers(winner) for winner in range(len(pool))]

    def _losers(self, winner: int) -> list[int]:
        """Candidates that this one beats beyond doubt, one against one; a question needs that of all its rivals."""
        return [other for other in range(len(self._pool)) if other != winner and self._beats(winner, other)]

    def _beats(self, winner: int, other: int) -> bool:
        pair = (self._pool[winner], self._pool[other])
        judged = judge([c.summary for c in pair], self._rules)
        return judged is not None and judged.passed and judged.winner == 0 and _comparable(pair)

    def attempt(self, count: int) -> list[Chosen]:
        """Return up to `count` questions: first those with close sizes, as many as the profile wants, then any."""
        close = ceil(self._generation.ratio_share * count) if self._generation.ratio_most else 0
        free = set(range(len(self._pool)))
        found = self._questions(free, close, self._generation.ratio_most)
        if len(found) == close:
            found += self._questions(free, count - close, None)
        self._rng.shuffle(found)
        return found

    def _questions(self, free: set[int], count: int, ratio_most: float | None) -> list[Chosen]:
        found: list[Chosen] = []
        winners = sorted(free)
        self._rng.shuffle(winners)
        for winner in winners:
            if len(found) == count:
                break
            members = self._around(winner, free, ratio_most) if winner in free else None
            if members is not None:
                free.difference_update(members)
                found.append(self._lettered(members))
        return found

    def _around(self, winner: int, free: set[int], ratio_most: float | None) -> list[int] | None:
        """Return a question's candidates, winner first, or None if none was found around this winner."""
        rivals = [other for other in self._loses_to[winner] if other in free]
        if ratio_most is not None:
            rivals = [other for other in rivals if self._ratio([winner, other]) <= ratio_most]
        if len(rivals) < self._choices - 1:
            return None
        for _ in range(TRIES_A_WINNER):
            members = [winner, *self._rng.sample(rivals, self._choices - 1)]
            judged = judge([self._pool[i].summary for i in members], self._rules)
            within = ratio_most is None or self._ratio(members) <= ratio_most
            if within and judged is not None and judged.passed:
                return members
        return None

    def _ratio(self, members: Sequence[int]) -> float:
        return parameter_ratio([self._pool[i] for i in members])

    def _lettered(self, members: list[int]) -> Chosen:
        self._rng.shuffle(members)
        candidates = tuple(self._pool[i] for i in members)
        judged = judge([candidate.summary for candidate in candidates], self._rules)
        assert judged is not None
        return Chosen(candidates, judged)


def _comparable(candidates: Sequence[Candidate]) -> bool:
    """Whether they were trained on one device and differ in something."""
    return len({candidate.spec.device for candidate in candidates}) == 1 and bool(varying_axes(candidates))


def varying_axes(candidates: Sequence[Candidate]) -> list[str]:
    """Return in which of model, optimizer, loss and batch_size candidates differ."""
    first = candidates[0].spec
    varying: list[str] = [axis for axis in AXES if any(c.spec.part(axis) != first.part(axis) for c in candidates)]
    if any(c.spec.budget.batch_size != first.budget.batch_size for c in candidates):
        varying.append("batch_size")
    return varying


def question_type(varying: Sequence[str]) -> str:
    """Return the type of a question from what varies in it."""
    parts = [axis for axis in varying if axis in AXES]
    names = {"model": "architecture_only", "optimizer": "optimizer_only", "loss": "loss_only"}
    return names[parts[0]] if len(parts) == 1 else "mixed"
