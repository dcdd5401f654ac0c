"""Putting a layer that is in the graph already, and stands alone, into a wire."""

from __future__ import annotations

from dataclasses import replace

from archstudio.app.document import Document
from archstudio.design.sized import carried_by
from archstudio.design.wire_sizes import sizes_given, with_sizes
from archstudio.edits import AddConnection, Batch, ChangeConnection, ChangeNode, Edit, Move
from archstudio.graph import Connection, Point
from archstudio.layers import find


def put_into(document: Document, node_id: str, wire_id: str, at: Point) -> Edit:
    """Put a layer that has no wires yet into one wire, at a place; the sizes it lacks are read from the wire."""
    graph = document.graph
    node, wire = graph.node(node_id), graph.connection(wire_id)
    edits: list[Edit] = [Move({node_id: at})]
    kind, value = find(node.type), carried_by(document.verdict, wire)
    if document.visibility.sized_splice and kind is not None and value is not None:
        sized = with_sizes(node, sizes_given(kind, node.params, [value]))
        edits += [] if sized is node else [ChangeNode(sized)]
    edits.append(ChangeConnection(replace(wire, source=node_id, source_port=None)))
    edits.append(AddConnection(Connection(graph.fresh_id("c"), wire.source, node_id, wire.source_port)))
    return Batch(tuple(edits), f"Insert {node.name}")


def may_go_into_wires(document: Document, node_id: str) -> bool:
    """Whether a layer stands alone, takes something and gives something."""
    graph = document.graph
    node, kind = graph.node(node_id), find(graph.node(node_id).type)
    alone = not graph.incoming(node_id) and not graph.outgoing(node_id)
    return alone and kind is not None and bool(kind.inputs or kind.variadic) and node.type != "output"
