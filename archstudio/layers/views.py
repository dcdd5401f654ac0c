"""Which shapes a tensor can be seen as without copying, as PyTorch finds out (aten/src/ATen/TensorUtils.cpp)."""

from __future__ import annotations

from collections.abc import Sequence

from archstudio.layers.dim import product
from archstudio.layers.problem import ProblemKind, Refused, error
from archstudio.layers.wire import Wire, contiguous_strides

RESHAPE = ProblemKind(
    "E-RESHAPE",
    error,
    "{node}: {gets:,} elements do not fill the shape {shape}",
    "A reshape keeps every element; the sizes of the new shape must multiply to their number.",
)
VIEW = ProblemKind(
    "E-VIEW",
    error,
    "{node} cannot see {shape} in memory that was rearranged before",
    "A view does not copy. After a transpose or permute the elements lie in another order; reshape copies them.",
)


def view_strides(shape: Sequence[int], strides: Sequence[int], new: Sequence[int]) -> tuple[int, ...] | None:
    """Strides of the new shape over the same memory, or None if it has to be copied."""
    if product(shape) == 0:
        return contiguous_strides(new)
    result = [0] * len(new)
    view_axis, chunk_stride = len(new) - 1, strides[-1] if shape else 1
    elements, view_elements = 1, 1
    for axis in range(len(shape) - 1, -1, -1):
        elements *= int(shape[axis])
        if axis and (shape[axis - 1] == 1 or strides[axis - 1] == elements * chunk_stride):
            continue
        while view_axis >= 0 and (view_elements < elements or new[view_axis] == 1):
            result[view_axis] = view_elements * chunk_stride
            view_elements *= int(new[view_axis])
            view_axis -= 1
        if view_elements != elements:
            return None
        if axis:
            chunk_stride, elements, view_elements = strides[axis - 1], 1, 1
    if not shape:
        return contiguous_strides(new)
    return None if view_axis != -1 else tuple(result)


def filled(shape: Sequence[int], x: Wire, param: str = "shape") -> tuple[int, ...]:
    """The shape with its one −1 worked out; Refused if the elements do not fill it."""
    text = "×".join(str(int(d)) for d in shape) or "scalar"
    if sum(d == -1 for d in shape) > 1 or any(d < -1 for d in shape):
        raise Refused(RESHAPE, port=0, gets=x.elements, shape=text, param=param, set_by=param)
    known = product([d for d in shape if d != -1])
    if -1 in shape:
        if known == 0 or x.elements % known:
            raise Refused(RESHAPE, port=0, gets=x.elements, shape=text, param=param, set_by=param)
        return tuple(x.elements // known if d == -1 else d for d in shape)
    if known != x.elements:
        raise Refused(RESHAPE, port=0, gets=x.elements, shape=text, param=param, set_by=param)
    return tuple(shape)


def viewed(x: Wire, shape: Sequence[int]) -> Wire:
    """The tensor seen as another shape of the same number of elements; Refused if that needs a copy."""
    strides = view_strides(x.shape, x.element_strides, shape)
    if strides is None:
        raise Refused(VIEW, port=0, shape="×".join(str(int(d)) for d in shape), set_by="shape")
    return Wire.of(shape, x.dtype, strides)


def reshaped(x: Wire, shape: Sequence[int]) -> Wire:
    """The tensor in another shape of the same number of elements: a view where possible, else a copy."""
    strides = view_strides(x.shape, x.element_strides, shape)
    return Wire.of(shape, x.dtype, strides)
