"""Random graphs and random edits, and a small network to edit by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from archstudio.edits import (
    AddConnection,
    AddNode,
    ChangeConnection,
    ChangeNode,
    Edit,
    Move,
    MoveConnection,
    MoveNodeInOrder,
    RenameGraph,
    SetFrame,
    SetMeta,
    SetNote,
    compose,
    set_params,
)
from archstudio.edits.clipboard import extract, paste
from archstudio.graph import Connection, Frame, Graph, Node, Note, from_document

TYPES = ("linear", "relu", "conv2d", "add", "concatenate", "dropout", "layerNorm")
VALUES: tuple[Any, ...] = (0, 1, 12, 12.0, 2.5, True, None, "same", [3, 3], {"deep": [1, {"er": 2}]})


def random_graph(random: Random, nodes: int = 7) -> Graph:
    """A graph with wires in both directions, fan-out, loops of two and everything optional somewhere."""
    graph = Graph("random")
    for k in range(random.randint(0, nodes)):
        params = {key: random.choice(VALUES) for key in random.sample(("units", "rate", "size"), random.randint(0, 3))}
        meta = {"inferred": list(params)[:1]} if params and random.random() < 0.3 else {}
        extra = {"vendor": k} if random.random() < 0.2 else {}
        graph.insert_node(Node(f"n{k}", random.choice(TYPES), f"layer{k}", params, meta, extra))
        if random.random() < 0.7:
            graph.layout[f"n{k}"] = (random.random() * 900, float(k))
    for k in range(random.randint(0, 2 * len(graph))):
        source, target = random.choice(graph.node_ids), random.choice(graph.node_ids)
        port = random.choice((None, None, None, "hidden"))
        graph.insert_connection(Connection(f"w{k}", source, target, port, extra={"ink": 1} if k == 3 else {}))
    for k in range(random.randint(0, 3)):
        graph.frames[f"f{k}"] = Frame(f"f{k}", "Stage", tuple(random.sample(graph.node_ids, min(2, len(graph)))))
        graph.notes[f"t{k}"] = Note(f"t{k}", "Why?", (1.0, float(k)))
        graph.meta[f"setting{k}"] = k
    return graph


def random_edit(random: Random, graph: Graph) -> Edit:
    """An edit that can be made on this graph, simple or composite."""
    makers = [_add, _drawing, _setting]
    if len(graph):
        makers += [_change, _delete, _connect, _order, _insert, _paste, _bypass]
    if graph.connection_ids:
        makers += [_rewire, _splice, _disconnect, _reorder]
    return random.choice(makers)(random, graph)


def _new(random: Random, graph: Graph) -> Node:
    return compose.new_node(graph, random.choice(TYPES), {"units": random.choice(VALUES)})


def _add(random: Random, graph: Graph) -> Edit:
    place = random.choice((None, (4.0, 2.0)))
    return AddNode(_new(random, graph), random.choice((None, random.randint(0, len(graph)))), place)


def _drawing(random: Random, graph: Graph) -> Edit:
    part = random.choice((*graph.frames, *graph.notes, "fresh"))
    index = random.choice((None, 0))
    if part in graph.notes:
        return SetNote(part, random.choice((None, Note(part, "So", (3.0, 4.0), (20.0, 10.0), {"ink": "red"}))), index)
    nodes = tuple(random.sample(graph.node_ids, min(1, len(graph))))
    return SetFrame(part, random.choice((None, Frame(part, "Other", nodes, "red", True, {"x": 1}))), index)


def _setting(random: Random, graph: Graph) -> Edit:
    if random.random() < 0.2:
        return RenameGraph(random.choice(("renamed", "again")))
    return SetMeta(random.choice((*graph.meta, "fresh")), random.choice(VALUES), random.choice((None, 0)))


def _change(random: Random, graph: Graph) -> Edit:
    node = graph.node(random.choice(graph.node_ids))
    which = random.randrange(4)
    if which == 0:
        return set_params(node, **{random.choice(("units", "node", "self")): random.choice(VALUES)})
    if which == 1:
        return compose.rename(graph, node.id, graph.unique_name("renamed"))
    if which == 2:
        return compose.set_type(graph, node.id, random.choice(TYPES), {"units": 3})
    return ChangeNode(replace(node, params={}))


def _some(random: Random, graph: Graph) -> list[str]:
    return random.sample(graph.node_ids, random.randint(1, min(3, len(graph))))


def _delete(random: Random, graph: Graph) -> Edit:
    return compose.delete_nodes(graph, _some(random, graph), heal=random.random() < 0.8)


def _bypass(random: Random, graph: Graph) -> Edit:
    return compose.toggle_bypass(graph, _some(random, graph))


def _connect(random: Random, graph: Graph) -> Edit:
    wire = Connection(graph.fresh_id("c"), random.choice(graph.node_ids), random.choice(graph.node_ids), None, "query")
    return AddConnection(wire, random.choice((None, random.randint(0, len(graph.connection_ids)))))


def _order(random: Random, graph: Graph) -> Edit:
    if random.random() < 0.5:
        return Move({n: random.choice((None, (7.0, 8.0))) for n in _some(random, graph)})
    return MoveNodeInOrder(random.choice(graph.node_ids), random.randrange(len(graph)))


def _insert(random: Random, graph: Graph) -> Edit:
    return compose.insert_after(graph, random.choice(graph.node_ids), _new(random, graph), (5.0, 5.0))


def _paste(random: Random, graph: Graph) -> Edit:
    return paste(graph, extract(graph, _some(random, graph)))[0]


def _splice(random: Random, graph: Graph) -> Edit:
    return compose.splice_into(graph, random.choice(graph.connection_ids), _new(random, graph))


def _disconnect(random: Random, graph: Graph) -> Edit:
    return compose.disconnect([random.choice(graph.connection_ids)])


def _rewire(random: Random, graph: Graph) -> Edit:
    wire = graph.connection(random.choice(graph.connection_ids))
    end = random.choice(("source", "target"))
    return ChangeConnection(replace(wire, **{end: random.choice(graph.node_ids)}))


def _reorder(random: Random, graph: Graph) -> Edit:
    if random.random() < 0.5:
        return MoveConnection(random.choice(graph.connection_ids), random.randrange(len(graph.connection_ids)))
    node = random.choice(graph.node_ids)
    wires = [c.id for c in graph.incoming(node)]
    return compose.reorder_inputs(graph, node, random.sample(wires, len(wires)))


@pytest.fixture(scope="session")
def some_graph() -> Callable[[Random], Graph]:
    """Makes random graphs."""
    return random_graph


@pytest.fixture(scope="session")
def some_edit() -> Callable[[Random, Graph], Edit]:
    """Makes random edits of a graph."""
    return random_edit


CNN = {
    "name": "tiny-cnn",
    "components": [
        {"id": "input", "type": "input", "name": "input", "params": {"shape": [1, 3, 32, 32]}},
        {"id": "conv1", "type": "conv2d", "name": "conv1", "params": {"inChannels": 3, "outChannels": 16}},
        {"id": "act1", "type": "relu", "name": "act1"},
        {"id": "head", "type": "linear", "name": "head", "params": {"inFeatures": 16, "outFeatures": 10}},
        {"id": "output", "type": "output", "name": "output"},
    ],
    "connections": [
        {"from": "input", "to": "conv1"},
        {"from": "conv1", "to": "act1"},
        {"from": "act1", "to": "head"},
        {"from": "head", "to": "output"},
    ],
    "layout": {"input": [0, 0], "conv1": [0, 80], "act1": [0, 160]},
}


@pytest.fixture
def cnn() -> Graph:
    """input → conv1 → act1 → head → output."""
    return from_document(CNN)


BRANCHES = {
    "name": "branches",
    "components": [
        {"id": n, "type": t, "name": n}
        for n, t in (
            ("input", "input"),
            ("left", "linear"),
            ("right", "linear"),
            ("join", "concatenate"),
            ("output", "output"),
        )
    ],
    "connections": [
        {"id": "a", "from": "input", "to": "left"},
        {"id": "b", "from": "input", "to": "right"},
        {"id": "c", "from": "left", "to": "join"},
        {"id": "d", "from": "right", "to": "join"},
        {"id": "e", "from": "join", "to": "output"},
    ],
}


@pytest.fixture
def branches() -> Graph:
    """input fans out to left and right, which are concatenated in that order."""
    return from_document(BRANCHES)


@pytest.fixture(scope="session")
def wires_of() -> Callable[[Graph], list[str]]:
    """Names a graph's wires, in file order."""
    return lambda graph: [f"{graph.node(c.source).name} -> {graph.node(c.target).name}" for c in graph.connections]
