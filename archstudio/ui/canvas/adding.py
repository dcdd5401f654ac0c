"""The edits that add a layer: on its own, into a wire, or at the end of a wire that a person pulled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archstudio.app.node_box import NODE_HEIGHT, NODE_WIDTH
from archstudio.edits import AddConnection, AddNode, Batch, Edit
from archstudio.edits.compose import new_node, splice_into
from archstudio.graph import Connection, Point
from archstudio.layers import entry

if TYPE_CHECKING:
    from archstudio.app.document import Document


def added_at(document: Document, type_name: str, at: Point) -> tuple[Edit, str]:
    """A layer on its own with its top-left corner at a point; the edit and the new node's id."""
    node = new_node(document.graph, type_name, entry(type_name).new_params)
    return AddNode(node, position=at), node.id


def added_into(document: Document, type_name: str, wire: str, at: Point) -> tuple[Edit, str]:
    """A layer put into one wire."""
    node = new_node(document.graph, type_name, entry(type_name).new_params)
    return splice_into(document.graph, wire, node, at), node.id


def added_from(document: Document, type_name: str, source: str, port: str | None, at: Point) -> tuple[Edit, str]:
    """A layer behind an output, wired to it."""
    graph = document.graph
    node = new_node(graph, type_name, entry(type_name).new_params)
    wire = Connection(graph.fresh_id("c"), source, node.id, port)
    return Batch((AddNode(node, position=at), AddConnection(wire)), f"Add {type_name}"), node.id


def added_before(document: Document, type_name: str, target: str, port: str | None, at: Point) -> tuple[Edit, str]:
    """A layer before an input, wired to it."""
    graph = document.graph
    node = new_node(graph, type_name, entry(type_name).new_params)
    wire = Connection(graph.fresh_id("c"), node.id, target, None, port)
    return Batch((AddNode(node, position=at), AddConnection(wire)), f"Add {type_name}"), node.id


def centred(at: Point) -> Point:
    """The corner of a node whose middle is at a point."""
    return (float(round(at[0] - NODE_WIDTH / 2)), float(round(at[1] - NODE_HEIGHT / 2)))
