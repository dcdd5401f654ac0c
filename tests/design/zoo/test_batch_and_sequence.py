"""Other batch sizes and lengths give the numbers of PyTorch, and those of a graph written that way from the start."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from archstudio.design.zoo import MODELS, Model
from archstudio.graph import Graph
from archstudio.layers.dim import terms_of
from archstudio.layers.wire import shapes_of
from archstudio.torchcode.build import build
from archstudio.torchcode.judge import judge
from archstudio.torchcode.judgement import differences
from archstudio.torchcode.running import quietly
from archstudio.torchcode.specs import io_specs
from archstudio.torchcode.tensors import torch_dtypes
from archstudio.verify import Session, Verdict, check

BY_NAME = {model.name: model for model in MODELS}
WITH_TOKENS = [m for m in MODELS if any("sequenceAxis" in n.params for n in m.draw().nodes)]
SMALL = ("lenet-5", "mobilenet-v2", "resnet-18", "two-tower", "bst")


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def written(graph: Graph, batch: int, length: int | None = None) -> Graph:
    """The graph with the sizes written into its inputs."""
    for node in list(graph.nodes):
        if node.type == "input":
            shape = [batch, *node.params["shape"][1:]]
            if length is not None and "sequenceAxis" in node.params:
                shape[node.params["sequenceAxis"]] = length
            graph.replace_node(replace(node, params={**node.params, "shape": shape}))
    return graph


def facts(verdict: Verdict) -> tuple[object, ...]:
    shapes = {n: shapes_of(known.value) for n, known in verdict.nodes.items() if known.value is not None}
    return shapes, verdict.parameters, verdict.buffers, verdict.macs


def evaluated(verdict: Verdict, batch: int, length: int) -> int:
    """The sum of the layers' polynomials in B and T, at other values than those they were made with."""
    total = 0
    for known in verdict.nodes.values():
        terms = terms_of(known.macs or 0)
        assert terms is not None
        total += sum(c * batch**b * length**t for (b, t), c in terms)
    return total


@pytest.mark.parametrize("model", MODELS, ids=lambda m: m.name)
@pytest.mark.parametrize("batch", [1, 7])
def test_a_chosen_batch_is_as_good_as_a_written_one(model: Model, batch: int) -> None:
    chosen = model.draw()
    chosen.set_meta("batch", batch)
    assert facts(check(chosen)) == facts(check(written(model.draw(), batch)))


@pytest.mark.parametrize("model", WITH_TOKENS, ids=lambda m: m.name)
@pytest.mark.parametrize("length", [1, 33])
def test_a_chosen_length_is_as_good_as_a_written_one(model: Model, length: int) -> None:
    chosen = model.draw()
    chosen.set_meta("batch", 3)
    chosen.set_meta("sequence", length)
    assert facts(check(chosen)) == facts(check(written(model.draw(), 3, length)))


@pytest.mark.parametrize("model", MODELS, ids=lambda m: m.name)
def test_macs_grow_with_the_batch_and_parameters_do_not(model: Model) -> None:
    graph = model.draw()
    session = Session(graph)
    graph.set_meta("batch", 1)
    once = session.verdict()
    graph.set_meta("batch", 5)
    five = session.verdict()
    assert five.macs == 5 * (once.macs or 0)
    assert five.parameters == once.parameters == model.parameters


@pytest.mark.parametrize("model", WITH_TOKENS, ids=lambda m: m.name)
def test_polynomials_foretell_the_macs_of_other_sizes(model: Model) -> None:
    graph = model.draw()
    before = check(graph)
    graph.set_meta("batch", 2)
    graph.set_meta("sequence", 77)
    assert check(graph).macs == evaluated(before, 2, 77)


@pytest.mark.parametrize("model", WITH_TOKENS, ids=lambda m: m.name)
def test_a_session_comes_back_to_what_it_said_before(model: Model) -> None:
    graph = model.draw()
    session = Session(graph)
    before = facts(session.verdict())
    graph.set_meta("sequence", 5)
    assert facts(session.verdict()) != before
    graph.set_meta("sequence", None)
    assert facts(session.verdict()) == before


@pytest.mark.parametrize("name", ["gpt-2-small", "bert-base"])
def test_more_positions_than_the_table_has_are_refused(name: str) -> None:
    graph = BY_NAME[name].draw()
    graph.set_meta("sequence", 1025)
    first = check(graph).first_error
    assert first is not None
    assert first.node == "positions"


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("batch", [1, 3])
def test_pytorch_agrees_at_other_batch_sizes(name: str, batch: int) -> None:
    graph = BY_NAME[name].draw()
    graph.set_meta("batch", batch)
    verdict = check(graph)
    assert verdict.runs
    assert differences(verdict, judge(graph, verdict)) == []


@pytest.mark.parametrize(("batch", "length"), [(1, 1), (1, 9), (3, 1), (2, 7)])
@pytest.mark.parametrize("name", ["gpt-2-small", "bert-base"])
def test_pytorch_agrees_at_other_lengths(name: str, batch: int, length: int) -> None:
    graph = BY_NAME[name].draw()
    graph.set_meta("batch", batch)
    graph.set_meta("sequence", length)
    verdict = check(graph)
    assert verdict.runs
    assert differences(verdict, judge(graph, verdict)) == []


@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize(
    "name", ["lenet-5", "resnet-18", "mobilenet-v2", "vit-b-16", "bst", "gpt-2-small", "bert-base"]
)
def test_macs_are_half_of_the_operations_that_pytorch_counts(name: str, batch: int) -> None:
    graph = BY_NAME[name].draw()
    graph.set_meta("batch", batch)
    graph.set_meta("sequence", 9)
    verdict = check(graph)
    inputs, _ = io_specs(graph, verdict)
    with quietly(), torch.device("meta"), FlopCounterMode(display=False) as counter:
        build(graph, verdict)(*(torch.zeros(spec.shape, dtype=torch_dtypes()[spec.dtype]) for spec in inputs))
    assert counter.get_total_flops() == 2 * (verdict.macs or 0)
