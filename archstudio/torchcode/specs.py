"""What a model takes and gives, as plain data for data sources and losses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from archstudio.graph import Graph
from archstudio.layers import Value, Wire, find
from archstudio.layers.dim import batch
from archstudio.layers.families.embedding import Table
from archstudio.torchcode.program import program_of
from archstudio.verify.ports import input_order
from archstudio.verify.verdict import Verdict

_PASSES_INDICES = frozenset({"shape", "merge"})
"""Families whose layers move numbers without computing, so that indices stay indices."""


@dataclass(frozen=True, slots=True)
class InputSpec:
    """One argument of `forward`: `shape` is complete, `batch_axis` None where the input has no batch.

    `max_index` is the largest index that every table it looks up has; None if it looks up none.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    max_index: int | None
    batch_axis: int | None


@dataclass(frozen=True, slots=True)
class OutputSpec:
    """One tensor that `forward` returns; `batch_axis` is the axis whose size is the batch, None if there is none."""

    shape: tuple[int, ...]
    dtype: str
    batch_axis: int | None


def io_specs(graph: Graph, verdict: Verdict) -> tuple[tuple[InputSpec, ...], tuple[OutputSpec, ...]]:
    """The arguments of the generated `forward` and the tensors it returns, in order; GraphHasErrors as `source_of`."""
    program = program_of(graph, verdict)
    inputs = []
    for node_id in program.inputs:
        line = program.by_node[node_id]
        assert isinstance(line.value, Wire)
        shape = tuple(int(d) for d in line.value.shape)
        limit = None if line.value.floating else max_index(graph, verdict, node_id)
        inputs.append(InputSpec(line.name, shape, line.value.dtype, limit, batch_axis(line.value)))
    outputs = [
        OutputSpec(tuple(int(d) for d in wire.shape), wire.dtype, batch_axis(wire))
        for node_id in program.outputs
        for wire in flat(program.by_node[node_id].value)
    ]
    return tuple(inputs), tuple(outputs)


def flat(value: Value | None) -> Iterator[Wire]:
    """The tensors of a value, in order."""
    if isinstance(value, Wire):
        yield value
    elif value is not None:
        for part in value:
            yield from flat(part)


def batch_axis(wire: Wire) -> int | None:
    """The first axis whose size is exactly the batch B."""
    wanted = batch(1).terms
    return next((k for k, size in enumerate(wire.shape) if getattr(size, "terms", None) == wanted), None)


def max_index(graph: Graph, verdict: Verdict, node_id: str) -> int | None:
    """The largest index that every table has which this input looks up on paths that keep its numbers; None if none."""
    sizes: list[int] = []
    seen, stack = {node_id}, [node_id]
    while stack:
        for wire in graph.outgoing(stack.pop()):
            target = graph.node(wire.target)
            entry, layer = find(target.type), verdict.nodes[target.id].layer
            if entry is None:
                continue
            position = input_order(entry, graph.incoming(target.id)).index(wire)
            passes = target.bypassed or entry.family in _PASSES_INDICES or entry.type in ("output", "dropout")
            if isinstance(layer, Table) and position in entry.index_inputs and "num_embeddings" in vars(layer):
                sizes.append(layer.num_embeddings)
            elif passes and target.id not in seen:
                seen.add(target.id)
                stack.append(target.id)
    return max(min(sizes) - 1, 0) if sizes else None
