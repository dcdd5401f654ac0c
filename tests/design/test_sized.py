"""Adding a layer sets its sizes from the wire; only what it is put into changes."""

from __future__ import annotations

import pytest

from archstudio.design.sized import add_before, add_behind, add_layer, connect_sized
from archstudio.edits import EditRefused
from archstudio.graph import Connection, Graph, Node, write_graph
from archstudio.verify import check


def fan_out() -> Graph:
    """An image into a convolution, which feeds two activations that are added."""
    graph = Graph()
    for node in (
        Node("n1", "input", "image", {"shape": [1, 3, 32, 32]}),
        Node("n2", "conv2d", "conv2d", {"inChannels": 3, "outChannels": 16, "kernelSize": 3}),
        Node("n3", "relu", "left"),
        Node("n4", "tanh", "right"),
        Node("n5", "add", "sum"),
    ):
        graph.insert_node(node)
    for k, (a, b) in enumerate([("n1", "n2"), ("n2", "n3"), ("n2", "n4"), ("n3", "n5"), ("n4", "n5")]):
        graph.insert_connection(Connection(f"c{k}", a, b))
    return graph


def recurrent() -> Graph:
    graph = Graph()
    graph.insert_node(Node("n1", "input", "steps", {"shape": [2, 7, 20]}))
    graph.insert_node(Node("n2", "lstm", "lstm", {"inputSize": 20, "hiddenSize": 12}))
    graph.insert_connection(Connection("c0", "n1", "n2"))
    return graph


def test_a_layer_put_into_a_wire_gets_its_sizes_and_leaves_the_other_wire_alone():
    graph = fan_out()
    edit, made = add_layer(graph, check(graph), "batchNorm2d", into="c1", position=(40.0, 50.0))
    edit.apply(graph)
    assert graph.node(made).params["numFeatures"] == 16
    assert graph.node(made).inferred == ("numFeatures",)
    assert graph.layout[made] == (40.0, 50.0)
    assert (graph.connection("c1").source, graph.connection("c1").target) == (made, "n3")
    assert graph.connection("c2").source == "n2"
    assert check(graph).runs


def test_without_sizes_only_the_new_layers_own_parameters_are_written():
    graph = fan_out()
    edit, made = add_layer(graph, check(graph), "conv2d", into="c1", sized=False)
    edit.apply(graph)
    assert graph.node(made).params == {"outChannels": 32, "kernelSize": 3, "padding": 1}
    assert graph.node(made).inferred == ()


def test_a_layer_added_after_another_takes_over_its_wires():
    graph = fan_out()
    edit, made = add_layer(graph, check(graph), "conv2d", after="n2")
    edit.apply(graph)
    assert [c.target for c in graph.outgoing("n2")] == [made]
    assert sorted(c.target for c in graph.outgoing(made)) == ["n3", "n4"]
    assert graph.node(made).params["inChannels"] == 16
    assert graph.node(made).name == "conv2d2"
    assert check(graph).runs


def test_a_layer_behind_an_output_is_a_branch_of_its_own():
    graph = fan_out()
    edit, made = add_behind(graph, check(graph), "conv2d", "n2")
    edit.apply(graph)
    assert [c.target for c in graph.outgoing("n2")] == ["n3", "n4", made]
    assert graph.node(made).params["inChannels"] == 16


def test_a_layer_alone_has_no_sizes_until_a_wire_gives_them():
    graph = fan_out()
    edit, made = add_layer(graph, check(graph), "linear")
    edit.apply(graph)
    assert "inFeatures" not in graph.node(made).params
    connect_sized(graph, check(graph), "n5", made).apply(graph)
    assert graph.node(made).params["inFeatures"] == 30
    assert graph.node(made).inferred == ("inFeatures",)
    assert check(graph).runs


def test_connecting_does_not_touch_sizes_that_are_there():
    graph = fan_out()
    graph.insert_node(Node("n9", "linear", "head", {"inFeatures": 7, "outFeatures": 2}))
    connect_sized(graph, check(graph), "n5", "n9").apply(graph)
    assert graph.node("n9").params["inFeatures"] == 7


def test_the_same_wire_twice_is_refused():
    graph = fan_out()
    with pytest.raises(EditRefused):
        connect_sized(graph, check(graph), "n3", "n5")


def test_behind_a_layer_with_several_outputs_the_first_one_is_read():
    graph = recurrent()
    edit, made = add_layer(graph, check(graph), "linear", after="n2")
    edit.apply(graph)
    assert graph.incoming(made)[0].source_port == "output"
    assert graph.node(made).params["inFeatures"] == 12
    assert check(graph).runs


def test_a_layer_before_an_input_feeds_it():
    graph = fan_out()
    edit, made = add_before(graph, "relu", "n5")
    edit.apply(graph)
    assert graph.incoming("n5")[-1].source == made


def test_an_unknown_type_is_added_for_the_verdict_to_name():
    graph = fan_out()
    edit, _ = add_layer(graph, check(graph), "conv9d", into="c1")
    edit.apply(graph)
    assert [p.kind.code for p in check(graph).errors] == ["E-UNKNOWN-TYPE"]


@pytest.mark.parametrize("where", [{}, {"into": "c1"}, {"after": "n2"}])
def test_adding_is_taken_back_to_the_byte(where):
    graph = fan_out()
    before = write_graph(graph)
    edit, _ = add_layer(graph, check(graph), "batchNorm2d", position=(1.0, 2.0), **where)
    edit.apply(graph).apply(graph)
    assert write_graph(graph) == before
