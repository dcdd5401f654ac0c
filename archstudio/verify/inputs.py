"""What the graph says of its inputs beyond their own parameters: dtype from use, batch and sequence from the dock."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from archstudio.graph import Graph, Node
from archstudio.layers import find
from archstudio.verify.ports import input_order

_PASSES_DTYPE = frozenset({"shape", "merge"})
"""Families whose layers move numbers without computing with weights, so that indices stay indices."""


def effective_params(graph: Graph, node: Node) -> Mapping[str, Any]:
    """An input's parameters with its dtype inferred where it says none, and with the batch chosen for the graph."""
    params = dict(node.params)
    if params.get("dtype") is None and feeds_index(graph, node.id):
        params["dtype"] = "int64"
    batch = graph.meta.get("batch")
    shape, axis = params.get("shape"), params.get("batchAxis", 0)
    if (
        isinstance(batch, int)
        and isinstance(shape, list)
        and isinstance(axis, int)
        and -len(shape) <= axis < len(shape)
    ):
        params["shape"] = [*shape]
        params["shape"][axis] = batch
    return params


def feeds_index(graph: Graph, node_id: str) -> bool:
    """Whether a path that keeps the dtype leads from a node to an index input (an embedding's)."""
    seen, stack = {node_id}, [node_id]
    while stack:
        for wire in graph.outgoing(stack.pop()):
            target = graph.node(wire.target)
            entry = find(target.type)
            if entry is None or target.id in seen:
                continue
            if entry.index_inputs:
                position = input_order(entry, graph.incoming(target.id)).index(wire)
                if position in entry.index_inputs:
                    return True
            if entry.family in _PASSES_DTYPE or entry.type in ("output", "dropout"):
                seen.add(target.id)
                stack.append(target.id)
    return False
