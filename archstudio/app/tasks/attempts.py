"""Everything that was submitted: the plan, the graph, the three verdicts and the time, and the best of it by task."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from archstudio.app.task_report import TaskReport
from archstudio.app.watched import Watched
from archstudio.files.atomic import save_atomic, saving
from archstudio.files.home import home_path
from archstudio.graph import Graph, read_graph, write_graph

SCHEMA = "archstudio.attempt/1"


@dataclass(frozen=True)
class Attempt:
    """One submission. A verdict is None where it is unknown, or where the task states nothing to be judged by."""

    ref: str
    at: str
    """UTC, ISO 8601."""
    seconds: float | None
    """How long the graph had been open."""
    actions: tuple[Any, ...]
    passed: bool
    runs: bool | None
    does_the_brief: bool | None
    score: float | None
    facts_met: int
    facts: int
    failures: tuple[str, ...]
    graph: str
    """Name of the kept graph."""

    @property
    def solved(self) -> bool:
        """Whether the verdicts are a yes; a brief without facts known here cannot say no."""
        return self.passed and self.runs is True and (self.does_the_brief is True or self.facts == 0)

    @property
    def rank(self) -> tuple[bool, int, float, int]:
        """Grows with how good it is: solved, verdicts that hold, score, fewer actions."""
        held = sum(verdict is True for verdict in (self.passed, self.runs, self.does_the_brief))
        return self.solved, held, self.score or 0.0, -len(self.actions)


@dataclass(frozen=True, slots=True)
class Progress:
    """What a person has reached on a task."""

    attempts: int
    best: Attempt

    @property
    def solved(self) -> bool:
        """Whether the best attempt passes all verdicts."""
        return self.best.solved


class AttemptBook(Watched):
    """The attempts on disk, read once and appended to. Watchers hear of each new one."""

    def __init__(self) -> None:
        super().__init__()
        self._attempts: dict[str, list[Attempt]] | None = None
        self._best: dict[str, Attempt] = {}
        self.unreadable = 0
        """Lines of the file that could not be read."""

    def of(self, ref: str) -> list[Attempt]:
        """The attempts at a task, oldest first."""
        return list(self._all().get(ref, ()))

    def progress(self, ref: str) -> Progress | None:
        """How far a task has come; None without any attempt."""
        made = self._all().get(ref)
        return Progress(len(made), self._best[ref]) if made else None

    def all(self) -> Iterable[Attempt]:
        """Every attempt, task by task."""
        return [attempt for made in self._all().values() for attempt in made]

    def solved(self, ref: str) -> bool:
        """Whether some attempt passed all verdicts."""
        reached = self.progress(ref)
        return reached is not None and reached.solved

    def keep(self, ref: str, report: TaskReport, graph: Graph, seconds: float | None = None) -> Attempt:
        """Keep a submission durably, its graph first; SaveFailed if it cannot be kept."""
        self._all()
        data = write_graph(graph)
        name = hashlib.sha256(data).hexdigest()[:24]
        if not _graph_file(name).exists():
            save_atomic(_graph_file(name), data, backups=0)
        record = _record(ref, report, name, seconds)
        path = attempts_file()
        with saving(path), path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
        attempt = _attempt(record)
        self._add(attempt)
        self.tell()
        return attempt

    def graph(self, attempt: Attempt) -> Graph:
        """The graph of an attempt; UnusableFile if it is gone."""
        return read_graph(_graph_file(attempt.graph))

    def _all(self) -> dict[str, list[Attempt]]:
        if self._attempts is None:
            self._attempts = {}
            for line in _lines(attempts_file()):
                try:
                    self._add(_attempt(json.loads(line)))
                except (ValueError, KeyError, TypeError, RecursionError):
                    self.unreadable += 1  # a line cut short by a crash, or of a later version
        return self._attempts

    def _add(self, attempt: Attempt) -> None:
        assert self._attempts is not None
        self._attempts.setdefault(attempt.ref, []).append(attempt)
        best = self._best.get(attempt.ref)
        if best is None or attempt.rank > best.rank:
            self._best[attempt.ref] = attempt


def attempts_file() -> Path:
    """Where attempts are kept, one a line; the graphs lie beside it."""
    folder = home_path() / "attempts"
    with saving(folder):
        folder.mkdir(parents=True, exist_ok=True)
    return folder / "attempts.jsonl"


def _graph_file(name: str) -> Path:
    return attempts_file().with_name(f"{name}.arch.json")


def _lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines() if path.is_file() else []


def _record(ref: str, report: TaskReport, graph: str, seconds: float | None) -> dict[str, Any]:
    score = report.grade.score
    return {
        "schema": SCHEMA,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "task": ref,
        "seconds": None if seconds is None else round(seconds, 1),
        "actions": report.plan.actions,
        "notSent": list(report.plan.inexpressible),
        "pass": report.grade.passed,
        "runs": report.runs,
        "doesTheBrief": report.does_the_brief if report.facts else None,
        "score": score if score == score else None,
        "failures": [failure.text for failure in report.grade.failures],
        "briefFactsMet": report.facts_met,
        "briefFacts": len(report.facts),
        "graph": graph,
    }


def _attempt(record: dict[str, Any]) -> Attempt:
    return Attempt(
        ref=str(record["task"]),
        at=str(record["at"]),
        seconds=record.get("seconds"),
        actions=tuple(record["actions"]),
        passed=record["pass"] is True,
        runs=record.get("runs"),
        does_the_brief=record.get("doesTheBrief"),
        score=record.get("score"),
        facts_met=int(record["briefFactsMet"]),
        facts=int(record["briefFacts"]),
        failures=tuple(map(str, record["failures"])),
        graph=str(record["graph"]),
    )
