"""Which ports a collapsed frame shows: those of its layers that the outside is wired to, or could be."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeAlias

from archstudio.app.node_box import input_places, input_ports, output_port_of, output_ports
from archstudio.graph import Graph

InnerPort: TypeAlias = tuple[str, int]
"""A layer's id, and which of its inputs or outputs."""
Outputs: TypeAlias = Callable[[str], Sequence[str]]


def frame_inputs(graph: Graph, nodes: Collection[str]) -> list[InnerPort]:
    """Inputs of these layers that a layer outside feeds, or nobody, in the order of the layers."""
    inside, found = set(nodes), list[InnerPort]()
    for n in nodes:
        if n not in graph:
            continue
        places = input_places(graph, n)
        taken = set(places.values())
        fed = {places[c.id] for c in graph.incoming(n) if c.source not in inside}
        free = {k for k in range(len(input_ports(graph, graph.node(n)))) if k not in taken}
        found += [(n, k) for k in sorted(fed | free)]
    return found


def frame_outputs(graph: Graph, nodes: Collection[str], outputs: Outputs | None = None) -> list[InnerPort]:
    """Outputs of these layers that a layer outside reads, or nobody, in the order of the layers.

    `outputs` names a layer's outputs where more is known of them than its type.
    """
    inside, found = set(nodes), list[InnerPort]()
    for n in nodes:
        if n not in graph:
            continue
        names = tuple(output_ports(graph, graph.node(n)) if outputs is None else outputs(n))
        readers = graph.outgoing(n)
        read = {output_port_of(c, names) for c in readers if c.target not in inside}
        free = set(range(len(names))) - {output_port_of(c, names) for c in readers}
        found += [(n, k) for k in sorted(read | free)]
    return found
