"""What a person reads about the difference of two graphs."""

from __future__ import annotations

from dataclasses import replace

from archstudio.edits import SetMeta, compose, set_params
from archstudio.edits.changes import changes
from archstudio.graph import Graph


def said(a: Graph, b: Graph) -> list[str]:
    return [str(difference) for difference in changes(a, b)]


def test_equal_graphs_have_no_differences(cnn: Graph) -> None:
    moved = cnn.copy()
    moved.set_positions({"head": (3.0, 4.0)})
    moved.move_node_in_order("head", 0)
    moved.replace_node(moved.node("head").with_params(inFeatures=16.0))
    assert said(cnn, moved) == []


def test_layers_wires_and_parameters_are_named(cnn: Graph) -> None:
    now = cnn.copy()
    compose.delete_nodes(now, ["act1"]).apply(now)
    compose.splice_into(now, "c3", compose.new_node(now, "dropout")).apply(now)
    set_params(now.node("head"), outFeatures=4, bias=False).apply(now)
    assert said(cnn, now) == [
        "removed layer act1 (relu)",
        "head: outFeatures 10 → 4",
        "head: bias – → false",
        "added layer dropout (dropout)",
        "removed wire conv1 → act1",
        "removed wire act1 → head",
        "wire: moved head → output became dropout → output",
        "added wire conv1 → head",
        "added wire head → dropout",
    ]


def test_a_new_name_is_one_difference_and_no_new_wires(cnn: Graph) -> None:
    now = cnn.copy()
    compose.rename(now, "conv1", "stem").apply(now)
    assert said(cnn, now) == ["stem: name conv1 → stem"]


def test_type_bypass_ports_and_settings_count(cnn: Graph) -> None:
    now = cnn.copy()
    compose.set_type(now, "act1", "gelu", {}).apply(now)
    compose.toggle_bypass(now, ["conv1"]).apply(now)
    now.replace_connection(replace(now.connection("c0"), target_port="query"))
    SetMeta("batch", 8).apply(now)
    now.rename("wide")
    assert said(cnn, now) == [
        "conv1: bypass false → true",
        "act1: type relu → gelu",
        "wire: moved input → conv1 became input → conv1.query",
        "graph: name tiny-cnn → wide",
        "graph: batch – → 8",
    ]


def test_the_order_of_inputs_counts(branches: Graph) -> None:
    now = branches.copy()
    compose.reorder_inputs(now, "join", ["d", "c"]).apply(now)
    assert said(branches, now) == ["join: order of inputs left, right → right, left"]


def test_a_parameter_set_to_nothing_is_not_a_parameter_taken_away(cnn: Graph) -> None:
    now = cnn.copy()
    now.replace_node(now.node("head").with_params(bias=None))
    assert [(d.key, d.before, d.after) for d in changes(cnn, now)] == [("bias", None, None)]
