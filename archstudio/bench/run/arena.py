"""Two that answer the same tasks, task by task: who does better, by the rule of Arch-Bench's arena."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from archstudio.bench.brief import AnyTask
from archstudio.bench.results.runs import Run, RunRow, read_run
from archstudio.bench.run.answering import Answerer
from archstudio.bench.run.episode import Episode, play

Winner: TypeAlias = Literal["a", "b", "draw"]


@dataclass(frozen=True)
class Corner:
    """What one of the two made of a task; `tokens` is None where nobody counted."""

    passed: bool
    score: float = 0.0
    tokens: float | None = None
    passes_all: bool = False


@dataclass(frozen=True)
class Bout:
    """One task and both answers to it."""

    task_id: str
    a: Corner
    b: Corner

    @property
    def winner(self) -> Winner:
        """A pass beats a failure, then the higher score wins, then fewer tokens where both were counted."""
        for left, right in self._ranks():
            if left != right:
                return "a" if left > right else "b"
        return "draw"

    def _ranks(self) -> Iterator[tuple[float, float]]:
        yield float(self.a.passed), float(self.b.passed)
        yield self.a.score, self.b.score
        if self.a.tokens and self.b.tokens:
            yield -self.a.tokens, -self.b.tokens


@dataclass(frozen=True)
class Arena:
    """All bouts of two; `unmatched` counts tasks that only one of them has answered."""

    bouts: Sequence[Bout]
    unmatched: int = 0

    def wins(self, who: Winner) -> int:
        """How many bouts `who` won, or were drawn."""
        return sum(bout.winner == who for bout in self.bouts)


def fight(tasks: Iterable[AnyTask], a: Answerer, b: Answerer, rounds: int = 1, audits: int = 0) -> Iterator[Bout]:
    """Let both answer every task."""
    for task in tasks:
        yield Bout(task.id, _corner(play(task, a, rounds, audits)), _corner(play(task, b, rounds, audits)))


def meet(a: Run, b: Run) -> Arena:
    """Bouts of two runs over the same suite, by the first try at each task. ValueError for two suites."""
    if a.suite != b.suite:
        raise ValueError(f"the runs are over two suites, {a.suite} and {b.suite}")
    left, right = _first_tries(a), _first_tries(b)
    both = [task_id for task_id in left if task_id in right]
    bouts = [Bout(task_id, _row_corner(left[task_id]), _row_corner(right[task_id])) for task_id in both]
    return Arena(bouts, len(left) + len(right) - 2 * len(both))


def meet_files(a: Path, b: Path) -> Arena:
    """Bouts of two runs from their files. UnusableFile, ValueError."""
    return meet(read_run(a), read_run(b))


def _first_tries(run: Run) -> dict[str, RunRow]:
    first: dict[str, RunRow] = {}
    for row in run.rows:
        first.setdefault(row.task_id, row)
    return first


def _row_corner(row: RunRow) -> Corner:
    return Corner(row.status == "PASS", float(row.score or 0), row.tokens, row.passes_all_three)


def _corner(episode: Episode) -> Corner:
    last = episode.last
    score = 0.0 if last is None or last.grade.score != last.grade.score else last.grade.score
    counted = [each.tokens for each in episode.rounds if each.tokens is not None]
    tokens = sum(counted) if counted else None
    return Corner(episode.passed, score, tokens, last is not None and last.passes_all)
