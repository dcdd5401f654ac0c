"""Exported files are PyTorch programs of their own, and do what the studio says of their graphs."""

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
import torch

from archstudio.app.zoo import zoo_bytes, zoo_graph
from archstudio.graph import Connection, Graph, Node
from archstudio.layers import Layer, Wire, entries
from archstudio.torchcode.running import quietly
from archstudio.torchcode.source import source_of
from archstudio.torchcode.specs import io_specs
from archstudio.torchcode.tensors import random_tensor
from archstudio.verify import Verdict, check

Run = Callable[..., Any]
SMALL = ("lenet-5", "alexnet", "resnet-18", "resnet-50", "mobilenet-v2", "vit-b-16", "two-tower", "bst")
TOKENS = ("gpt-2-small", "bert-base")
ALONE = frozenset({"input", "output", "sharedModule", "tiedLinear", "bceLoss"})
"""Types that only make sense beside others, or with numbers that most layers do not give."""


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def loaded(source: str, folder: Path) -> ModuleType:
    """The exported text as a module, imported from a file as a person would."""
    file = folder / "exported.py"
    file.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("exported", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def assert_it_does_what_the_studio_says(graph: Graph, folder: Path) -> None:
    verdict = check(graph)
    source = source_of(graph, verdict)
    assert "archstudio" not in source
    with quietly():
        model = loaded(source, folder).build_model().train(graph.meta.get("mode") == "train")
        inputs, outputs = io_specs(graph, verdict)
        given = [random_tensor(Wire.of(spec.shape, spec.dtype), (spec.max_index or 0) + 1) for spec in inputs]
        returned = model(*given)
    tensors = [returned] if isinstance(returned, torch.Tensor) else list(returned)
    assert [tuple(t.shape) for t in tensors] == [spec.shape for spec in outputs]
    assert sum(p.numel() for p in model.parameters()) == verdict.parameters
    assert sum(b.numel() for b in model.buffers()) == verdict.buffers


@pytest.mark.parametrize("name", SMALL)
def test_the_file_of_a_known_network_gives_its_shapes_and_parameters(name: str, tmp_path: Path) -> None:
    assert_it_does_what_the_studio_says(zoo_graph(name), tmp_path)


@pytest.mark.parametrize("name", TOKENS)
def test_the_file_of_a_language_model_reads_a_few_tokens(name: str, tmp_path: Path) -> None:
    graph = zoo_graph(name)
    graph.set_meta("sequence", 8)
    assert_it_does_what_the_studio_says(graph, tmp_path)


@pytest.mark.parametrize("seed", range(100))
def test_the_file_of_a_random_graph_gives_its_shapes_and_parameters(seed: int, tmp_path: Path) -> None:
    graph = grown(Random(seed))
    assert len(graph) >= 4
    assert_it_does_what_the_studio_says(graph, tmp_path)


def test_an_axis_of_a_scalar_cannot_be_rolled() -> None:
    """Found by a random graph: the rules let it pass, PyTorch raised IndexError in forward."""
    graph = Graph()
    graph.insert_node(Node("x", "input", "x", {"shape": [], "batchAxis": None}))
    graph.insert_node(Node("r", "roll", "r", {"shifts": [1], "dims": [0]}))
    graph.insert_connection(Connection("c", "x", "r"))
    assert check(graph).errors
    graph.replace_node(Node("r", "roll", "r", {"shifts": [1]}))
    assert check(graph).runs
    assert torch.tensor(1.0).roll(1).shape == ()


def grown(random: Random) -> Graph:
    """Up to eight random layers that fit, each reading nodes before it."""
    graph = Graph("random")
    graph.meta["mode"] = random.choice(("train", "eval"))
    shapes = ([2, random.randint(1, 4), 8, 6], [3, random.randint(2, 5), 6], [4, random.randint(2, 8)])
    graph.insert_node(Node("x", "input", "x", {"shape": random.choice(shapes)}))
    types = [entry for entry in entries() if entry.type not in ALONE]
    verdict = check(graph)
    for _ in range(300):
        if len(graph) == 9:
            break
        added = _add(graph, verdict, random, random.choice(types))
        verdict = check(graph)
        if verdict.errors:
            for wire in graph.incoming(added):
                graph.remove_connection(wire.id)
            graph.remove_node(added)
            verdict = check(graph)
    return graph


def _add(graph: Graph, verdict: Verdict, random: Random, entry: type[Layer]) -> str:
    """A layer with random parameters, its sizes left to its wires, which come from the latest nodes."""
    example, before = entry.example(random), list(graph.nodes)
    follow = {key for field in entry.fields.values() if field.inferred for key in field.keys}
    name = f"n{len(before)}"
    graph.insert_node(Node(name, entry.type, name, {k: v for k, v in example.params.items() if k not in follow}))
    for k in range(len(example.inputs)):
        source = random.choice(before[-2:]).id
        known = verdict.nodes[source]
        port = None
        if isinstance(known.value, tuple) and known.layer is not None:
            port = random.choice(list(known.layer.output_names()))
        graph.insert_connection(Connection(f"{name}.{k}", source, name, port))
    return name


def test_export_prints_or_writes_the_same_file(archstudio: Run, tmp_path: Path) -> None:
    graph, out = tmp_path / "lenet.arch.json", tmp_path / "lenet.py"
    graph.write_bytes(zoo_bytes("lenet-5"))
    printed = archstudio("export", graph, "--to", "torch")
    assert printed.code == 0
    assert "class Model(nn.Module):" in printed.out
    assert archstudio("export", graph, "--to", "torch", "--out", out).code == 0
    assert out.read_text(encoding="utf-8") == printed.out
    assert loaded(printed.out, tmp_path).build_model()(torch.zeros(1, 1, 32, 32)).shape == (1, 10)


def test_a_graph_with_errors_is_not_exported(archstudio: Run, tiny_cnn: Path, tmp_path: Path) -> None:
    out = tmp_path / "model.py"
    ran = archstudio("export", tiny_cnn, "--out", out)
    assert ran.code == 1
    assert ran.err.count("\n") == 1
    assert "PyTorch would refuse this network" in ran.err
    assert not out.exists()


def test_an_unknown_target_is_told_with_those_there_are(archstudio: Run, tiny_cnn: Path) -> None:
    ran = archstudio("export", tiny_cnn, "--to", "caffe")
    assert ran.code == 2
    assert "torch" in ran.err
