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
    existing_connection,
    existing_node,
)
from archstudio.graph import Connection, Frame, Graph, Node, Point
from archstudio.graph.graph import name_stem


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
            taken = taken or candidate in self._graph.frames or candidate in self._graph.notes
            if not taken and candidate not in self._given:
                break
        self._next[prefix] = k
        self._given.add(candidate)
        return candidate


class Names:
    """Hands out names that no node of a graph has, several within one edit; the same that `unique_name` would give."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._given: set[str] = set()
        self._next: dict[str, int] = {}

    def fresh(self, wanted: str) -> str:
        """`wanted`, or its stem with the first number that neither the graph nor this edit uses."""
        stem = name_stem(wanted)
        name, k = wanted, self._next.get(stem, 2)
        while name in self._given or self._graph.named(name) is not None:
            name, k = f"{stem}{k}", k + 1
            self._next[stem] = k
        self._given.add(name)
        return name


def new_node(graph: Graph, type_name: str, params: Mapping[str, Any] | None = None, name: str | None = None) -> Node:
    """A node that can be added: fresh id, and a name like `conv2d`, `conv2d2` that is not taken."""
    return Node(graph.fresh_id("n"), type_name, graph.unique_name(name or type_name), dict(params or {}))


def connect(
    graph: Graph, source: str, target: str, source_port: str | None = None, target_port: str | None = None
) -> Edit:
    """Draw a wire as the target's last input; EditRefused if the very same wire exists."""
    made = Connection(graph.fresh_id("c"), source, target, source_port, target_port)
    _refuse_twin(graph, made)
    return AddConnection(made)


def _refuse_twin(graph: Graph, wire: Connection) -> None:
    """EditRefused if an end does not exist, or if another wire joins the same ports."""
    source, target = existing_node(graph, wire.source), existing_node(graph, wire.target)
    for other in graph.between(wire.source, wire.target):
        same_ports = (other.source_port, other.target_port) == (wire.source_port, wire.target_port)
        if same_ports and other.id != wire.id:
            raise EditRefused(f"{source.name} is already connected to {target.name}")


def disconnect(connections: Iterable[str]) -> Edit:
    """Take wires away; nothing heals."""
    return Batch(tuple(RemoveConnection(c) for c in connections), "Disconnect")


def rewire(
    graph: Graph, connection_id: str, *, source: str | None = None, target: str | None = None, port: str | None = None
) -> Edit:
    """Move one end of a wire to another node (and port); the wire keeps its id and place.

    EditRefused if neither or both ends are named, or if another wire joins those ports already.
    """
    wire = existing_connection(graph, connection_id)
    if source is not None and target is None:
        moved = replace(wire, source=source, source_port=port)
    elif target is not None and source is None:
        moved = replace(wire, target=target, target_port=port)
    else:
        raise EditRefused("a wire is moved by one of its ends")
    _refuse_twin(graph, moved)
    return ChangeConnection(moved)


def delete_nodes(graph: Graph, ids: Collection[str], *, heal: bool = True) -> Edit:
    """Take nodes out, one after the other in file order.

    With `heal` the wiring closes over each as Arch-Bench's delete_component does: every source is connected to every
    target by a new last wire, unless they are the same node or that wire exists. A frame that is left empty goes too.
    """
    closing = _Closing(graph)
    edits: list[Edit] = []
    for node in (n for n in graph.node_ids if n in ids):
        edits += closing.take_out(node, heal)
    edits += frames_without(graph, ids)
    return Batch(tuple(edits), "Delete")


def frames_without(graph: Graph, ids: Collection[str]) -> list[Edit]:
    """The edits that take nodes out of their frames; a frame that is left empty is removed."""
    edits: list[Edit] = []
    for frame in graph.frames.values():
        left = tuple(n for n in frame.nodes if n not in ids)
        if left != frame.nodes:
            edits.append(SetFrame(frame.id, replace(frame, nodes=left) if left else None))
    return edits


class _Closing:
    """The wiring while nodes are taken out one by one; only what is touched is copied from the graph."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._fresh = Ids(graph)
        self._into: dict[str, dict[str, Connection]] = {}
        self._out: dict[str, dict[str, Connection]] = {}

    def into(self, node: str) -> dict[str, Connection]:
        """The wires into a node by id, in order."""
        if node not in self._into:
            self._into[node] = {c.id: c for c in self._graph.incoming(node)}
        return self._into[node]

    def out_of(self, node: str) -> dict[str, Connection]:
        """The wires out of a node by id, in order."""
        if node not in self._out:
            self._out[node] = {c.id: c for c in self._graph.outgoing(node)}
        return self._out[node]

    def take_out(self, node: str, heal: bool) -> list[Edit]:
        incoming = [c for c in self.into(node).values() if c.source != node]
        outgoing = [c for c in self.out_of(node).values() if c.target != node]
        edits: list[Edit] = []
        for wire in {**self.into(node), **self.out_of(node)}.values():
            edits.append(RemoveConnection(wire.id))
            del self.out_of(wire.source)[wire.id], self.into(wire.target)[wire.id]
        edits.append(RemoveNode(node))
        for before in incoming if heal else ():
            for behind in outgoing:
                edits += self._join(before, behind)
        return edits

    def _join(self, before: Connection, behind: Connection) -> list[Edit]:
        source, target = before.source, behind.target
        if source == target or any(w.target == target for w in self.out_of(source).values()):
            return []
        made = Connection(self._fresh.fresh("c"), source, target, before.source_port, behind.target_port)
        into, out = self.into(target), self.out_of(source)
        into[made.id] = out[made.id] = made
        return [AddConnection(made)]


def splice_into(graph: Graph, connection_id: str, node: Node, position: Point | None = None) -> Edit:
    """Put a new node into one wire: the wire keeps its id and its target's input place, and now comes from the node."""
    wire = existing_connection(graph, connection_id)
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
    existing_node(graph, node_id)
    edits: list[Edit] = [AddNode(node, position=position)]
    edits += [ChangeConnection(replace(w, source=node.id, source_port=None)) for w in graph.outgoing(node_id)]
    edits.append(AddConnection(Connection(graph.fresh_id("c"), node_id, node.id)))
    return Batch(tuple(edits), f"Insert {node.name}")


def reorder_inputs(graph: Graph, node_id: str, order: Sequence[str]) -> Edit:
    """Give a node's wires another order; `order` lists all their ids."""
    current = [c.id for c in graph.incoming(node_id)]
    if sorted(order) != sorted(current):
        raise EditRefused(f"the order must name each wire into {graph.node(node_id).name} once")
    same = 0
    while same < len(current) and current[same] == order[same]:
        same += 1
    places = [graph.index_of_connection(c) for c in current[same:]]
    aside = len(graph.connection_ids) - 1  # behind everything, so that no wire waiting for its place shifts the others
    moves = [MoveConnection(c, aside) for c in order[same:]]
    moves += [MoveConnection(c, place) for c, place in zip(order[same:], places, strict=True)]
    return Batch(tuple(moves), "Reorder inputs")


def rename(graph: Graph, node_id: str, name: str) -> Edit:
    """Give a node another name; EditRefused if it is taken or empty."""
    name = name.strip()
    if not name:
        raise EditRefused("a layer needs a name")
    other = graph.named(name)
    if other is not None and other.id != node_id:
        raise EditRefused(f"another layer is called {name}")
    return ChangeNode(replace(existing_node(graph, node_id), name=name))


def set_type(graph: Graph, node_id: str, type_name: str, params: Mapping[str, Any]) -> Edit:
    """Replace a node's type, keeping its name and wires; `params` are those the new type takes over."""
    node = existing_node(graph, node_id)
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


def frame_nodes(graph: Graph, ids: Collection[str], title: str) -> SetFrame:
    """Put a titled frame around nodes; EditRefused if there are none."""
    chosen = tuple(n for n in graph.node_ids if n in ids)
    if not chosen:
        raise EditRefused("a frame goes around layers: select some first")
    frame_id = Ids(graph).fresh("f")
    return SetFrame(frame_id, Frame(frame_id, title, chosen))


def unframe(graph: Graph, ids: Collection[str]) -> Edit:
    """Remove every frame that holds one of the nodes."""
    gone = [f.id for f in graph.frames.values() if any(n in ids for n in f.nodes)]
    if not gone:
        raise EditRefused("no frame is around the selected layers")
    return Batch(tuple(SetFrame(f, None) for f in gone), "Remove frame")
