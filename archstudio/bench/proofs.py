"""What has to be shown of a task before others are asked to solve it: that it can be passed, and not by doing nothing.

*Satisfiable*: a reference solution passes. *Not vacuous*: the start fails, and so does every plan that reads no number.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from archstudio.bench.shortcuts import shortcuts
from archstudio.bench.task_files import FiledTask
from archstudio.bench.three_verdicts import ThreeVerdicts, judge_actions

Claim = Literal["satisfiable", "not vacuous"]


@dataclass(frozen=True)
class Proof:
    """One thing shown, or not: which claim it belongs to, its sentence, and why it holds or not."""

    claim: Claim
    text: str
    holds: bool
    reason: str


def prove(task: FiledTask) -> list[Proof]:
    """All proofs of a task, the reference's first."""
    return [_satisfiable(task), *_not_vacuous(task)]


def is_proven(proofs: Sequence[Proof]) -> bool:
    """Whether every proof holds, and there are some."""
    return bool(proofs) and all(each.holds for each in proofs)


def _satisfiable(task: FiledTask) -> Proof:
    text, actions = "The reference passes", task.reference()
    if actions is None:
        return Proof("satisfiable", text, False, "there is no reference yet")
    made = judge_actions(task, actions)
    why = [*made.action_errors, *(failure.text for failure in made.grade.failures)]
    return Proof("satisfiable", text, not why, "; ".join(why) or _passes(made))


def _not_vacuous(task: FiledTask) -> list[Proof]:
    made = []
    for short in shortcuts(task):
        told = judge_actions(task, short.actions)
        text = "The start does not pass" if not short.actions else f"Does not pass: {_lower(short.text)}"
        failed = told.grade.failures
        made.append(Proof("not vacuous", text, bool(failed), failed[0].text if failed else f"it {_passes(told)}"))
    return made


def _passes(made: ThreeVerdicts) -> str:
    runs = "and runs in PyTorch" if made.runs else "but does not run in PyTorch"
    return f"passes with score {made.grade.score:g} {runs}"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
