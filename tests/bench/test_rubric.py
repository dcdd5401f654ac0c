"""The rubric estimates, blocks and scores as published, blind spots included."""

import math
from typing import Any

import pytest

from archstudio.bench.rubric import assess, kv_bytes, parameters, score
from archstudio.edits.actions.model import Model, hydrate


def component(kind: str, **params: Any) -> dict[str, Any]:
    return {"id": "x", "type": kind, "name": "x", "params": params}


@pytest.mark.parametrize(
    ("kind", "params", "count"),
    [
        ("linear", {"inFeatures": 32, "outFeatures": 64}, 2048),
        ("linear", {"inFeatures": True, "outFeatures": 64}, 0),
        ("linear", {"inFeatures": "32", "outFeatures": 64}, 0),
        ("conv1d", {"inChannels": 3, "outChannels": 5, "kernelSize": 3}, 135),
        ("conv3d", {"inChannels": 3, "outChannels": 5, "kernelSize": [3, 3]}, 15),
        ("multiHeadAttention", {"embedDim": 0, "hiddenDim": 8}, 256),
        ("transformerBlock", {"hiddenDim": 32, "embedDim": 48}, 12_288),
        ("mixtureOfExperts", {"embedDim": 64, "hiddenDim": 8, "numExperts": 4}, 4352),
        ("groupedQueryAttention", {"embedDim": 64, "numHeads": 8}, 0),
        (None, {"inFeatures": 7, "outFeatures": 7}, 0),
    ],
)
def test_parameter_estimates(kind: Any, params: dict[str, Any], count: int) -> None:
    assert parameters(component(kind, **params)) == count


@pytest.mark.parametrize(
    ("kind", "params", "cached"),
    [
        ("multiHeadAttention", {"embedDim": 0, "hiddenDim": 64}, 0),
        ("multiHeadAttention", {"embedDim": None, "hiddenDim": 64}, 256),
        ("multiHeadAttention", {"embedDim": "0x10"}, 64),
        ("groupedQueryAttention", {"embedDim": 64, "numHeads": 8, "numKVHeads": 2}, 64),
        ("groupedQueryAttention", {"hiddenDim": 64, "numHeads": 8, "numKVHeads": 2}, 0),
        ("groupedQueryAttention", {"embedDim": 100, "numHeads": 7, "headDim": 16}, 448),
        ("mla", {"kvLatentDim": "128", "ropeHeadDim": None}, 256),
    ],
)
def test_cached_bytes_coerce_where_nothing_else_does(kind: str, params: dict[str, Any], cached: int) -> None:
    assert kv_bytes(component(kind, **params)) == cached


def codes(model: Model) -> list[str]:
    return [blocker.code for blocker in assess(model).blockers]


def test_an_empty_graph_has_one_blocker() -> None:
    assert codes(hydrate({"components": [], "connections": []})) == ["empty-graph"]


def test_blockers_come_in_published_order_with_names(chain: Any) -> None:
    model = chain(
        ("input", "input", {}),
        ("attn", "multiHeadAttention", {"embedDim": 100, "numHeads": 7}),
        ("head", "linear", {"inFeatures": 64, "outFeatures": 2}),
        ("output", "output", {}),
    )
    model["components"].append(component("relu"))
    assert [blocker.text for blocker in assess(model).blockers] == [
        "attn: embedDim 100 not divisible by numHeads 7",
        "x: no incoming connection (orphaned)",
        "head: linear declares input width 64 but upstream emits 100",
    ]


def test_a_doubled_wire_doubles_a_concatenation(chain: Any) -> None:
    model = chain(
        ("input", "input", {}),
        ("x", "linear", {"inFeatures": 4, "outFeatures": 4}),
        ("c", "concatenate", {}),
        ("y", "linear", {"inFeatures": 8, "outFeatures": 2}),
        ("output", "output", {}),
    )
    assert codes(model) == ["declared-width"]
    model["connections"].append({"id": "again", "from": "x", "to": "c"})
    assert codes(model) == []


def test_widths_are_not_followed_onto_a_cycle(chain: Any) -> None:
    model = chain(
        ("input", "input", {}),
        ("a", "linear", {"inFeatures": 4, "outFeatures": 4}),
        ("b", "linear", {"inFeatures": 99, "outFeatures": 4}),
        ("output", "output", {}),
    )
    model["connections"].append({"id": "back", "from": "b", "to": "b"})
    assert codes(model) == []


@pytest.mark.parametrize(
    ("count", "points"), [(2, 69), (3, 71), (6, 78), (7, 80), (8, 82), (11, 88), (12, 90), (20, 90)]
)
def test_depth_earns_points_up_to_twelve_components(chain: Any, count: int, points: int) -> None:
    middle = [(f"r{place}", "relu", {}) for place in range(count - 2)]
    model = chain(("input", "input", {}), *middle, ("output", "output", {}))
    assert score(assess(model), None) == points


def test_the_budget_part_shrinks_with_the_excess(mlp: Model) -> None:
    assessment = assess(mlp)
    assert assessment.params == 2560
    assert [score(assessment, {"maxParams": limit}) for limit in (2560, 2048, 1280, 1)] == [75, 73, 65, 65]


def test_blockers_cap_the_score(chain: Any) -> None:
    assert [score(assess(chain(*[(n, "relu", {}) for n in "abcdef"[:count]])), None) for count in (1, 5)] == [10, 10]


def test_sizes_that_are_nan_make_the_score_nan(mlp: Model) -> None:
    mlp["components"][1]["params"]["outFeatures"] = math.nan
    assessment = assess(mlp)
    assert math.isnan(assessment.params)
    assert math.isnan(score(assessment, {"maxParams": 10}))
    assert assessment.blockers == ()
