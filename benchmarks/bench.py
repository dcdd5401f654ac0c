"""How long the benchmark's own work takes: grading, the three verdicts, and drawing a split of tasks.

Usage: python benchmarks/bench.py [--repeats 50] [--tasks 500] [--json]
On one thread: the median, and from the least to the most. Grading is applying the reference's actions and the rubric,
averaged over the twelve curated tasks; a repeat grades all twelve.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median
from time import perf_counter

from archstudio.bench.generate import generate
from archstudio.bench.grade import Submission, grade
from archstudio.bench.policies import corrected
from archstudio.bench.tasks import curated_tasks
from archstudio.bench.three_verdicts import judge_actions
from archstudio.edits.actions import apply

TARGET_GRADE_US = 150
TARGET_SPLIT_MS = 20


@dataclass(frozen=True)
class Timing:
    """One measured thing, in its own unit; `target` is what we aim at on an idle machine."""

    what: str
    unit: str
    middle: float
    least: float
    most: float
    repeats: int
    target: float | None = None


def timed(what: str, unit: str, scale: float, repeats: int, run: Callable[[], object], target: float | None) -> Timing:
    """Time `run` after one run that does not count; seconds times `scale`."""
    run()
    seen = []
    for _ in range(repeats):
        began = perf_counter()
        run()
        seen.append((perf_counter() - began) * scale)
    return Timing(what, unit, median(seen), min(seen), max(seen), repeats, target)


def measure(repeats: int, tasks: int) -> list[Timing]:
    """All timings."""
    curated = [(task, task.model(), task.reference(), corrected(task)) for task in curated_tasks()]
    each = 1e6 / len(curated)

    def grade_all() -> None:
        for task, model, actions, _ in curated:
            grade(task, apply(model, actions).model, Submission.of(actions))

    def judge_all() -> None:
        for task, _, _, ours in curated:
            judge_actions(task, ours)

    def stream() -> int:
        return sum(1 for _ in generate("core", tasks, 7))

    target = TARGET_SPLIT_MS * tasks / 500
    return [
        timed("apply and rubric, a task", "µs", each, repeats, grade_all, TARGET_GRADE_US),
        timed("all three verdicts, a task", "µs", each, repeats, judge_all, None),
        timed(f"a split of {tasks} core tasks, streamed", "ms", 1e3, repeats, stream, target),
        timed(
            f"a split of {tasks} core tasks, kept", "ms", 1e3, repeats, lambda: list(generate("core", tasks, 7)), target
        ),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=50)
    parser.add_argument("--tasks", type=int, default=500)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = measure(options.repeats, options.tasks)
    if options.json:
        print(json.dumps([asdict(row) for row in rows], ensure_ascii=False, indent=2))
        return
    for row in rows:
        aim = (
            "" if row.target is None else f"   target {row.target:g}: {'met' if row.middle <= row.target else 'MISSED'}"
        )
        print(f"{row.what:44} {row.middle:8.1f} {row.unit}   ({row.least:.1f} to {row.most:.1f}){aim}")


if __name__ == "__main__":
    main()
