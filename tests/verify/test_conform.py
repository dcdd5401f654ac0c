"""Recorded verdicts of PyTorch come out as recorded, and a wrong record is noticed."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from archstudio.verify.conform import conform_saved, conform_shapes

LINEAR: dict[str, Any] = {
    "id": "linear",
    "mode": "eval",
    "graph": {
        "nodes": [
            {"id": "y", "op": "Linear", "args": {"in_features": 8, "out_features": 3}, "in": ["x"]},
            {"id": "x", "op": "Input", "args": {"shape": [4, 8]}},
        ]
    },
    "node_shapes": {"x": [4, 8], "y": [4, 3]},
    "expected_params": 27,
    "expected_buffer_elems": 0,
    "expected_macs": 96,
    "saved_for_backward_bytes_cpu": 128,
}


def counts(record: dict[str, Any]) -> tuple[int, int, int]:
    report = conform_shapes([json.dumps(record)])
    return report.agree, report.differ, report.uncovered


def test_recorded_graphs_agree(cases):
    with (cases / "shapes.jsonl").open(encoding="utf-8") as lines:
        report = conform_shapes(lines)
    assert (report.differences, report.gaps) == ([], [])
    assert report.agree == 204


def test_nodes_may_stand_in_any_order():
    assert counts(LINEAR) == (1, 0, 0)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("node_shapes", {"x": [4, 8], "y": [4, 4]}),
        ("expected_params", 28),
        ("expected_buffer_elems", 1),
        ("expected_macs", 97),
        ("expected_error", {"node": "y", "phase": "forward"}),
    ],
)
def test_a_record_that_says_otherwise_differs(key, value):
    assert counts({**LINEAR, key: value}) == (0, 1, 0)


def test_the_first_error_must_be_the_recorded_node_and_phase():
    wrong = copy.deepcopy(LINEAR)
    wrong["graph"]["nodes"][0]["args"]["in_features"] = 9
    error = {"node": "y", "phase": "forward", "type": "RuntimeError"}
    assert counts(wrong) == (0, 1, 0)
    assert counts({**wrong, "expected_error": error}) == (1, 0, 0)
    assert counts({**wrong, "expected_error": {**error, "phase": "construct"}}) == (0, 1, 0)
    assert counts({**wrong, "expected_error": error, "node_shapes_before_error": {"x": [4, 8]}}) == (1, 0, 0)
    assert counts({**wrong, "expected_error": error, "node_shapes_before_error": {"x": [4, 9]}}) == (0, 1, 0)


def test_what_the_catalogue_does_not_know_is_uncovered():
    other = copy.deepcopy(LINEAR)
    other["graph"]["nodes"][0]["op"] = "Teleport"
    assert counts(other) == (0, 0, 1)
    argument = copy.deepcopy(LINEAR)
    argument["graph"]["nodes"][0]["args"]["warp"] = 9
    assert counts(argument) == (0, 0, 1)


def test_bytes_kept_for_backward_are_compared_apart():
    assert conform_saved([json.dumps(LINEAR)]).agree == 1
    assert conform_saved([json.dumps({**LINEAR, "saved_for_backward_bytes_cpu": 129})]).differ == 1
    assert counts({**LINEAR, "saved_for_backward_bytes_cpu": 129}) == (1, 0, 0)
