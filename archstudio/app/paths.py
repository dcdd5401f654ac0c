"""Which layers and wires lie on a way from an input to an output through given ones."""

from __future__ import annotations

from collections.abc import Collection

from archstudio.graph import Graph
from archstudio.graph.walks import reachable


def path_through(graph: Graph, nodes: Collection[str], wires: Collection[str] = ()) -> tuple[set[str], set[str]]:
    """Nodes and wires before, behind and among the given ones."""
    sources = {*nodes, *(graph.connection(w).source for w in wires)}
    targets = {*nodes, *(graph.connection(w).target for w in wires)}
    before = reachable(graph, sources, backwards=True)
    after = reachable(graph, targets)
    on_it = {
        c.id
        for c in graph.connections
        if (c.source in before and c.target in before) or (c.source in after and c.target in after)
    }
    return before | after, on_it | set(wires)
