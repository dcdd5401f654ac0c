"""Order, reachability and cycles of a graph, by networkx."""

from __future__ import annotations

from collections.abc import Iterable

import networkx as nx

from archstudio.graph.graph import Graph


def as_networkx(graph: Graph) -> nx.MultiDiGraph[str]:
    """Node ids and connections (by id as key) as a networkx graph, in file order."""
    wiring: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    wiring.add_nodes_from(graph.node_ids)
    for c in graph.connections:
        wiring.add_edge(c.source, c.target, key=c.id)
    return wiring


def topological_order(graph: Graph) -> tuple[list[str], set[str]]:
    """Ids in an order in which every node follows its sources, and the ids that have none (on or behind a cycle).

    Ties keep file order, so the result is the same for the same file.
    """
    waiting = {n: len(graph.incoming(n)) for n in graph.node_ids}
    ready = [n for n, count in waiting.items() if count == 0]
    order: list[str] = []
    for node in ready:  # grows while it is walked
        order.append(node)
        for connection in graph.outgoing(node):
            waiting[connection.target] -= 1
            if waiting[connection.target] == 0:
                ready.append(connection.target)
    return order, set(waiting) - set(order)


def cycles(graph: Graph) -> list[list[str]]:
    """Groups of nodes that feed each other, each group in file order."""
    place = {n: k for k, n in enumerate(graph.node_ids)}
    wiring = as_networkx(graph)
    groups = [
        sorted(group, key=place.__getitem__)
        for group in nx.strongly_connected_components(wiring)
        if len(group) > 1 or any(wiring.has_edge(n, n) for n in group)
    ]
    return sorted(groups, key=lambda group: place[group[0]])


def reachable(graph: Graph, starts: Iterable[str], *, backwards: bool = False) -> set[str]:
    """Ids on some path from (or, backwards, to) any of the starts, the starts included."""
    seen = set(starts)
    stack = list(seen)
    while stack:
        node = stack.pop()
        nexts = (c.source for c in graph.incoming(node)) if backwards else (c.target for c in graph.outgoing(node))
        for n in nexts:
            if n not in seen:
                seen.add(n)
                stack.append(n)
    return seen


def on_path(graph: Graph, source_type: str = "input", target_type: str = "output") -> set[str]:
    """Ids on some directed path from a node of one type to a node of another."""
    sources = [n.id for n in graph.nodes if n.type == source_type]
    targets = [n.id for n in graph.nodes if n.type == target_type]
    return reachable(graph, sources) & reachable(graph, targets, backwards=True)
