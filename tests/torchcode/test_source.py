"""A graph exports as one readable file that needs nothing but torch and does what the verdict says."""

import ast
from typing import Any

import pytest
import torch

from archstudio.graph import Graph, from_document, to_document
from archstudio.layers import Wire
from archstudio.torchcode.build import build, module_from
from archstudio.torchcode.program import GraphHasErrors
from archstudio.torchcode.source import source_of
from archstudio.verify import check


def written(graph: Graph) -> str:
    return source_of(graph, check(graph))


def test_a_small_network_reads_like_one_written_by_hand(cnn: Graph) -> None:
    assert "Model" in written(cnn)
    body = written(cnn).split("class Model(nn.Module):")[1].split("def build_model")[0]
    assert (
        body.rstrip()
        == '''
    """Takes image (B, 3, 16, 16); gives (B, 10)."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.act = nn.ReLU()
        self.pool = GlobalAvgPool2d()
        self.head = nn.Linear(8, 10)

    def forward(self, image: Tensor) -> Tensor:
        conv = self.conv(image)  # (B, 8, 16, 16)
        act = self.act(conv)  # (B, 8, 16, 16)
        pool = self.pool(act)  # (B, 8)
        head = self.head(pool)  # (B, 10)
        return head'''
    )


def test_the_file_runs_without_archstudio_and_gives_what_the_verdict_says(cnn: Graph) -> None:
    source = written(cnn)
    assert "archstudio" not in source
    model = module_from(source)
    assert model(torch.randn(2, 3, 16, 16)).shape == (2, 10)
    assert sum(p.numel() for p in model.parameters()) == check(cnn).parameters


def test_only_the_imports_that_are_used_are_written(graph: Any) -> None:
    plain = graph({"x": ("input", {"shape": [2, 4]}), "fc": ("linear", {"outFeatures": 3})})
    assert "import torch\n" not in written(plain)
    assert "from torch import Tensor, nn" in written(plain)


def test_a_block_brings_the_blocks_it_uses_along(graph: Any) -> None:
    net = graph({"x": ("input", {"shape": [2, 5, 8]}), "block": ("preNormBlock", {"numHeads": 2})})
    source = written(net)
    places = [source.index(f"class {name}(") for name in ("GroupedQueryAttention", "MLP", "PreNormBlock", "Model")]
    assert places == sorted(places)
    assert "class WindowAttention" not in source
    assert module_from(source)(torch.randn(2, 5, 8)).shape == (2, 5, 8)


def test_several_inputs_and_outputs_keep_the_order_of_the_file(graph: Any) -> None:
    net = graph(
        {
            "b": ("input", {"shape": [2, 4]}),
            "a": ("input", {"shape": [2, 5]}),
            "join": ("concatenate", {}),
            "long": ("output", {}),
            "short": ("output", {}),
        },
        *("b -> join", "a -> join", "join -> long", "a -> short"),
    )
    assert "def forward(self, b: Tensor, a: Tensor) -> tuple[Tensor, Tensor]:" in written(net)
    long, short = build(net, check(net))(torch.randn(2, 4), torch.randn(2, 5))
    assert (long.shape, short.shape) == ((2, 9), (2, 5))


def test_without_output_nodes_what_leads_nowhere_is_returned_tensor_by_tensor(graph: Any) -> None:
    net = graph({"x": ("input", {"shape": [2, 5, 4]}), "lstm": ("lstm", {"hiddenSize": 3})})
    assert "return lstm[0], lstm[1][0], lstm[1][1]" in written(net)
    shapes = [tuple(t.shape) for t in build(net, check(net))(torch.randn(2, 5, 4))]
    assert shapes == [(2, 5, 3), (1, 2, 3), (1, 2, 3)]


def test_a_wire_takes_the_output_it_names(graph: Any) -> None:
    net = graph(
        {"x": ("input", {"shape": [2, 5, 4]}), "lstm": ("lstm", {"hiddenSize": 3}), "out": ("output", {})},
        *("x -> lstm", "lstm.c_n -> out"),
    )
    assert "return lstm[1][1]" in written(net)


def test_a_wire_feeds_the_input_it_names(graph: Any) -> None:
    net = graph(
        {
            "memory": ("input", {"shape": [2, 7, 8]}),
            "x": ("input", {"shape": [2, 5, 8]}),
            "attend": ("crossAttention", {"embedDim": 8}),
        },
        *("memory -> attend.key", "x -> attend.query"),
    )
    assert "self.attend(x, memory, memory" in written(net)


def test_shared_weights_are_made_once(graph: Any) -> None:
    net = graph(
        {
            "left": ("input", {"shape": [2, 4]}),
            "right": ("input", {"shape": [2, 4]}),
            "again": ("sharedModule", {"node": "tower"}),
            "tower": ("linear", {"outFeatures": 3}),
            "both": ("concatenate", {}),
        },
        *("left -> tower", "right -> again", "tower -> both", "again -> both"),
    )
    assert "again = self.tower(right)  # (B, 3)" in written(net)
    model = build(net, check(net))
    assert sum(p.numel() for p in model.parameters()) == check(net).parameters == 15
    x = torch.randn(2, 4)
    left, right = model(x, x).chunk(2, dim=1)
    assert torch.equal(left, right)


def test_a_tied_head_multiplies_by_the_table_of_the_embedding(graph: Any) -> None:
    net = graph(
        {
            "tokens": ("input", {"shape": [2, 5]}),
            "table": ("embedding", {"numEmbeddings": 11, "embeddingDim": 4}),
            "head": ("tiedLinear", {"node": "table"}),
        }
    )
    assert "head = F.linear(table, self.table.weight)" in written(net)
    assert build(net, check(net))(torch.zeros(2, 5, dtype=torch.long)).shape == (2, 5, 11)


def test_a_bypassed_layer_is_not_made_and_passes_its_input_on(cnn: Graph) -> None:
    document = to_document(cnn)
    document["components"][2]["meta"] = {"bypass": True}
    source = written(from_document(document))
    assert "act = conv  # (B, 8, 16, 16), bypassed" in source
    assert "nn.ReLU" not in source


def test_what_reads_an_output_node_reads_what_it_passes_on(graph: Any) -> None:
    net = graph(
        {
            "x": ("input", {"shape": [2, 4]}),
            "fc": ("linear", {"outFeatures": 3}),
            "features": ("output", {}),
            "head": ("linear", {"outFeatures": 2}),
            "scores": ("output", {}),
        }
    )
    features, scores = build(net, check(net))(torch.randn(2, 4))
    assert (features.shape, scores.shape) == ((2, 3), (2, 2))


HOSTILE = (
    "x\n    import os",
    '"""',
    "'); raise SystemExit; ('",
    "forward",
    "train",
    "self",
    "class",
    "torch",
    "π",
    "１",
    "",
)


@pytest.mark.parametrize("name", [n for n in HOSTILE if n])
def test_a_name_cannot_break_out_of_its_place(cnn: Graph, name: str) -> None:
    document = to_document(cnn)
    document["name"] = name
    for component in document["components"]:
        component["name"] = name + component["id"] if component["id"] != "conv" else name
    document["notes"] = [{"id": "note", "text": name}]
    renamed = from_document(document)
    source = written(renamed)
    model = module_from(source)
    assert model(torch.randn(2, 3, 16, 16)).shape == (2, 10)
    assert model.training
    kinds = [type(statement) for statement in ast.parse(source).body]
    assert kinds == [type(statement) for statement in ast.parse(written(cnn)).body]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_parameter_stays_a_text(graph: Any, text: str) -> None:
    net = graph({"x": ("input", {"shape": [2, 4]}), "sum": ("einsum", {"equation": text})})
    source = source_of(net, check(net), even_if_wrong=True)
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant) and node.value == text]
    assert calls or "NotImplementedError" in source


def test_a_wrong_graph_is_refused_with_its_problems(graph: Any) -> None:
    net = graph({"x": ("input", {"shape": [2, 4]}), "fc": ("linear", {"inFeatures": 5, "outFeatures": 3})})
    with pytest.raises(GraphHasErrors, match="fc expects 5 features, the wire carries 4") as caught:
        written(net)
    assert [p.node for p in caught.value.problems] == ["fc"]


def test_a_wrong_graph_fails_as_pytorch_does_if_it_is_written_anyway(graph: Any) -> None:
    net = graph({"x": ("input", {"shape": [2, 4]}), "fc": ("linear", {"inFeatures": 5, "outFeatures": 3})})
    model = module_from(source_of(net, check(net), even_if_wrong=True))
    with pytest.raises(RuntimeError, match="shapes cannot be multiplied"):
        model(torch.randn(2, 4))


def test_a_graph_without_layers_is_refused(graph: Any) -> None:
    with pytest.raises(GraphHasErrors, match="returns nothing"):
        written(graph({}))


def test_the_same_graph_is_written_the_same(cnn: Graph) -> None:
    assert written(cnn) == written(from_document(to_document(cnn)))


def test_the_value_of_every_layer_stands_behind_its_line(cnn: Graph) -> None:
    value = check(cnn).nodes["conv"].value
    assert isinstance(value, Wire)
    assert f"# ({', '.join(['B', *map(str, value.shape[1:])])})" in written(cnn)


@pytest.mark.parametrize(("kind", "result"), [("add", 1503.0), ("multiply", 3.0)])
def test_a_merge_of_more_wires_than_python_nests_signs_still_runs(graph: Any, kind: str, result: float) -> None:
    ones = [f"r{k}" for k in range(1500)]
    nodes = {"x": ("input", {"shape": [1]}), "y": ("input", {"shape": [1]}), **dict.fromkeys(ones, ("relu", {}))}
    wires = [*(f"x -> {r}" for r in ones), "y -> all", *(f"{r} -> all" for r in ones), "all -> out"]
    model = module_from(written(graph({**nodes, "all": (kind, {}), "out": ("output", {})}, *wires)))
    assert model(torch.ones(1), torch.tensor([3.0])).tolist() == [result]
