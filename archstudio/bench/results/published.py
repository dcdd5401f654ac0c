"""The pass counts Arch-Bench has published, in one small table: figures only, each with the file it is from.

`python -m archstudio.bench.results.published FILE... > fixtures/published.json` makes the table from the files.
"""

import sys
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

from archstudio.bench.results.difficulty import UNRATED, Difficulty, family_of, pooled
from archstudio.bench.results.outcomes import ALONE, Outcome, family_shares, is_rubric_1, outcomes, summaries
from archstudio.bench.results.records import Results, read_results
from archstudio.bench.results.tables import record
from archstudio.files.data import data_path
from archstudio.files.strict_json import dump_json, read_json

_SOURCE: Final = "Arch-Bench result files (Neurarch, MIT License); pass counts, totals made from rows"
Flag: TypeAlias = tuple[str, bool]
"""A name, and whether it was passed once."""


def published_difficulty(task_id: str) -> Difficulty:
    """How hard a curated task proved for the published models at one reply; unrated for any other task."""
    return _rated()[0].get(task_id, UNRATED)


def published_family_difficulty(family: str) -> Difficulty:
    """The same of a family of generated tasks."""
    return _rated()[1].get(family, UNRATED)


def published_for(task_id: str) -> Difficulty:
    """The difficulty of a curated task, or of the family that a generated task's id names."""
    family = family_of(task_id)
    return published_difficulty(task_id) if family is None else published_family_difficulty(family)


def published_counts(without: Collection[str] = ()) -> tuple[list[Flag], list[Flag]]:
    """Who passed what at one reply, by rubric 2: flags of curated tasks, and of families.

    `without` names files whose figures the caller has already.
    """
    content: Any = read_json(data_path("fixtures", "published.json"))
    tasks: list[Flag] = []
    families: list[Flag] = []
    for run in content["runs"]:
        if run["rubric"] < 2 or run["way"] not in ALONE or run["file"] in without:
            continue
        tasks += [(task, passed == 1) for task, passed in run.get("tasks", {}).items()]
        for family, (passed, total) in run["families"].items():
            families += [(family, place < passed) for place in range(total)]
    return tasks, families


@cache
def _rated() -> tuple[dict[str, Difficulty], dict[str, Difficulty]]:
    tasks, families = published_counts()
    return pooled(tasks), pooled(families)


def table(files: Sequence[tuple[str, Results]]) -> dict[str, Any]:
    """The compact table of published files."""
    runs = [run for name, results in files for run in _runs(name, results)]
    return {
        "source": _SOURCE,
        "runs": runs,
    }


def _runs(name: str, results: Results) -> list[dict[str, Any]]:
    tries = outcomes(results)
    day = str(getattr(results, "generated_at", ""))[:10]
    made = []
    for summary in summaries(tries, family_shares(results)):
        shown = record(summary)
        mine = [each for each in tries if each.setting == summary.setting]
        run = {
            "file": name,
            "day": day,
            "rubric": 1 if is_rubric_1(results) else 2,
            **{key: shown[key] for key in ("model", "way", "split", "passed", "total", "errors", "averageScore")},
            "tokensPerSolve": summary.tokens_per_solve,
            "families": {family: list(counts) for family, counts in summary.families.items()},
        }
        made.append({**run, "tasks": _by_task(mine)} if not summary.families else run)
    return made


def _by_task(tries: Sequence[Outcome]) -> dict[str, int]:
    return {each.task_id: int(each.passed) for each in tries}


if __name__ == "__main__":
    sys.stdout.write(dump_json(table([(Path(name).name, read_results(Path(name))) for name in sys.argv[1:]])))
