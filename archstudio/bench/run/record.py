"""The file of a run: a head, a line for every round and one for every result; an interrupted run goes on in it."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from archstudio.bench.results.runs import RESULT_SCHEMA, ROUND_SCHEMA, RUN_SCHEMA
from archstudio.bench.run.episode import Episode, Round
from archstudio.bench.taxonomy import category
from archstudio.bench.three_verdicts import ThreeVerdicts
from archstudio.files.atomic import saving

LONGEST_REPLY: Final = 20_000
"""Characters of a reply that are kept."""


class OtherRun(ValueError):
    """A file holds something else than the run that would go on in it; `path` and `reason` say what."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(f"{path}: {reason}")


@dataclass(frozen=True)
class RunSettings:
    """What makes a run the same run."""

    policy: str
    suite: str
    rounds: int
    audits: int
    timeout_s: float
    tries: int = 1
    model: Mapping[str, Any] | None = None
    """How a language model was asked; None for other policies."""

    def head(self) -> dict[str, Any]:
        """The first line of its file."""
        return {
            "schema": RUN_SCHEMA,
            "policy": self.policy,
            "suite": self.suite,
            "rounds": self.rounds,
            "audits": self.audits,
            "timeoutSeconds": self.timeout_s,
            **({} if self.tries == 1 else {"tries": self.tries}),
            **({} if self.model is None else {"model": dict(self.model)}),
        }


class RunFile:
    """Appends what happens; a task's lines count once its result line is there."""

    def __init__(self, path: Path, settings: RunSettings) -> None:
        """Open for a new run, or for going on where a run of the same settings ended. OtherRun, SaveFailed.

        What a language model left unanswered is not done: its service may be back.
        """
        self._path = path
        self.done: frozenset[tuple[str, int]] = frozenset()
        if path.exists() and path.stat().st_size:
            self.done = self._resume(settings)
        else:
            self._append([settings.head()])

    def keep(self, episode: Episode, attempt: int = 1) -> dict[str, Any]:
        """Write the rounds and the result of a try at a task, durably; returns the result line."""
        result = result_line(episode, attempt)
        self._append([*(round_line(episode.task.id, each, attempt) for each in episode.rounds), result])
        return result

    def _append(self, lines: list[dict[str, Any]]) -> None:
        with saving(self._path), self._path.open("ab") as stream:
            stream.write("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode())
            stream.flush()
            os.fsync(stream.fileno())

    def _resume(self, settings: RunSettings) -> frozenset[tuple[str, int]]:
        """The tries that have a result; what came after the last one is cut off."""
        done: set[tuple[str, int]] = set()
        keep = 0
        with self._path.open("rb") as stream:
            for number, line in enumerate(iter(stream.readline, b""), start=1):
                record = _parsed(line)
                if number == 1:
                    self._require_same(record, settings)
                    keep = stream.tell()
                elif record.get("schema") == RESULT_SCHEMA:
                    if settings.model is None or record.get("status") != "ERROR":
                        done.add((str(record.get("taskId")), record.get("try", 1)))
                    keep = stream.tell()
        with saving(self._path):
            os.truncate(self._path, keep)
        return frozenset(done)

    def _require_same(self, head: Mapping[str, Any], settings: RunSettings) -> None:
        if head.get("schema") != RUN_SCHEMA:
            raise OtherRun(self._path, "is no file of a run. Choose another file.")
        wanted = settings.head()
        other = [name for name in {**wanted, **head} if head.get(name) != wanted.get(name)]
        if other:
            told = ", ".join(f"{name} {head.get(name)!r} instead of {wanted.get(name)!r}" for name in other)
            raise OtherRun(self._path, f"is a run with {told}. Choose another file.")


def _parsed(line: bytes) -> dict[str, Any]:
    if not line.endswith(b"\n"):
        return {}
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def round_line(task_id: str, done: Round, attempt: int = 1) -> dict[str, Any]:
    """One round as a line."""
    return {
        "schema": ROUND_SCHEMA,
        "taskId": task_id,
        "try": attempt,
        "round": done.number,
        "audit": done.audit,
        "seconds": round(done.seconds, 3),
        "reply": done.reply[:LONGEST_REPLY],
        "replyLength": len(done.reply),
        "actions": None if done.actions is None else len(done.actions),
        "fault": done.fault,
        "tokens": done.tokens,
        "pass": done.verdicts is not None and done.verdicts.passes_rubric,
        "score": None if done.verdicts is None else _number(done.verdicts.grade.score),
        "feedback": done.feedback,
    }


def result_line(episode: Episode, attempt: int = 1) -> dict[str, Any]:
    """What came of a try at a task as a line."""
    last = episode.last
    failures = [] if last is None else [(failure.text, failure.category) for failure in last.grade.failures]
    failures += [(each.fault, category(each.fault)) for each in episode.submitted[-1:] if each.fault is not None]
    faults = [each.fault for each in episode.submitted if each.fault is not None]
    counted = [each.tokens for each in episode.rounds if each.tokens is not None]
    return {
        "schema": RESULT_SCHEMA,
        "taskId": episode.task.id,
        "try": attempt,
        "status": "PASS" if episode.passed else "ERROR" if episode.unanswered else "FAIL",
        "passAtRound1": episode.passed_first,
        "rounds": len(episode.submitted),
        "audits": len(episode.rounds) - len(episode.submitted),
        **_verdict_fields(last),
        "failures": [text for text, _ in failures],
        "failureCategories": [kind for _, kind in failures],
        "faults": faults,
        "tokens": sum(counted) if counted else None,
        "seconds": round(sum(each.seconds for each in episode.rounds), 3),
    }


def _verdict_fields(last: ThreeVerdicts | None) -> dict[str, Any]:
    return {
        "score": None if last is None else _number(last.grade.score),
        "params": None if last is None else _number(last.grade.params),
        "runs": None if last is None else last.runs,
        "doesTheBrief": None if last is None else last.does_the_brief,
        "passesAllThree": last is not None and last.passes_all,
    }


def _number(value: float) -> float | None:
    """Finite, or null: JSON has no NaN."""
    return value if abs(value) < float("inf") else None
