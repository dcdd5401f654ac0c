"""Comparing graphs: by what they say, whatever their ids; and both against the start they came from."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archstudio.app.application import task_document
from archstudio.app.comparing import aligned, compare, compare_with_start
from archstudio.app.document import Document, copy_graph
from archstudio.edits import set_params
from archstudio.edits.changes import changes
from archstudio.edits.compose import delete_nodes, rename
from archstudio.graph import Graph


@pytest.fixture
def start() -> Graph:
    return task_document("deepen-resnet").graph


def edited(start: Graph, *how: str) -> Graph:
    """A copy of the start with some edits, each named in a word."""
    document = Document(copy_graph(start))
    graph = document.graph
    for what in how:
        if what == "wider":
            document.push(set_params(graph.named("conv1"), outChannels=64), "Wider")
        elif what == "widest":
            document.push(set_params(graph.named("conv1"), outChannels=99), "Widest")
        elif what == "shorter":
            document.push(delete_nodes(graph, [graph.named("act1").id]), "Shorter")
        elif what == "renamed":
            document.push(rename(graph, graph.named("head").id, "classifier"), "Renamed")
    return graph


def renumbered(graph: Graph) -> Graph:
    """The same graph as another program would write it: all ids are different."""
    made = Graph(graph.name)
    for node in graph.nodes:
        made.insert_node(replace(node, id=f"x{node.id}"))
    for wire in graph.connections:
        made.insert_connection(replace(wire, id=f"y{wire.id}", source=f"x{wire.source}", target=f"x{wire.target}"))
    return made


def lines(rows) -> list[str]:
    return [f"{row.kind} {row.part} {row.text}" for row in rows]


def test_a_graph_is_like_itself_under_other_ids(start) -> None:
    found = compare(("a", start), ("b", renumbered(start)))
    assert (found.rows, found.edits) == ((), 0)
    assert not found.left.marks
    assert not found.right.marks


def test_what_was_added_removed_and_changed_is_listed_and_marked(start) -> None:
    found = compare(("a", start), ("b", edited(start, "wider", "shorter")))
    assert lines(found.rows) == [
        "removed layer act1 (relu)",
        "changed layer conv1: outChannels 16 → 64",
        "removed wire conv1 → act1",
        "removed wire act1 → head",
        "added wire conv1 → head",
    ]
    assert found.counts == {"added": 1, "removed": 3, "changed": 1}
    act, conv = start.named("act1").id, start.named("conv1").id
    assert found.left.marks[act] == "removed"
    assert act not in found.right.marks
    assert found.left.marks[conv] == found.right.marks[conv] == "changed"
    assert found.edits > 0


def test_every_mark_is_on_a_part_of_its_own_side(start) -> None:
    found = compare(("a", edited(start, "renamed")), ("b", renumbered(edited(start, "wider", "shorter"))))
    for side in (found.left, found.right):
        for part in side.marks:
            assert part in side.graph or side.graph.has_connection(part)
    for row in found.rows:
        assert any(row.at in s.graph or s.graph.has_connection(row.at) for s in (found.left, found.right))


def test_against_the_start_it_says_who_did_what_and_where_they_disagree(start) -> None:
    mine, theirs = edited(start, "wider", "renamed"), edited(start, "widest", "renamed", "shorter")
    found = compare_with_start(start, ("mine", mine), ("theirs", theirs))
    told = {(row.text, row.whose, row.disagree) for row in found.rows if row.part == "layer"}
    assert told == {
        ("conv1: outChannels 16 → 64", "mine", True),
        ("conv1: outChannels 16 → 99", "theirs", True),
        ("act1 (relu)", "theirs", False),
        ("classifier: name head → classifier", "mine and theirs", False),
    }


def test_the_same_change_on_both_sides_is_one_row(start) -> None:
    found = compare_with_start(start, ("a", edited(start, "wider")), ("b", edited(start, "wider")))
    assert [(row.text, row.whose) for row in found.rows] == [("conv1: outChannels 16 → 64", "a and b")]


def test_unrelated_graphs_that_use_the_same_ids_are_not_taken_for_alike(start) -> None:
    other = Graph("other")
    for node in start.nodes:
        other.insert_node(replace(node, name=f"{node.name}_b", type="relu", params={}))
    found = compare(("a", start), ("b", other))
    assert {row.kind for row in found.rows if row.part == "layer"} >= {"added", "removed"}


@given(st.lists(st.sampled_from(["wider", "shorter", "renamed"]), unique=True))
def test_aligning_changes_ids_and_nothing_else(how: list[str]) -> None:
    start = task_document("deepen-resnet").graph
    now = edited(start, *how)
    made = aligned(start, renumbered(now))
    assert [(n.name, n.type, n.params) for n in made.nodes] == [(n.name, n.type, n.params) for n in now.nodes]
    joined = [(made.node(c.source).name, made.node(c.target).name) for c in made.connections]
    assert joined == [(now.node(c.source).name, now.node(c.target).name) for c in now.connections]
    if "renamed" not in how:
        assert [d for d in changes(start, made) if d.part == "layer"] == [
            d for d in changes(start, now) if d.part == "layer"
        ]
