"""The exact difference of two graphs, as an edit."""

from __future__ import annotations

from dataclasses import replace

from archstudio.edits.base import Batch, Edit
from archstudio.edits.primitives import (
    AddConnection,
    AddNode,
    ChangeConnection,
    ChangeNode,
    Move,
    MoveConnection,
    MoveNodeInOrder,
    RemoveConnection,
    RemoveNode,
    RenameGraph,
    SetFrame,
    SetMeta,
    SetNote,
)
from archstudio.graph import Graph, from_document, to_document


def diff(a: Graph, b: Graph, label: str = "") -> Edit | None:
    """The edit that turns graph `a` into graph `b`, list orders and layout included; None if they are equal.

    Parts are matched by id. Unknown top-level keys of files (`extra`) are not edited and stay as they are.
    """
    scratch = _Scratch(from_document(to_document(a), file=a.name))
    _remove_parts(scratch, b)
    _match_nodes(scratch, b)
    _match_connections(scratch, b)
    _match_rest(scratch, b)
    return Batch(tuple(scratch.edits), label) if scratch.edits else None


class _Scratch:
    """A copy of the first graph, changed step by step while the edits are written down."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.edits: list[Edit] = []

    def make(self, edit: Edit) -> None:
        edit.apply(self.graph)
        self.edits.append(edit)


def _remove_parts(scratch: _Scratch, b: Graph) -> None:
    for wire in list(scratch.graph.connections):
        if not b.has_connection(wire.id):
            scratch.make(RemoveConnection(wire.id))
    for node_id in scratch.graph.node_ids:
        if node_id in b:
            continue
        for wire in (*scratch.graph.incoming(node_id), *scratch.graph.outgoing(node_id)):
            if scratch.graph.has_connection(wire.id):
                scratch.make(RemoveConnection(wire.id))
        scratch.make(RemoveNode(node_id))


def _match_nodes(scratch: _Scratch, b: Graph) -> None:
    graph = scratch.graph
    wanted_names = {n.id: n.name for n in b.nodes}
    for node in list(graph.nodes):
        holder = graph.named(wanted_names[node.id])
        if node.name != wanted_names[node.id] and holder is not None and holder.id != node.id:
            scratch.make(ChangeNode(replace(holder, name=graph.unique_name(f"{holder.name} (renaming)"))))
    for place, node in enumerate(b.nodes):
        if node.id not in graph:
            scratch.make(AddNode(node, place))
            continue
        if graph.node(node.id) != node:
            scratch.make(ChangeNode(node))
        if graph.index_of_node(node.id) != place:
            scratch.make(MoveNodeInOrder(node.id, place))


def _match_connections(scratch: _Scratch, b: Graph) -> None:
    graph = scratch.graph
    for place, wire in enumerate(b.connections):
        if not graph.has_connection(wire.id):
            scratch.make(AddConnection(wire, place))
            continue
        if graph.connection(wire.id) != wire:
            scratch.make(ChangeConnection(wire))
        if graph.index_of_connection(wire.id) != place:
            scratch.make(MoveConnection(wire.id, place))


def _match_rest(scratch: _Scratch, b: Graph) -> None:
    graph = scratch.graph
    moved = {n: b.layout.get(n) for n in b.node_ids if graph.layout.get(n) != b.layout.get(n)}
    if moved:
        scratch.make(Move(moved))
    for frame in dict.fromkeys([*graph.frames, *b.frames]):
        if graph.frames.get(frame) != b.frames.get(frame):
            scratch.make(SetFrame(frame, b.frames.get(frame)))
    for note in dict.fromkeys([*graph.notes, *b.notes]):
        if graph.notes.get(note) != b.notes.get(note):
            scratch.make(SetNote(note, b.notes.get(note)))
    for key in dict.fromkeys([*graph.meta, *b.meta]):
        if graph.meta.get(key) != b.meta.get(key):
            scratch.make(SetMeta(key, b.meta.get(key)))
    if graph.name != b.name:
        scratch.make(RenameGraph(b.name))
