"""How far rules without understanding get on questions: shares right with intervals, beside chance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from archstudio.intuition.analysis.material import Traced
from archstudio.intuition.candidates.spec import CandidateSpec, TransformerModel
from archstudio.intuition.questions.record import Question
from archstudio.intuition.questions.shortcuts import RULES as SHORTCUTS
from archstudio.stats import wilson

EARLY: Final = 0.05
"""The part of the budget after which the rule that looks at curves looks."""
OPTIMIZERS: Final = ("Adam", "AdamW", "RMSprop", "Adagrad", "SGD")
"""Best first: the order of mean cross-entropies of bigram candidates published with ArchitectureIQ."""

Rule = Callable[[Traced], float]


def depth(spec: CandidateSpec) -> int:
    """Return the number of blocks or layers."""
    return spec.model.num_layers if isinstance(spec.model, TransformerModel) else spec.model.depth


def _of_spec(value: Callable[[CandidateSpec], float]) -> Rule:
    return lambda traced: value(traced.candidate.spec)


def _early(traced: Traced) -> float:
    return -traced.at(EARLY * traced.candidate.spec.budget.total_samples_seen)


@dataclass(frozen=True)
class Baseline:
    """A rule with what it says in words; it picks the choice with the largest value."""

    told: str
    value: Rule


BASELINES: Final[Mapping[str, Baseline]] = {
    "most_parameters": Baseline("most trainable parameters", _of_spec(SHORTCUTS["most_parameters"])),
    "fewest_parameters": Baseline("fewest trainable parameters", _of_spec(lambda s: -SHORTCUTS["most_parameters"](s))),
    "highest_rate": Baseline("highest learning rate", _of_spec(SHORTCUTS["highest_rate"])),
    "lowest_rate": Baseline("lowest learning rate", _of_spec(lambda s: -SHORTCUTS["highest_rate"](s))),
    "highest_effective_rate": Baseline(
        "highest η = rate × (SGD 0.35 + 0.65 · momentum, Adagrad 0.9, Adam and AdamW 1.15, RMSprop 1.25)",
        _of_spec(SHORTCUTS["highest_effective_rate"]),
    ),
    "deepest": Baseline("most blocks", _of_spec(depth)),
    "widest": Baseline("largest width (d_model)", _of_spec(lambda spec: spec.model.width)),
    "optimizer_order": Baseline(
        f"optimiser by a fixed order: {' > '.join(OPTIMIZERS)}",
        _of_spec(lambda spec: -OPTIMIZERS.index(spec.optimizer.type)),
    ),
    "hand_formula": Baseline("largest ln(parameters) + 0.7 · ln η", _of_spec(SHORTCUTS["parameters_and_rate"])),
    "early_look": Baseline(f"lowest metric after {100 * EARLY:g} % of the budget (sees the curves)", _early),
}
"""Each picks the largest value, the earliest letter where several have it."""


@dataclass(frozen=True)
class Answered:
    """What a rule said to one question; `tied` says that only the letter decided."""

    question_id: str
    right: bool
    tied: bool


@dataclass(frozen=True)
class Score:
    """A rule's share right in a group of questions, with the 95 % Wilson interval."""

    rule: str
    group: str
    right: int
    n: int
    tied: int
    chance: float

    @property
    def share(self) -> float:
        """right / n."""
        return self.right / self.n

    @property
    def low(self) -> float:
        """Lower end of the interval."""
        return wilson(self.right, self.n).low

    @property
    def high(self) -> float:
        """Upper end of the interval."""
        return wilson(self.right, self.n).high


def answer(question: Question, values: Sequence[float]) -> Answered:
    """Return what becomes of a question where the choice with the largest value is picked."""
    best = max(values)
    place = values.index(best)
    right = question.record.choices[place].letter == question.record.correct_letter
    return Answered(question.id, right, values.count(best) > 1)


def rule_answers(questions: Sequence[Question], traced: Mapping[str, Traced]) -> dict[str, list[Answered]]:
    """Return what each rule says to each question."""
    return {
        name: [answer(q, [rule.value(traced[c.id]) for c in q.candidates]) for q in questions]
        for name, rule in BASELINES.items()
    }


def scores(rule: str, answers: Sequence[Answered], questions: Sequence[Question]) -> Iterator[Score]:
    """Yield a rule's score over all questions it answered, then by family, then by type."""
    asked = {question.id: question for question in questions}
    groups: dict[str, list[Answered]] = {"all": list(answers)} if answers else {}
    for kind in ("family", "type"):
        for name in sorted({getattr(asked[each.question_id].record, kind) for each in answers}):
            groups[f"{kind}: {name}"] = [e for e in answers if getattr(asked[e.question_id].record, kind) == name]
    for group, mine in groups.items():
        chance = sum(1 / asked[each.question_id].record.num_choices for each in mine) / len(mine)
        yield Score(rule, group, sum(e.right for e in mine), len(mine), sum(e.tied for e in mine), chance)
