"""Results as tables for the window: runs, tasks, families and chances over several tries. No widgets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from archstudio.app.tasks.attempts import Attempt
from archstudio.app.tasks.entry import split_ref
from archstudio.bench.results.difficulty import Difficulty, family_of, pooled
from archstudio.bench.results.outcomes import FamilyShare, Outcome, Setting, Summary, is_alone, repeats
from archstudio.stats import Interval, wilson

_UNKNOWN = Interval(0.0, 1.0)
INTERVAL = "95 % interval"
"""The column that is drawn as a bar."""


@dataclass(frozen=True, slots=True)
class ResultRow:
    """Cells as text, what each sorts by, and the share with its interval that is drawn."""

    cells: tuple[str, ...]
    keys: tuple[float | str, ...]
    share: float = 0.0
    interval: Interval = _UNKNOWN
    tip: str = ""


@dataclass(frozen=True)
class ResultTable:
    """Column titles and rows."""

    columns: tuple[str, ...]
    rows: tuple[ResultRow, ...]
    numbers: frozenset[str] = frozenset()
    """Columns that stand at the right."""


def own_outcomes(attempts: Iterable[Attempt]) -> list[Outcome]:
    """A person's attempts as tries: the first at each task alone, and all of them together."""
    made: list[Outcome] = []
    seen: set[str] = set()
    for attempt in attempts:
        way = "first attempt" if attempt.ref not in seen else "later attempts"
        seen.add(attempt.ref)
        setting = Setting("You", way, "your tasks")
        hollow = attempt.passed and not attempt.solved
        task_id = split_ref(attempt.ref)[1]
        made.append(Outcome(setting, task_id, attempt.passed, score=attempt.score, hollow=hollow))
    return made


def runs_table(rows: Sequence[Summary]) -> ResultTable:
    """One row a run."""
    columns = ("Model", "Way", "Tasks", "Passed", INTERVAL, "Hollow", "Score", "Tokens per solve", "Commonest failures")
    return ResultTable(columns, tuple(map(_run_row, rows)), frozenset({"Hollow", "Score", "Tokens per solve"}))


def _run_row(row: Summary) -> ResultRow:
    share = row.passed / row.total if row.total else 0.0
    failed = sorted(row.categories.items(), key=lambda item: -item[1])
    told = ", ".join(f"{name} {count}" for name, count in failed[:3])
    hollow = "–" if row.hollow is None else str(row.hollow)
    errors = f", {row.errors} without reply" if row.errors else ""
    score, tokens = row.average_score, row.tokens_per_solve
    cells = (
        row.setting.model,
        row.setting.way,
        row.setting.split,
        f"{row.passed} of {row.total}{errors}",
        interval_text(share, row.interval),
        hollow,
        "" if score is None else f"{score:g}",
        "" if tokens is None else f"{tokens:,}",
        told,
    )
    keys = (
        row.setting.model.casefold(),
        row.setting.way,
        row.setting.split,
        share,
        share,
        float(-1 if row.hollow is None else row.hollow),
        float(-1 if score is None else score),
        float(-1 if tokens is None else tokens),
        told,
    )
    tip = "\n".join(f"{name}: {count}" for name, count in failed)
    return ResultRow(cells, keys, share, row.interval, tip)


def tasks_table(tries: Iterable[Outcome], setting: Setting | None = None) -> ResultTable:
    """One row a task, of one run or pooled over all replies without help."""
    rated = pooled((each.task, each.passed) for each in tries if _counts(each.setting, setting))
    return _difficulty_table("Task", rated)


def families_table(
    tries: Iterable[Outcome], shares: Iterable[FamilyShare] = (), setting: Setting | None = None
) -> ResultTable:
    """One row a family of generated tasks, likewise."""
    flags = [(family_of(each.task_id), each.passed) for each in tries if _counts(each.setting, setting)]
    for share in shares:
        if _counts(share.setting, setting):
            flags += [(share.family, place < share.passes) for place in range(share.trials)]
    return _difficulty_table("Family", pooled((name, passed) for name, passed in flags if name is not None))


def failures_table(tries: Iterable[Outcome], setting: Setting | None = None) -> ResultTable:
    """One row a category of failure: in how many of the replies it occurs, the commonest first."""
    counted = [each for each in tries if _counts(each.setting, setting)]
    found = Counter(name for each in counted for name in set(each.categories))
    rows = []
    for name, count in found.most_common():
        share, interval = count / len(counted), wilson(count, len(counted))
        cells = (name, str(count), str(len(counted)), interval_text(share, interval))
        rows.append(ResultRow(cells, (name, float(count), float(len(counted)), share), share, interval))
    columns = ("Failure", "Occurs in", "Replies", INTERVAL)
    return ResultTable(columns, tuple(rows), frozenset({"Occurs in", "Replies"}))


def _counts(setting: Setting, wanted: Setting | None) -> bool:
    return is_alone(setting) if wanted is None else setting == wanted


def _difficulty_table(name: str, rated: dict[str, Difficulty]) -> ResultTable:
    rows = []
    for key, each in rated.items():
        share = each.passes / each.trials
        cells = (key, str(each.passes), str(each.trials), interval_text(share, each.interval), each.band)
        keys = (key.casefold(), float(each.passes), float(each.trials), share, each.band)
        rows.append(ResultRow(cells, keys, share, each.interval))
    columns = (name, "Passed", "Replies", INTERVAL, "Difficulty")
    return ResultTable(columns, tuple(rows), frozenset({"Passed", "Replies"}))


def repeats_table(tries: Iterable[Outcome]) -> ResultTable:
    """pass@k and pass^k of the runs that tried tasks more than once."""
    rows = []
    for each in repeats(tries):
        setting = each.setting
        texts = (setting.model, setting.way, setting.split)
        shares = (f"{100 * each.any_passes:.0f} %", f"{100 * each.all_pass:.0f} %")
        cells = (*texts, str(each.k), str(each.tasks), *shares)
        keys: tuple[float | str, ...] = (*texts, float(each.k), float(each.tasks), each.any_passes, each.all_pass)
        rows.append(ResultRow(cells, keys))
    columns = ("Model", "Way", "Tasks", "k", "Tasks tried k times", "pass@k", "pass^k")
    return ResultTable(columns, tuple(rows), frozenset(columns[3:]))


def interval_text(share: float, interval: Interval) -> str:
    """`75 % (47–91)`."""
    return f"{100 * share:.0f} % ({100 * interval.low:.0f}–{100 * interval.high:.0f})"
