"""Adding layers and wires with their sizes read from the wire: on its own, behind a layer, or into one wire."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from archstudio.design.starting import starting_params
from archstudio.design.wire_sizes import sizes_given, with_sizes
from archstudio.edits import AddConnection, AddNode, Batch, ChangeConnection, ChangeNode, Edit
from archstudio.edits.compose import Ids, connect, new_node
from archstudio.graph import Connection, Graph, Node, Point
from archstudio.layers import Value, find
from archstudio.verify.ports import input_order, select
from archstudio.verify.verdict import Verdict


def add_layer(
    graph: Graph,
    verdict: Verdict,
    type_name: str,
    *,
    after: str | None = None,
    into: str | None = None,
    position: Point | None = None,
    sized: bool = True,
) -> tuple[Edit, str]:
    """The edit that adds a layer, and the id the new node gets.

    `into` names a wire that the layer is put into, and no other wire is touched; `after` names a node whose outgoing
    wires the layer takes over; with neither it stands alone. Sizes that the wire gives are written and follow it;
    `sized=False` leaves them out. `verdict` is that of the graph as it is.
    """
    if into is not None:
        wire = graph.connection(into)
        node = sized_node(graph, verdict, type_name, wire.source, wire.source_port, sized=sized)
        return _spliced(graph, [wire], node, wire.source, wire.source_port, position), node.id
    if after is not None:
        port = main_port(verdict, after)
        node = sized_node(graph, verdict, type_name, after, port, sized=sized)
        return _spliced(graph, graph.outgoing(after), node, after, port, position), node.id
    node = _bare_node(graph, type_name)
    return AddNode(node, position=position), node.id


def add_behind(
    graph: Graph,
    verdict: Verdict,
    type_name: str,
    source: str,
    port: str | None = None,
    *,
    position: Point | None = None,
    sized: bool = True,
) -> tuple[Edit, str]:
    """A layer at the end of a wire pulled from an output: a new branch, the output's other wires stay.

    Where several outputs leave the node and `port` names none, the first is meant.
    """
    port = port or main_port(verdict, source)
    node = sized_node(graph, verdict, type_name, source, port, sized=sized)
    return _spliced(graph, [], node, source, port, position), node.id


def add_before(
    graph: Graph, type_name: str, target: str, port: str | None = None, *, position: Point | None = None
) -> tuple[Edit, str]:
    """A layer at the start of a wire pulled backwards from an input; nothing feeds it yet, so no size is known."""
    node = _bare_node(graph, type_name)
    wire = Connection(graph.fresh_id("c"), node.id, target, None, port)
    return Batch((AddNode(node, position=position), AddConnection(wire)), f"Add {node.name}"), node.id


def connect_sized(
    graph: Graph,
    verdict: Verdict,
    source: str,
    target: str,
    source_port: str | None = None,
    target_port: str | None = None,
) -> Edit:
    """Draw a wire, and write the sizes that the target lacks and its wires now give; they follow the wire.

    EditRefused if the very same wire exists.
    """
    edit = connect(graph, source, target, source_port, target_port)
    drawn = Connection("", source, target, source_port, target_port)
    node, kind = graph.node(target), find(graph.node(target).type)
    if kind is None:
        return edit
    values: list[Value] = []
    for wire in input_order(kind, [*graph.incoming(target), drawn]):
        value = carried_by(verdict, wire)
        if value is None:
            return edit
        values.append(value)
    sized = with_sizes(node, sizes_given(kind, node.params, values))
    return edit if sized is node else Batch((edit, ChangeNode(sized)), "Connect")


def carried_by(verdict: Verdict, wire: Connection) -> Value | None:
    """What a wire carries, or would carry if it were drawn; None while unknown."""
    source = verdict.nodes[wire.source]
    return None if source.value is None else select(source.layer, source.value, wire.source_port)


def main_port(verdict: Verdict, node_id: str) -> str | None:
    """The name of a node's first output where it has several, else None: what the next layer usually reads."""
    known = verdict.nodes[node_id]
    if known.layer is None or not isinstance(known.value, tuple):
        return None
    return next(iter(known.layer.output_names()), None)


def sized_node(
    graph: Graph, verdict: Verdict, type_name: str, source: str, port: str | None = None, *, sized: bool = True
) -> Node:
    """A node that is not in the graph yet, with the sizes that a wire from this output gives."""
    kind = find(type_name)
    value = carried_by(verdict, Connection("", source, "", port))
    if kind is None or value is None or not sized:
        return _bare_node(graph, type_name)
    node = new_node(graph, type_name, starting_params(kind, value))
    return with_sizes(node, sizes_given(kind, node.params, [value]))


def _bare_node(graph: Graph, type_name: str) -> Node:
    kind = find(type_name)
    return new_node(graph, type_name, {} if kind is None else starting_params(kind))


def _spliced(
    graph: Graph, wires: Sequence[Connection], node: Node, source: str, port: str | None, position: Point | None
) -> Edit:
    """Put a node behind an output; the given wires of that output leave the node instead, in their old places."""
    feeding = Connection(Ids(graph).fresh("c"), source, node.id, port)
    moved = (ChangeConnection(replace(wire, source=node.id, source_port=None)) for wire in wires)
    return Batch((AddNode(node, position=position), *moved, AddConnection(feeding)), f"Insert {node.name}")
