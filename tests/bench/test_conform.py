"""Recorded cases come out as recorded, and any that would not are named."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from archstudio.bench.conform import conform_costs, conform_plans, conform_splits
from archstudio.files.conform import ConformReport, first_difference

Conform = Callable[[Any], ConformReport]
RECORDED: list[tuple[str, Conform, int]] = [
    ("archbench_plans.jsonl", conform_plans, 286),
    ("archbench_edge.jsonl", conform_plans, 100),
    ("archbench_splits.jsonl", conform_splits, 230),
    ("costs.jsonl", conform_costs, 26),
]


@pytest.mark.parametrize(("file", "conform", "count"), RECORDED)
def test_every_recorded_case_agrees(cases: Path, file: str, conform: Conform, count: int) -> None:
    with (cases / file).open(encoding="utf-8") as lines:
        report = conform(lines)
    assert report.differences == []
    assert report.summary == f"{count} agree, 0 differ, 0 uncovered"
    assert report.exit_code == 0


def first_record(path: Path) -> dict[str, Any]:
    with path.open(encoding="utf-8") as lines:
        record: dict[str, Any] = next(record for record in map(json.loads, lines) if "about" not in record)
    return record


@pytest.mark.parametrize(
    ("file", "conform", "path", "wrong"),
    [
        ("archbench_plans.jsonl", conform_plans, ("expect", "score"), -1),
        ("archbench_plans.jsonl", conform_plans, ("expect", "model", "components", 0, "params", "new"), 1),
        ("archbench_plans.jsonl", conform_plans, ("expect", "reaches"), 1),
        ("archbench_plans.jsonl", conform_plans, ("expect", "grades", 0, "failures"), []),
        ("archbench_splits.jsonl", conform_splits, ("digest",), "0" * 16),
        ("archbench_splits.jsonl", conform_splits, ("case", "constraints", "minScore"), 51),
        ("costs.jsonl", conform_costs, ("expected_kv_bytes",), 17179869185),
    ],
)
def test_a_wrong_record_is_found_and_placed(
    cases: Path, file: str, conform: Conform, path: tuple[Any, ...], wrong: Any
) -> None:
    record = first_record(cases / file)
    place: Any = record
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = wrong
    report = conform([json.dumps(record)])
    assert (report.agree, report.differ, report.exit_code) == (0, 1, 1)
    assert "line 1" in report.differences[0]
    assert str(path[-1]) in report.differences[0]


@pytest.mark.parametrize("conform", [conform_plans, conform_splits, conform_costs])
@pytest.mark.parametrize("line", ["{", "[]", "7", '{"id": "x"}', '{"tier": "moon", "start": {}, "expect": 1}'])
def test_lines_that_are_no_case_are_uncovered(conform: Conform, line: str) -> None:
    report = conform([line, "", '{"about": {}}'])
    assert (report.agree, report.differ, report.uncovered, report.exit_code) == (0, 0, 1, 3)
    assert report.gaps[0].startswith("line 1")


def test_splits_may_be_asked_for_in_any_order(cases: Path) -> None:
    lines = (cases / "archbench_splits.jsonl").read_text(encoding="utf-8").splitlines()
    assert conform_splits(lines[::-1][:40]).agree == 40


@pytest.mark.parametrize(
    ("recorded", "now", "same"),
    [
        (12, 12.0, True),
        (True, 1, False),
        (1, True, False),
        (0, False, False),
        (None, float("nan"), True),
        (None, 0, False),
        ("1", 1, False),
        ([1, {"a": 2}], [1, {"a": 2.0}], True),
        ({"a": 1}, {}, False),
        ({}, {"a": 1}, False),
        ([1], [1, 2], False),
        (10**400, float("inf"), False),
    ],
)
def test_numbers_compare_by_value_and_booleans_by_identity(recorded: Any, now: Any, same: bool) -> None:
    assert (first_difference(recorded, now) is None) is same


def test_only_the_first_differences_are_kept() -> None:
    report = ConformReport(keep=2)
    for name in "abc":
        report.differs(name)
    assert (report.differ, report.differences) == (3, ["a", "b"])
