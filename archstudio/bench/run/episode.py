"""One task answered in rounds: submit, hear what fails, mend; and, before submitting, ask for a dry-run grade."""

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from archstudio.bench.brief import AnyTask
from archstudio.bench.grade import Submission
from archstudio.bench.observation import observe
from archstudio.bench.reply import BadReply, parse_object
from archstudio.bench.run.answering import Answer, Answerer
from archstudio.bench.three_verdicts import ThreeVerdicts, judge_model
from archstudio.edits.actions import apply
from archstudio.edits.actions.model import Model

OBSERVATION_SCHEMA: Final = "archstudio.observation/1"
_ONE_AT_A_TIME: Final = threading.Lock()
"""Judging is work of one thread at a time; threads are for waiting for answers."""


@dataclass(frozen=True)
class Round:
    """One reply: what it said, what was read from it, and the verdicts on the graph it led to.

    `audit` replies are graded as a rehearsal and change nothing. `fault` says why there is no reply, or why it could
    not be read; the graph then stays as it was.
    """

    number: int
    audit: bool
    reply: str
    seconds: float
    actions: list[Any] | None
    fault: str | None
    verdicts: ThreeVerdicts | None
    tokens: int | None = None

    @property
    def feedback(self) -> list[str]:
        """What the next round is told."""
        if self.verdicts is None:
            return [self.fault or "no reply"]
        return [*(failure.text for failure in self.verdicts.grade.failures), *self.verdicts.action_errors]


@dataclass
class Episode:
    """A task being answered: the graph so far, and every round there was."""

    task: AnyTask
    rounds: list[Round] = field(default_factory=list)

    @property
    def submitted(self) -> list[Round]:
        """The rounds that count."""
        return [each for each in self.rounds if not each.audit]

    @property
    def last(self) -> ThreeVerdicts | None:
        """The verdicts on the last graph submitted; None if no reply could be read."""
        return next((each.verdicts for each in reversed(self.submitted) if each.verdicts is not None), None)

    @property
    def passed(self) -> bool:
        """Whether the rubric passed the last round."""
        made = self.submitted[-1].verdicts if self.submitted else None
        return made is not None and made.passes_rubric

    @property
    def passed_first(self) -> bool:
        """Whether the rubric passed the first round."""
        made = self.submitted[0].verdicts if self.submitted else None
        return made is not None and made.passes_rubric

    @property
    def unanswered(self) -> bool:
        """Whether no round brought any reply."""
        return all(each.actions is None and not each.reply for each in self.submitted)


def play(task: AnyTask, answerer: Answerer, rounds: int = 1, audits: int = 0) -> Episode:
    """Answer a task in up to `rounds` rounds, with up to `audits` dry runs on the way; ends with the first pass.

    A round starts from the graph of the one before. Its actions are counted by themselves, but the types used add up
    over rounds, as in Arch-Bench's repair rounds.
    """
    episode, model, used, left = Episode(task), task.model(), Submission(), audits
    while len(episode.submitted) < rounds and not episode.passed:
        number = len(episode.submitted) + 1
        seen = _observation(episode, model, number, rounds, left)
        began = time.monotonic()
        answer = answerer.answer(task, seen)
        seconds = time.monotonic() - began
        done, reached, taken = _read(task, answer, model, used, number, left, seconds)
        episode.rounds.append(done)
        if done.audit:
            left -= 1
        else:
            model, used = reached, taken
    return episode


def _read(
    task: AnyTask, answer: Answer, model: Model, used: Submission, number: int, audits_left: int, seconds: float
) -> tuple[Round, Model, Submission]:
    """The round a reply makes, with the graph and the types used after it."""
    fault, read = answer.fault, None
    if fault is None:
        try:
            read = parse_object(answer.text)
        except BadReply as bad:
            fault = bad.text
    if read is None:
        return Round(number, False, answer.text, seconds, None, fault, None, answer.tokens), model, used
    actions = read["actions"]
    audit = read.get("audit") is True and audits_left > 0
    with _ONE_AT_A_TIME:
        applied, given = apply(model, actions), Submission.of(actions)
        counted = Submission(given.count, used.types + given.types)
        made = judge_model(task, applied.model, counted, action_errors=tuple(map(str, applied.errors)))
    return Round(number, audit, answer.text, seconds, actions, None, made, answer.tokens), applied.model, counted


def _observation(episode: Episode, model: Model, number: int, rounds: int, audits_left: int) -> Mapping[str, Any]:
    before = episode.rounds[-1] if episode.rounds else None
    return {
        "schema": OBSERVATION_SCHEMA,
        "taskId": episode.task.id,
        "task": episode.task.spec,
        "observation": observe(model),
        "round": number,
        "rounds": rounds,
        "auditsLeft": audits_left,
        "feedback": [] if before is None else before.feedback,
        "audit": audit_report(before.verdicts) if before is not None and before.audit and before.verdicts else None,
    }


def audit_report(made: ThreeVerdicts) -> Mapping[str, Any]:
    """What a dry run tells: the grade and the failures, as Arch-Bench's audit tool does."""
    return {
        "pass": made.grade.passed,
        "score": _finite(made.grade.score),
        "params": _finite(made.grade.params),
        "kvBytesPerToken": _finite(made.grade.kv_bytes_per_token),
        "blockers": [blocker.text for blocker in made.grade.blockers],
        "failures": [failure.text for failure in made.grade.failures],
        "applyErrors": list(made.action_errors),
    }


def _finite(value: float) -> float | None:
    return value if abs(value) < float("inf") else None
