"""Every fix that is offered was tried: applied, it helps; taken back, nothing is left of it."""

from __future__ import annotations

from itertools import pairwise

import pytest

from archstudio.design import remedies
from archstudio.design.fixes import MOST, Fix, fixes_for
from archstudio.design.site import PROPOSERS
from archstudio.graph import Connection, Graph, Node, write_graph
from archstudio.layers import Severity, entries
from archstudio.layers.problem import KINDS
from archstudio.torchcode.judge import judge
from archstudio.verify import check


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> None:
    import torch

    torch.set_num_threads(1)


WITHOUT_REMEDY = {"E-ADJACENCY", "E-EINSUM", "E-EINSUM-SIZE", "E-GRID", "E-TOO-LARGE"}
"""What only a person can answer: which edges, an equation, a grid of coordinates, or which absurd size was meant."""


def node(name: str, type_: str, **params: object) -> Node:
    return Node(name, type_, name, params)


def wired(nodes: list[Node], wires: list[tuple[str, str]]) -> Graph:
    graph = Graph()
    for each in nodes:
        graph.insert_node(each)
    for k, (a, b) in enumerate(wires):
        graph.insert_connection(Connection(f"c{k}", a, b))
    return graph


def chain(*nodes: Node) -> Graph:
    return wired(list(nodes), [(a.id, b.id) for a, b in pairwise(nodes)])


def image(*shape: int) -> Node:
    return node("image", "input", shape=list(shape))


def tiny_cnn() -> Graph:
    return chain(
        image(1, 3, 32, 32),
        node("conv1", "conv2d", inChannels=3, outChannels=16, kernelSize=3),
        node("act1", "relu"),
        node("head", "linear", inFeatures=16, outFeatures=10),
        node("out", "output"),
    )


def attention_in(heads: int, width: int = 100) -> Graph:
    return chain(
        node("tokens", "input", shape=[1, 128]),
        node("emb", "embedding", numEmbeddings=30000, embeddingDim=100),
        node("attn", "multiHeadAttention", embedDim=width, numHeads=heads),
        node("head", "linear", inFeatures=width, outFeatures=2),
        node("out", "output"),
    )


def residual(**shortcut: int) -> Graph:
    """A residual sum whose long way is a convolution."""
    params = {"inChannels": 64, "kernelSize": 3, "padding": 1, **shortcut}
    return wired(
        [image(1, 64, 32, 32), node("conv", "conv2d", **params), node("sum", "add"), node("out", "output")],
        [("image", "conv"), ("image", "sum"), ("conv", "sum"), ("sum", "out")],
    )


def fixes_of(graph: Graph, code: str) -> list[Fix]:
    verdict = check(graph)
    problem = next(p for p in verdict.problems if p.kind.code == code)
    return fixes_for(graph, problem, verdict)


def test_a_forgotten_flatten_has_three_ways_out():
    graph = tiny_cnn()
    (problem,) = check(graph).errors
    assert (problem.facts["needs"], problem.facts["gets"]) == (16, 30)
    fixes = {fix.label: fix for fix in fixes_of(graph, "E-LINEAR-IN")}
    assert {"Flatten, inFeatures 14,400", "Global average pool", "inFeatures 30"} <= set(fixes)
    assert fixes["Flatten, inFeatures 14,400"].preview.d_parameters == (14_400 - 16) * 10
    assert fixes["Flatten, inFeatures 14,400"].preview.shape == "B×10"
    assert fixes["Global average pool"].preview.d_parameters == 0
    assert fixes["inFeatures 30"].preview.d_parameters == 140
    for label, features in (("Flatten, inFeatures 14,400", 14_400), ("Global average pool", 16), ("inFeatures 30", 30)):
        inverse = fixes[label].edit.apply(graph)
        assert graph.node("head").params["inFeatures"] == features
        assert check(graph).runs
        assert judge(graph).first_error is None
        inverse.apply(graph)


def test_a_size_that_a_fix_reads_off_the_wire_follows_it_from_then_on():
    graph = tiny_cnn()
    fix = next(f for f in fixes_of(graph, "E-LINEAR-IN") if f.label.startswith("Flatten"))
    fix.edit.apply(graph)
    assert graph.node("head").inferred == ("inFeatures",)


def test_heads_near_seven_that_divide_a_hundred_come_first():
    graph = attention_in(7)
    first, second = fixes_of(graph, "E-HEADS")[:2]
    assert (first.label, second.label) == ("Use 5 heads", "Use 10 heads")
    for fix in (first, second):
        inverse = fix.edit.apply(graph)
        assert check(graph).runs
        assert judge(graph).first_error is None
        inverse.apply(graph)


def test_another_width_takes_what_feeds_and_reads_it_along():
    graph = attention_in(7)
    fix = next(f for f in fixes_of(graph, "E-HEADS") if f.label == "Width 98")
    fix.edit.apply(graph)
    assert check(graph).runs
    assert graph.node("emb").params["embeddingDim"] == 98
    assert graph.node("head").params["inFeatures"] == 98


@pytest.mark.parametrize(
    ("graph", "code", "expected"),
    [
        (
            wired(
                [
                    node("values", "input", shape=[2, 5]),
                    node("places", "input", shape=[2, 9], dtype="int64"),
                    node("pick", "gather", dim=0),
                ],
                [("values", "pick"), ("places", "pick")],
            ),
            "E-GATHER",
            "dim -1",
        ),
        (attention_in(8, 128), "E-ATTN-IN", "embeddingDim 128 at emb"),
        (attention_in(8, 128), "E-ATTN-IN", "embedDim 100 with 10 heads"),
        (
            chain(image(1, 32, 32, 3), node("conv1", "conv2d", inChannels=3, outChannels=8, kernelSize=3)),
            "E-CHANNELS-LAST",
            "Permute (0, 3, 1, 2)",
        ),
        (residual(outChannels=128), "E-BROADCAST", "1×1 convolution 64→128 after image"),
        (residual(outChannels=128, stride=2), "E-BROADCAST", "1×1 convolution 64→128 after image, stride 2"),
        (residual(outChannels=64, padding=0), "E-BROADCAST", "Pad conv to 32×32"),
        (residual(outChannels=64, padding=0), "E-BROADCAST", "Crop image to 30×30"),
        (
            chain(image(1, 3, 4, 4), node("conv5", "conv2d", inChannels=3, outChannels=8, kernelSize=5)),
            "E-WINDOW",
            "kernelSize 4",
        ),
        (
            chain(image(1, 3, 4, 4), node("conv5", "conv2d", inChannels=3, outChannels=8, kernelSize=5)),
            "E-WINDOW",
            "padding 1",
        ),
        (
            chain(
                node("x", "input", shape=[3, 5, 8]),
                node("lstm", "lstm", inputSize=8, hiddenSize=20),
                node("head", "linear", inFeatures=20, outFeatures=2),
            ),
            "E-TUPLE-IN",
            "Read “output” of lstm",
        ),
        (
            chain(
                node("x", "input", shape=[1, 10, 64]),
                node("gqa", "groupedQueryAttention", embedDim=64, numHeads=32, numKVHeads=7),
            ),
            "E-KV-HEADS",
            "Use 8 key/value heads",
        ),
        (
            chain(
                image(1, 4, 6, 6),
                node("up", "convTranspose2d", inChannels=4, outChannels=2, kernelSize=2, stride=2, outputPadding=2),
            ),
            "E-OUTPUT-PADDING",
            "outputPadding 1",
        ),
        (
            chain(
                node("x", "input", shape=[1, 257, 768]),
                node("pos", "learnedPositionalEmbeddingStrict", maxLen=197, embedDim=768),
            ),
            "E-POSITIONS",
            "maxLen 257",
        ),
        (
            chain(
                image(1, 3, 8, 8),
                node("conv1", "conv2d", inChannels=3, outChannels=16, kernelSize=3),
                node("attn", "multiHeadAttention", embedDim=16, numHeads=4),
            ),
            "E-RANK",
            "Places as tokens: flatten 2, transpose (1, 2)",
        ),
        (
            chain(image(1, 3, 8, 8), node("conv", "conv2d", inChannels=3, outFeature=4, kernelSize=3)),
            "E-PARAM-MISSING",
            "outChannels 32",
        ),
        (
            chain(node("x", "input", shape=[2, 8]), node("head", "linear", inFeatures=8, outFeature=4)),
            "E-PARAM-MISSING",
            "Rename outFeature to outFeatures",
        ),
        (
            chain(node("x", "input", shape=[2, 8]), node("head", "linear", inFeatures=8, outFeatures="64")),
            "E-PARAM-TYPE",
            "outFeatures 64",
        ),
        (chain(node("x", "input", shape=[2, 8]), node("drop", "dropout", p=1.5)), "E-PARAM-RANGE", "p 1"),
        (chain(node("x", "input", shape=[2, 8]), node("act", "relo")), "E-UNKNOWN-TYPE", "Make it relu"),
        (
            chain(image(1, 8, 9, 9), node("pool", "maxPool2d", kernelSize=2, padding=2)),
            "E-POOL-PAD",
            "padding 1",
        ),
        (
            chain(image(1, 8, 9, 9), node("norm", "groupNorm", numGroups=3, numChannels=8)),
            "E-GROUPS",
            "numGroups 2",
        ),
        (
            chain(image(1, 8, 9, 9), node("norm", "batchNorm2d", numFeatures=16)),
            "E-NORM-SIZE",
            "numFeatures 8",
        ),
        (
            chain(
                node("x", "input", shape=[2, 7, 8]),
                node("moe", "mixtureOfExperts", embedDim=8, hiddenDim=16, numExperts=4, topK=6),
            ),
            "E-MOE-TOPK",
            "topK 4",
        ),
        (
            chain(
                node("x", "input", shape=[2, 8], dtype="float32"),
                node("emb", "embedding", numEmbeddings=9, embeddingDim=4),
            ),
            "E-INDEX-DTYPE",
            "dtype int64 at x",
        ),
        (chain(image(1, 8, 9, 9), node("soft", "softmax", dim=4)), "E-AXIS", "dim 3"),
        (
            wired(
                [image(1, 3, 8, 8), node("other", "input", shape=[1, 3, 8, 8]), node("act", "relu")],
                [("image", "act"), ("other", "act")],
            ),
            "E-INPUT-COUNT",
            "Add the inputs",
        ),
        (
            wired(
                [node("a", "input", shape=[1, 3, 8]), node("b", "input", shape=[1, 5, 8]), node("cat", "concatenate")],
                [("a", "cat"), ("b", "cat")],
            ),
            "E-CONCAT",
            "dim 1",
        ),
        (
            wired(
                [node("x", "input", shape=[2, 8]), node("a", "relu"), node("b", "relu"), node("sum", "residual")],
                [("x", "sum"), ("sum", "a"), ("a", "b"), ("b", "sum")],
            ),
            "E-CYCLE",
            "Remove the wire b → sum",
        ),
        (
            wired([node("x", "input", shape=[2, 8]), node("act", "relu")], []),
            "E-NO-INPUT",
            "Connect x",
        ),
        (
            chain(
                image(1, 3, 8, 8),
                node("conv", "conv2d", inChannels=3, outChannels=4, kernelSize=3),
                node("norm", "batchNorm2d", numFeatures=4),
                node("out", "output"),
            ),
            "A-BIAS-BEFORE-NORM",
            "bias false",
        ),
        (
            chain(node("x", "input", shape=[2, 8]), node("a", "relu"), node("b", "gelu"), node("out", "output")),
            "A-TWICE-ACTIVATED",
            "Remove b",
        ),
        (
            chain(
                node("x", "input", shape=[2, 8]),
                node("a", "linear", inFeatures=8, outFeatures=16),
                node("b", "linear", inFeatures=16, outFeatures=4),
                node("out", "output"),
            ),
            "A-COLLAPSES",
            "Insert relu",
        ),
        (
            wired(
                [node("x", "input", shape=[2, 8]), node("a", "relu"), node("b", "gelu"), node("out", "output")],
                [("x", "a"), ("a", "out"), ("x", "b")],
            ),
            "A-DEAD-END",
            "Remove the dead end",
        ),
        (chain(node("x", "input", shape=[2, 8]), node("a", "relu")), "A-NO-OUTPUT", "Output after a"),
        (
            wired(
                [
                    node("x", "input", shape=[2, 8]),
                    node("y", "input", shape=[2], dtype="int64"),
                    node("soft", "softmax"),
                    node("loss", "crossEntropy"),
                    node("out", "output"),
                ],
                [("x", "soft"), ("soft", "loss"), ("y", "loss"), ("loss", "out")],
            ),
            "M-SOFTMAX-LOSS",
            "Remove soft",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_the_expected_remedy_is_offered_and_helps(graph: Graph, code: str, expected: str):
    before = check(graph)
    fixes = fixes_of(graph, code)
    assert expected in [f.label for f in fixes]
    fix = next(f for f in fixes if f.label == expected)
    bytes_before = write_graph(graph)
    inverse = fix.edit.apply(graph)
    after = check(graph)
    assert code not in [p.kind.code for p in after.problems]
    assert len(after.errors) == fix.remaining <= len(before.errors)
    if after.runs:
        assert judge(graph, after).first_error is None, "PyTorch runs it too"
    inverse.apply(graph)
    assert write_graph(graph) == bytes_before


def test_a_fix_that_uncovers_a_problem_behind_it_says_so():
    graph = chain(
        image(1, 3, 32, 32),
        node("conv1", "conv2d", inChannels=4, outChannels=16, kernelSize=3),
        node("norm", "batchNorm2d", numFeatures=8),
        node("out", "output"),
    )
    fix = next(f for f in fixes_of(graph, "E-CONV-IN") if f.label == "inChannels 3")
    fix.edit.apply(graph)
    assert check(graph).runs, "a size behind it is carried along"
    assert fix.note == "Also adapts norm."
    graph = attention_in(7, 128)
    first = fixes_of(graph, "E-HEADS")[0]
    assert first.remaining == 0


def test_looking_for_fixes_leaves_the_graph_alone_and_offers_at_most_five():
    graph = tiny_cnn()
    before = write_graph(graph)
    assert 1 <= len(fixes_of(graph, "E-LINEAR-IN")) <= MOST
    assert write_graph(graph) == before


def test_fewest_remaining_errors_come_first():
    for graph, code in ((tiny_cnn(), "E-LINEAR-IN"), (residual(outChannels=128), "E-BROADCAST")):
        remaining = [fix.remaining for fix in fixes_of(graph, code)]
        assert remaining == sorted(remaining)


def test_every_kind_of_problem_has_someone_who_proposes_remedies():
    remedies.load()
    assert any(entries())
    worse = {code for code, kind in KINDS.items() if kind.severity is not Severity.ADVICE}
    assert {code for code in worse if code not in PROPOSERS} == WITHOUT_REMEDY


def test_in_a_long_chain_of_wrong_sizes_a_trial_does_not_cure_them_all(monkeypatch: pytest.MonkeyPatch) -> None:
    from archstudio.design import trial

    wrong = [node(f"fc{k}", "linear", inFeatures=7, outFeatures=9) for k in range(20)]
    graph = chain(image(1, 32), *wrong, node("out", "output"))
    (error, *_) = check(graph).errors

    def most_changed() -> int:
        fixes = fixes_for(graph, error, check(graph))
        assert fixes
        return max(fix.note.count("fc") for fix in fixes)

    cured = most_changed()
    monkeypatch.setattr(trial, "CARRY_VISITS", 2 * len(graph))
    assert most_changed() < cured
