"""The judge says what PyTorch does with every layer, and where its error lies."""

from typing import Any

import pytest

from archstudio.graph import Graph
from archstudio.torchcode.judge import judge
from archstudio.torchcode.judgement import Tensor, differences
from archstudio.verify import check


def test_every_node_is_recorded(cnn: Graph) -> None:
    judgement = judge(cnn)
    conv = judgement.nodes["conv"]
    assert conv.value == Tensor((2, 8, 16, 16), "float32", (2048, 256, 16, 1), True)
    assert (conv.parameters, conv.buffers) == (224, 0)
    assert (judgement.parameters, judgement.first_error) == (314, None)
    assert differences(check(cnn), judgement) == []


def test_the_first_error_names_node_phase_and_what_pytorch_says(graph: Any) -> None:
    net = graph(
        {
            "x": ("input", {"shape": [2, 4]}),
            "fc": ("linear", {"inFeatures": 5, "outFeatures": 3}),
            "act": ("relu", {}),
        }
    )
    judgement = judge(net)
    assert judgement.first_error is not None
    node, error = judgement.first_error
    assert (node, error.phase, error.type) == ("fc", "forward", "RuntimeError")
    assert "shapes cannot be multiplied" in error.message
    assert judgement.nodes["act"].value is judgement.nodes["act"].error is None
    assert differences(check(net), judgement) == []


def test_every_constructor_that_fails_is_found_not_only_the_first(graph: Any) -> None:
    bad: dict[str, Any] = {"inChannels": 3, "outChannels": 4, "kernelSize": 3, "groups": 2}
    net = graph({"x": ("input", {"shape": [1, 3, 8, 8]}), "a": ("conv2d", bad), "b": ("conv2d", bad)})
    errors = {n: ran.error.phase for n, ran in judge(net).nodes.items() if ran.error}
    assert errors == {"a": "construct", "b": "construct"}


@pytest.mark.parametrize("mode", ["train", "eval"])
def test_the_mode_of_the_graph_is_the_mode_of_the_modules(graph: Any, mode: str) -> None:
    net = graph({"x": ("input", {"shape": [1, 4]}), "norm": ("batchNorm1d", {})}, "x -> norm", mode=mode)
    judgement = judge(net)
    assert (judgement.first_error is not None) == (mode == "train")
    assert differences(check(net), judgement) == []


def test_indices_stay_inside_the_tables(graph: Any) -> None:
    net = graph({"x": ("input", {"shape": [50, 50]}), "table": ("embedding", {"numEmbeddings": 3, "embeddingDim": 2})})
    assert judge(net).first_error is None


def test_loops_and_unknown_types_are_not_for_pytorch_to_judge(graph: Any) -> None:
    net = graph(
        {"x": ("input", {"shape": [1, 4]}), "a": ("add", {}), "b": ("relu", {}), "c": ("unheardOf", {})},
        *("x -> a", "a -> b", "b -> a", "x -> c"),
    )
    judgement = judge(net)
    assert "a" not in judgement.nodes
    assert differences(check(net), judgement) == []


@pytest.mark.parametrize("owner", ["linear", "relu", "add"])
def test_weights_can_only_be_shared_where_there_are_some(graph: Any, owner: str) -> None:
    params = {"linear": {"outFeatures": 4}}.get(owner, {})
    net = graph({"x": ("input", {"shape": [2, 4]}), "a": (owner, params), "b": ("tiedLinear", {"node": "a"})})
    judgement = judge(net)
    assert (judgement.first_error is None) == (owner == "linear")
    assert differences(check(net), judgement) == []


def test_a_layer_that_would_end_the_process_is_not_run(graph: Any) -> None:
    params = {"numEmbeddings": 4, "embeddingDim": 2, "mode": "max", "includeLastOffset": True}
    net = graph(
        {
            "x": ("input", {"shape": [3], "dtype": "int64"}),
            "starts": ("input", {"shape": [1], "dtype": "int64"}),
            "bag": ("embeddingBag", params),
        },
        *("x -> bag", "starts -> bag"),
    )
    first = judge(net).first_error
    assert first is not None
    assert first[1].type == "WouldCrash"


def test_starts_of_bags_that_come_from_one_of_several_outputs_crash_nothing(graph: Any) -> None:
    net = graph(
        {
            "x": ("input", {"shape": [3], "dtype": "int64"}),
            "starts": ("input", {"shape": [2], "dtype": "int64"}),
            "parts": ("chunk", {"chunks": 2, "dim": 0}),
            "bag": ("embeddingBag", {"numEmbeddings": 4, "embeddingDim": 2, "mode": "max", "includeLastOffset": True}),
        },
        *("starts -> parts", "x -> bag", "parts.0 -> bag"),
    )
    first = judge(net).first_error
    assert first is not None
    assert (first[0], first[1].type) == ("bag", "WouldCrash")


@pytest.mark.parametrize("cell", ["gruCell", "lstmCell"])
def test_states_of_another_rank_crash_nothing(graph: Any, cell: str) -> None:
    states = ["h", "c"][: 2 if cell == "lstmCell" else 1]
    net = graph(
        {
            "x": ("input", {"shape": [1], "batchAxis": None}),
            **{name: ("input", {"shape": [1, 1]}) for name in states},
            "cell": (cell, {"inputSize": 1, "hiddenSize": 1}),
        },
        *("x -> cell", *(f"{name} -> cell" for name in states)),
    )
    first = judge(net).first_error
    assert first is not None
    assert first[1].type == "WouldCrash"
