"""Which memory every tensor of a network lies in: views share that of what they look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, Union

from archstudio.graph import Connection
from archstudio.layers import Layer, Value, Wire
from archstudio.layers.families.dropout import Dropping
from archstudio.layers.families.shape_parts import GetItem
from archstudio.layers.families.shared import SharedModule
from archstudio.layers.views import view_strides
from archstudio.verify.ports import input_order
from archstudio.verify.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Storage:
    """Memory that one layer makes for one of its outputs (`path` leads to it in what the layer returns)."""

    node: str
    path: tuple[int, ...]
    bytes: int


Placed: TypeAlias = Union[Storage, "tuple[Placed, ...]"]
"""Where a layer's result lies: one storage, or nested tuples of them, shaped like its value."""


@dataclass(frozen=True, slots=True)
class Source:
    """One input of a layer: the tensors it brings and where they lie."""

    value: Value
    placed: Placed


class Storages:
    """The memory of all results of a verdict; nodes whose result is unknown have none."""

    def __init__(self, verdict: Verdict) -> None:
        self._verdict = verdict
        self._placed: dict[str, Placed] = {}
        for node_id in verdict.order:
            value = verdict.nodes[node_id].value
            if value is not None:
                self._placed[node_id] = self._place(node_id, value)

    def of(self, node_id: str) -> tuple[Storage, ...]:
        """Storages that a node's result lies in, each once."""
        placed = self._placed.get(node_id)
        return () if placed is None else tuple(dict.fromkeys(leaves(placed)))

    def made_by(self, node_id: str) -> tuple[Storage, ...]:
        """Storages that came into being with a node's result."""
        return tuple(s for s in self.of(node_id) if s.node == node_id)

    def output(self, node_id: str, index: int) -> Storage:
        """Where one of the tensors lies that a node returns, by position."""
        return list(leaves(self._placed[node_id]))[index]

    def sources(self, node_id: str) -> list[Source]:
        """What comes in, in the order of the node's inputs."""
        layer = self._verdict.nodes[node_id].layer
        found = []
        for wire in input_order(None if layer is None else type(layer), self._verdict.graph.incoming(node_id)):
            value = self._verdict.carried(wire.id)
            if value is not None:
                found.append(Source(value, self._port(wire.source, wire.source_port)))
        return found

    def carried(self, connection: Connection) -> tuple[Storage, ...]:
        """Storages that a wire reads; none while unknown."""
        if connection.source not in self._placed:
            return ()
        return tuple(leaves(self._port(connection.source, connection.source_port)))

    def _port(self, node_id: str, port: str | None) -> Placed:
        placed, layer = self._placed[node_id], self._verdict.nodes[node_id].layer
        for step in () if port is None or layer is None else layer.output_names()[port]:
            assert isinstance(placed, tuple)
            placed = placed[step]
        return placed

    def _place(self, node_id: str, value: Value) -> Placed:
        layer, sources = self._verdict.nodes[node_id].layer, self.sources(node_id)
        if sources and (layer is None or shares_memory(layer, [s.value for s in sources], value)):
            first = sources[0].placed
            if isinstance(first, tuple):
                return first[layer.index] if isinstance(layer, GetItem) else first
            return _all_in(first, value)
        return _fresh(node_id, (), value)


def leaves(placed: Placed) -> Iterator[Storage]:
    """The storages of nested tuples, from left to right."""
    if isinstance(placed, Storage):
        yield placed
        return
    for part in placed:
        yield from leaves(part)


def _fresh(node_id: str, path: tuple[int, ...], value: Value) -> Placed:
    if isinstance(value, Wire):
        return Storage(node_id, path, int(value.bytes))
    return tuple(_fresh(node_id, (*path, k), part) for k, part in enumerate(value))


def _all_in(storage: Storage, value: Value) -> Placed:
    return storage if isinstance(value, Wire) else tuple(_all_in(storage, part) for part in value)


def shares_memory(layer: Layer, inputs: Sequence[Value], output: Value) -> bool:
    """Whether a layer's result lies in its first input's memory: a view, the very input, or written over it.

    A reshape of rearranged elements copies; a dropout that does not drop and a cast to the same type return the input.
    """
    if isinstance(layer, SharedModule):
        return layer.target is not None and shares_memory(layer.target, inputs, output)
    x = inputs[0]
    if layer.view:
        if isinstance(x, Wire) and isinstance(output, Wire) and layer.type in ("flatten", "reshape"):
            return view_strides(x.shape, x.element_strides, output.shape) is not None
        return True
    if isinstance(layer, Dropping) and isinstance(x, Wire) and not layer.drops(x):
        return True
    if layer.type in ("cast", "contiguous"):
        return output is x
    return bool(getattr(layer, "inplace", False))
