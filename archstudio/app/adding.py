"""Adding a layer where the selection says."""

from __future__ import annotations

from archstudio.app.document import Document
from archstudio.design.sized import add_layer
from archstudio.graph import Point

BESIDE: Point = (230.0, 0.0)
"""Where a layer behind another goes, from that one's place, in canvas units."""


def add_to_selection(document: Document, type_name: str, position: Point | None = None) -> str:
    """Add a layer into the one selected wire, else behind the one selected layer, else alone; returns its id.

    EditRefused if it cannot be added.
    """
    selection = document.selection
    into = next(iter(selection.connections)) if len(selection.connections) == 1 and not selection.nodes else None
    after = selection.single if into is None else None
    if position is None and after is not None and after in document.graph.layout:
        x, y = document.graph.layout[after]
        position = (x + BESIDE[0], y + BESIDE[1])
    edit, node_id = add_layer(
        document.graph,
        document.verdict,
        type_name,
        into=into,
        after=after,
        position=position,
        sized=document.visibility.sized_splice,
    )
    document.push(edit, f"Add {type_name}")
    document.selection.set([node_id])
    return node_id
