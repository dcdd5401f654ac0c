"""Which sessions are worth looking at: hints to the log behind a figure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from archstudio.study.report.rows import Row


@dataclass(frozen=True, slots=True)
class Replay:
    """A session and an item in it, and why one would watch it."""

    why: str
    session_id: str
    item_id: str
    position: int | None


def replays(rows: Iterable[Row]) -> list[Replay]:
    """Hints for one condition, in words; none where no row fits."""
    people = [row for row in rows if row.respondent_type == "human"]
    return list(_hints(sorted(people, key=lambda row: (row.session_id, row.item_id))))


def _hints(rows: Sequence[Row]) -> Iterator[Replay]:
    passed = [row for row in rows if row.passed and row.success_ms is not None]
    failed = [row for row in rows if row.passed is False]
    yield from _first("the quickest success", passed, lambda row: row.success_ms or 0)
    yield from _first("the longest way to a success", passed, lambda row: -(row.success_ms or 0))
    yield from _first("the longest failure", failed, lambda row: -(row.active_ms or 0))
    hollow = [row for row in passed if row.does_the_brief is False or row.runs is False]
    yield from _first("passes the rubric alone", hollow, lambda row: row.success_ms or 0)
    yield from _first("the most undone edits", [row for row in rows if row.n_undo], lambda row: -(row.n_undo or 0))
    for row in [row for row in rows if row.flagged][:5]:
        yield Replay("flagged by the person", row.session_id, row.item_id, row.position)


def _first(why: str, rows: Sequence[Row], key: Callable[[Row], float]) -> Iterator[Replay]:
    if rows:
        row = min(rows, key=key)
        yield Replay(why, row.session_id, row.item_id, row.position)
