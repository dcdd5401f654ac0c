"""Canonical form and the two digests of a graph: of the document, and of the architecture alone."""

from __future__ import annotations

import hashlib
from typing import Any

from archstudio.files.strict_json import canonical_json
from archstudio.graph.graph import Graph


def _sha256(value: Any) -> str:
    return hashlib.sha256(canonical_json(value).encode("utf-8")).hexdigest()


def document_digest(graph: Graph) -> str:
    """sha256 over order, ids, names, types, params and wiring; layout, frames and notes do not count."""
    return _sha256(
        {
            "components": [[n.id, n.type, n.name, dict(n.params)] for n in graph.nodes],
            "connections": [[c.id, c.source, c.target, c.source_port, c.target_port] for c in graph.connections],
        }
    )


def architecture_digest(graph: Graph) -> str:
    """sha256 over types, params and wiring by position in the file; ids, names and layout do not count."""
    place = {n: k for k, n in enumerate(graph.node_ids)}
    return _sha256(
        {
            "layers": [[n.type, dict(n.params), n.bypassed] for n in graph.nodes],
            "wires": [[place[c.source], place[c.target], c.source_port, c.target_port] for c in graph.connections],
        }
    )
