"""Sums of products over named axes, step by step as torch.einsum takes them (aten/src/ATen/native/Linear.cpp)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from archstudio.layers.dim import product
from archstudio.layers.spread import promoted
from archstudio.layers.wire import Wire, contiguous_strides, pointwise_strides

Labels = Sequence[Hashable]
"""One name for each axis."""


@dataclass(frozen=True, slots=True)
class Contracted:
    """What comes out, and the multiply–accumulates of the matrix products on the way.

    `multiplied` says whether there were matrix products at all, which want factors of one dtype.
    """

    result: Wire
    macs: int
    multiplied: bool


@dataclass(frozen=True, slots=True)
class Operand:
    """Sizes and strides on the axes that all operands share. Unlike in a wire, strides of axes of size 1 matter."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]

    def summed(self, axes: Sequence[int]) -> Operand:
        """With these axes summed, which stay with size 1; the same where they all are 1."""
        if all(self.shape[axis] == 1 for axis in axes):
            return self
        shape = tuple(1 if axis in axes else size for axis, size in enumerate(self.shape))
        return Operand(shape, contiguous_strides(shape))


def contract(operands: Sequence[tuple[Labels, Wire]], kept: Labels) -> Contracted:
    """Multiply operands from left to right; an axis is summed with the last operand in which it is not of size 1.

    Where nothing is to be summed the product is elementwise and counts no multiply–accumulates.
    """
    summed = list(dict.fromkeys(c for labels, _ in operands for c in labels if c not in kept))
    order = (*kept, *summed)
    last = dict.fromkeys(order, 0)
    last |= {c: k for k, (labels, x) in enumerate(operands) for c, d in zip(labels, x.shape, strict=True) if d != 1}
    result, macs = _aligned(*operands[0], order), 0
    result = result.summed([order.index(c) for c in summed if last[c] == 0])
    multiplied = False
    for k, (labels, wire) in enumerate(operands[1:], 1):
        due = [order.index(c) for c in summed if last[c] == k]
        right = _aligned(labels, wire, order)
        multiplied = multiplied or any(result.shape[axis] != 1 != right.shape[axis] for axis in due)
        result, more = _pair(result, right, due)
        macs += more
    shape, strides = result.shape[: len(kept)], result.strides[: len(kept)]
    return Contracted(Wire.of(shape, _result_type(operands, summed), strides), macs, multiplied)


def _result_type(operands: Sequence[tuple[Labels, Wire]], summed: Sequence[Hashable]) -> str:
    """The common dtype; whole numbers that are only summed become int64."""
    dtype = promoted([wire for _, wire in operands])
    labels, first = operands[0]
    alone = len(operands) == 1 and any(c in summed and d != 1 for c, d in zip(labels, first.shape, strict=True))
    return "int64" if alone and not first.floating else dtype


def _aligned(labels: Labels, x: Wire, order: Labels) -> Operand:
    """The tensor with its axes in this order, size 1 where it has none, and its diagonal where a label repeats."""
    sizes: dict[Hashable, int] = {}
    strides: dict[Hashable, int] = {}
    for label, size, stride in zip(labels, x.shape, x.element_strides, strict=True):
        sizes[label] = size
        strides[label] = strides.get(label, 0) + stride
    return Operand(tuple(sizes.get(c, 1) for c in order), tuple(strides.get(c, 1) for c in order))


def _pair(a: Operand, b: Operand, due: Sequence[int]) -> tuple[Operand, int]:
    """Product of two operands with these axes summed, and its multiply–accumulates."""
    both = [axis for axis in due if a.shape[axis] != 1 and b.shape[axis] != 1]
    only_a = [axis for axis in due if b.shape[axis] == 1]
    only_b = [axis for axis in due if a.shape[axis] == 1]
    a, b = a.summed(only_a), b.summed(only_b)
    sizes = tuple(y if x == 1 else x for x, y in zip(a.shape, b.shape, strict=True))
    if not both:
        return Operand(sizes, pointwise_strides(sizes, *(_spread(x, sizes) for x in (a, b)))), 0
    shape = tuple(1 if axis in both else size for axis, size in enumerate(sizes))
    return Operand(shape, _product_strides(a, b, both, shape)), product(sizes)


def _spread(x: Operand, sizes: Sequence[int]) -> tuple[int, ...]:
    return tuple(0 if have == 1 != size else s for have, size, s in zip(x.shape, sizes, x.strides, strict=True))


def _product_strides(a: Operand, b: Operand, both: Sequence[int], shape: Sequence[int]) -> tuple[int, ...]:
    """Memory order of the batched matrix product: shared axes, then the left one's, then the right one's."""
    free = [k for k in range(len(shape)) if k not in both]
    shared = [k for k in free if a.shape[k] != 1 and b.shape[k] != 1]
    left = [k for k in free if k not in shared and a.shape[k] != 1]
    right = [k for k in free if k not in shared and k not in left]
    stored = (*shared, *left, *both, *right)
    strides = dict(zip(stored, contiguous_strides([shape[k] for k in stored]), strict=True))
    return tuple(strides[k] for k in range(len(shape)))
