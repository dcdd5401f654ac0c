"""A grade is a list of checks; failures and checklist rows are read off the same ones."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from archstudio.bench.grade import Measured, Submission, checklist, grade
from archstudio.bench.taxonomy import CATEGORIES, category
from archstudio.edits.actions.model import Model


@dataclass
class Limits:
    constraints: dict[str, Any]
    budget: dict[str, Any] = field(default_factory=dict)
    id: str = "limits"


def failures(model: Model, submission: Submission | None = None, **constraints: Any) -> list[tuple[str, str]]:
    result = grade(Limits(constraints), model, submission or Submission())
    return [(failure.text, failure.category) for failure in result.failures]


def test_failures_come_in_published_order_and_words(mlp: Model) -> None:
    found = failures(
        mlp,
        Submission.of([{"type": "clear_canvas"}, None, {"type": "clear_canvas"}]),
        forbidBlockers=True,
        minScore=90,
        maxParams=2559,
        minParams=2561,
        maxKvBytesPerToken=-1,
        minComponents=6,
        mustContainTypes=["linear", "gelu", "conv2d"],
        mustContainTypesAny=["layerNorm", "mla"],
        mustReachOutput=True,
        maxActions=2,
        forbidActionTypes=["replace_model", "clear_canvas"],
    )
    assert found == [
        ("score 75 < min 90", "low-score"),
        ("params 2560 > budget 2559", "over-budget"),
        ("params 2560 < required minimum 2561", "under-band"),
        ("KV 0 bytes/token > budget -1", "kv-over-budget"),
        ("5 components < min 6", "too-shallow"),
        ('missing layer type "gelu"', "missing-layer-type"),
        ('missing layer type "conv2d"', "missing-layer-type"),
        ("needs one of: layerNorm, mla", "missing-layer-type"),
        ("3 actions > max 2", "action-limit"),
        ('used forbidden action "clear_canvas"', "forbidden-action"),
    ]


def test_only_the_first_blocker_is_named_and_its_words_decide(mlp: Model) -> None:
    mlp["connections"].pop()
    mlp["components"][2]["name"] = "numExperts topK"
    mlp["components"][2]["params"] = {"numExperts": 1, "topK": 2}
    texts = failures(mlp, forbidBlockers=True, mustReachOutput=True)
    assert texts == [
        ("structural blocker: numExperts topK: topK 2 > numExperts 1", "moe-routing"),
        ("input does not reach output", "connectivity"),
    ]


def test_a_layer_name_can_steer_the_category() -> None:
    assert category("structural blocker: disconnected: no incoming connection (orphaned)") == "connectivity"
    assert category("bad JSON (what)") == "other"
    assert len(set(CATEGORIES)) == 15


def test_a_layer_off_the_path_does_not_count_where_the_path_is_asked_for(mlp: Model) -> None:
    mlp["components"].append({"id": "g", "type": "gelu", "name": "g", "params": {}})
    mlp["connections"].append({"id": "x", "from": "a", "to": "g"})
    assert failures(mlp, mustContainTypes=["gelu"]) == []
    assert failures(mlp, mustContainTypesOnPath=["relu", "gelu"]) == [
        ('layer type "gelu" is on no path from input to output', "off-path-layer")
    ]


@pytest.mark.parametrize(("ms", "passes"), [(3.9, True), (4.1, False), (None, False)])
def test_an_unknown_decode_latency_is_not_met(mlp: Model, ms: float | None, passes: bool) -> None:
    limit = Limits({"maxDecodeMs": {"value": 4.0, "machine": "H100"}})
    assert grade(limit, mlp, Submission(), Measured(decode_ms=ms)).passed is passes


KNOWN = Measured(runs=True, macs=1_000, activation_bytes=2_048)


@pytest.mark.parametrize(
    ("limit", "measured", "failed"),
    [
        ({"maxMacs": 1_000}, KNOWN, []),
        ({"maxMacs": 999}, KNOWN, [("1,000 MACs, more than 999", "compute-over-budget")]),
        ({"maxMacs": 999}, Measured(), [("unknown MACs, more than 999", "compute-over-budget")]),
        ({"maxActivationBytes": 2_048}, KNOWN, []),
        ({"maxActivationBytes": 1}, KNOWN, [("2,048 bytes of activations, more than 1", "memory-over-budget")]),
        ({"mustRun": True}, KNOWN, []),
        ({"mustRun": False}, Measured(runs=False), []),
        ({"mustRun": True}, Measured(runs=False), [("runs: no", "does-not-run")]),
        ({"mustRun": True}, Measured(), [("runs: unknown", "does-not-run")]),
    ],
)
def test_limits_of_our_own_read_what_the_caller_measured(
    mlp: Model, limit: dict[str, Any], measured: Measured, failed: list[tuple[str, str]]
) -> None:
    result = grade(Limits(limit), mlp, Submission(), measured)
    assert [(failure.text, failure.category) for failure in result.failures] == failed


def test_the_checklist_shows_every_limit_with_its_value(mlp: Model) -> None:
    limits = Limits({"forbidBlockers": True, "maxParams": 20_000, "minParams": 3_000, "mustContainTypes": ["relu"]})
    rows = [(row.label, row.value, row.limit, row.ok) for row in checklist(limits, mlp, Submission())]
    assert rows == [
        ("Structural blockers", "0", "none", True),
        ("Parameters (estimate)", "2,560", "≤ 20,000", True),
        ("Parameters (estimate)", "2,560", "≥ 3,000", False),
        ("Contains relu", "1", "≥ 1", True),
    ]


def test_turns_of_an_episode_add_up() -> None:
    first, second = Submission.of([{"type": "explain"}, 3]), Submission.of([{"type": "clear_canvas"}])
    assert first.then(second) == Submission(3, ("explain", "clear_canvas"))
    assert Submission.of("nonsense") == Submission(0, ())
