"""What a wire carries: shape, dtype and memory order of one tensor, or a tuple of such."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar, TypeAlias, Union

from archstudio.layers.dim import Dim, dim_text, product
from archstudio.layers.problem import DTYPE, RANK, SIZE, ProblemKind, Refused
from archstudio.layers.short_numbers import with_short_numbers

ITEM_BYTES = {
    "float64": 8, "float32": 4, "float16": 2, "bfloat16": 2,
    "int64": 8, "int32": 4, "int16": 2, "int8": 1, "uint8": 1, "bool": 1,
}  # fmt: skip
"""Bytes of one element, by dtype (PyTorch's names)."""

FLOATING = frozenset({"float64", "float32", "float16", "bfloat16"})
INTEGER = frozenset({"int64", "int32", "int16", "int8", "uint8"})
MOST_AXES_TOLD = 24
"""Of a shape with more axes the rest are counted: a file may have 100,000."""


class Wire:
    """One tensor, without its numbers. Equal wires are the same object, so that results can be kept by identity.

    `strides` is None for a contiguous tensor, else the stride of each axis in elements. `largest` is the largest
    value that indices from a pooling can have, None where that is not known.
    """

    __slots__ = ("dtype", "largest", "shape", "strides")
    _made: ClassVar[dict[tuple[object, ...], Wire]] = {}

    shape: tuple[int, ...]
    dtype: str
    strides: tuple[int, ...] | None
    largest: int | None

    @classmethod
    def of(
        cls,
        shape: Sequence[int],
        dtype: str = "float32",
        strides: Sequence[int] | None = None,
        largest: int | None = None,
    ) -> Wire:
        """The wire of this shape, dtype and memory order."""
        key_strides = None if strides is None else tuple(strides)
        if key_strides is not None and is_contiguous(tuple(shape), key_strides):
            key_strides = None
        sizes = tuple(shape)
        key = (sizes, tuple(d.terms if isinstance(d, Dim) else 0 for d in sizes), dtype, key_strides, largest)
        made = cls._made.get(key)
        if made is None:
            made = object.__new__(cls)
            made.shape, made.dtype, made.strides, made.largest = sizes, dtype, key_strides, largest
            cls._made[key] = made
        return made

    def __getitem__(self, axis: int) -> int:
        return self.shape[axis]

    def __repr__(self) -> str:
        return f"Wire({self.text()}, {self.dtype})"

    @property
    def rank(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def elements(self) -> int:
        """Number of elements."""
        return product(self.shape)

    @property
    def bytes(self) -> int:
        """Bytes of the tensor's elements."""
        return self.elements * ITEM_BYTES[self.dtype]

    @property
    def floating(self) -> bool:
        """Whether the elements are floating-point numbers."""
        return self.dtype in FLOATING

    @property
    def element_strides(self) -> tuple[int, ...]:
        """Stride of each axis in elements, also for contiguous tensors."""
        return contiguous_strides(self.shape) if self.strides is None else self.strides

    def text(self) -> str:
        """`B×16×30×30`; a scalar is `scalar`."""
        shape, left = self.shape, len(self.shape) - MOST_AXES_TOLD
        if left > 0:
            return "×".join([*map(dim_text, shape[:MOST_AXES_TOLD]), f"… {left:,} more axes"])
        return with_short_numbers("×".join(map(dim_text, shape))) or "scalar"

    def with_shape(self, shape: Sequence[int], dtype: str | None = None) -> Wire:
        """A contiguous wire of another shape (and dtype, if given)."""
        return Wire.of(shape, dtype or self.dtype)

    def with_last(self, size: int) -> Wire:
        """Another size on the last axis, contiguous."""
        return Wire.of((*self.shape[:-1], size), self.dtype)

    def with_axis(self, axis: int, size: int) -> Wire:
        """Another size on one axis, contiguous."""
        sizes = list(self.shape)
        sizes[axis] = size
        return Wire.of(sizes, self.dtype)

    def pointwise(self, dtype: str | None = None) -> Wire:
        """What a function of each element gives: the same shape in the same memory order, without gaps."""
        if self.strides is None:
            return self if dtype in (None, self.dtype) else Wire.of(self.shape, dtype or self.dtype)
        plain = Wire.of(self.shape, dtype or self.dtype)
        if self.rank == 4 and (formatted := plain.in_format_of(self, loose=True)) is not plain:
            return formatted
        dense = is_dense(self.shape, self.strides)
        strides = self.strides if dense else pointwise_strides(self.shape, self.strides)
        return Wire.of(self.shape, plain.dtype, strides)

    def in_order_of(self, other: Wire) -> Wire:
        """The same tensor with its axes in memory as those of another of this rank, without gaps."""
        if other.strides is None:
            return self
        return Wire.of(self.shape, self.dtype, pointwise_strides(self.shape, other.strides))

    def in_format_of(self, x: Wire, *, loose: bool = False) -> Wire:
        """The same tensor, channels last in memory if x has them so: what image layers do on CPU.

        `loose` layers (batch norm) do not mind what strides axes of size 1 have.
        """
        if x.strides is None or self.rank not in (4, 5):
            return self
        moved = is_contiguous((x.shape[0], *x.shape[2:], x.shape[1]), (x.strides[0], *x.strides[2:], x.strides[1]))
        if not (is_channels_last(x.shape, x.strides) or (loose and moved)):
            return self
        return self.channels_last()

    def channels_last(self) -> Wire:
        """The same image or volume with its channels innermost in memory."""
        by_place = (0, *range(2, self.rank), 1)
        strides = [0] * self.rank
        for axis, stride in zip(by_place, contiguous_strides([self.shape[a] for a in by_place]), strict=True):
            strides[axis] = stride
        return Wire.of(self.shape, self.dtype, strides)

    def unsqueezed(self, axis: int) -> Wire:
        """With an axis of size 1 put in at this place (0 or more), without copying."""
        shape = (*self.shape[:axis], 1, *self.shape[axis:])
        if self.strides is None:
            return Wire.of(shape, self.dtype)
        step = self.strides[axis] * self.shape[axis] if axis < self.rank else 1
        return Wire.of(shape, self.dtype, (*self.strides[:axis], step, *self.strides[axis:]))

    def without_axis(self, axis: int) -> Wire:
        """The first along an axis (0 or more), without copying."""
        strides = self.element_strides
        shape = (*self.shape[:axis], *self.shape[axis + 1 :])
        return Wire.of(shape, self.dtype, (*strides[:axis], *strides[axis + 1 :]))

    # ------------------------------------------------ requirements of rules

    def require_rank(self, *ranks: int, port: int = 0) -> Wire:
        """Refuse any other number of dimensions."""
        if len(self.shape) not in ranks:
            needs = " or ".join(str(r) for r in ranks)
            raise Refused(RANK, port=port, needs=needs, gets=len(self.shape), ranks=ranks)
        return self

    def require_rank_at_least(self, least: int, port: int = 0) -> Wire:
        """Refuse fewer dimensions."""
        if len(self.shape) < least:
            raise Refused(RANK, port=port, needs=f"at least {least}", gets=len(self.shape), ranks=(least,))
        return self

    def require_size(
        self, axis: int, needs: int, *, set_by: str, what: str = "channels", port: int = 0, kind: ProblemKind = SIZE
    ) -> Wire:
        """Refuse another size on an axis; `set_by` names the parameter (camelCase) that asks for it."""
        gets = self.shape[axis]
        if gets != needs:
            raise Refused(kind, port=port, axis=axis, needs=needs, gets=gets, what=what, set_by=set_by)
        return self

    def require_float32(self, port: int = 0) -> Wire:
        """Refuse all but float32: what a layer with float32 weights takes."""
        if self.dtype != "float32":
            raise Refused(DTYPE, port=port, needs="float32", gets=self.dtype)
        return self

    def require_floating(self, port: int = 0) -> Wire:
        """Refuse integers and booleans."""
        if self.dtype not in FLOATING:
            raise Refused(DTYPE, port=port, needs="floating-point", gets=self.dtype)
        return self

    def require_integer(self, port: int = 0, *dtypes: str) -> Wire:
        """Refuse all but the given integer dtypes (default: int64 and int32, what an index takes)."""
        if self.dtype not in (dtypes or ("int64", "int32")):
            raise Refused(DTYPE, port=port, needs="integer", gets=self.dtype)
        return self

    def refuse_dtypes(self, *dtypes: str, needs: str, port: int = 0) -> Wire:
        """Refuse these dtypes; `needs` says in words what is taken (`floating-point`)."""
        if self.dtype in dtypes:
            raise Refused(DTYPE, port=port, needs=needs, gets=self.dtype)
        return self


Value: TypeAlias = Union[Wire, "tuple[Value, ...]"]
"""What comes out of a layer: a tensor, or (nested) tuples of tensors."""


def contiguous_strides(shape: Sequence[int]) -> tuple[int, ...]:
    """Strides, in elements, of a contiguous tensor of this shape."""
    strides: list[int] = []
    step = 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(int(size), 1)
    return tuple(reversed(strides))


def pointwise_strides(shape: tuple[int, ...], *operands: tuple[int, ...]) -> tuple[int, ...]:
    """Memory order of a pointwise result: that of its operands, first one first, packed densely.

    The order of axes is found as PyTorch's TensorIterator does (aten/src/ATen/TensorIterator.cpp, reorder_dimensions);
    operands are strides on the axes of the result, 0 where an operand is broadcast.
    """
    order = list(range(len(shape)))[::-1]
    for i in range(1, len(order)):
        here = i
        for before in range(i - 1, -1, -1):
            verdict = _memory_order(shape, operands, order[before], order[here])
            if verdict > 0:
                order[before], order[here] = order[here], order[before]
                here = before
            elif verdict < 0:
                break
    strides, step = [0] * len(shape), 1
    for axis in order:
        strides[axis] = step
        step *= max(int(shape[axis]), 1)
    return tuple(strides)


def _memory_order(shape: tuple[int, ...], operands: tuple[tuple[int, ...], ...], a: int, b: int) -> int:
    """-1 if axis a lies inside axis b in memory, 1 if outside, 0 if the operands do not say."""
    for strides in operands:
        inner, outer = strides[a], strides[b]
        if inner == 0 or outer == 0:
            continue
        if inner != outer:
            return -1 if inner < outer else 1
        if shape[a] > shape[b]:
            return 1
    return 0


def is_dense(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether the elements lie without gaps and repeats, in any order of the axes."""
    step = 1
    for stride, size in sorted((stride, int(size)) for size, stride in zip(shape, strides, strict=True) if size != 1):
        if stride != step:
            return False
        step *= size
    return True


def is_stretch(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether these axes can be seen as one, at some constant distance from element to element."""
    joined = [(size, stride) for size, stride in zip(shape, strides, strict=True) if size != 1]
    return all(outer == inner * int(size) for (_, outer), (size, inner) in pairwise(joined))


def is_channels_last(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Whether an image or volume lies in memory with its channels innermost (c10/core/MemoryFormat.h)."""
    if len(shape) not in (4, 5) or strides[1] == 0:
        return False
    least = 0
    for axis in (1, *range(len(shape) - 1, 1, -1), 0):
        if shape[axis] == 0 or strides[axis] < least or (axis == 0 and least == strides[1]):
            return False
        least = strides[axis] * max(int(shape[axis]), 1)
    return True


def is_contiguous(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Whether the elements lie in order (axes of size 1 may have any stride; an empty tensor is contiguous)."""
    if 0 in shape:
        return True
    step = 1
    for size, stride in zip(reversed(shape), reversed(strides), strict=True):
        if size != 1:
            if stride != step:
                return False
            step *= int(size)
    return True


def value_text(value: Value) -> str:
    """`B×16×30×30`, or `(5×3×20, (2×3×20, 2×3×20))` for several outputs."""
    return value.text() if isinstance(value, Wire) else f"({', '.join(value_text(v) for v in value)})"


def shapes_of(value: Value) -> list[object]:
    """Plain nested lists of ints, as recorded cases write them."""
    return [int(d) for d in value.shape] if isinstance(value, Wire) else [shapes_of(v) for v in value]
