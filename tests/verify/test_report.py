"""A problem put into words: both shapes, the wrong axis, where the numbers come from, who waits."""

from __future__ import annotations

from archstudio.graph import Graph
from archstudio.layers import Severity
from archstudio.verify import check
from archstudio.verify.report import ProblemReport, report


def first_report(graph: Graph) -> ProblemReport:
    verdict = check(graph)
    return report(graph, verdict, verdict.problems[0])


def test_a_wrong_size_shows_both_shapes_with_the_axis_marked(cnn):
    told = first_report(cnn)
    assert told.title == "head expects 16 features, the wire carries 30"
    assert told.needs == "B×16×30×[16]"
    assert told.needs_why == "inFeatures of head"
    assert told.gets == "B×16×30×[30]"
    assert told.gets_why == "30 ← conv1 (32 − 3 + 1)"
    assert told.waiting == "output waits for head. Nothing else is wrong."
    assert (told.code, told.severity, told.node_name) == ("E-LINEAR-IN", Severity.ERROR, "head")
    assert told.explanation


def test_several_waiting_layers_are_counted_and_other_troubles_are_not_denied(cnn, build):
    cnn.replace_node(cnn.node("conv1").with_params(inChannels=4))
    assert first_report(cnn).waiting == "3 layers wait for conv1. Nothing else is wrong."
    graph = build({"a": ("relu", {}), "b": ("relu", {}), "c": ("tanh", {})}, ["a -> b"])
    assert first_report(graph).waiting == "b waits for a."


def test_a_wrong_parameter_names_itself_and_needs_no_shapes(cnn):
    cnn.replace_node(cnn.node("conv1").with_params(outChannels=-2))
    told = first_report(cnn)
    assert "outChannels" in told.title
    assert (told.needs, told.gets) == ("", "")


def test_several_outputs_on_one_wire_are_shown_as_they_are(build):
    graph = build(
        {"x": ("input", {"shape": [4, 9, 16]}), "lstm": ("lstm", {"hiddenSize": 32}), "act": ("relu", {})},
        ["x -> lstm", "lstm -> act"],
    )
    told = first_report(graph)
    assert told.gets.startswith("(")
    assert told.needs == ""


def test_a_remark_about_the_whole_graph_names_the_graph(build):
    told = first_report(build({"x": ("input", {"shape": [4, 9]})}, []))
    assert told.node_name == "The graph"
    assert told.severity is Severity.ADVICE
    assert told.waiting == ""
