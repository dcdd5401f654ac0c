"""The edits that add a layer: where the selection says, at a point, into a wire, or at the end of a pulled wire.

Wherever the name of a layer type is taken, that of a template is too (`template residual block`): it goes the same way.
"""

from __future__ import annotations

from archstudio.app import templates
from archstudio.app.document import Document
from archstudio.app.node_box import NODE_HEIGHT, NODE_WIDTH
from archstudio.app.templates import is_template, template_of
from archstudio.design.sized import add_before, add_behind, add_layer
from archstudio.edits import Edit, EditRefused
from archstudio.graph import Point


def added_by_selection(document: Document, type_name: str, at: Point | None) -> tuple[Edit, str]:
    """A layer put into the one selected wire, else behind the one selected layer, else on its own at a point.

    Returns the edit and the new node's id; EditRefused if it cannot be added. Behind another it is placed beside it.
    """
    selection = document.selection
    if len(selection.connections) == 1 and not selection.nodes:
        return added_into(document, type_name, next(iter(selection.connections)), at)
    if selection.single is not None and is_template(type_name):
        return _behind_selected(document, type_name, selection.single, at)
    if selection.single is not None:
        sized = document.visibility.sized_splice
        return add_layer(document.graph, document.verdict, type_name, after=selection.single, sized=sized)
    return added_at(document, type_name, at)


def added_at(document: Document, type_name: str, at: Point | None) -> tuple[Edit, str]:
    """A layer on its own with its top-left corner at a point; the edit and the new node's id."""
    if is_template(type_name):
        return _first(templates.inserted(document.graph, template_of(type_name), at))
    return add_layer(document.graph, document.verdict, type_name, position=at)


def added_into(document: Document, type_name: str, wire: str, at: Point | None) -> tuple[Edit, str]:
    """A layer put into one wire, with its sizes read from it where the person may use that."""
    if is_template(type_name):
        return _first(templates.inserted_into(document.graph, template_of(type_name), wire, at))
    sized = document.visibility.sized_splice
    return add_layer(document.graph, document.verdict, type_name, into=wire, position=at, sized=sized)


def added_from(document: Document, type_name: str, source: str, port: str | None, at: Point) -> tuple[Edit, str]:
    """A layer behind an output, wired to it."""
    if is_template(type_name):
        return _first(templates.inserted_behind(document.graph, template_of(type_name), source, port, at))
    sized = document.visibility.sized_splice
    return add_behind(document.graph, document.verdict, type_name, source, port, position=at, sized=sized)


def added_before(document: Document, type_name: str, target: str, port: str | None, at: Point) -> tuple[Edit, str]:
    """A layer before an input, wired to it."""
    if is_template(type_name):
        return _first(templates.inserted_before(document.graph, template_of(type_name), target, port, at))
    return add_before(document.graph, type_name, target, port, position=at)


def _behind_selected(document: Document, kind: str, node: str, at: Point | None) -> tuple[Edit, str]:
    """A template into the one wire that leaves the selected layer, else behind it; without a way in, on its own."""
    graph, template = document.graph, template_of(kind)
    place = at if at is not None or node not in graph.layout else _beside(graph.layout[node])
    leaving = graph.outgoing(node)
    try:
        if len(leaving) == 1:
            return _first(templates.inserted_into(graph, template, leaving[0].id, place))
        return _first(templates.inserted_behind(graph, template, node, None, place))
    except EditRefused:
        return _first(templates.inserted(graph, template, place))


def _beside(at: Point) -> Point:
    return (at[0] + NODE_WIDTH / 2, at[1] + NODE_HEIGHT * 2)


def _first(made: tuple[Edit, tuple[str, ...]]) -> tuple[Edit, str]:
    """The edit and the first of the new ids."""
    return made[0], made[1][0]


def centred(at: Point) -> Point:
    """The corner of a node whose middle is at a point."""
    return (float(round(at[0] - NODE_WIDTH / 2)), float(round(at[1] - NODE_HEIGHT / 2)))


def add_to_selection(document: Document, type_name: str) -> str:
    """Add a layer where the selection says, select it, and return its id; EditRefused if it cannot be added.

    Of a template all layers are selected.
    """
    before = set(document.graph.node_ids)
    edit, node_id = added_by_selection(document, type_name, None)
    document.push(edit, f"Add {type_name}")
    document.selection.set(set(document.graph.node_ids) - before)
    return node_id
