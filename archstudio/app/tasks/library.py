"""All suites of this person: those that ship, those drawn or imported, and the tasks they wrote themselves.

Kept under the home folder: `suites/<id>.json` is a recipe or says where rows came from, `suites/<id>.jsonl` holds
imported rows, `tasks/<id>.task.json` one own task each.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from archstudio.app.tasks.entry import MINE, PRACTICE, TaskEntry, is_practice, split_ref
from archstudio.app.tasks.suites import CURATED, CuratedSuite, FiledSuite, GeneratedSuite, PracticeSuite, Suite
from archstudio.app.watched import Watched
from archstudio.bench.brief import AnyTask
from archstudio.bench.generate import TIERS
from archstudio.bench.task_files import FiledTask, Rejected, read_tasks
from archstudio.bench.task_writing import filed_row
from archstudio.bench.tasks import UnknownName
from archstudio.files.atomic import save_atomic, saving
from archstudio.files.home import home_path
from archstudio.files.strict_json import dump_json, read_json
from archstudio.files.unusable import UnusableFile

SCHEMA = "archstudio.suite/1"
LARGEST_SEED = 2**32 - 1
LARGEST_COUNT = 20_000
"""Tasks of one suite that the window lists; `archstudio tasks generate` streams any number."""
_SHIPPED = (CURATED, PRACTICE, MINE)


@dataclass(frozen=True)
class Imported:
    """What came of importing a file: the suite, how many tasks it got, and the rows that are none."""

    suite: str | None
    taken: int
    rejected: tuple[Rejected, ...]


class Import:
    """A file of tasks being read row by row, so that somebody can watch and stop it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.tasks: list[FiledTask] = []
        self.rejected: list[Rejected] = []

    def steps(self) -> Iterator[int]:
        """Read on; yields how many rows were read. UnusableFile if it is no such file."""
        for count, row in enumerate(read_tasks(self.path), start=1):
            if isinstance(row, FiledTask):
                self.tasks.append(row)
            else:
                self.rejected.append(row)
            yield count


class TaskLibrary(Watched):
    """Lists the suites and finds tasks in them. Watchers hear when suites come, change or go."""

    def __init__(self) -> None:
        super().__init__()
        self._read: dict[Path, tuple[int, Suite]] = {}
        self._own_read: tuple[list[tuple[Path, int]], Suite] | None = None
        self.unreadable: list[str] = []
        """Why suites on disk could not be read, if any could not."""

    # ------------------------------------------------------------- reading

    def suites(self) -> list[Suite]:
        """All suites: the shipped ones, then the person's own, then the others by title."""
        self.unreadable = []
        shipped: list[Suite] = [CuratedSuite(), PracticeSuite(), self._own()]
        return [*shipped, *sorted(self._kept(), key=lambda suite: suite.title.casefold())]

    def suite(self, suite_id: str) -> Suite:
        """The suite of this id; UnknownName if there is none."""
        if suite_id in _SHIPPED:
            return CuratedSuite() if suite_id == CURATED else PracticeSuite() if suite_id == PRACTICE else self._own()
        path = _recipe_file(suite_id)
        if not _is_id(suite_id) or not path.is_file():
            raise UnknownName("suite", suite_id, tuple(suite.id for suite in self.suites()))
        return self._suite_of(path)

    def task(self, ref: str) -> AnyTask:
        """The task a ref names; UnknownName or UnusableFile says why there is none."""
        suite, task_id = split_ref(ref)
        return self.suite(suite).task(task_id)

    def entry(self, ref: str) -> TaskEntry:
        """The row of the task or exercise a ref names; UnknownName or UnusableFile says why there is none."""
        suite, task_id = split_ref(ref)
        return self.suite(suite).entry(task_id)

    def _own(self) -> Suite:
        files = [(path, path.stat().st_mtime_ns) for path in sorted(own_tasks_path().glob("*.task.json"))]
        if self._own_read is None or self._own_read[0] != files:
            self._own_read = (files, FiledSuite(MINE, "Mine", "mine", [path for path, _ in files]))
        return self._own_read[1]

    def _kept(self) -> Iterator[Suite]:
        for path in sorted(suites_path().glob("*.json")):
            try:
                yield self._suite_of(path)
            except UnusableFile as fault:
                self.unreadable.append(str(fault))

    def _suite_of(self, path: Path) -> Suite:
        changed = path.stat().st_mtime_ns
        known = self._read.get(path)
        if known is not None and known[0] == changed:
            return known[1]
        suite = _read_suite(path)
        self._read[path] = (changed, suite)
        return suite

    # ------------------------------------------------------------- changing

    def keep_generated(self, suite: GeneratedSuite) -> GeneratedSuite:
        """Keep a recipe; with the tier, seed and wording of a kept one it replaces it. SaveFailed, ValueError."""
        check_recipe(suite.count, suite.seed)
        content = {"schema": SCHEMA, "kind": "generated", **suite.recipe()}
        save_atomic(_recipe_file(suite.id), dump_json(content).encode(), backups=0)
        self.tell()
        return suite

    def import_file(self, path: Path) -> Imported:
        """Read a file of tasks and keep those that can be graded; UnusableFile if it is no such file, SaveFailed."""
        reading = Import(path)
        for _ in reading.steps():
            pass
        return self.keep_imported(reading)

    def keep_imported(self, reading: Import) -> Imported:
        """Keep what was read of a file as a suite, if there is any task. SaveFailed."""
        tasks, rejected, name = reading.tasks, tuple(reading.rejected), reading.path.name
        if not tasks:
            return Imported(None, 0, rejected)
        suite_id = self._free_id(name.split(".")[0])
        lines = "".join(json.dumps(filed_row(task), ensure_ascii=False) + "\n" for task in tasks)
        save_atomic(_rows_file(suite_id), lines.encode(), backups=0)
        content = {"schema": SCHEMA, "kind": "imported", "title": name, "source": name}
        save_atomic(_recipe_file(suite_id), dump_json(content).encode(), backups=0)
        self.tell()
        return Imported(suite_id, len(tasks), rejected)

    def keep_own(self, task: FiledTask) -> Path:
        """Keep a task the person wrote; one of the same id is replaced, with a backup. SaveFailed."""
        path = own_tasks_path() / f"{_slug(task.id)}.task.json"
        save_atomic(path, dump_json({"version": 1, "tasks": [filed_row(task)]}).encode())
        self.tell()
        return path

    def remove(self, suite_id: str) -> None:
        """Forget a suite that was drawn or imported; attempts at its tasks stay. SaveFailed."""
        if suite_id in _SHIPPED or not _is_id(suite_id):
            raise UnknownName("suite that can be removed", suite_id, ())
        for path in (_recipe_file(suite_id), _rows_file(suite_id)):
            with saving(path):
                path.unlink(missing_ok=True)
        self.tell()

    def _free_id(self, stem: str) -> str:
        wanted = f"file-{_slug(stem)}"
        suite_id, k = wanted, 2
        while _recipe_file(suite_id).exists():
            suite_id, k = f"{wanted}-{k}", k + 1
        return suite_id


_LIBRARY = TaskLibrary()


def task_of(ref: str | None) -> AnyTask | None:
    """The task that a document's ref names; None for no ref, for an exercise, and for a task that is gone."""
    if ref is None or is_practice(ref):
        return None
    try:
        return _LIBRARY.task(ref)
    except (UnknownName, UnusableFile):
        return None


def check_recipe(count: int, seed: int) -> None:
    """ValueError where no suite can be drawn from these."""
    if not 1 <= count <= LARGEST_COUNT:
        raise ValueError(f"The count is {count:,}; it must be from 1 to {LARGEST_COUNT:,}.")
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"The seed is {seed:,}; it must be from 0 to {LARGEST_SEED:,}.")


def suites_path() -> Path:
    """The folder of kept suites."""
    return _folder("suites")


def own_tasks_path() -> Path:
    """The folder of the person's own tasks."""
    return _folder("tasks")


def _folder(name: str) -> Path:
    path = home_path() / name
    with saving(path):
        path.mkdir(parents=True, exist_ok=True)
    return path


def _recipe_file(suite_id: str) -> Path:
    return suites_path() / f"{suite_id}.json"


def _rows_file(suite_id: str) -> Path:
    return suites_path() / f"{suite_id}.jsonl"


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "-", text).strip("-")[:80] or "tasks"


def _is_id(suite_id: str) -> bool:
    return suite_id == _slug(suite_id)


def _read_suite(path: Path) -> Suite:
    content: Any = read_json(path)
    kind = content.get("kind") if isinstance(content, dict) else None
    if kind == "generated":
        return _generated(path, content)
    if kind == "imported" and _rows_file(path.stem).is_file():
        title = content.get("title")
        return FiledSuite(
            path.stem, title if isinstance(title, str) else path.stem, "imported", [_rows_file(path.stem)]
        )
    raise UnusableFile(str(path), problem="is no suite of tasks", remedy="Delete it, or import its tasks again.")


def _generated(path: Path, content: dict[str, Any]) -> GeneratedSuite:
    tier, seed, count = content.get("tier"), content.get("seed"), content.get("count")
    whole = all(isinstance(value, int) and not isinstance(value, bool) for value in (seed, count))
    try:
        if tier not in TIERS or not whole:
            raise ValueError("tier, seed and count must be given")
        check_recipe(count, seed)  # type: ignore[arg-type]
    except ValueError as fault:
        raise UnusableFile(str(path), problem=str(fault), remedy="Delete it, or generate the suite again.") from fault
    wording = "original-facts" if content.get("wording") == "original-facts" else "complete"
    return GeneratedSuite(tier, seed, count, wording)  # type: ignore[arg-type]
