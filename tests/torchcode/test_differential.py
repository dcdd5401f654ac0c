"""What the rules say of random layers and random graphs is what PyTorch does."""

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
import torch

from archstudio.graph import Connection, Graph, Node
from archstudio.layers import Layer, Wire, entries
from archstudio.torchcode.build import build
from archstudio.torchcode.judge import judge
from archstudio.torchcode.judgement import differences
from archstudio.torchcode.running import quietly
from archstudio.torchcode.single import WITHOUT_EXAMPLE, Trial, flops_of_example, trials
from archstudio.torchcode.specs import io_specs
from archstudio.torchcode.tensors import random_tensor, torch_dtypes
from archstudio.verify import check

SEED = 20_260
TRIALS = 2_000
NOT_COUNTED = frozenset({"bilinear"})
"""Layers whose products PyTorch's counter does not know at all."""
DATA_DEPENDENT = frozenset({"mixtureOfExperts", "moeLayer", "sharedExpertMoE"})
"""Layers that look at numbers while they run, so that the meta device cannot run them."""

NEEDS_PROBABILITIES = frozenset({"bceLoss"})
"""Layers that refuse numbers outside 0..1, which most layers before them give."""


def random_graph(random: Random, size: int, wrong: float = 0.02) -> Graph:
    """A graph that grows from two inputs; of the layers that do not fit, a share of `wrong` stays."""
    graph = Graph("random")
    graph.meta["mode"] = random.choice(("train", "eval"))
    image = [random.randint(2, 3), random.randint(1, 4), random.randint(3, 8), random.randint(3, 8)]
    graph.insert_node(Node("n0", "input", "n0", {"shape": image}))
    graph.insert_node(Node("n1", "input", "n1", {"shape": [image[0], random.randint(2, 5), random.randint(2, 6)]}))
    types = [entry for entry in entries() if entry.type not in WITHOUT_EXAMPLE | NEEDS_PROBABILITIES]
    for _ in range(400):
        if len(graph) < size:
            _grow(graph, random, random.choice(types), wrong)
    return graph


def _grow(graph: Graph, random: Random, entry: type[Layer], wrong: float) -> None:
    """Add a layer of a type with random parameters, whose sizes follow its wires, or leave the graph as it was."""
    follow = {key for field in entry.fields.values() if field.inferred for key in field.keys}
    example = entry.example(random)
    before, verdict = list(graph.nodes), check(graph)
    name = f"n{len(before)}"
    params = {key: value for key, value in example.params.items() if key not in follow}
    graph.insert_node(Node(name, entry.type, name, params))
    for k in range(len(example.inputs)):
        source = random.choice(before).id
        layer, value = verdict.nodes[source].layer, verdict.nodes[source].value
        port = random.choice(list(layer.output_names())) if isinstance(value, tuple) and layer else None
        graph.insert_connection(Connection(f"{name}.{k}", source, name, port))
    if check(graph).errors and random.random() >= wrong:
        for connection in graph.incoming(name):
            graph.remove_connection(connection.id)
        graph.remove_node(name)


@pytest.fixture(scope="module")
def tried() -> list[Trial]:
    return list(trials(TRIALS, SEED))


def test_every_entry_makes_examples() -> None:
    for entry in entries():
        if entry.type not in WITHOUT_EXAMPLE:
            assert entry.example(Random(0)).inputs is not None


def test_random_layers_do_what_the_rules_say(tried: list[Trial]) -> None:
    assert said(tried) == []


@pytest.mark.long
def test_many_random_layers_do_what_the_rules_say() -> None:
    assert said(trials(20_000, SEED + 1)) == []


@pytest.mark.long
def test_layers_twisted_at_an_edge_differ_once_in_a_thousand_at_most() -> None:
    assert len(said(trials(20_000, SEED + 2, at_edges=True))) <= 20


def test_few_differences_are_allowed(tried: list[Trial]) -> None:
    assert sum(t.allowed is not None for t in tried) <= 0.002 * TRIALS


def said(tried: Iterable[Trial]) -> list[str]:
    """The differences, as sentences."""
    return [f"{t.entry.type}: {'; '.join(t.differences)} for {t.example}" for t in tried if t.differences]


def test_the_trials_try_every_entry_both_ways(tried: list[Trial]) -> None:
    count = Counter(t.entry.type for t in tried)
    assert set(count) == {entry.type for entry in entries()} - WITHOUT_EXAMPLE
    assert min(count.values()) >= 5
    refused = sum(t.ours.refused is not None for t in tried)
    assert 0.1 * TRIALS < refused < 0.5 * TRIALS


def test_multiply_accumulates_are_half_of_the_operations_that_pytorch_counts(tried: list[Trial]) -> None:
    compared = 0
    for t in tried:
        layer, macs = t.ours.layer, t.ours.macs
        if t.ours.value is None or layer is None or t.entry.type in NOT_COUNTED | DATA_DEPENDENT:
            continue
        if not macs or (t.entry.type == "matmul" and 1 in [len(w.shape) for w in t.example.inputs]):  # type: ignore[union-attr]
            continue
        compared += 1
        assert flops_of_example(layer, t.example) == 2 * macs, (t.entry.type, t.example)
    assert compared > 100


@pytest.mark.parametrize("seed", range(60))
def test_random_graphs_do_what_the_rules_say(seed: int) -> None:
    graph = random_graph(Random(seed), size=8)
    verdict = check(graph)
    judgement = judge(graph, verdict)
    assert set(judgement.nodes) == set(graph.node_ids)
    assert differences(verdict, judgement) == []


@pytest.mark.parametrize("seed", range(100, 140))
def test_the_exported_file_of_a_random_graph_gives_what_its_specs_say(seed: int) -> None:
    graph = random_graph(Random(seed), size=6, wrong=0)
    verdict = check(graph)
    inputs, outputs = io_specs(graph, verdict)
    with quietly():
        model = build(graph, verdict).train(graph.meta["mode"] == "train")
        given = [random_tensor(Wire.of(spec.shape, spec.dtype), (spec.max_index or 0) + 1) for spec in inputs]
        returned = model(*given)
    tensors = [returned] if isinstance(returned, torch.Tensor) else list(returned)
    assert [tuple(t.shape) for t in tensors] == [spec.shape for spec in outputs]
    assert [t.dtype for t in tensors] == [torch_dtypes()[spec.dtype] for spec in outputs]


def test_a_rule_that_is_wrong_is_found(monkeypatch: pytest.MonkeyPatch, cnn: Any) -> None:
    from archstudio.layers.families.conv import Conv2d

    judgement = judge(cnn)
    right = Conv2d.forward
    monkeypatch.setattr(Conv2d, "forward", lambda self, x: right(self, x).with_axis(-1, 17))
    assert any("shape (2, 8, 16, 17) by the rules" in text for text in differences(check(cnn), judgement))
