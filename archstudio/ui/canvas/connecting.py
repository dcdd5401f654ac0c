"""Which wire two ports make, and the edit that draws it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF

from archstudio.app.connecting import free_input, wired
from archstudio.app.node_box import input_places
from archstudio.edits import Edit
from archstudio.graph import Graph
from archstudio.ui.canvas.fits import would_take
from archstudio.ui.canvas.frame_item import FrameItem
from archstudio.ui.canvas.hits import Port, node_at, port_at
from archstudio.ui.canvas.scene import CanvasScene

if TYPE_CHECKING:
    from archstudio.app.document import Document


@dataclass(frozen=True, slots=True)
class Ends:
    """A wire to be: from an output port to an input port."""

    source: Port
    target: Port


def ends_at(scene: CanvasScene, first: Port, at: QPointF) -> Ends | None:
    """The wire that a port makes with what is at a point: a port, a node or a collapsed frame; None with nothing."""
    port = port_at(scene, at)
    node = node_at(scene, at) if port is None else None
    if port is None and node is None and (frame := scene.decorations.folded_at(at)) is not None:
        port = _free_port(scene, frame, output=not first.output)
    return ends_between(scene.document.graph, scene, first, port, None if node is None else node.node_id)


def is_over_part(scene: CanvasScene, at: QPointF) -> bool:
    """Whether a port, a node or a collapsed frame is at a point."""
    parts = (port_at(scene, at), node_at(scene, at), scene.decorations.folded_at(at))
    return any(part is not None for part in parts)


def _free_port(scene: CanvasScene, frame: FrameItem, *, output: bool) -> Port | None:
    """A collapsed frame's first output, or its first input without a wire, else the last."""
    ports = list(frame.ports(output=output))
    graph = scene.document.graph
    free = ports if output else [p for p in ports if p[1] not in input_places(graph, p[0]).values()]
    chosen = (free or ports[-1:])[:1]
    return Port(*chosen[0], output) if chosen else None


def ends_between(graph: Graph, scene: CanvasScene, first: Port, port: Port | None, node: str | None) -> Ends | None:
    """The wire between a port and another port, or the port of a node that suits; None where there is none."""
    other = port
    if other is None and node is not None:
        face = scene.nodes[node].face
        if first.output:
            other = Port(node, free_input(graph, node, len(face.inputs)), False) if face.inputs else None
        else:
            other = Port(node, 0, True) if face.outputs else None
    if other is None or other.output == first.output or other.node == first.node:
        return None
    return Ends(first, other) if first.output else Ends(other, first)


def make_wire(document: Document, scene: CanvasScene, ends: Ends) -> Edit:
    """The edit that draws a wire. EditRefused if the very same wire exists."""
    output = output_name(scene, ends.source)
    return wired(document, ends.source.node, output, ends.target.node, ends.target.index)


def would_fit(document: Document, scene: CanvasScene, ends: Ends) -> bool:
    """Whether the target would take what the wire brings; yes where that may not be told or is not known."""
    if not document.visibility.exact_verdict:
        return True
    name = output_name(scene, ends.source)
    return would_take(document, ends.source.node, name, ends.target.node, ends.target.index) is not False


def output_name(scene: CanvasScene, port: Port) -> str | None:
    """What a wire says of the output it leaves from; nothing where there is only one."""
    outputs = scene.nodes[port.node].face.outputs
    return outputs[port.index] if len(outputs) > 1 else None
