"""Whether a layer would take what a wire brings, asked of its rule before anything is connected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archstudio.app.node_box import input_places
from archstudio.design.sized import carried_by
from archstudio.graph import Connection
from archstudio.layers import find
from archstudio.verify.outcome import evaluate

if TYPE_CHECKING:
    from archstudio.app.document import Document


def would_take(document: Document, source: str, port: str | None, target: str, place: int) -> bool | None:
    """Whether a node takes an output at one of its inputs, the other inputs being as they are.

    None where that cannot be said: a wire is unknown, or an input is still empty.
    """
    graph, verdict = document.graph, document.verdict
    node = graph.node(target)
    entry = find(node.type)
    brought = carried_by(verdict, Connection("", source, target, port))
    if entry is None or brought is None:
        return None
    places = input_places(graph, target)
    values = {places[c.id]: carried_by(verdict, c) for c in graph.incoming(target)}
    values[place] = brought
    inputs = [values[k] for k in sorted(values)]
    known = [v for v in inputs if v is not None]
    if len(known) < len(inputs) or len(known) < len(entry.inputs) - entry.optional_inputs:
        return None
    return evaluate(entry, node.params, known, False, None).refused is None
