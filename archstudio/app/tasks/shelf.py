"""Result files that a person imported, kept over restarts, and how hard they and the published rows say tasks are."""

from __future__ import annotations

from pathlib import Path

from archstudio.app.tasks.entry import TaskEntry
from archstudio.app.watched import Watched
from archstudio.bench.results.difficulty import UNRATED, Difficulty, family_of, pooled
from archstudio.bench.results.gathered import ResultFile, read_result_file
from archstudio.bench.results.outcomes import FamilyShare, Outcome, is_alone
from archstudio.bench.results.published import Flag, published_counts
from archstudio.files.atomic import save_atomic, saving
from archstudio.files.home import home_path
from archstudio.files.unusable import UnusableFile


class ResultShelf(Watched):
    """The imported files, read when first asked for. Watchers hear when files come or go."""

    def __init__(self) -> None:
        super().__init__()
        self._files: dict[str, ResultFile] | None = None
        self._tasks: dict[str, Difficulty] = {}
        self._families: dict[str, Difficulty] = {}
        self._rated = False
        self.unreadable: list[str] = []
        """Why kept files could not be read, if any could not."""

    # ------------------------------------------------------------- files

    def files(self) -> list[ResultFile]:
        """The files, in the order of their names."""
        if self._files is None:
            self._files = {}
            for path in sorted(results_path().glob("*")):
                try:
                    self._files[path.name] = read_result_file(path)
                except UnusableFile as fault:
                    self.unreadable.append(str(fault))
        return list(self._files.values())

    def tries(self) -> list[Outcome]:
        """Every try in them."""
        return [each for file in self.files() for each in file.tries]

    def shares(self) -> list[FamilyShare]:
        """The family counts of calibrations."""
        return [share for file in self.files() for share in file.shares]

    def add(self, path: Path) -> ResultFile:
        """Read a file and keep a copy; one of the same name is replaced. UnusableFile, SaveFailed."""
        held = read_result_file(path)
        save_atomic(results_path() / path.name, path.read_bytes(), backups=0)
        self.files()
        assert self._files is not None
        self._files[path.name] = held
        self._changed()
        return held

    def remove(self, name: str) -> None:
        """Forget a file; the one it was copied from stays. SaveFailed."""
        path = results_path() / Path(name).name
        with saving(path):
            path.unlink(missing_ok=True)
        self.files()
        assert self._files is not None
        self._files.pop(name, None)
        self._changed()

    # ------------------------------------------------------------- difficulty

    def difficulty(self, entry: TaskEntry) -> Difficulty:
        """How hard a task proved at one reply: a curated one by itself, a generated one by its family."""
        self._rate()
        family = family_of(entry.id)
        if family is not None:
            return self._families.get(family, UNRATED)
        return self._tasks.get(entry.id, UNRATED)

    def _rate(self) -> None:
        if self._rated:
            return
        tasks, families = published_counts(without=frozenset(file.name for file in self.files()))
        for each in self.tries():
            if is_alone(each.setting):
                family = family_of(each.task_id)
                (tasks if family is None else families).append((family or each.task_id, each.passed))
        families += [flag for share in self.shares() if is_alone(share.setting) for flag in _flags(share)]
        self._tasks, self._families, self._rated = pooled(tasks), pooled(families), True

    def _changed(self) -> None:
        self._rated = False
        self.tell()


def results_path() -> Path:
    """The folder of imported results."""
    path = home_path() / "results"
    with saving(path):
        path.mkdir(parents=True, exist_ok=True)
    return path


def _flags(share: FamilyShare) -> list[Flag]:
    return [(share.family, place < share.passes) for place in range(share.trials)]
