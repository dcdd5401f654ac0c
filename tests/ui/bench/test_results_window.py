"""The window of results: what was imported by run, task and family, what people did, and exports of it."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from archstudio.bench.policies import POLICIES
from archstudio.bench.run import BuiltIn, RunFile, RunSettings, play
from archstudio.bench.tasks import curated_tasks
from archstudio.ui.bench.result_view import ResultView
from archstudio.ui.bench.results import ResultsWindow
from archstudio.ui.window import MainWindow


def leaderboard(path: Path) -> Path:
    def row(provider: str, task: str, status: str, score: int) -> dict[str, Any]:
        failed = [] if status == "PASS" else ["low-score"]
        return {"provider": provider, "taskId": task, "status": status, "score": score, "failureCategories": failed,
                "tokens": 100}  # fmt: skip

    rows = [row("a", "cnn-cifar", "PASS", 80), row("a", "mlp-tabular", "FAIL", 20), row("b", "cnn-cifar", "PASS", 90)]
    path.write_text(json.dumps({
        "benchmark": 1, "split": {"kind": "curated", "count": 12}, "models": {"a": "Model A", "b": "Model B"},
        "generatedAt": "2026-08-01T00:00:00Z", "board": [], "rows": rows,
    }))  # fmt: skip
    return path


def hollow_run(path: Path) -> Path:
    kept = RunFile(path, RunSettings("number-blind", "curated", 1, 0, 1.0))
    for task in curated_tasks()[:4]:
        kept.keep(play(task, BuiltIn(POLICIES["number-blind"])))
    return path


@pytest.fixture
def results(window: MainWindow, act, tmp_path: Path) -> ResultsWindow:
    shelf = window.application.tasks.results
    shelf.add(leaderboard(tmp_path / "lb.json"))
    shelf.add(hollow_run(tmp_path / "blind.jsonl"))
    act("task.results")
    made: ResultsWindow = window.view.bench.results
    return made


def cells(view: ResultView) -> list[list[str]]:
    model = view.rows
    return [[model.data(model.index(r, c)) for c in range(model.columnCount())] for r in range(model.rowCount())]


def test_each_run_has_its_rate_interval_and_hollow_passes(results: ResultsWindow) -> None:
    shown = {row[0]: row for row in cells(results.runs)}
    assert shown["Model A"][3:6] == ["1 of 2", "50 % (9–91)", "–"]
    assert shown["number-blind"][3] == "4 of 4"
    assert shown["number-blind"][5] == "4"


def test_tasks_are_pooled_or_shown_of_one_run(results: ResultsWindow) -> None:
    pooled = {row[0]: row[1:3] for row in cells(results.tasks)}
    assert pooled["cnn-cifar"] == ["3", "3"]
    results.which.setCurrentIndex(results.which.findText("Model A", Qt.MatchFlag.MatchStartsWith))
    assert {row[0]: row[1:3] for row in cells(results.tasks)} == {"cnn-cifar": ["1", "1"], "mlp-tabular": ["0", "1"]}


def test_failures_are_listed_by_category(results: ResultsWindow) -> None:
    assert ["low-score", "1"] in [row[:2] for row in cells(results.failures)]


def test_what_a_person_submitted_stands_beside_the_models(window: MainWindow, results, solved) -> None:
    results.refresh()
    shown = {row[0]: row for row in cells(results.runs)}
    assert shown["You"][1:4] == ["first attempt", "your tasks", "1 of 1"]
    assert shown["You"][5] == "0"


def test_a_column_sorts_by_its_numbers(results: ResultsWindow) -> None:
    results.tasks.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    passed = [int(row[1]) for row in cells(results.tasks)]
    assert passed == sorted(passed, reverse=True)


def test_exports_hold_the_same_runs(results: ResultsWindow, tmp_path: Path) -> None:
    for form in ("csv", "md", "svg"):
        results.export(tmp_path / f"out.{form}", form)
    with (tmp_path / "out.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["model"] for row in rows} == {"Model A", "Model B", "number-blind"}
    assert {row["hollow passes"] for row in rows} == {"", "4"}
    assert "Model A" in (tmp_path / "out.md").read_text(encoding="utf-8")
    card = (tmp_path / "out.svg").read_text(encoding="utf-8")
    assert card.startswith("<svg")
    assert "4 hollow" in card


def test_an_export_that_cannot_be_written_is_told(window: MainWindow, results: ResultsWindow, tmp_path) -> None:
    results.export(tmp_path / "nowhere" / "out.csv", "csv")
    assert "not exported" in window.central.notice.full_text


def test_a_removed_file_is_gone_from_every_table(results: ResultsWindow) -> None:
    results.remove("lb.json")
    assert [row[0] for row in cells(results.runs)] == ["number-blind"]
    assert results.head.text() == "1 file · 1 run"


def test_the_table_can_be_copied(window: MainWindow, results: ResultsWindow) -> None:
    results.copy()
    assert "| Model A |" in window.view.clipboard_text()


def test_imported_rows_rate_tasks_in_the_browser(window: MainWindow, results: ResultsWindow, tmp_path: Path) -> None:
    room = window.application.tasks
    entry = room.library.entry("cnn-cifar")
    before = room.results.difficulty(entry)
    room.results.remove("lb.json")
    after = room.results.difficulty(entry)
    assert (before.passes - after.passes, before.trials - after.trials) == (2, 2)
