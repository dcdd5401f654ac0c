"""How far one gets without understanding: simple rules that pick an answer, and how often each is right."""

from collections.abc import Callable, Sequence
from math import log
from typing import Any

from archstudio.intuition.candidates.sizes import parameter_count
from archstudio.intuition.candidates.spec import CandidateSpec, OptimizerSpec
from archstudio.intuition.questions.choose import Chosen
from archstudio.intuition.questions.scoring import proportion


def log_effective_rate(optimizer: OptimizerSpec) -> float:
    """Return ln(learning rate × a factor of the optimiser), the reference's arithmetic rule."""
    factors = {"SGD": 0.35 + 0.65 * (optimizer.momentum or 0), "Adagrad": 0.9, "RMSprop": 1.25}
    return log(optimizer.lr * factors.get(optimizer.type, 1.15))


def _log_parameters(spec: CandidateSpec) -> float:
    return log(parameter_count(spec.model))


RULES: dict[str, Callable[[CandidateSpec], float]] = {
    "most_parameters": _log_parameters,
    "highest_rate": lambda spec: float(spec.optimizer.lr),
    "highest_effective_rate": lambda spec: log_effective_rate(spec.optimizer),
    "parameters_and_rate": lambda spec: _log_parameters(spec) + 0.7 * log_effective_rate(spec.optimizer),
}
"""Each picks the choice with the largest value, the earliest letter where several have it."""


def pick(rule: str, specs: Sequence[CandidateSpec]) -> int:
    """Return the number of the choice a rule picks."""
    values = [RULES[rule](spec) for spec in specs]
    return values.index(max(values))


def shortcut_report(questions: Sequence[Chosen]) -> dict[str, Any]:
    """Return how often each rule is right on questions, with 95 % intervals and chance, and the questions' figures."""
    rows = {}
    for rule in RULES:
        picks = [pick(rule, [c.spec for c in question.candidates]) for question in questions]
        right = sum(p == q.judged.winner for p, q in zip(picks, questions, strict=True))
        rows[rule] = proportion(right, len(questions)).as_json()
    return {
        "schema": "archstudio.question_report/1",
        "questions": len(questions),
        "chance": sum(1 / len(question.candidates) for question in questions) / len(questions),
        "shortcuts": rows,
        "gaps": [question.judged.gap for question in questions],
        "relative_gaps": [question.judged.relative_gap for question in questions],
        "parameter_ratios": [question.ratio for question in questions],
        "share_within_ratio_2": sum(question.ratio <= 2 for question in questions) / len(questions),
    }
