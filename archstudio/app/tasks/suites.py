"""The kinds of suites: each lists its tasks one at a time and makes any of them whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from archstudio.app.tasks.entry import PRACTICE, SuiteKind, TaskEntry, make_entry
from archstudio.app.words import said
from archstudio.bench.brief import AnyTask
from archstudio.bench.broken import exercise, exercise_names
from archstudio.bench.generate import SplitReader, Tier, Wording, generate
from archstudio.bench.task_files import FiledTask, Origin, Rejected, read_tasks
from archstudio.bench.task_writing import filed
from archstudio.bench.tasks import UnknownName, curated_task, curated_tasks
from archstudio.files.unusable import UnusableFile

CURATED = "curated"
_SPLITS = SplitReader()


class Suite(Protocol):
    """A list of tasks with a title."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def kind(self) -> SuiteKind: ...
    def entries(self) -> Iterator[TaskEntry]: ...
    def entry(self, task_id: str) -> TaskEntry: ...
    def task(self, task_id: str) -> AnyTask: ...


@dataclass(frozen=True)
class CuratedSuite:
    """The twelve tasks that ship with the program."""

    id: str = CURATED
    title: str = "Curated"
    kind: SuiteKind = "curated"

    def entries(self) -> Iterator[TaskEntry]:
        """The twelve in published order."""
        for task in curated_tasks():
            yield self.entry(task.id)

    def entry(self, task_id: str) -> TaskEntry:
        """The entry of this id; UnknownName if there is none."""
        task = curated_task(task_id)
        return TaskEntry(task.id, task.id, task.id, CURATED, CURATED, task.kind, task.kind, task.spec)

    def task(self, task_id: str) -> AnyTask:
        """The task of this id; UnknownName if there is none."""
        return curated_task(task_id)


@dataclass(frozen=True)
class PracticeSuite:
    """The broken graphs. They are mended, not submitted, so there is no task to make whole."""

    id: str = PRACTICE
    title: str = "Practice"
    kind: SuiteKind = "practice"

    def entries(self) -> Iterator[TaskEntry]:
        """The exercises in the order they are offered."""
        return map(self.entry, exercise_names())

    def entry(self, task_id: str) -> TaskEntry:
        """The entry of this name; UnknownName if there is none."""
        held = exercise(task_id)
        ref = f"{PRACTICE}/{held.name}"
        return TaskEntry(ref, held.name, said(held.title), PRACTICE, PRACTICE, "repair", "repair", said(held.goal))

    def task(self, task_id: str) -> AnyTask:
        """None of them is a task: UnknownName."""
        raise UnknownName("task", task_id, ())


@dataclass(frozen=True)
class GeneratedSuite:
    """Tasks drawn by a generator from a seed; only the recipe is kept. The seed is a whole number below 2³²."""

    tier: Tier
    seed: int
    count: int
    wording: Wording = "complete"
    kind: SuiteKind = "generated"

    @property
    def id(self) -> str:
        """The same for every count: a larger count is the same suite, continued."""
        return f"{self.tier}-{self.seed}" + "-facts" * (self.wording == "original-facts")

    @property
    def title(self) -> str:
        """`Core, seed 7`, and the wording where it is not the usual one."""
        return f"{self.tier.capitalize()}, seed {self.seed}" + ", original facts" * (self.wording == "original-facts")

    def entries(self) -> Iterator[TaskEntry]:
        """Every task, drawn as it is asked for."""
        for task in generate(self.tier, self.count, self.seed):
            yield make_entry(self.id, self.tier, task.id, task.kind, task.brief(self.wording))

    def entry(self, task_id: str) -> TaskEntry:
        """The entry of this id; UnknownName if this suite draws none of it."""
        task = self.task(task_id)
        return make_entry(self.id, self.tier, task.id, task.kind, task.spec)

    def task(self, task_id: str) -> AnyTask:
        """The task of this id; UnknownName if this suite draws none of it."""
        index = task_id.rpartition("-")[2]
        if index.isdecimal() and len(index) < 8 and int(index) < self.count:
            made = _SPLITS.task(self.tier, self.seed, int(index))
            if made.id == task_id:
                return filed(made, Origin(self.tier, self.seed, int(index), self.wording))
        raise UnknownName("task", task_id, (f"gen-…-0 to gen-…-{self.count - 1}",))

    def recipe(self) -> dict[str, Any]:
        """What is kept of it."""
        return {"tier": self.tier, "seed": self.seed, "count": self.count, "wording": self.wording}


class FiledSuite:
    """Tasks read from files, as far as they are asked for. `rejected` says which rows read so far were none."""

    def __init__(self, id_: str, title: str, kind: SuiteKind, paths: list[Path]) -> None:
        self.id, self.title, self.kind = id_, title, kind
        self.rejected: list[Rejected] = []
        self._unread = (row for path in paths for row in _rows(path))
        self._tasks: dict[str, FiledTask] = {}
        self._order: list[FiledTask] = []

    def entries(self) -> Iterator[TaskEntry]:
        """The tasks in the order of the file."""
        place = 0
        while place < len(self._order) or self._read_on():
            if place < len(self._order):
                yield self._entry_of(self._order[place])
                place += 1

    def entry(self, task_id: str) -> TaskEntry:
        """The entry of this id; UnknownName if the file has none."""
        return self._entry_of(self.task(task_id))

    def task(self, task_id: str) -> FiledTask:
        """The task of this id; UnknownName if the file has none."""
        while task_id not in self._tasks:
            if not self._read_on():
                raise UnknownName("task", task_id, tuple(self._tasks)[:12])
        return self._tasks[task_id]

    def _read_on(self) -> bool:
        """Read one row more; False if there is none."""
        row = next(self._unread, None)
        if isinstance(row, Rejected):
            self.rejected.append(row)
        elif row is not None and row.id not in self._tasks:
            self._tasks[row.id] = row
            self._order.append(row)
        return row is not None

    def _entry_of(self, task: FiledTask) -> TaskEntry:
        tier = self.kind if task.origin is None else task.origin.tier
        return make_entry(self.id, tier, task.id, task.kind, task.spec)


def _rows(path: Path) -> Iterator[FiledTask | Rejected]:
    try:
        yield from read_tasks(path)
    except UnusableFile as fault:
        yield Rejected(path.name, None, str(fault))
