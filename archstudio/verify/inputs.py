"""What the graph says of its inputs beyond their own parameters: dtype from use, batch and sequence from the dock."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Literal, TypeAlias

from archstudio.graph import Graph, Node
from archstudio.layers import Layer, find
from archstudio.layers.problem import ProblemKind, error
from archstudio.verify.ports import input_order

Use: TypeAlias = Literal["index", "number"]
"""Looked up in a table, or multiplied by weights."""

INPUT_DTYPE = ProblemKind(
    "E-INPUT-DTYPE",
    error,
    "{node} is used as an index by {index} and as a number by {number}; say its dtype",
    "Indices are integers and weights multiply floating-point numbers. One tensor cannot be both, so the studio does "
    "not guess which was meant.",
)

_PASSES_DTYPE = frozenset({"shape", "merge"})
"""Families whose layers move numbers without computing with weights, so that indices stay indices."""
_HAS_WEIGHTS = frozenset({"dense", "conv", "attention", "recurrent"})
"""Families whose layers take floating-point numbers only."""
_CHOSEN = (("batch", "batchAxis", 0), ("sequence", "sequenceAxis", None))
"""Keys of the graph's meta that set the size of an axis, the parameter that names the axis, and its default."""


def is_input(node: Node) -> bool:
    """Whether the node stands for an argument of the network, under any spelling of the type."""
    entry = find(node.type)
    return entry is not None and entry.type == "input"


def effective_params(graph: Graph, node: Node) -> Mapping[str, Any]:
    """An input's parameters with its dtype inferred where it says none, and with the sizes chosen for the graph."""
    params = dict(node.params)
    if params.get("dtype") is None and "index" in used_as(graph, node.id):
        params["dtype"] = "int64"
    for key, axis_key, default in _CHOSEN:
        size, shape, axis = graph.meta.get(key), params.get("shape"), params.get(axis_key, default)
        if (
            isinstance(size, int)
            and isinstance(shape, list)
            and isinstance(axis, int)
            and -len(shape) <= axis < len(shape)
        ):
            params["shape"] = [*shape]
            params["shape"][axis] = size
    return params


def used_as(graph: Graph, node_id: str) -> dict[Use, str]:
    """What a node's value is used as, on paths that keep its dtype, and the id of the first node that uses it so.

    An index input (an embedding's) makes it an index, a layer with weights a number.
    """
    uses: dict[Use, str] = {}
    seen, queue = {node_id}, deque([node_id])
    while queue:
        for entry, target, position in _readers(graph, queue.popleft(), seen):
            if position in entry.index_inputs:
                uses.setdefault("index", target.id)
            elif target.bypassed or _keeps_dtype(entry):
                if target.id not in seen:
                    seen.add(target.id)
                    queue.append(target.id)
            elif entry.family in _HAS_WEIGHTS:
                uses.setdefault("number", target.id)
    return uses


def _keeps_dtype(entry: type[Layer]) -> bool:
    if entry.type == "cast":
        return False
    return entry.family in _PASSES_DTYPE or entry.type in ("output", "dropout")


def _readers(graph: Graph, node_id: str, seen: Collection[str]) -> Iterator[tuple[type[Layer], Node, int]]:
    """Layers that read a node, and which of their inputs it is; -1 for layers that no input indexes.

    Those of them that were `seen` are left out where the input makes no difference.
    """
    for wire in graph.outgoing(node_id):
        target = graph.node(wire.target)
        entry = find(target.type)
        if entry is None or (wire.target in seen and not entry.index_inputs):
            continue
        # finding the place costs the number of inputs, which for a sum of many is large
        place = input_order(entry, graph.incoming(target.id)).index(wire) if entry.index_inputs else -1
        yield entry, target, place
