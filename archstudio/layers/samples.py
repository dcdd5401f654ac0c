"""Ingredients for the random examples that entries are tried with."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from archstudio.layers.wire import ITEM_BYTES, Wire, contiguous_strides


def sometimes(random: Random, chance: float = 0.1) -> bool:
    """True with this chance."""
    return random.random() < chance


def sizes(random: Random, count: int, low: int = 1, high: int = 6) -> tuple[int, ...]:
    """So many sizes between two bounds, both included."""
    return tuple(random.randint(low, high) for _ in range(count))


def dtype(random: Random, chance: float = 0.08) -> str:
    """float32, or with a small chance any other type of numbers."""
    return random.choice(tuple(ITEM_BYTES)) if sometimes(random, chance) else "float32"


def wire(random: Random, shape: Sequence[int], dtype: str = "float32", chance: float = 0.12) -> Wire:
    """A wire of this shape, with a small chance one that is not contiguous (transposed, or cut out of a larger one)."""
    shape = tuple(shape)
    if len(shape) < 2 or not sometimes(random, chance):
        return Wire.of(shape, dtype)
    order = random.sample(range(len(shape)), len(shape))
    if len(shape) in (4, 5) and sometimes(random, 0.3):  # channels last, which many kernels treat apart
        order = [0, *range(2, len(shape)), 1]
    gap = random.choice((0, 0, 1))
    stored = [shape[axis] + (gap if k == len(order) - 1 else 0) for k, axis in enumerate(order)]
    strides = [0] * len(shape)
    for axis, stride in zip(order, contiguous_strides(stored), strict=True):
        strides[axis] = stride
    return Wire.of(shape, dtype, strides)


def each_axis(random: Random, axes: int, low: int, high: int) -> int | list[int]:
    """One number for all axes, or a list with one for each."""
    if sometimes(random, 0.6):
        return random.randint(low, high)
    return [random.randint(low, high) for _ in range(axes)]


def image(
    random: Random, axes: int, channels: int, *, low: int = 1, high: int = 9, dtypes: float = 0.04, batched: float = 0.8
) -> Wire:
    """A batch of images (or sequences, or volumes) with so many channels; sometimes of a wrong rank or dtype."""
    spatial = sizes(random, axes, low, high)
    shape: tuple[int, ...] = (channels, *spatial)
    if sometimes(random, batched):
        shape = (random.randint(1, 3), *shape)
    if sometimes(random, 0.04):
        shape = random.choice((shape[1:], (1, *shape), (1, 1, *shape)))
    return wire(random, shape, dtype(random, dtypes))
