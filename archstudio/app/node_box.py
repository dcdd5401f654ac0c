"""How large a node is on the canvas and where its ports are; plain numbers, shared by layout and drawing."""

from __future__ import annotations

from itertools import count

from archstudio.graph import Connection, Graph, Node
from archstudio.layers import Layer, find

NODE_WIDTH = 196.0
NODE_HEIGHT = 74.0
PORT_PITCH = 20.0
PORT_MARGIN = 15.0
"""Distance of the outermost port from the node's corner."""

Offset = tuple[float, float]


def input_ports(graph: Graph, node: Node) -> tuple[str, ...]:
    """Names of the inputs a node shows: the ones its layer needs, and more where more wires come in."""
    entry = find(node.type)
    named: tuple[str, ...] = () if entry is None else entry.inputs
    needed = len(named) - (0 if entry is None else entry.optional_inputs)
    incoming = graph.incoming(node.id)
    shown = max(needed, len(incoming), 1 if entry is None else 0)
    if any(c.target_port is not None for c in incoming):
        shown = max(shown, *(named.index(c.target_port) + 1 for c in incoming if c.target_port in named), 0)
    return tuple(named[k] if k < len(named) else f"input {k + 1}" for k in range(shown))


def output_ports(graph: Graph, node: Node, layer: Layer | None = None) -> tuple[str, ...]:
    """Names of the outputs a node shows; `layer` (its verdict's) knows how many a chunk has."""
    entry = find(node.type)
    if entry is None:
        return ("output",)
    if node.type == "output" and not graph.outgoing(node.id):
        return ()
    return tuple(entry.output_ports if layer is None else layer.output_names())


def input_places(graph: Graph, node_id: str) -> dict[str, int]:
    """At which input each of a node's wires arrives: the one it names, else the next that is free."""
    incoming = graph.incoming(node_id)
    if all(c.target_port is None for c in incoming):
        return {c.id: k for k, c in enumerate(incoming)}
    entry = find(graph.node(node_id).type)
    names = () if entry is None or entry.variadic else entry.inputs
    named = {names.index(c.target_port): c.id for c in incoming if c.target_port in names}
    places = {wire: k for k, wire in named.items()}
    free = (k for k in count() if k not in named)
    for c in incoming:
        if c.id not in places:
            places[c.id] = next(free)
    return places


def input_port_of(graph: Graph, connection: Connection) -> int:
    """At which input a wire arrives."""
    entry = find(graph.node(connection.target).type)
    if entry is None or entry.variadic:  # a sum may have hundreds of inputs, and no names for them
        return graph.place_among_inputs(connection.id)
    return input_places(graph, connection.target)[connection.id]


def output_port_of(connection: Connection, ports: tuple[str, ...]) -> int:
    """From which output a wire leaves."""
    return ports.index(connection.source_port) if connection.source_port in ports else 0


def node_height(inputs: int, outputs: int) -> float:
    """Height that gives every port its room."""
    ports = max(inputs, outputs, 1)
    return max(NODE_HEIGHT, (ports - 1) * PORT_PITCH + 2 * PORT_MARGIN)


def port_offset(index: int, ports: int, height: float, *, output: bool) -> Offset:
    """Where a port is, from the node's top-left corner."""
    y = height / 2 + (index - (ports - 1) / 2) * PORT_PITCH
    return (NODE_WIDTH if output else 0.0, y)


def box_height(graph: Graph, node_id: str) -> float:
    """Height of a node as the graph has it."""
    node = graph.node(node_id)
    return node_height(len(input_ports(graph, node)), len(output_ports(graph, node)))
