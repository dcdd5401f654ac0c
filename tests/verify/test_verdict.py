"""What is said of a graph: shapes on wires, the root of each trouble, and who waits for it."""

from __future__ import annotations

from typing import Any

import pytest

from archstudio.graph import Graph, Node
from archstudio.layers import Wire
from archstudio.verify import Verdict, check
from archstudio.verify.examples import graph_of


def codes(verdict: Verdict) -> list[tuple[str, str]]:
    return [(p.kind.code, p.node) for p in verdict.errors]


def text(verdict: Verdict, node: str) -> str:
    value = verdict.nodes[node].value
    assert isinstance(value, Wire)
    return value.text()


def edge(graph: Graph, node_id: str, **changes: object) -> None:
    graph.replace_node(graph.node(node_id).with_params(**changes))


def flag(graph: Graph, node_id: str, **meta: object) -> None:
    node = graph.node(node_id)
    graph.replace_node(Node(node.id, node.type, node.name, node.params, meta))


# ------------------------------------------------------------------ shapes and totals


def test_a_linear_layer_does_not_flatten_by_itself(cnn):
    verdict = check(cnn)
    assert codes(verdict) == [("E-LINEAR-IN", "head")]
    problem = verdict.errors[0]
    assert problem.title("head") == "head expects 16 features, the wire carries 30"
    assert (problem.port, problem.axis, problem.facts["set_by"]) == (0, -1, "inFeatures")
    assert text(verdict, "act1") == "B×16×30×30"


def test_totals_are_unknown_while_an_error_stands(cnn):
    verdict = check(cnn)
    assert (verdict.parameters, verdict.buffers, verdict.macs, verdict.runs) == (None, None, None, False)
    edge(cnn, "head", inFeatures=30)
    verdict = check(cnn)
    assert verdict.runs
    assert verdict.parameters == (3 * 16 * 9 + 16) + (30 * 10 + 10)
    assert verdict.macs == 16 * 30 * 30 * 3 * 9 + 16 * 30 * 30 * 10


def test_what_lies_behind_an_error_waits_for_its_root_and_is_no_problem(cnn):
    edge(cnn, "conv1", inChannels=4)
    verdict = check(cnn)
    assert codes(verdict) == [("E-CONV-IN", "conv1")]
    assert [verdict.nodes[n].state for n in ("conv1", "act1", "head", "output")] == ["problem", *["waiting"] * 3]
    assert verdict.nodes["output"].waiting_for == ("conv1",)


def test_a_node_behind_two_errors_waits_for_both(build):
    graph = build(
        {
            "x": ("input", {"shape": [2, 8]}),
            "a": ("linear", {"inFeatures": 9, "outFeatures": 4}),
            "b": ("linear", {"inFeatures": 7, "outFeatures": 4}),
            "sum": ("add", {}),
        },
        ["x -> a", "x -> b", "a -> sum", "b -> sum"],
    )
    assert check(graph).nodes["sum"].waiting_for == ("a", "b")


def test_heads_that_do_not_divide_the_width_are_an_error_of_the_constructor(build):
    graph = build(
        {
            "x": ("input", {"shape": [2, 5, 100]}),
            "attention": ("multiHeadAttention", {"embedDim": 100, "numHeads": 7}),
        },
        ["x -> attention"],
    )
    problem = check(graph).errors[0]
    assert (problem.kind.code, problem.phase) == ("E-HEADS", "construct")


def test_a_constructor_is_judged_even_where_its_input_is_unknown(build):
    graph = build(
        {
            "x": ("input", {"shape": [2, 8]}),
            "a": ("linear", {"inFeatures": 9, "outFeatures": 4}),
            "b": ("linear", {"inFeatures": 4, "outFeatures": -1}),
        },
        ["x -> a", "a -> b"],
    )
    verdict = check(graph)
    assert codes(verdict) == [("E-LINEAR-IN", "a"), ("E-PARAM-RANGE", "b")]
    first = verdict.first_error
    assert first is not None
    assert first.node == "b", "a program makes all modules before it runs one"


def test_a_size_that_is_missing_is_read_off_the_wire(build):
    graph = build({"x": ("input", {"shape": [2, 8]}), "a": ("linear", {"outFeatures": 4})}, ["x -> a"])
    verdict = check(graph)
    assert verdict.runs
    assert verdict.nodes["a"].inferred == {"inFeatures": 8}
    assert verdict.parameters == 8 * 4 + 4


# ------------------------------------------------------------------------- structure


def test_an_unknown_type_suggests_names_that_look_like_it(build):
    graph = build({"x": ("input", {"shape": [2, 8]}), "a": ("linaer", {})}, ["x -> a"])
    problem = check(graph).errors[0]
    assert problem.kind.code == "E-UNKNOWN-TYPE"
    assert "linear" in problem.facts["nearest"]


def test_a_layer_without_a_wire_is_told_to_connect_one(build):
    verdict = check(build({"a": ("linear", {"inFeatures": 2, "outFeatures": 2}), "b": ("relu", {})}, ["a -> b"]))
    assert codes(verdict) == [("E-NO-INPUT", "a")]
    assert verdict.errors[0].title("a") == "a has no input; connect something to it"
    assert verdict.nodes["b"].waiting_for == ("a",)


def test_too_many_wires_are_counted(build):
    graph = build({"x": ("input", {"shape": [2, 8]}), "a": ("relu", {})}, ["x -> a", "x -> a"])
    problem = check(graph).errors[0]
    assert (problem.kind.code, problem.facts["count"]) == ("E-INPUT-COUNT", 2)


def test_each_loop_is_one_problem_and_what_is_behind_waits_for_its_own(build):
    graph = build(
        {name: ("relu", {}) for name in ("a", "b", "c", "d", "behind a", "behind c")},
        ["a -> b", "b -> a", "c -> d", "d -> c", "b -> behind a", "d -> behind c"],
    )
    verdict = check(graph)
    assert codes(verdict) == [("E-CYCLE", "a"), ("E-CYCLE", "c")]
    assert verdict.errors[0].facts["count"] == 2
    assert verdict.nodes["b"].waiting_for == ("a",)
    assert verdict.nodes["behind a"].waiting_for == ("a",)
    assert verdict.nodes["behind c"].waiting_for == ("c",)


def test_a_loop_does_not_hide_a_constructor_that_is_wrong(build):
    graph = build({"a": ("relu", {}), "b": ("linear", {"inFeatures": 3, "outFeatures": -3})}, ["a -> b", "b -> a"])
    assert codes(check(graph)) == [("E-CYCLE", "a"), ("E-PARAM-RANGE", "b")]


def test_an_empty_graph_runs_and_counts_nothing():
    verdict = check(Graph())
    assert (verdict.runs, verdict.parameters, verdict.macs) == (True, 0, 0)


# ------------------------------------------------------------------- bypass and ports


def test_a_bypassed_layer_passes_its_input_and_its_parameters_do_not_matter(cnn):
    edge(cnn, "conv1", inChannels=-1)
    flag(cnn, "conv1", bypass=True)
    verdict = check(cnn)
    assert text(verdict, "conv1") == "B×3×32×32"
    assert verdict.nodes["conv1"].parameters == 0
    assert codes(verdict) == [("E-LINEAR-IN", "head")]


def test_a_bypassed_layer_behind_an_error_waits_like_any_other(cnn):
    edge(cnn, "image", shape=[1, 5, 32, 32])
    edge(cnn, "head", outFeatures=-1)
    flag(cnn, "head", bypass=True)
    verdict = check(cnn)
    assert codes(verdict) == [("E-CONV-IN", "conv1")]
    assert verdict.nodes["head"].waiting_for == ("conv1",)


def test_a_wire_carries_the_output_that_it_names(build):
    nodes = {"x": ("input", {"shape": [4, 9, 16]}), "lstm": ("lstm", {"hiddenSize": 32}), "act": ("relu", {})}
    assert codes(check(build(nodes, ["x -> lstm", "lstm -> act"]))) == [("E-TUPLE-IN", "act")]
    verdict = check(build(nodes, ["x -> lstm", "lstm.output -> act"]))
    assert text(verdict, "act").endswith("×9×32")
    missing = check(build(nodes, ["x -> lstm", "lstm.wrong -> act"]))
    assert codes(missing) == [("E-NO-PORT", "act")]


def test_inputs_are_taken_by_name_before_they_are_taken_in_order(build):
    graph = build(
        {
            "memory": ("input", {"shape": [2, 7, 12]}),
            "x": ("input", {"shape": [2, 5, 8]}),
            "mix": ("multiHeadAttention", {"embedDim": 8, "numHeads": 2, "kdim": 12, "vdim": 12}),
        },
        ["memory -> mix.key", "memory -> mix.value", "x -> mix.query"],
    )
    verdict = check(graph)
    assert verdict.runs, verdict.errors
    assert "5×8" in str(verdict.nodes["mix"].value)


# ------------------------------------------------------------------- inputs


@pytest.mark.parametrize("between", ["flatten", "output", "identity"])
def test_an_input_that_is_looked_up_holds_integers(build, between):
    graph = build(
        {
            "tokens": ("input", {"shape": [2, 5]}),
            "between": (between, {}),
            "table": ("embedding", {"numEmbeddings": 100, "embeddingDim": 8}),
        },
        ["tokens -> between", "between -> table"],
    )
    verdict = check(graph)
    assert verdict.runs, verdict.errors
    assert getattr(verdict.nodes["tokens"].value, "dtype", None) == "int64"


def test_an_input_used_as_index_and_as_number_is_a_problem_not_a_guess(build):
    graph = build(
        {
            "x": ("input", {"shape": [2, 5]}),
            "table": ("embedding", {"numEmbeddings": 100, "embeddingDim": 8}),
            "dense": ("linear", {"inFeatures": 5, "outFeatures": 2}),
        },
        ["x -> table", "x -> dense"],
    )
    verdict = check(graph)
    assert codes(verdict) == [("E-INPUT-DTYPE", "x")]
    assert verdict.errors[0].title("x") == "x is used as an index by table and as a number by dense; say its dtype"
    edge(graph, "x", dtype="int64")
    assert codes(check(graph)) == [("E-DTYPE", "dense")]


def test_batch_and_sequence_chosen_for_the_graph_replace_the_sizes_of_their_axes(build):
    graph = build(
        {"x": ("input", {"shape": [1, 5, 8], "sequenceAxis": 1}), "a": ("linear", {"outFeatures": 4})}, ["x -> a"]
    )
    graph.set_meta("batch", 32)
    graph.set_meta("sequence", 128)
    value = check(graph).nodes["a"].value
    assert isinstance(value, Wire)
    assert tuple(value.shape) == (32, 128, 4)
    assert value.text() == "B×T×4"


def test_an_input_without_batch_keeps_its_shape(build):
    graph = build({"x": ("input", {"shape": [5, 8], "batchAxis": None})}, [])
    graph.set_meta("batch", 32)
    assert text(check(graph), "x") == "5×8"


def test_training_mode_brings_its_own_errors(build):
    nodes = {"x": ("input", {"shape": [1, 8]}), "norm": ("batchNorm1d", {"numFeatures": 8})}
    graph = build(nodes, ["x -> norm"])
    assert check(graph).runs
    graph.set_meta("mode", "train")
    assert len(check(graph).errors) == 1


# ------------------------------------------------------------------- shared weights


def tied(build) -> Graph:
    return build(
        {
            "tokens": ("input", {"shape": [2, 5]}),
            "head": ("tiedLinear", {"node": "table"}),
            "table": ("embedding", {"numEmbeddings": 100, "embeddingDim": 8}),
        },
        ["tokens -> table", "table -> head"],
    )


def test_shared_weights_count_once(build):
    verdict = check(tied(build))
    assert verdict.runs, verdict.errors
    assert text(verdict, "head") == "B×5×100"
    assert verdict.parameters == 100 * 8


def test_weights_of_a_layer_that_is_not_there_cannot_be_shared(build):
    graph = tied(build)
    edge(graph, "head", node="tabel")
    problem = check(graph).errors[0]
    assert (problem.kind.code, problem.facts["target"]) == ("E-NO-TARGET", "tabel")


def test_weights_of_a_bypassed_layer_cannot_be_shared(build):
    graph = tied(build)
    flag(graph, "table", bypass=True)
    assert ("E-NO-TARGET", "head") in codes(check(graph))


def test_two_layers_that_share_each_others_weights_are_a_loop(build):
    graph = build(
        {
            "x": ("input", {"shape": [2, 5]}),
            "a": ("sharedModule", {"node": "b"}),
            "b": ("sharedModule", {"node": "a"}),
        },
        ["x -> a", "x -> b"],
    )
    assert codes(check(graph)) == [("E-CYCLE", "a")]


@pytest.mark.parametrize(
    ("layer", "params", "code"),
    [
        ("linear", {"inFeatures": 64, "outFeatures": 2**63 // 256}, "E-TOO-LARGE"),
        ("linear", {"inFeatures": 64, "outFeatures": 2**63 // 256 - 1}, None),
        ("linear", {"inFeatures": 64, "outFeatures": 2**63}, "E-PARAM-RANGE"),
        ("expand", {"shape": [2**57, 64]}, "E-TOO-LARGE"),
        ("expand", {"shape": [2**56, 64]}, None),
        ("zeroPad1d", {"padding": 2**61}, "E-TOO-LARGE"),
    ],
)
def test_sizes_that_pytorch_cannot_count_in_64_bits_are_refused(layer: str, params: dict[str, Any], code: str) -> None:
    graph = graph_of({"nodes": {"x": ["input", {"shape": [1, 64]}], "it": [layer, params], "y": ["output"]}})
    assert [p.kind.code for p in check(graph).errors] == ([] if code is None else [code])
