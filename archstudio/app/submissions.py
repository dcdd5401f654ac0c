"""What was submitted, kept as one JSON line each."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

from archstudio.app.task_report import TaskReport
from archstudio.files.atomic import saving
from archstudio.files.home import home_path


def submissions_file() -> Path:
    """Where submissions are kept."""
    return home_path() / "submissions.jsonl"


def keep_submission(report: TaskReport, rubric: int = 3) -> None:
    """Append a submission, durably; SaveFailed if it cannot be kept."""
    record = {
        "schema": "archstudio.submission/1",
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "task": report.task.id,
        "rubric": rubric,
        "actions": report.plan.actions,
        "pass": report.grade.passed,
        "score": report.grade.score if report.grade.score == report.grade.score else None,
        "failures": [f.text for f in report.grade.failures],
        "briefFactsMet": report.facts_met,
        "briefFacts": len(report.facts),
    }
    path = submissions_file()
    with saving(path), path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record, ensure_ascii=False) + "\n")
        file.flush()
        os.fsync(file.fileno())
