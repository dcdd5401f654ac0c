"""Runs in the shape of METR's `runs.jsonl`, one line a respondent and item, so that time horizons can be fitted.

Fields as in METR's public analysis repository (eval-analysis-public): a task's `human_minutes` is the geometric mean of
the active time of people who succeeded at it, excluded rows left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from archstudio.stats.durations import durations
from archstudio.study.records import Records
from archstudio.study.report.rows import Row, counted


def metr_runs(records: Records, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The lines; people first. Rows that count for nothing are left out."""
    used = [row for row in counted(rows, with_excluded=False) if row.scored]
    times: dict[tuple[str, str], list[float]] = {}
    for row in used:
        if row.success_ms is not None:
            times.setdefault((row.condition, row.item_id), []).append(row.success_ms / 60_000)
    minutes = {key: durations(mine).geometric_mean for key, mine in times.items()}
    shown = {(each.session_id, each.item_id): each for each in records.presentations}
    made = []
    for number, row in enumerate(used):
        presentation = shown.get((row.session_id, row.item_id))
        made.append(
            {
                **_line(records, row, number),
                "human_minutes": minutes.get((row.condition, row.item_id)),
                **_span(presentation),
            }
        )
    return made


def _line(records: Records, row: Row, number: int) -> dict[str, Any]:
    person = row.respondent_type == "human"
    name = f"{'simulated' if row.simulated else 'human'}/{row.respondent_id}" if person else row.respondent_id
    return {
        "task_id": f"{row.family}/{row.item_id}",
        "task_family": row.family,
        "task_source": f"{records.study.benchmark} {records.study.split}",
        "task_version": records.study.grader_version,
        "run_id": f"{records.study.id}-{number}",
        "alias": "human" if person else row.respondent_id.partition(" · ")[0],
        "model": name,
        "condition": row.condition,
        "simulated": row.simulated,
        "score_binarized": int(row.passed is True),
        "score_cont": row.score / 100 if row.score is not None else float(row.passed is True),
        "human_source": "baseline",
        "active_minutes": None if row.active_ms is None else row.active_ms / 60_000,
        "generation_cost": None,
        "fatal_error_from": None,
    }


def _span(presentation: Any) -> dict[str, Any]:
    if presentation is None:
        return {"started_at": None, "completed_at": None}
    return {"started_at": presentation.shown_at, "completed_at": presentation.locked_at}
