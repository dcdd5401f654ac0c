"""Views share memory; the peak follows what is still needed; training adds what PyTorch keeps."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch

from archstudio.design.zoo import MODELS
from archstudio.graph import Graph
from archstudio.torchcode.build import build as build_module
from archstudio.verify import check
from archstudio.verify.conform import conform_saved
from archstudio.verify.costs.activations import (
    buffer_bytes,
    optimiser_bytes,
    parameter_tensors,
    peak_memory,
    training_bytes,
)
from archstudio.verify.costs.saved import saved_bytes
from archstudio.verify.costs.storage import Storages

Build = Callable[..., Graph]
X = ("input", {"shape": [1, 100]})
X_BYTES = 400


def chain(build: Build, *layers: tuple[str, dict[str, Any]]) -> Graph:
    names = ["x", *(f"l{k}" for k in range(len(layers)))]
    wires = [f"{a} -> {b}" for a, b in pairwise(names)]
    return build(dict(zip(names, (X, *layers), strict=True)), wires)


def peak(graph: Graph) -> tuple[int, str | None]:
    found = peak_memory(check(graph))
    assert found is not None
    return found.bytes, found.node


def test_two_results_of_a_chain_are_alive_at_once(build: Build) -> None:
    graph = chain(build, ("relu", {}), ("relu", {}), ("relu", {}))
    assert peak(graph) == (2 * X_BYTES, "l0")


def test_a_wide_middle_is_the_peak_together_with_what_it_was_made_from(build: Build) -> None:
    graph = chain(build, ("linear", {"outFeatures": 1000}), ("linear", {"outFeatures": 10}))
    assert peak(graph) == (4000 + X_BYTES, "l0")


def test_a_skip_connection_stays_alive_until_it_is_added(build: Build) -> None:
    nodes = {"x": X, "a": ("relu", {}), "b": ("relu", {}), "sum": ("add", {}), "out": ("output", {})}
    graph = build(nodes, ["x -> a", "a -> b", "x -> sum", "b -> sum", "sum -> out"])
    assert peak(graph) == (3 * X_BYTES, "b")


def test_all_inputs_are_there_from_the_start(build: Build) -> None:
    nodes = {"x": X, "y": X, "a": ("relu", {}), "sum": ("add", {})}
    assert peak(build(nodes, ["x -> a", "a -> sum", "y -> sum"])) == (3 * X_BYTES, "a")


def test_results_of_the_network_stay_to_the_end(build: Build) -> None:
    nodes = {"x": X, "early": ("relu", {}), "out": ("output", {}), "a": ("relu", {}), "b": ("relu", {})}
    nodes |= {"wide": ("linear", {"outFeatures": 1000}), "late": ("output", {})}
    graph = build(nodes, ["x -> early", "early -> out", "x -> a", "a -> b", "b -> wide", "wide -> late"])
    assert peak(graph) == (X_BYTES + X_BYTES + 4000, "wide"), "early, what wide reads, and wide"


def test_without_output_nodes_what_leads_nowhere_is_the_result(build: Build) -> None:
    nodes = {"x": X, "early": ("relu", {}), "a": ("relu", {}), "b": ("relu", {})}
    nodes["wide"] = ("linear", {"outFeatures": 1000})
    graph = build(nodes, ["x -> early", "x -> a", "a -> b", "b -> wide"])
    assert peak(graph) == (X_BYTES + X_BYTES + 4000, "wide")


def test_beside_an_output_node_what_leads_nowhere_is_dropped_at_once(build: Build) -> None:
    nodes = {"x": X, "dead": ("relu", {}), "a": ("relu", {}), "b": ("relu", {})}
    nodes |= {"wide": ("linear", {"outFeatures": 1000}), "out": ("output", {})}
    graph = build(nodes, ["x -> dead", "x -> a", "a -> b", "b -> wide", "wide -> out"])
    assert peak(graph) == (X_BYTES + 4000, "wide")


@pytest.mark.parametrize(
    "view",
    [("flatten", {}), ("reshape", {"shape": [10, 10]}), ("identity", {}), ("dropout", {}), ("relu", {"inplace": True})],
)
def test_views_and_layers_that_write_in_place_take_no_memory(build: Build, view: tuple[str, dict[str, Any]]) -> None:
    graph = chain(build, view)
    assert Storages(check(graph)).made_by("l0") == ()
    assert peak(graph) == (X_BYTES, None)


def test_a_dropout_that_drops_makes_a_tensor(build: Build) -> None:
    graph = chain(build, ("dropout", {}))
    graph.meta["mode"] = "train"
    assert peak(graph) == (2 * X_BYTES, "l0")


def test_a_reshape_of_transposed_memory_copies_and_of_ordered_memory_does_not(build: Build) -> None:
    swap = ("transpose", {"dim0": 0, "dim1": 1})
    assert Storages(check(chain(build, swap, ("reshape", {"shape": [100, 1]})))).made_by("l1") == ()
    nodes = {"x": ("input", {"shape": [4, 25]}), "t": swap, "r": ("reshape", {"shape": [100]})}
    copied = Storages(check(build(nodes, ["x -> t", "t -> r"])))
    assert copied.made_by("t") == ()
    assert [s.bytes for s in copied.made_by("r")] == [400]


def test_pieces_of_a_tensor_keep_the_whole_alive(build: Build) -> None:
    nodes = {"x": X, "a": ("relu", {}), "cut": ("chunk", {"dim": 1, "chunks": 4}), "out": ("relu", {})}
    graph = build(nodes, ["x -> a", "a -> cut", "cut.0 -> out"])
    verdict = check(graph)
    assert [s.node for s in Storages(verdict).of("cut")] == ["a"]
    assert peak(graph) == (2 * X_BYTES, "a")


def test_each_output_of_a_layer_with_several_is_freed_by_itself(build: Build) -> None:
    nodes = {
        "x": ("input", {"shape": [1, 50, 8]}),
        "lstm": ("lstm", {"hiddenSize": 16}),
        "end": ("output", {}),
    }
    verdict = check(build(nodes, ["x -> lstm", "lstm.h_n -> end"]))
    assert [s.path for s in Storages(verdict).of("end")] == [(1, 0)]
    found = peak_memory(verdict)
    assert found is not None
    assert found.bytes == 50 * 8 * 4 + 50 * 16 * 4 + 2 * 16 * 4


def test_while_an_error_stands_nothing_is_known(cnn: Graph) -> None:
    verdict = check(cnn)
    assert peak_memory(verdict) is None
    assert saved_bytes(verdict) is None
    assert optimiser_bytes(verdict, "adam") is None
    assert training_bytes(verdict, "sgd") is None


def test_saved_bytes_are_those_recorded(cases: Path) -> None:
    with (cases / "shapes.jsonl").open(encoding="utf-8") as lines:
        report = conform_saved(lines)
    assert report.differences == []
    assert report.agree >= 134
    assert report.uncovered == 0


def saved_by_torch(module: torch.nn.Module, x: torch.Tensor) -> int:
    """Bytes of the storages that autograd keeps, but for those of parameters."""
    own = {p.untyped_storage().data_ptr() for p in module.parameters()}
    kept: dict[int, torch.Tensor] = {}

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        return kept.setdefault(tensor.untyped_storage().data_ptr(), tensor)

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        module(x)
    return sum(t.untyped_storage().nbytes() for place, t in kept.items() if place not in own)


@pytest.mark.parametrize("seed", range(40))
def test_a_recurrent_layer_before_a_linear_one_keeps_what_torch_keeps(build: Build, seed: int) -> None:
    random = Random(seed)
    batch, length, width, hidden = (random.randint(1, most) for most in (6, 40, 300, 280))
    params = {"inputSize": width, "hiddenSize": hidden, "numLayers": random.randint(1, 3)}
    params |= {name: random.random() < 0.5 for name in ("batchFirst", "bidirectional", "bias")}
    shape = [batch, length, width]
    nodes = {
        "x": ("input", {"shape": shape, "batchAxis": None}),
        "read": ("lstm", params),
        "head": ("linear", {"outFeatures": 3}),
    }
    graph = build(nodes, ["x -> read", "read.output -> head"])
    verdict = check(graph)
    assert saved_bytes(verdict) == saved_by_torch(build_module(graph, verdict), torch.zeros(shape))


@pytest.mark.parametrize("arranged", [{"dim0": 0, "dim1": 1}, {"dim0": 1, "dim1": 2}])
@pytest.mark.parametrize("batch", [1, 4])
def test_a_linear_layer_keeps_a_copy_of_what_lies_in_another_order(
    build: Build, arranged: dict[str, int], batch: int
) -> None:
    nodes = {
        "x": ("input", {"shape": [batch, 5, 6], "batchAxis": None}),
        "relu": ("relu", {}),
        "turn": ("transpose", arranged),
        "head": ("linear", {"outFeatures": 3}),
    }
    graph = build(nodes, ["x -> relu", "relu -> turn", "turn -> head"])
    verdict = check(graph)
    x = torch.zeros(batch, 5, 6, requires_grad=True)
    assert saved_bytes(verdict) == saved_by_torch(build_module(graph, verdict), x)


def test_resnet_18_keeps_what_was_measured() -> None:
    model = next(m for m in MODELS if m.name == "resnet-18")
    assert saved_bytes(check(model.draw())) == 22_179_840


@pytest.mark.parametrize("name", ["lenet-5", "bst", "resnet-18"])
@pytest.mark.parametrize("optimiser", ["sgd", "momentum", "adam"])
def test_optimiser_state_is_what_torch_keeps(name: str, optimiser: str) -> None:
    graph = next(m for m in MODELS if m.name == name).draw()
    verdict = check(graph)
    module = build_module(graph, verdict)
    made = {
        "sgd": lambda p: torch.optim.SGD(p, lr=0.1),
        "momentum": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9),
        "adam": lambda p: torch.optim.Adam(p),
    }[optimiser](list(module.parameters()))
    for weight in module.parameters():
        weight.grad = torch.zeros_like(weight)
    made.step()
    tensors = [t for state in made.state.values() for t in state.values() if isinstance(t, torch.Tensor)]
    assert optimiser_bytes(verdict, optimiser) == sum(t.numel() * t.element_size() for t in tensors)
    assert parameter_tensors(verdict) == len(list(module.parameters()))
    assert buffer_bytes(verdict) == sum(b.numel() * b.element_size() for b in module.buffers())


def test_training_needs_weights_gradients_state_and_what_is_kept(build: Build) -> None:
    graph = chain(build, ("linear", {"outFeatures": 10}))
    weights = 4 * (100 * 10 + 10)
    assert training_bytes(check(graph), "sgd") == 2 * weights + X_BYTES
    assert training_bytes(check(graph), "momentum") == 3 * weights + X_BYTES
    assert training_bytes(check(graph), "adam") == 4 * weights + X_BYTES + 2 * 4


def test_an_unknown_optimiser_is_refused(build: Build) -> None:
    with pytest.raises(KeyError):
        optimiser_bytes(check(chain(build, ("relu", {}))), "rmsprop")
