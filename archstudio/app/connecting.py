"""What a new wire does to a layer's input, however it was drawn: by the mouse, or from lists."""

from __future__ import annotations

from dataclasses import replace

from archstudio.app.document import Document
from archstudio.app.node_box import input_places
from archstudio.design.sized import connect_sized
from archstudio.edits import Batch, ChangeConnection, Edit, RemoveConnection
from archstudio.edits.compose import connect, rewire
from archstudio.graph import Graph
from archstudio.layers import find


def free_input(graph: Graph, node: str, count: int) -> int:
    """The first of a layer's inputs without a wire, else the last."""
    taken = set(input_places(graph, node).values())
    return next((k for k in range(count) if k not in taken), max(count - 1, 0))


def input_name(graph: Graph, node: str, index: int) -> str | None:
    """What a wire says of the input it arrives at; nothing where order alone decides."""
    entry = find(graph.node(node).type)
    if entry is None or entry.variadic or len(entry.inputs) < 2 or index >= len(entry.inputs):
        return None
    return entry.inputs[index]


def arriving_at(graph: Graph, node: str, index: int) -> list[str]:
    """The wires that a new one at this input takes the place of; none where a layer takes any number of wires."""
    entry = find(graph.node(node).type)
    if entry is None or entry.variadic:
        return []
    return [wire for wire, place in input_places(graph, node).items() if place == index]


def wired(document: Document, source: str, output: str | None, target: str, index: int) -> Edit:
    """The edit that draws a wire to an input; on a layer that takes one wire a port, it replaces what arrives there.

    Sizes that the target lacks are read from the wire. EditRefused if the very same wire exists.
    """
    graph = document.graph
    name = input_name(graph, target, index)
    replaced = arriving_at(graph, target, index)
    if replaced:
        made = connect(graph, source, target, output, name)
        return Batch((*(RemoveConnection(c) for c in replaced), made), "Connect")
    if not document.visibility.sized_splice:
        return connect(graph, source, target, output, name)
    return connect_sized(graph, document.verdict, source, target, output, name)


def moved_wire(graph: Graph, wire: str, target: str, index: int) -> Edit:
    """The edit that lets a wire enter another input, where it replaces what arrives there.

    EditRefused if another wire joins those ports already.
    """
    moved = rewire(graph, wire, target=target, port=input_name(graph, target, index))
    replaced = [RemoveConnection(w) for w in arriving_at(graph, target, index) if w != wire]
    return Batch((*replaced, moved), "Move wire") if replaced else moved


def exchanged_inputs(graph: Graph, node: str, wire: str | None, by: int) -> Edit | None:
    """Move a wire to the input before or behind the one that it names, and what is there to where it was.

    Without a wire all of them go round. None where the layer's wires name no inputs, so that their order decides, or
    where there is no such input.
    """
    entry = find(graph.node(node).type)
    if entry is None or not names_inputs(graph, node):
        return None
    incoming = {c.id: c for c in graph.incoming(node)}
    places = input_places(graph, node)
    if wire is None:
        taken = sorted(set(places.values()))
        goes = {old: taken[(k + by) % len(taken)] for k, old in enumerate(taken)}
    else:
        here, there = places[wire], places[wire] + by
        goes = {here: there, there: here}
    if not all(0 <= place < len(entry.inputs) for place in goes.values()):
        return None
    moved = [
        ChangeConnection(replace(incoming[w], target_port=entry.inputs[goes[place]]))
        for w, place in places.items()
        if place in goes
    ]
    return Batch(tuple(moved), "Reorder inputs")


def names_inputs(graph: Graph, node: str) -> bool:
    """Whether a layer's wires say which input they arrive at, so that their order says nothing."""
    entry = find(graph.node(node).type)
    return entry is not None and not entry.variadic and any(c.target_port is not None for c in graph.incoming(node))
