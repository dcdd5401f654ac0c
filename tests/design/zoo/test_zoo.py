"""The known networks are what was published, and PyTorch agrees with every layer of the smaller ones."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
import torch

from archstudio.design.zoo import MODELS, Model
from archstudio.design.zoo.__main__ import rewrite
from archstudio.design.zoo.sketch import Sketch
from archstudio.files.data import data_path
from archstudio.graph import Graph, write_graph
from archstudio.layers import Severity
from archstudio.torchcode.judge import judge
from archstudio.torchcode.judgement import Judgement, differences
from archstudio.verify import check

BY_NAME = {model.name: model for model in MODELS}
TORCHVISION_GMACS = {
    "alexnet": 0.714,
    "vgg-16": 15.47,
    "resnet-18": 1.814,
    "resnet-50": 4.089,
    "mobilenet-v2": 0.301,
    "vit-b-16": 17.564,
}
"""`_ops` of the weights of torchvision 0.20."""
IN_PYTORCH = (
    *("lenet-5", "two-tower", "bst", "alexnet", "mobilenet-v2", "resnet-18", "resnet-50", "vgg-16", "vit-b-16"),
)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def agreed(graph: Graph) -> Judgement:
    """What PyTorch says of a graph that runs, after making sure that it ran every layer and agrees with the rules."""
    verdict = check(graph)
    assert verdict.runs
    judgement = judge(graph, verdict)
    assert all(judgement.nodes[n].value is not None for n in graph.node_ids)
    assert differences(verdict, judgement) == []
    return judgement


def with_params(graph: Graph, name: str, **params: object) -> None:
    graph.replace_node(graph.node(name).with_params(**params))


@pytest.mark.parametrize("model", MODELS, ids=lambda m: m.name)
def test_files_are_what_the_builders_draw(model: Model) -> None:
    shipped = data_path("fixtures", "zoo", f"{model.name}.arch.json").read_bytes()
    assert shipped == write_graph(model.draw()), "run `python -m archstudio.design.zoo`"


def test_rewriting_leaves_exactly_the_files_of_the_networks(tmp_path) -> None:
    (tmp_path / "gone.arch.json").write_text("{}")
    rewrite(tmp_path)
    assert {f.name for f in tmp_path.iterdir()} == {f"{name}.arch.json" for name in BY_NAME}


@pytest.mark.parametrize("model", MODELS, ids=lambda m: m.name)
def test_networks_run_and_count_what_was_published(model: Model) -> None:
    verdict = check(model.draw())
    assert [p for p in verdict.problems if p.severity is not Severity.ADVICE] == []
    assert verdict.parameters == model.parameters
    if model.macs is not None:
        assert verdict.macs == model.macs


@pytest.mark.parametrize(("name", "gmacs"), TORCHVISION_GMACS.items())
def test_macs_round_to_those_of_torchvision(name: str, gmacs: float) -> None:
    assert round((BY_NAME[name].macs or 0) / 1e9, 3) == gmacs


@pytest.mark.parametrize("model", MODELS, ids=lambda m: m.name)
def test_every_layer_but_the_ends_has_its_sizes_written(model: Model) -> None:
    """Arch-Bench's rubric grades the file as written, so nothing may be left to inference."""
    graph = model.draw()
    assert all(not known.inferred for known in check(graph).nodes.values())


def test_frames_hold_every_layer_at_most_once() -> None:
    for model in MODELS:
        framed = [node for frame in model.draw().frames.values() for node in frame.nodes]
        assert len(framed) == len(set(framed))


def test_a_sketch_that_pytorch_would_refuse_is_not_finished() -> None:
    net = Sketch("wrong")
    net.add("linear", "head", net.input("x", (1, 8)), inFeatures=9, outFeatures=2)
    with pytest.raises(ValueError, match="wrong: head expects 9 features"):
        net.finished()


@pytest.mark.parametrize("name", IN_PYTORCH)
def test_pytorch_agrees_with_every_layer(name: str) -> None:
    assert agreed(BY_NAME[name].draw()).parameters == BY_NAME[name].parameters


@pytest.mark.parametrize("name", ["gpt-2-small", "bert-base"])
def test_pytorch_agrees_with_transformers_over_a_few_tokens(name: str) -> None:
    graph = BY_NAME[name].draw()
    graph.set_meta("sequence", 16)
    assert agreed(graph).parameters == BY_NAME[name].parameters


def test_pytorch_agrees_with_u_net_over_the_smallest_image_it_takes() -> None:
    graph = BY_NAME["u-net"].draw()
    with_params(graph, "image", shape=[1, 1, 188, 188])
    assert agreed(graph).parameters == BY_NAME["u-net"].parameters


def test_pytorch_agrees_with_dlrm_over_short_tables() -> None:
    graph = BY_NAME["dlrm"].draw()
    for k in range(1, 27):
        rows = graph.node(f"table{k}").params["numEmbeddings"]
        with_params(graph, f"table{k}", numEmbeddings=min(rows, 1000))
    agreed(graph)


@pytest.mark.parametrize("name", ["llama-2-7b", "llama-3-8b", "qwen3-4b", "mixtral-8x7b", "deepseek-v2-lite"])
def test_pytorch_agrees_with_two_narrow_blocks_of_a_large_decoder(name: str) -> None:
    graph = narrowed(BY_NAME[name].draw())
    graph.set_meta("sequence", 5)
    agreed(graph)


def narrowed(graph: Graph) -> Graph:
    """Two blocks of a decoder, 64 wide, with heads of 16; sizes that follow the wire are left to do so."""
    small = {"embeddingDim": 64, "numEmbeddings": 100, "vocabSize": 100, "ffDim": 96, "hiddenDim": 32, "headDim": 16}
    blocks = max(int(n.removeprefix("b").split("_")[0]) for n in graph.node_ids if n.endswith("_add2"))
    last = graph.outgoing(f"b{blocks}_add2")[0]
    graph.remove_connection(last.id)
    for name in [n for n in graph.node_ids if n[0] == "b" and int(n[1:].split("_")[0]) > 2]:
        for wire in [*graph.incoming(name), *graph.outgoing(name)]:
            if graph.has_connection(wire.id):
                graph.remove_connection(wire.id)
        graph.remove_node(name)
    graph.insert_connection(replace(last, source="b2_add2"))
    for node in list(graph.nodes):
        kept = {k: v for k, v in node.params.items() if k not in node.inferred}
        changed = {k: small[k] for k in kept if k in small}
        graph.replace_node(replace(node, params={**kept, **changed}))
    return graph
