"""The plain dicts that the benchmark's engine and graders read."""

from __future__ import annotations

from typing import Any

from archstudio.graph import Graph


def to_plain(graph: Graph) -> dict[str, Any]:
    """The graph in Arch-Bench's form: components with neighbour lists, connections by id; nothing of ours."""
    components = [
        {
            "id": node.id,
            "type": node.type,
            "name": node.name,
            "params": dict(node.params),
            "inputs": [c.source for c in graph.incoming(node.id)],
            "outputs": [c.target for c in graph.outgoing(node.id)],
        }
        for node in graph.nodes
    ]
    connections = [{"id": c.id, "from": c.source, "to": c.target} for c in graph.connections]
    return {"name": graph.name, "components": components, "connections": connections}
