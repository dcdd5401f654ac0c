"""Broadcasting: the common shape and memory order of several tensors, or why there is none."""

from __future__ import annotations

from collections.abc import Sequence

from archstudio.layers.dim import Dim
from archstudio.layers.problem import ProblemKind, Refused, error
from archstudio.layers.wire import Wire, pointwise_strides

BROADCAST = ProblemKind(
    "E-BROADCAST",
    error,
    "{node}: {gets:,} and {needs:,} do not fit together on one axis",
    "Tensors are combined element by element, aligned at their last axes; on each axis the sizes must be equal, or "
    "one of them 1.",
)

_KINDS = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64")


def broadcast_shapes(shapes: Sequence[Sequence[int]], first_port: int = 0) -> tuple[int, ...]:
    """The shape to which all of these spread; Refused, naming port and axis, if there is none."""
    rank = max(len(shape) for shape in shapes)
    result: list[int] = [1] * rank
    for port, shape in enumerate(shapes, first_port):
        for axis in range(-len(shape), 0):
            have, size = result[axis], shape[axis]
            if size == have and isinstance(have, Dim):
                continue
            if have == 1 or (size == have and isinstance(size, Dim)):
                result[axis] = size
            elif size not in (1, have):
                raise Refused(BROADCAST, port=port, axis=axis, gets=size, needs=have)
    return tuple(result)


def broadcast(wires: Sequence[Wire], dtype: str) -> Wire:
    """What combining these element by element gives, in the memory order PyTorch gives it."""
    shape = broadcast_shapes([x.shape for x in wires])
    if all(x.strides is None and x.shape == shape for x in wires):
        return Wire.of(shape, dtype)
    return Wire.of(shape, dtype, pointwise_strides(shape, *(spread_strides(x, shape) for x in wires)))


def spread_strides(x: Wire, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of a tensor on the axes of the shape it is spread to: 0 where it repeats."""
    return repeated(x.shape, x.element_strides, shape)


def repeated(sizes: Sequence[int], strides: Sequence[int], shape: Sequence[int]) -> tuple[int, ...]:
    """Strides of a tensor of these sizes on the axes of the shape it is spread to: 0 where it repeats."""
    missing = len(shape) - len(sizes)
    own = zip(sizes, strides, shape[missing:], strict=True)
    return (0,) * missing + tuple(0 if size == 1 != whole else stride for size, stride, whole in own)


def promoted(wires: Sequence[Wire]) -> str:
    """The dtype of a sum of these (torch.result_type): the highest kind wins, and a scalar only with a higher kind."""
    groups: dict[int, list[str]] = {}
    for x in wires:
        groups.setdefault(0 if x.rank == 0 else 1, []).append(x.dtype)
    tensors, scalars = groups.get(1, []), groups.get(0, [])
    if not tensors or not scalars:
        return _highest(tensors or scalars)
    high, low = _highest(tensors), _highest(scalars)
    return _highest([high, low]) if _rank(low) > _rank(high) else high


def spread_type(a: Wire, b: Wire) -> str:
    """The common dtype after both were spread to one shape, where a scalar counts like any tensor."""
    shape = broadcast_shapes((a.shape, b.shape))
    return promoted((a.with_shape(shape), b.with_shape(shape)))


def _rank(dtype: str) -> int:
    return 0 if dtype == "bool" else 2 if "float" in dtype else 1


def _highest(dtypes: Sequence[str]) -> str:
    result = dtypes[0]
    for dtype in dtypes[1:]:
        pair = {result, dtype}
        if pair == {"float16", "bfloat16"}:
            result = "float32"
        elif "uint8" in pair and pair & {"int8"}:
            result = "int16"
        else:
            result = max(result, dtype, key=_KINDS.index)
    return result
