"""Values picked by index, and values kept within bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from archstudio.layers import samples
from archstudio.layers.axes import axis_of
from archstudio.layers.base import Example, Layer, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.fields import integer, number
from archstudio.layers.problem import EMPTY, PARAM_MISSING, RANK, ProblemKind, Refused, error
from archstudio.layers.wire import Value, Wire

GATHER = ProblemKind(
    "E-GATHER",
    error,
    "{node}: the indices have {gets:,} on an axis where the values have only {needs:,}",
    "On every axis but the one that is searched, there must be a value for each index.",
)


@layer("gather", family="shape", torch_ops=("Gather",))
class Gather(Layer):
    """Pick values along one axis, for each place an index of its own.

    Shape: values (*), indices of int64 or int32 (*) -> that of the indices.    [torch.gather]
    """

    inputs = ("input", "index")
    telling = "axis {dim}"

    dim: int = integer(-1, torch=None, torch_default=None, aliases=("axis",), help="Axis that is searched.")

    def forward(self, x: Wire, index: Wire) -> Wire:
        index.require_integer(1)
        axis = axis_of(x, self.dim)
        if max(x.rank, 1) != max(index.rank, 1):
            raise Refused(RANK, port=1, needs=x.rank, gets=index.rank, ranks=(x.rank,))
        for k in range(min(x.rank, index.rank)):
            if k != axis and index.shape[k] > x.shape[k]:
                raise Refused(GATHER, port=1, axis=k - x.rank, gets=index.shape[k], needs=x.shape[k], set_by="dim")
        if x.rank and x.shape[axis] == 0 and index.elements:
            raise Refused(EMPTY, port=0, axis=axis - x.rank, gets=0, what="number")
        return Wire.of(index.shape, x.dtype)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        if inputs[0].floating:
            yield from (Saved.input(port) for port in range(2))

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step("", 1, axis)

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return f"{inputs[0]}.gather({self.dim}, {inputs[1]})"

    @classmethod
    def example(cls, random: Random) -> Example:
        shape = list(samples.sizes(random, random.randint(1, 3), 1, 4))
        index = [random.randint(1, size + int(samples.sometimes(random, 0.1))) for size in shape]
        if samples.sometimes(random, 0.06):
            index.append(1)
        dim = random.randint(-len(shape) - int(samples.sometimes(random, 0.1)), len(shape) - 1)
        dtype = random.choice(("int64", "int64", "int64", "int32", "float32"))
        return Example({"dim": dim}, (samples.wire(random, shape, samples.dtype(random)), Wire.of(index, dtype)))


@layer("clamp", family="activation", torch_ops=("Clamp",), aliases=("clip",))
class Clamp(Layer):
    """Keep values within bounds; one of the two may be left open.

    Shape: any -> the same.    min(max(x, lower), upper)    [torch.clamp]
    """

    telling = "{min} to {max}"

    min: float | None = number(None, optional=True, torch=None, aliases=("minValue",), help="Lower bound, if any.")
    max: float | None = number(None, optional=True, torch=None, aliases=("maxValue",), help="Upper bound, if any.")

    def forward(self, x: Wire) -> Wire:
        if self.min is None and self.max is None:
            raise Refused(PARAM_MISSING, param="min or max")
        bounds = [bound for bound in (self.min, self.max) if bound is not None]
        if x.floating:
            return x.pointwise()
        if any(isinstance(bound, float) for bound in bounds):
            return x.pointwise("float32")
        return x.pointwise("int64" if x.dtype == "bool" else x.dtype)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        if inputs[0].floating:
            yield Saved.input()

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        bounds = [f"{name}={value!r}" for name, value in (("min", self.min), ("max", self.max)) if value is not None]
        return f"{inputs[0]}.clamp({', '.join(bounds)})"

    @classmethod
    def example(cls, random: Random) -> Example:
        params: dict[str, Any] = {}
        if samples.sometimes(random, 0.7):
            params["min"] = random.choice((0, -1, 0.5))
        if samples.sometimes(random, 0.7):
            params["max"] = random.choice((1, 6, 0.5))
        shape = samples.sizes(random, random.randint(0, 3), 1, 4)
        return Example(params, (samples.wire(random, shape, samples.dtype(random, 0.2), 0.3),))
