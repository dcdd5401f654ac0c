"""What runs but deserves a word: each rule with a graph it speaks of and one it leaves alone."""

from __future__ import annotations

from itertools import pairwise

import pytest

from archstudio.graph import Graph, Node
from archstudio.layers import Severity
from archstudio.verify import Session, check

IMAGE = ("input", {"shape": [4, 3, 8, 8]})
ROWS = ("input", {"shape": [4, 8]})
OUT = ("output", {})


def said(graph: Graph) -> list[tuple[str, str]]:
    verdict = check(graph)
    assert verdict.runs, verdict.errors
    return [(p.kind.code, p.node) for p in verdict.remarks]


def chain(build, *layers: tuple[str, dict], start=ROWS) -> Graph:
    nodes = {"x": start, **{f"n{k}": layer for k, layer in enumerate(layers)}, "y": OUT}
    names = list(nodes)
    return build(nodes, [f"{a} -> {b}" for a, b in pairwise(names)])


def linear(i: int, o: int, **more: object) -> tuple[str, dict]:
    return "linear", {"inFeatures": i, "outFeatures": o, **more}


def test_a_plain_network_gets_no_remarks(build):
    assert said(chain(build, linear(8, 16), ("relu", {}), linear(16, 4))) == []


def test_ends_that_are_missing_and_ends_that_are_loose(build):
    assert said(build({"x": ROWS, "act": ("relu", {})}, ["x -> act"])) == [("A-NO-OUTPUT", "")]
    loose = build({"x": ROWS, "a": ("relu", {}), "b": ("tanh", {}), "y": OUT}, ["x -> a", "x -> b", "a -> y"])
    assert said(loose) == [("A-DEAD-END", "b")]
    unused = build({"x": ROWS, "z": ROWS, "y": OUT}, ["x -> y"])
    assert said(unused) == [("A-DEAD-END", "z")]
    assert check(Graph()).remarks == ()


def test_the_bias_before_a_batch_norm_is_cancelled(build):
    norm = ("batchNorm2d", {"numFeatures": 6})
    conv = {"inChannels": 3, "outChannels": 6, "kernelSize": 3}
    assert said(chain(build, ("conv2d", conv), norm, start=IMAGE)) == [("A-BIAS-BEFORE-NORM", "n0")]
    assert said(chain(build, ("conv2d", {**conv, "bias": False}), norm, start=IMAGE)) == []
    assert said(chain(build, ("conv2d", conv), ("relu", {}), norm, start=IMAGE)) == []
    assert said(chain(build, linear(8, 8), ("layerNorm", {"normalizedShape": 8}))) == []


def test_two_activations_in_a_row(build):
    assert said(chain(build, ("relu", {}), ("gelu", {}))) == [("A-TWICE-ACTIVATED", "n1")]
    assert said(chain(build, ("relu", {}), ("dropout", {}), linear(8, 2))) == []


def test_an_activation_of_many_activations_is_told_of_once(build):
    nodes = {"x": ROWS, "a": ("relu", {}), "b": ("relu", {}), "c": ("tanh", {}), "sum": ("mish", {}), "y": OUT}
    graph = build(nodes, ["x -> a", "x -> b", "x -> c", "a -> sum", "b -> sum", "c -> sum", "sum -> y"])
    assert [(p.kind.code, p.node) for p in check(graph).remarks].count(("A-TWICE-ACTIVATED", "sum")) == 1


def test_a_cache_of_the_widest_attention_that_pytorch_can_count_is_told_of(build):
    wide = ("causalAttention", {"embedDim": 8 * 10**8, "numHeads": 1})
    remarks = check(chain(build, wide)).remarks
    assert "A-KV-BUDGET" in [p.kind.code for p in remarks]


def test_a_width_with_more_digits_than_a_float_holds_is_refused(build):
    (error,) = check(chain(build, ("causalAttention", {"embedDim": 10**320, "numHeads": 1}))).errors
    assert error.kind.code == "E-PARAM-RANGE"


def test_two_linear_layers_in_a_row_unless_the_middle_is_narrow(build):
    assert said(chain(build, linear(8, 16), linear(16, 4))) == [("A-COLLAPSES", "n1")]
    assert said(chain(build, linear(8, 2), linear(2, 8))) == []
    assert said(chain(build, linear(8, 16), ("relu", {}), linear(16, 4))) == []


def test_a_sum_of_different_shapes(build):
    def added(a: list[int], b: list[int], kind: str = "add") -> list[tuple[str, str]]:
        nodes = {
            "a": ("input", {"shape": a}),
            "b": ("input", {"shape": b, "batchAxis": None}),
            "s": (kind, {}),
            "y": OUT,
        }
        return said(build(nodes, ["a -> s", "b -> s", "s -> y"]))

    assert added([4, 3, 8], [4, 1, 8]) == [("A-BROADCAST", "s")]
    assert added([4, 3, 8], [1, 3, 8]) == [], "a table of positions is the same for the whole batch"
    assert added([4, 3, 8], [4, 1, 8], "multiply") == [], "a gate is meant to be spread"
    assert added([4, 3, 8], [8]) == []


def test_batch_norm_that_could_not_train_at_this_batch(build):
    norm = ("batchNorm1d", {"numFeatures": 8})
    graph = chain(build, norm)
    assert said(graph) == []
    graph.set_meta("batch", 1)
    assert said(graph) == [("A-ONE-VALUE", "n0")]


@pytest.mark.parametrize(
    ("before", "loss", "code"),
    [
        ("softmax", "crossEntropyLoss", "M-SOFTMAX-LOSS"),
        ("sigmoid", "bceWithLogitsLoss", "M-SIGMOID-LOSS"),
        ("identity", "crossEntropyLoss", None),
    ],
)
def test_losses_that_take_raw_scores(build, before, loss, code):
    target = {"shape": [4, 8]} if loss.startswith("bce") else {"shape": [4], "dtype": "int64"}
    graph = build(
        {"x": ROWS, "classes": ("input", target), "p": (before, {}), "loss": (loss, {}), "y": OUT},
        ["x -> p", "p -> loss", "classes -> loss", "loss -> y"],
    )
    verdict = check(graph)
    assert verdict.runs, verdict.errors
    assert [p.kind.code for p in verdict.remarks] == ([code] if code else [])
    if code:
        assert verdict.problems[0].severity is Severity.MISTAKE
        assert verdict.parameters == 0, "a mistake leaves the totals known"


def test_a_bypassed_layer_is_seen_through(build):
    graph = chain(build, ("relu", {}), ("dropout", {}), ("gelu", {}))
    node = graph.node("n1")
    graph.replace_node(Node(node.id, node.type, node.name, node.params, {"bypass": True}))
    assert said(graph) == [("A-TWICE-ACTIVATED", "n2")]
    node = graph.node("n2")
    graph.replace_node(Node(node.id, node.type, node.name, node.params, {"bypass": True}))
    assert said(graph) == []


def test_a_silenced_remark_is_not_made_until_it_is_heard_again(build):
    graph = chain(build, ("relu", {}), ("gelu", {}))
    session = Session(graph)
    assert len(session.verdict().remarks) == 1
    graph.set_meta("silenced", ["A-TWICE-ACTIVATED"])
    assert session.verdict().remarks == ()
    graph.set_meta("silenced", None)
    assert len(session.verdict().remarks) == 1


def test_errors_come_before_mistakes_and_advice(build):
    graph = chain(build, ("relu", {}), ("gelu", {}), linear(9, 2))
    assert [p.severity for p in check(graph).problems] == [Severity.ERROR, Severity.ADVICE]
