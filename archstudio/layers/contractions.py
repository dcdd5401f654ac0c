"""Sums of products over named axes, step by step as torch.einsum takes them (aten/src/ATen/native/Linear.cpp)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from archstudio.layers.dim import product
from archstudio.layers.spread import broadcast
from archstudio.layers.wire import Wire, contiguous_strides

Labels = Sequence[Hashable]
"""One name for each axis."""


@dataclass(frozen=True, slots=True)
class Contracted:
    """What comes out, and the multiply–accumulates of the matrix products on the way."""

    result: Wire
    macs: int


def contract(operands: Sequence[tuple[Labels, Wire]], kept: Labels) -> Contracted:
    """Multiply operands from left to right; an axis is summed once the last operand that has it came in.

    Where nothing is to be summed the product is elementwise and counts no multiply–accumulates.
    """
    summed = list(dict.fromkeys(c for labels, _ in operands for c in labels if c not in kept))
    order = (*kept, *summed)
    last = {c: k for k, (labels, _) in enumerate(operands) for c in labels}
    result, macs = _aligned(*operands[0], order), 0
    result = _sum_out(result, [order.index(c) for c in summed if last[c] == 0])
    for k, (labels, wire) in enumerate(operands[1:], 1):
        due = [order.index(c) for c in summed if last[c] == k]
        result, more = _pair(result, _aligned(labels, wire, order), due)
        macs += more
    strides = result.element_strides[: len(kept)]
    return Contracted(Wire.of(result.shape[: len(kept)], result.dtype, strides), macs)


def _aligned(labels: Labels, x: Wire, order: Labels) -> Wire:
    """The tensor with its axes in this order, size 1 where it has none, and its diagonal where a label repeats."""
    sizes, strides = dict.fromkeys(order, 1), dict.fromkeys(order, 0)
    for label, size, stride in zip(labels, x.shape, x.element_strides, strict=True):
        sizes[label] = size
        strides[label] += stride
    return Wire.of(tuple(sizes.values()), x.dtype, tuple(strides.values()))


def _sum_out(x: Wire, axes: Sequence[int]) -> Wire:
    """Sum these axes, which stay with size 1; a tensor in which they all are 1 is left as it is."""
    if all(x.shape[axis] == 1 for axis in axes):
        return x
    return Wire.of([1 if axis in axes else size for axis, size in enumerate(x.shape)], x.dtype)


def _pair(a: Wire, b: Wire, due: Sequence[int]) -> tuple[Wire, int]:
    """Product of two aligned tensors with these axes summed, and its multiply–accumulates."""
    both = [axis for axis in due if a.shape[axis] != 1 and b.shape[axis] != 1]
    a = _sum_out(a, [axis for axis in due if b.shape[axis] == 1])
    b = _sum_out(b, [axis for axis in due if a.shape[axis] == 1])
    if not both:
        return broadcast((a, b), a.dtype), 0
    sizes = [y if x == 1 else x for x, y in zip(a.shape, b.shape, strict=True)]
    shape = [1 if axis in both else size for axis, size in enumerate(sizes)]
    return Wire.of(shape, a.dtype, _product_strides(a, b, both, shape)), product(sizes)


def _product_strides(a: Wire, b: Wire, both: Sequence[int], shape: Sequence[int]) -> tuple[int, ...]:
    """Memory order of the batched matrix product: shared axes, then the left one's, then the right one's."""
    shared = [k for k in range(len(shape)) if k not in both and a.shape[k] != 1 and b.shape[k] != 1]
    left = [k for k in range(len(shape)) if k not in (*both, *shared) and a.shape[k] != 1]
    right = [k for k in range(len(shape)) if k not in (*both, *shared, *left)]
    stored = (*shared, *left, *both, *(k for k in right if k not in both))
    strides = dict(zip(stored, contiguous_strides([shape[k] for k in stored]), strict=True))
    return tuple(strides[k] for k in range(len(shape)))
