"""Whatever is edited: it can be taken back, made again, recorded and compared, byte for byte."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archstudio.edits import AddNode, Batch, Edit, EditRefused, RemoveNode, edit_from_json
from archstudio.edits.diff import diff
from archstudio.edits.history import History
from archstudio.graph import Change, Graph, Node, write_graph

Graphs = Callable[[Random], Graph]
Edits = Callable[[Random, Graph], Edit]
a_random = st.integers(0, 2**32).map(Random)


def wiring_is_true(graph: Graph) -> bool:
    """Whether the indexes of a graph say what its list of connections says."""
    wires = list(graph.connections)
    return all(
        graph.incoming(n) == [c for c in wires if c.target == n]
        and graph.outgoing(n) == [c for c in wires if c.source == n]
        and graph.named(graph.node(n).name) == graph.node(n)
        for n in graph.node_ids
    )


@settings(max_examples=200, deadline=None)
@given(a_random, st.integers(1, 12))
def test_undoing_everything_gives_the_first_bytes_and_redoing_the_last(
    some_graph: Graphs, some_edit: Edits, random: Random, steps: int
) -> None:
    graph = some_graph(random)
    history = History(graph)
    states = [write_graph(graph)]
    for _ in range(steps):
        history.push(some_edit(random, graph), "step")
        states.append(write_graph(graph))
        assert wiring_is_true(graph)
    for state in reversed(states[:-1]):
        history.undo()
        assert write_graph(graph) == state
        assert wiring_is_true(graph)
    assert not history.can_undo
    for state in states[1:]:
        history.redo()
        assert write_graph(graph) == state
    assert not history.can_redo


@settings(max_examples=200, deadline=None)
@given(a_random)
def test_an_edit_read_back_from_its_record_does_the_same(some_graph: Graphs, some_edit: Edits, random: Random) -> None:
    graph = some_graph(random)
    edit = some_edit(random, graph)
    recorded = edit_from_json(json.loads(json.dumps(edit.to_json())))
    twin = graph.copy()
    inverse = edit.apply(graph)
    recorded.apply(twin)
    assert write_graph(twin) == write_graph(graph)
    edit_from_json(json.loads(json.dumps(inverse.to_json()))).apply(twin)
    inverse.apply(graph)
    assert write_graph(twin) == write_graph(graph)


@settings(max_examples=200, deadline=None)
@given(a_random, st.integers(0, 8))
def test_the_difference_of_two_versions_leads_from_one_to_the_other(
    some_graph: Graphs, some_edit: Edits, random: Random, steps: int
) -> None:
    before = some_graph(random)
    after = before.copy()
    for _ in range(steps):
        some_edit(random, after).apply(after)
    assert_difference_leads(before, after)


@settings(max_examples=100, deadline=None)
@given(a_random)
def test_the_difference_of_two_unrelated_graphs_leads_from_one_to_the_other(some_graph: Graphs, random: Random) -> None:
    assert_difference_leads(some_graph(random), some_graph(random))


def assert_difference_leads(before: Graph, after: Graph) -> None:
    first = write_graph(before)
    edit = diff(before, after)
    assert write_graph(before) == first, "making a difference must not touch its graphs"
    assert (edit is None) == (first == write_graph(after))
    if edit is not None:
        inverse = edit.apply(before)
        assert write_graph(before) == write_graph(after)
        inverse.apply(before)
        assert write_graph(before) == first


@settings(max_examples=100, deadline=None)
@given(a_random, st.integers(0, 5))
def test_a_refused_batch_leaves_every_byte_as_it_was(
    some_graph: Graphs, some_edit: Edits, random: Random, before: int
) -> None:
    graph = some_graph(random)
    history = History(graph)
    state = write_graph(graph)
    trial = graph.copy()
    edits = []
    for _ in range(before):
        edits.append(some_edit(random, trial))
        edits[-1].apply(trial)
    taken = Node("fresh", "relu", next(trial.nodes).name) if len(trial) else Node("fresh", "relu", "x")
    wrong = (AddNode(taken), AddNode(taken)) if random.random() < 0.5 else (RemoveNode("nobody"),)
    with pytest.raises(EditRefused):
        history.push(Batch((*edits, *wrong)), "refused")
    assert write_graph(graph) == state
    assert wiring_is_true(graph)
    assert history.labels == []
    assert history.is_clean


@settings(max_examples=100, deadline=None)
@given(a_random, st.integers(1, 8))
def test_watchers_are_told_of_every_layer_and_wire_that_changed(
    some_graph: Graphs, some_edit: Edits, random: Random, steps: int
) -> None:
    graph = some_graph(random)
    told: list[Change] = []
    graph.watch(told.append)
    for _ in range(steps):
        before = {n.id: n for n in graph.nodes}, {c.id: c for c in graph.connections}
        told.clear()
        some_edit(random, graph).apply(graph)
        after = {n.id: n for n in graph.nodes}, {c.id: c for c in graph.connections}
        for was, now in zip(before, after, strict=True):
            changed = {k for k in was.keys() | now.keys() if was.get(k) != now.get(k)}
            assert changed <= {change.id for change in told}


@settings(max_examples=100, deadline=None)
@given(a_random, st.integers(1, 10))
def test_what_a_history_tells_its_watchers_can_be_replayed(
    some_graph: Graphs, some_edit: Edits, random: Random, steps: int
) -> None:
    graph = some_graph(random)
    replica = graph.copy()
    history = History(graph)
    history.watch(lambda edit: edit_from_json(edit.to_json()).apply(replica) and None)
    for _ in range(steps):
        act = random.choice(("push", "push", "undo", "redo"))
        if act == "push":
            history.push(some_edit(random, graph), "step", random.choice((None, "typing")))
        else:
            getattr(history, act)()
        assert write_graph(replica) == write_graph(graph)
