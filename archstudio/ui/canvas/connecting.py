"""Which wire two ports make, and the edit that draws it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archstudio.app.node_box import input_places
from archstudio.design.sized import connect_sized
from archstudio.edits import Batch, Edit, RemoveConnection
from archstudio.edits.compose import connect
from archstudio.graph import Graph
from archstudio.layers import find
from archstudio.ui.canvas.hits import Port
from archstudio.ui.canvas.scene import CanvasScene

if TYPE_CHECKING:
    from archstudio.app.document import Document


@dataclass(frozen=True, slots=True)
class Ends:
    """A wire to be: from an output port to an input port."""

    source: Port
    target: Port


def ends_between(graph: Graph, scene: CanvasScene, first: Port, port: Port | None, node: str | None) -> Ends | None:
    """The wire between a port and another port, or the port of a node that suits; None where there is none."""
    other = port
    if other is None and node is not None:
        face = scene.nodes[node].face
        if first.output:
            other = Port(node, _free_input(graph, node, len(face.inputs)), False) if face.inputs else None
        else:
            other = Port(node, 0, True) if face.outputs else None
    if other is None or other.output == first.output or other.node == first.node:
        return None
    return Ends(first, other) if first.output else Ends(other, first)


def _free_input(graph: Graph, node: str, count: int) -> int:
    """The first input without a wire, else the last."""
    taken = set(input_places(graph, node).values())
    return next((k for k in range(count) if k not in taken), max(count - 1, 0))


def make_wire(document: Document, scene: CanvasScene, ends: Ends) -> Edit:
    """The edit that draws a wire; on a layer that takes one wire a port, it replaces what arrives there.

    EditRefused if the very same wire exists.
    """
    graph = document.graph
    names = (output_name(scene, ends.source), input_name(graph, ends.target))
    entry = find(graph.node(ends.target.node).type)
    places = input_places(graph, ends.target.node)
    replaced = [wire for wire, place in places.items() if place == ends.target.index]
    if replaced and entry is not None and not entry.variadic:
        made = connect(graph, ends.source.node, ends.target.node, *names)
        return Batch((*(RemoveConnection(c) for c in replaced), made), "Connect")
    if not document.visibility.sized_splice:
        return connect(graph, ends.source.node, ends.target.node, *names)
    return connect_sized(graph, document.verdict, ends.source.node, ends.target.node, *names)


def output_name(scene: CanvasScene, port: Port) -> str | None:
    """What a wire says of the output it leaves from; nothing where there is only one."""
    outputs = scene.nodes[port.node].face.outputs
    return outputs[port.index] if len(outputs) > 1 else None


def input_name(graph: Graph, port: Port) -> str | None:
    """What a wire says of the input it arrives at; nothing where order alone decides."""
    entry = find(graph.node(port.node).type)
    if entry is None or entry.variadic or len(entry.inputs) < 2 or port.index >= len(entry.inputs):
        return None
    return entry.inputs[port.index]
