"""Examples changed in one place: an axis of size 0 or 1, another dtype or rank or memory order, a value at an edge."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from archstudio.layers import Layer, Wire, samples
from archstudio.layers.base import Example
from archstudio.layers.fields import Field
from archstudio.layers.wire import ITEM_BYTES


def twisted(entry: type[Layer], example: Example, random: Random) -> Example:
    """The example with one thing changed that its generator may never change; itself where nothing can be."""
    ways = [_wire_twisted] * 3 + [_param_twisted] * 2 + [_sizes_twisted]
    return random.choice(ways)(entry, example, random)


def _wire_twisted(entry: type[Layer], example: Example, random: Random) -> Example:
    """Another dtype, rank or memory order of one input."""
    ports = [port for port, value in enumerate(example.inputs) if isinstance(value, Wire)]
    if not ports:
        return example
    port = random.choice(ports)
    x = example.inputs[port]
    assert isinstance(x, Wire)
    changed = random.choice((_another_dtype, _another_rank, _another_order))(x, random)
    return replace(example, inputs=(*example.inputs[:port], changed, *example.inputs[port + 1 :]))


def _another_dtype(x: Wire, random: Random) -> Wire:
    return Wire.of(x.shape, random.choice(tuple(ITEM_BYTES)), x.strides)


def _another_rank(x: Wire, random: Random) -> Wire:
    shape = list(x.shape)
    if shape and samples.sometimes(random, 0.5):
        del shape[random.randrange(len(shape))]
    else:
        shape.insert(random.randint(0, len(shape)), random.choice((0, 1, 1, 2)))
    return Wire.of(shape, x.dtype)


def _another_order(x: Wire, random: Random) -> Wire:
    return samples.wire(random, x.shape, x.dtype, chance=1)


def _sizes_twisted(entry: type[Layer], example: Example, random: Random) -> Example:
    """One size, wherever the inputs have it, becomes 0 or 1."""
    sizes = sorted({int(d) for x in example.inputs if isinstance(x, Wire) for d in x.shape})
    if not sizes:
        return example
    old, new = random.choice(sizes), random.choice((0, 0, 1))
    inputs = tuple(
        Wire.of([new if d == old else d for d in x.shape], x.dtype) if isinstance(x, Wire) else x
        for x in example.inputs
    )
    return replace(example, inputs=inputs)


def _param_twisted(entry: type[Layer], example: Example, random: Random) -> Example:
    """One parameter left out, or at the edge of what it may be."""
    if not entry.fields:
        return example
    field = random.choice(list(entry.fields.values()))
    params: dict[str, Any] = {k: v for k, v in example.params.items() if k not in field.keys}
    if not samples.sometimes(random, 0.25):
        params[field.json] = _edge(field, random)
    return replace(example, params=params)


def _edge(field: Field, random: Random) -> Any:
    if field.kind == "flag":
        return random.choice((True, False))
    if field.kind == "choice":
        return random.choice(field.choices)
    if field.kind == "number":
        return random.choice((0, 1, 0.5, -1, 2.5))
    if field.kind in ("size", "integer"):
        return random.choice((0, 1, 2, -1, 3))
    if field.kind in ("tuple", "padding"):
        one = random.choice((0, 1, 2, -1))
        return one if samples.sometimes(random, 0.6) else [random.choice((one, 1, 2)) for _ in range(field.count)]
    if field.kind == "sizes":
        return [random.choice((0, 1, 2, -1, 3)) for _ in range(random.randint(0, 3))]
    return field.default if not field.required else None
