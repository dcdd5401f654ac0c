"""A session that saw every edit says what a fresh look at the graph says, and looks at no more than it must."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archstudio.graph import Connection, Graph, Node
from archstudio.verify import Session, Verdict, check

KINDS = {
    "input": [{"shape": [2, 4]}, {"shape": [2, 3, 4]}, {"shape": [2, 3, 4], "dtype": "int64"}],
    "linear": [{"inFeatures": 4, "outFeatures": 4}, {"outFeatures": 3}, {"inFeatures": 4, "outFeatures": -1}],
    "relu": [{}],
    "add": [{}],
    "flatten": [{}],
    "embedding": [{"numEmbeddings": 9, "embeddingDim": 4}],
    "lstm": [{"hiddenSize": 4}],
    "sharedModule": [{"node": "name3"}, {"node": "name5"}],
    "batchNorm1d": [{"numFeatures": 4}],
    "no such layer": [{}],
}


def any_node(random: Random, node_id: str, name: str) -> Node:
    kind = random.choice(list(KINDS))
    meta = {"bypass": True} if random.random() < 0.1 else {}
    return Node(node_id, kind, name, random.choice(KINDS[kind]), meta)


def add(random: Random, graph: Graph) -> None:
    k = next(k for k in range(99) if f"n{k}" not in graph)
    graph.insert_node(any_node(random, f"n{k}", graph.unique_name(f"name{k}")))


def remove(random: Random, graph: Graph) -> None:
    node = random.choice(graph.node_ids)
    for wire in [*graph.incoming(node), *graph.outgoing(node)]:
        if graph.has_connection(wire.id):
            graph.remove_connection(wire.id)
    graph.remove_node(node)


def change(random: Random, graph: Graph) -> None:
    old = graph.node(random.choice(graph.node_ids))
    graph.replace_node(any_node(random, old.id, old.name))


def rename(random: Random, graph: Graph) -> None:
    old = graph.node(random.choice(graph.node_ids))
    graph.replace_node(replace(old, name=graph.unique_name(random.choice(("other", "name3", "name5")))))


def connect(random: Random, graph: Graph) -> None:
    wire = next(f"c{k}" for k in range(999) if not graph.has_connection(f"c{k}"))
    source, target = random.choice(graph.node_ids), random.choice(graph.node_ids)
    port = "output" if random.random() < 0.4 else None
    index = random.randint(0, len(graph.connection_ids))
    graph.insert_connection(Connection(wire, source, target, port), index)


def cut(random: Random, graph: Graph) -> None:
    if graph.connection_ids:
        graph.remove_connection(random.choice(graph.connection_ids))


def reroute(random: Random, graph: Graph) -> None:
    if graph.connection_ids:
        wire = graph.connection(random.choice(graph.connection_ids))
        graph.replace_connection(replace(wire, target=random.choice(graph.node_ids)))


def set_meta(random: Random, graph: Graph) -> None:
    graph.set_meta(*random.choice([("mode", "train"), ("mode", None), ("batch", 1), ("batch", 7), ("silenced", ["A"])]))


EDITS: list[Callable[[Random, Graph], None]] = [
    add,
    remove,
    change,
    change,
    rename,
    connect,
    connect,
    cut,
    reroute,
    set_meta,
]


def facts(verdict: Verdict) -> dict[str, object]:
    nodes = {
        n: (v.value, v.problems, v.waiting_for, v.parameters, v.buffers, v.macs, dict(v.inferred))
        for n, v in verdict.nodes.items()
    }
    totals = (verdict.parameters, verdict.buffers, verdict.macs)
    return {**nodes, "errors": verdict.errors, "totals": totals, "remarks": verdict.remarks}


@settings(max_examples=150, deadline=None)
@given(st.randoms(use_true_random=False))
def test_after_any_edits_a_session_says_what_a_fresh_look_says(random):
    graph = Graph()
    for _ in range(random.randint(1, 8)):
        add(random, graph)
    session = Session(graph)
    for _ in range(random.randint(1, 25)):
        if len(graph):
            random.choice(EDITS)(random, graph)
        else:
            add(random, graph)
        if random.random() < 0.6:
            assert facts(session.verdict()) == facts(check(graph))
    assert facts(session.verdict()) == facts(check(graph))


def test_an_edit_that_keeps_the_wire_judges_one_node(cnn):
    session = Session(cnn)
    before = session.verdict().nodes
    cnn.replace_node(cnn.node("conv1").with_params(bias=False))
    after = session.verdict().nodes
    assert [n for n in after if after[n] is not before[n]] == ["conv1"]


def test_a_verdict_does_not_change_with_the_graph(cnn):
    session = Session(cnn)
    verdict = session.verdict()
    cnn.replace_node(cnn.node("head").with_params(inFeatures=30))
    assert not verdict.runs
    assert session.verdict().runs


def test_asking_twice_gives_the_same_verdict(cnn):
    session = Session(cnn)
    assert session.verdict() is session.verdict()
    cnn.set_positions({"head": (1.0, 2.0)})
    assert session.verdict() is session.verdict()


def test_a_closed_session_no_longer_listens(cnn):
    session = Session(cnn)
    verdict = session.verdict()
    session.close()
    cnn.replace_node(cnn.node("head").with_params(inFeatures=30))
    assert session.verdict() is verdict


def test_errors_follow_the_order_of_the_graph(build):
    graph = build({name: ("relu", {}) for name in "abc"}, [])
    session = Session(graph)
    assert [p.node for p in session.verdict().errors] == ["a", "b", "c"]
    graph.move_node_in_order("c", 0)
    assert [p.node for p in session.verdict().errors] == ["c", "a", "b"]


def test_nodes_in_loops_are_judged_in_the_order_of_the_file(build):
    names = [f"turn{k}" for k in (3, 1, 7, 0, 5, 2, 6, 4)]
    wires = [f"{a} -> {b}" for a, b in zip(names, names[1:] + names[:1], strict=True)]
    assert list(check(build({name: ("relu", {}) for name in names}, wires)).nodes) == names


def test_true_and_one_are_not_taken_for_each_other_nor_are_unusual_values_in_the_way(build):
    nodes = {"x": ("input", {"shape": [2, 4]})}
    for name, bias in (("a", True), ("b", 1), ("c", 1.0), ("d", {1, 2})):
        nodes[name] = ("linear", {"inFeatures": 4, "outFeatures": 4, "bias": bias})
    verdict = check(build(nodes, [f"x -> {name}" for name in "abcd"]))
    assert [verdict.nodes[name].state for name in "abcd"] == ["ok", "problem", "problem", "problem"]


def test_totals_are_those_of_the_mended_graph(build):
    nodes = {"x": ("input", {"shape": [2, 4]}), "a": ("linear", {"inFeatures": 4, "outFeatures": 4})}
    graph = build({**nodes, "b": ("linear", {"inFeatures": 4, "outFeatures": 4})}, ["x -> a", "a -> b"])
    session = Session(graph)
    assert session.verdict().parameters == 40
    graph.replace_node(graph.node("a").with_params(inFeatures=5))
    assert session.verdict().parameters is None
    graph.replace_node(graph.node("b").with_params(bias=False))
    assert session.verdict().parameters is None
    graph.replace_node(graph.node("a").with_params(inFeatures=4))
    mended = session.verdict()
    assert (mended.parameters, mended.buffers, mended.macs) == (36, 0, 64)


def test_inputs_of_a_node_are_told_in_the_order_of_its_ports(build):
    graph = build(
        {
            "k": ("input", {"shape": [2, 7, 8]}),
            "q": ("input", {"shape": [2, 5, 8]}),
            "mix": ("multiHeadAttention", {"embedDim": 8, "numHeads": 2}),
        },
        ["k -> mix.key", "q -> mix.query"],
    )
    shapes = [getattr(v, "shape", None) for v in Session(graph).input_values("mix")]
    assert shapes == [(2, 5, 8), (2, 7, 8)]


@pytest.mark.long
@settings(max_examples=4000, deadline=None)
@given(st.randoms(use_true_random=False))
def test_after_very_many_edits_too(random):
    test_after_any_edits_a_session_says_what_a_fresh_look_says.hypothesis.inner_test(random)
