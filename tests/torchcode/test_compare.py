"""What PyTorch does with a graph is compared with what the rules say: on real numbers where the graph is small."""

from random import Random
from typing import Any

import pytest
import torch
from torch import nn

from archstudio.graph import Graph
from archstudio.layers.families.conv import Conv2d
from archstudio.torchcode.judging import compare as comparing
from archstudio.torchcode.judging.compare import compare
from archstudio.torchcode.judging.meta_stage import LONG_SEQUENCE, MetaStage
from archstudio.torchcode.running import quietly
from archstudio.torchcode.stage import Stage
from archstudio.verify import check


@pytest.fixture
def without_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every graph counts as too large for real numbers."""
    monkeypatch.setattr(comparing, "MOST_MACS", -1)


def test_a_graph_that_runs_agrees_in_everything(cnn: Graph) -> None:
    answer = compare(cnn)
    assert (answer.where, answer.differences) == ("cpu", ())
    assert answer.compared == ("shapes", "parameters", "FLOPs")
    assert answer.ran == ("conv", "scores")


def test_a_graph_that_is_refused_agrees_as_far_as_it_runs(graph: Any) -> None:
    net = graph(
        {
            "x": ("input", {"shape": [1, 3, 16, 16]}),
            "conv1": ("conv2d", {"outChannels": 8, "kernelSize": 3}),
            "act2": ("relu", {}),
            "head": ("linear", {"inFeatures": 9, "outFeatures": 10}),
            "y": ("output", {}),
        }
    )
    answer = compare(net)
    assert (answer.ran, answer.refused, answer.differences) == (("conv1", "act2"), ("head",), ())
    assert answer.compared == ("shapes",), "totals are not known while an error stands"


def test_what_no_program_can_hold_is_named(graph: Any) -> None:
    net = graph({"x": ("input", {"shape": [1, 4]}), "act": ("relu", {}), "odd": ("unheardOf", {})})
    assert compare(net).unasked == ("odd",)


def test_a_large_batch_is_made_small_for_real_numbers(graph: Any) -> None:
    nodes = {"x": ("input", {"shape": [64, 4]}), "fc": ("linear", {"outFeatures": 3})}
    assert compare(graph(nodes)).batch == 2
    assert compare(graph(nodes, batch=512)).batch == 2
    assert compare(graph(nodes, batch=1)).batch == 1


def test_a_batch_that_a_reshape_counts_on_is_kept(graph: Any) -> None:
    net = graph({"x": ("input", {"shape": [6, 4]}), "r": ("reshape", {"shape": [3, 8]})})
    answer = compare(net)
    assert (answer.batch, answer.refused, answer.differences) == (None, (), ())


def test_a_graph_with_many_products_is_run_without_numbers(graph: Any) -> None:
    wide = {"outFeatures": 30_000}
    net = graph({"x": ("input", {"shape": [1, 30_000]}), "a": ("linear", wide), "b": ("linear", wide)})
    answer = compare(net)
    assert (answer.where, answer.differences) == ("meta", ())
    assert answer.compared == ("shapes", "parameters", "FLOPs")


@pytest.mark.parametrize("meta", [False, True])
def test_a_rule_that_is_wrong_is_told_with_its_numbers(
    cnn: Graph, monkeypatch: pytest.MonkeyPatch, request: Any, meta: bool
) -> None:
    if meta:
        request.getfixturevalue("without_numbers")
    right = Conv2d.macs
    monkeypatch.setattr(Conv2d, "macs", lambda self, inputs, output: right(self, inputs, output) + 1)
    (difference,) = compare(cnn).differences
    assert difference.startswith("conv: 221,186 FLOPs by the rules")
    assert difference.endswith("221,184 in PyTorch")


def test_a_wrong_count_of_parameters_is_told(cnn: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Conv2d, "parameters", lambda self: iter(()))
    assert compare(cnn).differences == ("conv: the rules count 0 parameters, PyTorch 224",)


def test_too_little_memory_for_real_numbers_leads_to_none(cnn: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object) -> None:
        raise RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory")

    monkeypatch.setattr(Stage, "run", full)
    answer = compare(cnn)
    assert (answer.where, answer.differences) == ("meta", ())


IMAGE = [1, 3, 6, 6]
ENLARGED = {"outChannels": 4, "kernelSize": 3, "stride": 2, "outputPadding": 2}
LETS_PASS: dict[str, tuple[list[int], str, str, dict[str, Any]]] = {
    "output padding": (IMAGE, "float32", "convTranspose2d", ENLARGED),
    "empty kernel": (IMAGE, "float32", "conv2d", {"outChannels": 4, "kernelSize": 0}),
    "negative padding": (IMAGE, "float32", "conv2d", {"outChannels": 4, "kernelSize": 3, "padding": -1}),
    "half into float": ([2, 6], "float16", "linear", {"outFeatures": 4}),
    "double into float": ([2, 6], "float64", "linear", {"outFeatures": 4}),
    "resized to nothing": (IMAGE, "float32", "upsample", {"scaleFactor": 0.1, "mode": "bilinear"}),
}


@pytest.mark.parametrize("name", LETS_PASS)
def test_what_the_meta_device_lets_pass_is_refused_all_the_same(name: str, graph: Any, without_numbers: None) -> None:
    shape, dtype, kind, params = LETS_PASS[name]
    net = graph({"x": ("input", {"shape": shape, "dtype": dtype}), "layer": (kind, params)})
    answer = compare(net)
    assert (answer.where, answer.refused, answer.differences) == ("meta", ("layer",), ())


def test_the_meta_device_alone_would_let_it_pass() -> None:
    with torch.device("meta"), quietly():
        assert nn.Conv2d(3, 4, 3, padding=-1)(torch.rand(1, 3, 6, 6)).shape == (1, 4, 2, 2)
        assert nn.Linear(6, 4)(torch.rand(2, 6).half()).shape == (2, 4)


@pytest.mark.parametrize("params", [{}, {"batchFirst": False}, {"bidirectional": True, "numLayers": 2}])
@pytest.mark.parametrize("kind", ["lstm", "gru", "rnn"])
def test_long_sequences_are_counted_from_two_steps(
    kind: str, params: dict[str, Any], graph: Any, without_numbers: None
) -> None:
    steps = LONG_SEQUENCE * 4
    net = graph({"x": ("input", {"shape": [steps, steps, 8]}), "r": (kind, {"hiddenSize": 6, **params})})
    answer = compare(net)
    assert (answer.differences, answer.compared) == ((), ("shapes", "parameters", "FLOPs"))


def test_a_router_that_looks_at_numbers_is_taken_from_the_rules_where_there_are_none(
    graph: Any, without_numbers: None
) -> None:
    params = {"embedDim": 8, "hiddenDim": 16, "numExperts": 4, "topK": 2}
    nodes = {
        "x": ("input", {"shape": [2, 5, 8]}),
        "moe": ("mixtureOfExperts", params),
        "fc": ("linear", {"outFeatures": 3}),
    }
    net = graph(nodes)
    verdict = check(net)
    stage = MetaStage(verdict)
    comparing.judge(net, verdict, stage)
    assert stage.trusted == {"moe"}
    assert compare(net).differences == ()


@pytest.mark.parametrize("seed", range(20))
def test_networks_grown_at_random_agree_without_numbers(seed: int, graph: Any, without_numbers: None) -> None:
    random = Random(seed)
    layers: dict[str, tuple[str, dict[str, Any]]] = {"x": ("input", {"shape": [2, 4, 16, 16]})}
    for k in range(random.randint(2, 6)):
        kind = random.choice(["conv2d", "relu", "batchNorm2d", "maxPool2d", "convTranspose2d", "upsample"])
        kernel, padding, extra = random.choice([1, 3, 20]), random.choice([0, 1, "same"]), random.choice([0, 2])
        params: dict[str, Any] = {
            "conv2d": {"outChannels": 8, "kernelSize": kernel, "padding": padding},
            "convTranspose2d": {"outChannels": 4, "kernelSize": 2, "stride": 2, "outputPadding": extra},
            "maxPool2d": {"kernelSize": 2},
            "upsample": {"scaleFactor": 2},
        }.get(kind, {})
        layers[f"n{k}"] = (kind, params)
    assert compare(graph(layers)).differences == ()
