"""What gestures and commands do to a network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archstudio.edits import AddConnection, AddNode, Batch, Edit, EditRefused, SetFrame, compose, set_params
from archstudio.edits.actions import apply
from archstudio.edits.plain import to_plain
from archstudio.graph import Connection, Frame, Graph, Node, write_graph

Wires = Callable[[Graph], list[str]]


def inputs(graph: Graph, node: str) -> list[str]:
    return [c.source for c in graph.incoming(node)]


def test_deleting_a_middle_layer_keeps_the_chain(cnn: Graph, wires_of: Wires) -> None:
    compose.delete_nodes(cnn, ["act1"]).apply(cnn)
    assert wires_of(cnn) == ["input -> conv1", "head -> output", "conv1 -> head"]


def test_deleting_without_healing_leaves_a_gap(cnn: Graph, wires_of: Wires) -> None:
    compose.delete_nodes(cnn, ["act1", "conv1"], heal=False).apply(cnn)
    assert wires_of(cnn) == ["head -> output"]


def test_healing_joins_every_source_to_every_target_once(branches: Graph, wires_of: Wires) -> None:
    compose.connect(branches, "left", "output").apply(branches)
    compose.delete_nodes(branches, ["join"]).apply(branches)
    assert wires_of(branches) == ["input -> left", "input -> right", "left -> output", "right -> output"]


def test_healing_takes_over_the_outer_ports(branches: Graph) -> None:
    graph = branches
    AddConnection(Connection("x", "left", "right", "hidden")).apply(graph)
    AddConnection(Connection("y", "right", "output", "cell", "query")).apply(graph)
    compose.delete_nodes(graph, ["right"]).apply(graph)
    healed = graph.between("left", "output")
    assert [(c.source_port, c.target_port) for c in healed] == [("hidden", "query")]


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32).map(Random))
def test_deleting_agrees_with_the_benchmark(some_graph: Callable[[Random], Graph], random: Random) -> None:
    graph = some_graph(random)
    for wire in [c for c in graph.connections if c.source == c.target]:
        graph.remove_connection(wire.id)
    chosen = [n for n in graph.node_ids if random.random() < 0.4]
    actions = [{"type": "delete_component", "name": graph.node(n).name} for n in chosen]
    expected = apply(to_plain(graph), actions).model
    compose.delete_nodes(graph, chosen).apply(graph)
    done = to_plain(graph)
    assert done["components"] == expected["components"]
    pairs = [[(c["from"], c["to"]) for c in model["connections"]] for model in (done, expected)]
    assert pairs[0] == pairs[1]


def test_deleting_thousands_of_layers_closes_the_chain() -> None:
    graph = Graph()
    for k in range(4000):
        graph.insert_node(Node(f"n{k}", "relu", f"relu{k}"))
        if k:
            graph.insert_connection(Connection(f"c{k}", f"n{k - 1}", f"n{k}"))
    compose.delete_nodes(graph, set(graph.node_ids[1:-1])).apply(graph)
    assert inputs(graph, "n3999") == ["n0"]


def test_deleted_layers_leave_their_frames_and_empty_frames_go(cnn: Graph) -> None:
    SetFrame("f", Frame("f", "Stage", ("conv1", "act1"))).apply(cnn)
    SetFrame("g", Frame("g", "Activation", ("act1",))).apply(cnn)
    before = write_graph(cnn)
    inverse = compose.delete_nodes(cnn, ["act1"]).apply(cnn)
    assert {f.id: f.nodes for f in cnn.frames.values()} == {"f": ("conv1",)}
    inverse.apply(cnn)
    assert write_graph(cnn) == before


def test_splicing_affects_one_wire_of_a_fan_out(branches: Graph, wires_of: Wires) -> None:
    compose.splice_into(branches, "a", compose.new_node(branches, "relu")).apply(branches)
    assert wires_of(branches) == [
        "relu -> left",
        "input -> right",
        "left -> join",
        "right -> join",
        "join -> output",
        "input -> relu",
    ]


def test_splicing_keeps_the_place_among_the_inputs_and_the_ports(branches: Graph) -> None:
    graph = branches
    compose.rewire(graph, "c", source="left", port="hidden").apply(graph)
    compose.rewire(graph, "c", target="join", port="first").apply(graph)
    compose.splice_into(graph, "c", Node("new", "relu", "relu")).apply(graph)
    assert inputs(graph, "join") == ["new", "right"]
    spliced = graph.incoming("join")[0]
    assert (spliced.id, spliced.source_port, spliced.target_port) == ("c", None, "first")
    assert graph.incoming("new")[0].source_port == "hidden"


def test_inserting_behind_takes_over_every_wire_as_the_benchmark_does(branches: Graph) -> None:
    actions = [{"type": "add_component", "componentType": "relu", "name": "relu", "afterName": "input"}]
    expected = apply(to_plain(branches), actions).model
    compose.insert_after(branches, "input", compose.new_node(branches, "relu"), (3.0, 4.0)).apply(branches)
    done = to_plain(branches)
    names = [
        [
            [next(n["name"] for n in m["components"] if n["id"] == w[end]) for end in ("from", "to")]
            for w in m["connections"]
        ]
        for m in (done, expected)
    ]
    assert names[0] == names[1]
    assert [w["id"] for w in done["connections"]][:5] == ["a", "b", "c", "d", "e"]


def test_the_same_wire_cannot_be_drawn_twice(branches: Graph) -> None:
    with pytest.raises(EditRefused, match="left is already connected to join"):
        compose.connect(branches, "left", "join")
    with pytest.raises(EditRefused, match="left is already connected to join"):
        compose.rewire(branches, "d", source="left")
    compose.connect(branches, "left", "join", target_port="second").apply(branches)
    assert inputs(branches, "join") == ["left", "right", "left"]


def test_dropping_a_wire_where_it_was_is_no_twin_of_itself(branches: Graph) -> None:
    before = write_graph(branches)
    compose.rewire(branches, "c", target="join").apply(branches)
    assert write_graph(branches) == before


def test_a_moved_wire_keeps_its_id_and_its_place(branches: Graph) -> None:
    compose.rewire(branches, "c", source="input", port="hidden").apply(branches)
    assert [(c.id, c.source, c.source_port) for c in branches.incoming("join")] == [
        ("c", "input", "hidden"),
        ("d", "right", None),
    ]


@pytest.mark.parametrize(
    "make",
    [
        lambda graph: compose.connect(graph, "ghost", "join"),
        lambda graph: compose.connect(graph, "join", "ghost"),
        lambda graph: compose.rewire(graph, "ghost", source="left"),
        lambda graph: compose.rewire(graph, "a", source="ghost"),
        lambda graph: compose.rewire(graph, "a"),
        lambda graph: compose.rewire(graph, "a", source="left", target="join"),
        lambda graph: compose.splice_into(graph, "ghost", Node("new", "relu", "new")),
        lambda graph: compose.insert_after(graph, "ghost", Node("new", "relu", "new")),
        lambda graph: compose.reorder_inputs(graph, "join", ["c"]),
        lambda graph: compose.rename(graph, "left", "right"),
        lambda graph: compose.rename(graph, "left", "  "),
        lambda graph: compose.rename(graph, "ghost", "new"),
        lambda graph: compose.set_type(graph, "ghost", "relu", {}),
        lambda graph: compose.frame_nodes(graph, ["ghost"], "Nothing"),
        lambda graph: compose.unframe(graph, ["left"]),
    ],
)
def test_what_cannot_be_done_is_refused(branches: Graph, make: Callable[[Graph], Edit]) -> None:
    with pytest.raises(EditRefused):
        make(branches)


@pytest.mark.parametrize("order", list(permutations("wxyz")))
def test_inputs_get_the_order_asked_for_and_no_other_wire_moves(order: tuple[str, ...]) -> None:
    graph = Graph()
    for name in ("a", "b", "join"):
        graph.insert_node(Node(name, "add", name))
    for wire, target in (
        ("w", "join"),
        ("p", "a"),
        ("q", "b"),
        ("x", "join"),
        ("y", "join"),
        ("r", "a"),
        ("z", "join"),
    ):
        graph.insert_connection(Connection(wire, "a", target))
    others = [c for c in graph.connection_ids if c not in order]
    places = [graph.index_of_connection(c) for c in "wxyz"]
    before = write_graph(graph)
    inverse = compose.reorder_inputs(graph, "join", order).apply(graph)
    assert tuple(c.id for c in graph.incoming("join")) == order
    assert [graph.index_of_connection(c) for c in order] == places
    assert [c for c in graph.connection_ids if c not in order] == others
    inverse.apply(graph)
    assert write_graph(graph) == before


def test_inputs_that_are_in_order_already_are_not_moved(branches: Graph) -> None:
    edit = compose.reorder_inputs(branches, "join", ["c", "d"])
    assert edit == Batch((), "Reorder inputs")


def test_renaming_trims_and_keeps_everything_else(cnn: Graph) -> None:
    compose.rename(cnn, "head", "  classifier ").apply(cnn)
    assert cnn.node("head").name == "classifier"
    compose.rename(cnn, "head", "classifier").apply(cnn)


def test_another_type_keeps_name_and_wires_and_forgets_what_followed(cnn: Graph, wires_of: Wires) -> None:
    cnn.replace_node(replace(cnn.node("head"), meta={"inferred": ["inFeatures"], "colour": "red"}))
    before = wires_of(cnn)
    compose.set_type(cnn, "head", "conv1d", {"kernelSize": 3}).apply(cnn)
    head = cnn.node("head")
    assert (head.type, head.name, dict(head.params), dict(head.meta)) == (
        "conv1d",
        "head",
        {"kernelSize": 3},
        {"colour": "red"},
    )
    assert wires_of(cnn) == before


def test_a_typed_size_no_longer_follows_the_wire(cnn: Graph) -> None:
    cnn.replace_node(replace(cnn.node("head"), meta={"inferred": ["inFeatures", "outFeatures"]}))
    set_params(cnn.node("head"), inFeatures=5).apply(cnn)
    assert cnn.node("head").inferred == ("outFeatures",)
    set_params(cnn.node("head"), outFeatures=5).apply(cnn)
    assert "inferred" not in cnn.node("head").meta


def test_bypass_toggles_for_all_selected_layers_together(cnn: Graph) -> None:
    compose.toggle_bypass(cnn, ["act1"]).apply(cnn)
    assert cnn.node("act1").bypassed
    compose.toggle_bypass(cnn, ["act1", "conv1"]).apply(cnn)
    assert cnn.node("act1").bypassed
    assert cnn.node("conv1").bypassed
    before = dict(cnn.node("head").meta)
    compose.toggle_bypass(cnn, ["act1", "conv1"]).apply(cnn)
    assert not any(n.bypassed for n in cnn.nodes)
    assert dict(cnn.node("conv1").meta) == before


def test_frames_come_and_go(cnn: Graph) -> None:
    compose.frame_nodes(cnn, ["act1", "conv1"], "Stage").apply(cnn)
    assert [(f.title, f.nodes) for f in cnn.frames.values()] == [("Stage", ("conv1", "act1"))]
    compose.unframe(cnn, ["act1"]).apply(cnn)
    assert cnn.frames == {}


def test_new_nodes_get_names_that_are_free(cnn: Graph) -> None:
    for _ in range(2):
        AddNode(compose.new_node(cnn, "conv2d", name="conv1")).apply(cnn)
    assert [n.name for n in cnn.nodes if n.type == "conv2d"] == ["conv1", "conv2", "conv3"]


def test_ids_handed_out_within_one_edit_differ(cnn: Graph) -> None:
    ids = compose.Ids(cnn)
    given = [ids.fresh("c") for _ in range(20)]
    assert len(set(given)) == 20
    assert not any(cnn.has_connection(c) for c in given)


def test_names_handed_out_within_one_edit_are_those_one_by_one_would_give(cnn: Graph) -> None:
    names = compose.Names(cnn)
    wanted = ["conv1", "conv1", "conv3", "head", "head", "head2", "new", "new", "7", "7"]
    given = [names.fresh(name) for name in wanted]
    for k, name in enumerate(wanted):
        AddNode(Node(f"x{k}", "relu", cnn.unique_name(name))).apply(cnn)
    assert given == [n.name for n in cnn.nodes][5:]
