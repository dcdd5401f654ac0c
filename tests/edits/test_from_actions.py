"""A list of the benchmark's actions as one edit of a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archstudio.edits import EditRefused, SetFrame, SetMeta, SetNote
from archstudio.edits.actions import apply
from archstudio.edits.actions.engine import ACTION_TYPES
from archstudio.edits.from_actions import actions_to_edit
from archstudio.edits.plain import to_plain
from archstudio.graph import Connection, Frame, Graph, Note, write_graph

Actions = list[dict[str, Any]]


def do(graph: Graph, actions: Any) -> None:
    edit = actions_to_edit(graph, actions).edit
    assert edit is not None
    edit.apply(graph)


def test_actions_are_one_step_that_can_be_taken_back(cnn: Graph) -> None:
    before = write_graph(cnn)
    edit = actions_to_edit(
        cnn,
        [
            {"type": "add_component", "componentType": "conv2d", "name": "conv2", "afterName": "act1"},
            {"type": "update_params", "name": "head", "params": {"inFeatures": 32}},
            {"type": "delete_component", "name": "conv1"},
        ],
    ).edit
    assert edit is not None
    inverse = edit.apply(cnn)
    assert [n.name for n in cnn.nodes] == ["input", "act1", "head", "output", "conv2"]
    assert write_graph(cnn) != before
    inverse.apply(cnn)
    assert write_graph(cnn) == before


def test_what_graders_do_not_read_survives(cnn: Graph) -> None:
    cnn.replace_node(replace(cnn.node("head"), meta={"colour": "red", "inferred": ["inFeatures"]}, extra={"x": 1}))
    cnn.replace_connection(replace(cnn.connection("c3"), source_port="hidden", target_port="a", extra={"y": 2}))
    SetFrame("f", Frame("f", "Stage", ("conv1", "act1"))).apply(cnn)
    SetNote("n", Note("n", "Why?", (0.0, 0.0))).apply(cnn)
    SetMeta("batch", 8).apply(cnn)
    layout = dict(cnn.layout)
    do(cnn, [{"type": "update_params", "name": "head", "params": {"outFeatures": 4}}])
    head = cnn.node("head")
    assert dict(head.params) == {"inFeatures": 16, "outFeatures": 4}
    assert (head.meta, head.extra) == ({"colour": "red", "inferred": ["inFeatures"]}, {"x": 1})
    wire = cnn.connection("c3")
    assert (wire.source_port, wire.target_port, wire.extra) == ("hidden", "a", {"y": 2})
    assert (cnn.layout, cnn.meta) == (layout, {"batch": 8})
    assert cnn.frames["f"].nodes == ("conv1", "act1")
    assert "n" in cnn.notes


def test_a_size_that_an_action_sets_no_longer_follows_the_wire(cnn: Graph) -> None:
    cnn.replace_node(replace(cnn.node("head"), meta={"inferred": ["inFeatures", "outFeatures"]}))
    do(cnn, [{"type": "update_params", "name": "head", "params": {"inFeatures": 5}}])
    assert cnn.node("head").inferred == ("outFeatures",)


def test_deleted_layers_leave_their_frames(cnn: Graph) -> None:
    SetFrame("f", Frame("f", "Stage", ("conv1", "act1"))).apply(cnn)
    SetFrame("g", Frame("g", "Activation", ("act1",))).apply(cnn)
    do(cnn, [{"type": "delete_component", "name": "act1"}])
    assert {f.id: f.nodes for f in cnn.frames.values()} == {"f": ("conv1",)}


def test_healed_wires_take_over_ports_where_they_are_clear(cnn: Graph) -> None:
    cnn.replace_connection(replace(cnn.connection("c1"), source_port="hidden"))
    cnn.replace_connection(replace(cnn.connection("c2"), target_port="query"))
    do(cnn, [{"type": "delete_component", "name": "act1"}])
    (wire,) = cnn.between("conv1", "head")
    assert (wire.source_port, wire.target_port) == ("hidden", "query")


def test_a_wire_that_now_comes_from_another_layer_forgets_its_output_port(cnn: Graph) -> None:
    cnn.replace_connection(replace(cnn.connection("c2"), source_port="hidden", target_port="query"))
    do(cnn, [{"type": "add_component", "componentType": "relu", "name": "new", "afterName": "act1"}])
    wire = cnn.connection("c2")
    assert (cnn.node(wire.source).name, wire.source_port, wire.target_port) == ("new", None, "query")


def test_actions_that_change_nothing_are_no_edit(cnn: Graph) -> None:
    for actions in ([], None, "none", [None, 3], [{"type": "update_params", "name": "head"}]):
        assert actions_to_edit(cnn, actions).edit is None


def test_errors_and_unknown_types_are_reported(cnn: Graph) -> None:
    done = actions_to_edit(cnn, [{"type": "fly"}, {"type": "delete_component", "name": "ghost"}])
    assert done.edit is None
    assert done.skipped == ("fly",)
    assert [(e.index, e.type) for e in done.errors] == [(1, "delete_component")]


@pytest.mark.parametrize(
    ("actions", "reason"),
    [
        ([{"type": "add_component", "componentType": "relu", "name": "head"}], "two layers would be called head"),
        ([{"type": "rename_component", "name": "head", "newName": "act1"}], "two layers would be called act1"),
        ([{"type": "add_component", "componentType": "relu"}], "a relu would have no name"),
        ([{"type": "add_component", "name": "new"}], "new would have no type"),
        ([{"type": "add_component", "componentType": 7, "name": "new"}], "new would have no type"),
        ([{"type": "rename_component", "name": "head"}], "a linear would have no name"),
        ([{"type": "scale_params", "paramKey": "inFeatures"}], "a parameter of head cannot be kept"),
    ],
)
def test_what_a_document_cannot_hold_is_refused_with_a_reason(cnn: Graph, actions: Actions, reason: str) -> None:
    before = write_graph(cnn)
    with pytest.raises(EditRefused, match=reason):
        actions_to_edit(cnn, actions)
    assert write_graph(cnn) == before


def test_deleting_a_layer_that_feeds_itself_leaves_no_dangling_wire(cnn: Graph) -> None:
    cnn.insert_connection(Connection("loop", "act1", "act1"))
    do(cnn, [{"type": "delete_component", "name": "act1"}])
    assert {c.source for c in cnn.connections} | {c.target for c in cnn.connections} <= set(cnn.node_ids)


def random_actions(random: Random, graph: Graph) -> Actions:
    """Actions of every type, now and then about a layer that does not exist."""
    names = [*(n.name for n in graph.nodes), "ghost"]
    return [
        {
            "type": random.choice(ACTION_TYPES[:-2] * 4 + ACTION_TYPES[-2:]),
            "componentType": random.choice(("relu", "linear")),
            "name": random.choice((*names, f"new{k}")),
            "newName": random.choice((*names, f"renamed{k}")),
            "afterName": random.choice((*names, None)),
            "fromName": random.choice(names),
            "toName": random.choice(names),
            "namePattern": random.choice(("1$", "^layer[34]", "none")),
            "paramKey": "units",
            "factor": 2,
            "params": random.choice(({"units": k}, {}, {"new": [k]})),
            "components": [{"componentType": "relu", "name": "only"}],
            "connections": [],
        }
        for k in range(random.randint(1, 5))
    ]


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32).map(Random))
def test_the_edit_agrees_with_the_benchmark(some_graph: Callable[[Random], Graph], random: Random) -> None:
    graph = some_graph(random)
    actions = random_actions(random, graph)
    done = apply(to_plain(graph), actions)
    names = Counter(c.get("name") for c in done.model["components"])
    if any(count > 1 for count in names.values()):
        with pytest.raises(EditRefused):
            actions_to_edit(graph, actions)
        return
    found = actions_to_edit(graph, actions)
    if found.edit is not None:
        found.edit.apply(graph)
    present = {c["id"] for c in done.model["components"]}
    wires = [w for w in done.model["connections"] if {w["from"], w["to"]} <= present]
    expected = apply({**done.model, "connections": wires}, []).model
    assert to_plain(graph) == expected
    assert [str(e) for e in found.errors] == [str(e) for e in done.errors]
    assert list(found.skipped) == done.skipped
