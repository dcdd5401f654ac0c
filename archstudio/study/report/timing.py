"""Time to success and to failure, and what share has succeeded by when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from archstudio.stats.durations import durations, kaplan_meier, median_time, share_by
from archstudio.study.report.rows import Row
from archstudio.study.report.shape import Times

LIMITS_S: Final = (30.0, 60.0, 120.0, 180.0, 300.0, 600.0, 900.0, 1800.0, 3600.0)


def times(rows: Sequence[Row]) -> Times:
    """Active seconds of scored rows; a failure, also one by the limit, is censored at the time it was left."""
    timed = [row for row in rows if row.scored and row.active_ms is not None]
    spent = [_seconds(row) for row in timed]
    succeeded = [row.success_ms is not None for row in timed]
    success = [time for time, done in zip(spent, succeeded, strict=True) if done]
    failure = [time for time, done in zip(spent, succeeded, strict=True) if not done]
    steps = kaplan_meier(spent, succeeded)
    return Times(
        success=durations(success),
        failure=durations(failure),
        km_median=median_time(steps),
        km=tuple(steps),
        limits=LIMITS_S,
        share_by=tuple(share_by(LIMITS_S, success, len(timed))),
    )


def _seconds(row: Row) -> float:
    """Until the submission that passed; else all the time spent."""
    spent = row.active_ms if row.success_ms is None else row.success_ms
    assert spent is not None
    return spent / 1000
