"""The edits that gestures, commands and actions make, out of the smallest ones. All are pure: graph in, edit out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from archstudio.edits.base import Batch, Edit, EditRefused
from archstudio.edits.primitives import (
    AddConnection,
    AddNode,
    ChangeConnection,
    ChangeNode,
    MoveConnection,
    RemoveConnection,
    RemoveNode,
    SetFrame,
)
from archstudio.graph import Connection, Frame, Graph, Node, Point


class Ids:
    """Hands out ids that a graph does not use, several within one edit."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._given: set[str] = set()
        self._next: dict[str, int] = {}

    def fresh(self, prefix: str) -> str:
        """An id `prefix<k>` that neither the graph nor this edit uses."""
        k = self._next.get(prefix, len(self._graph) + len(self._graph.connection_ids))
        while True:
            candidate = f"{prefix}{k}"
            k += 1
            taken = candidate in self._graph or self._graph.has_connection(candidate)
            if not taken and candidate not in self._given and candidate not in self._graph.frames:
                break
        self._next[prefix] = k
        self._given.add(candidate)
        return candidate


def new_node(graph: Graph, type_name: str, params: Mapping[str, Any] | None = None, name: str | None = None) -> Node:
    """A node that can be added: fresh id, and a name like `conv2d`, `conv2d2` that is not taken."""
    return Node(graph.fresh_id("n"), type_name, graph.unique_name(name or type_name), dict(params or {}))


def connect(
    graph: Graph, source: str, target: str, source_port: str | None = None, target_port: str | None = None
) -> Edit:
    """Draw a wire as the target's last input; EditRefused if the very same wire exists."""
    for wire in graph.between(source, target):
        if wire.source_port == source_port and wire.target_port == target_port:
            raise EditRefused(f"{graph.node(source).name} is already connected to {graph.node(target).name}")
    return AddConnection(Connection(graph.fresh_id("c"), source, target, source_port, target_port))


def disconnect(connections: Iterable[str]) -> Edit:
    """Take wires away; nothing heals."""
    return Batch(tuple(RemoveConnection(c) for c in connections), "Disconnect")


def rewire(
    graph: Graph, connection_id: str, *, source: str | None = None, target: str | None = None, port: str | None = None
) -> Edit:
    """Move one end of a wire to another node (and port); the wire keeps its id and place."""
    wire = graph.connection(connection_id)
    if source is not None:
        return ChangeConnection(replace(wire, source=source, source_port=port))
    if target is not None:
        return ChangeConnection(replace(wire, target=target, target_port=port))
    raise EditRefused("a wire needs an end to move")


def delete_nodes(graph: Graph, ids: Collection[str], *, heal: bool = True) -> Edit:
    """Take nodes out, one after the other in file order.

    With `heal` the wiring closes over each as Arch-Bench's delete_component does: every source is connected to every
    target by a new last wire, unless they are the same node or that wire exists.
    """
    wires = {c.id: c for c in graph.connections}
    order = list(wires)
    fresh = Ids(graph)
    edits: list[Edit] = []
    for node in (n for n in graph.node_ids if n in ids):
        edits += _delete_one(node, wires, order, fresh, heal)
    edits += [
        SetFrame(f.id, replace(f, nodes=tuple(n for n in f.nodes if n not in ids)))
        for f in graph.frames.values()
        if any(n in ids for n in f.nodes)
    ]
    return Batch(tuple(edits), "Delete")


def _delete_one(node: str, wires: dict[str, Connection], order: list[str], fresh: Ids, heal: bool) -> list[Edit]:
    touching = [wires[c] for c in order if node in (wires[c].source, wires[c].target)]
    incoming = [c for c in touching if c.target == node and c.source != node]
    outgoing = [c for c in touching if c.source == node and c.target != node]
    edits: list[Edit] = []
    for wire in touching:
        edits.append(RemoveConnection(wire.id))
        del wires[wire.id]
        order.remove(wire.id)
    edits.append(RemoveNode(node))
    if not heal:
        return edits
    for into in incoming:
        for out in outgoing:
            joined = (into.source, out.target)
            if into.source != out.target and all((w.source, w.target) != joined for w in wires.values()):
                made = Connection(fresh.fresh("c"), *joined, into.source_port, out.target_port)
                edits.append(AddConnection(made))
                wires[made.id] = made
                order.append(made.id)
    return edits


def splice_into(graph: Graph, connection_id: str, node: Node, position: Point | None = None) -> Edit:
    """Put a new node into one wire: the wire keeps its id and its target's input place, and now comes from the node."""
    wire = graph.connection(connection_id)
    before = Connection(graph.fresh_id("c"), wire.source, node.id, wire.source_port)
    return Batch(
        (
            AddNode(node, position=position),
            ChangeConnection(replace(wire, source=node.id, source_port=None)),
            AddConnection(before),
        ),
        f"Insert {node.name}",
    )


def insert_after(graph: Graph, node_id: str, node: Node, position: Point | None = None) -> Edit:
    """Put a new node behind another: every wire that left the other leaves the new one (add_component afterName)."""
    edits: list[Edit] = [AddNode(node, position=position)]
    edits += [ChangeConnection(replace(w, source=node.id, source_port=None)) for w in graph.outgoing(node_id)]
    edits.append(AddConnection(Connection(graph.fresh_id("c"), node_id, node.id)))
    return Batch(tuple(edits), f"Insert {node.name}")


def reorder_inputs(graph: Graph, node_id: str, order: Sequence[str]) -> Edit:
    """Give a node's wires another order; `order` lists all their ids."""
    current = [c.id for c in graph.incoming(node_id)]
    if sorted(order) != sorted(current):
        raise EditRefused(f"the order must name each wire into {graph.node(node_id).name} once")
    places = sorted(graph.index_of_connection(c) for c in current)
    return Batch(tuple(MoveConnection(c, place) for c, place in zip(order, places, strict=True)), "Reorder inputs")


def rename(graph: Graph, node_id: str, name: str) -> Edit:
    """Give a node another name; EditRefused if it is taken or empty."""
    name = name.strip()
    if not name:
        raise EditRefused("a layer needs a name")
    other = graph.named(name)
    if other is not None and other.id != node_id:
        raise EditRefused(f"another layer is called {name}")
    return ChangeNode(replace(graph.node(node_id), name=name))


def set_type(graph: Graph, node_id: str, type_name: str, params: Mapping[str, Any]) -> Edit:
    """Replace a node's type, keeping its name and wires; `params` are those the new type takes over."""
    node = graph.node(node_id)
    meta = {k: v for k, v in node.meta.items() if k != "inferred"}
    return ChangeNode(replace(node, type=type_name, params=dict(params), meta=meta))


def toggle_bypass(graph: Graph, ids: Collection[str]) -> Edit:
    """Let the nodes pass their input through; or, if all of them do, let them work again."""
    nodes = [graph.node(n) for n in graph.node_ids if n in ids]
    on = not all(n.bypassed for n in nodes)
    edits = []
    for node in nodes:
        meta = {k: v for k, v in node.meta.items() if k != "bypass"}
        edits.append(ChangeNode(replace(node, meta={**meta, "bypass": True} if on else meta)))
    return Batch(tuple(edits), "Bypass" if on else "Stop bypassing")


def frame_nodes(graph: Graph, ids: Collection[str], title: str) -> Edit:
    """Put a titled frame around nodes."""
    frame_id = Ids(graph).fresh("f")
    return SetFrame(frame_id, Frame(frame_id, title, tuple(n for n in graph.node_ids if n in ids)))


def unframe(graph: Graph, ids: Collection[str]) -> Edit:
    """Remove every frame that holds one of the nodes."""
    gone = [f.id for f in graph.frames.values() if any(n in ids for n in f.nodes)]
    if not gone:
        raise EditRefused("no frame is around the selected layers")
    return Batch(tuple(SetFrame(f, None) for f in gone), "Remove frame")
