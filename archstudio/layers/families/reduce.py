"""One number for many: means, sums, extremes, norms and the largest few."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, ClassVar

from archstudio.layers import samples
from archstudio.layers.axes import axis_of
from archstudio.layers.base import Example, Layer, Ports, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import product
from archstudio.layers.fields import flag, integer, number, size, sizes
from archstudio.layers.problem import EMPTY, PARAM_RANGE, ProblemKind, Refused, error
from archstudio.layers.wire import Value, Wire

TOPK = ProblemKind(
    "E-TOPK",
    error,
    "{node} takes the {k:,} largest of {gets:,}",
    "There must be at least k values on the axis.",
)


class Reduction(Layer):
    """Axes that become one number each; all of them where none is named."""

    function: ClassVar[str]
    telling = "axes {dim}"

    dim: tuple[int, ...] | None = sizes(
        None, optional=True, torch=None, aliases=("dims", "axis", "axes"), help="Axes that disappear; null is all."
    )
    keepdim: bool = flag(False, torch=None, aliases=("keep_dim", "keepDim", "keepDims"), help="Leave them with size 1.")

    def reduced(self, x: Wire) -> set[int]:
        """The axes that disappear, counted from 0; an empty list means all."""
        if not self.dim:
            return set(range(x.rank))
        axes = [axis_of(x, d) for d in self.dim]
        if len(set(axes)) != len(axes):
            raise Refused(PARAM_RANGE, param="dim", gets=list(self.dim), needs="different axes")
        return set(axes)

    def result_type(self, x: Wire) -> str:
        """The dtype of the result; Refused for numbers the function does not take."""
        return x.dtype

    def result(self, x: Wire, axes: set[int], dtype: str | None = None) -> Wire:
        """The tensor without these axes."""
        kept = [1 if k in axes else d for k, d in enumerate(x.shape) if self.keepdim or k not in axes]
        return Wire.of(kept, dtype or self.result_type(x))

    def forward(self, x: Wire) -> Value:
        self.result_type(x)
        return self.result(x, self.reduced(x))

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        x = inputs[0]
        gone = self.reduced(x)
        if self.keepdim:
            return Step("keepdim") if axis + x.rank in gone else Step("", 0, axis)
        left = [k for k in range(x.rank) if k not in gone]
        return Step("", 0, left[axis] - x.rank)

    def shape_formula(self, inputs: Sequence[Wire], output: Value) -> str:
        x = inputs[0]
        return f"over {int(product([x.shape[k] for k in self.reduced(x)])):,} numbers" if x.rank else ""

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return f"{inputs[0]}.{self.function}({self._dim_code()})"

    def _dim_code(self) -> str:
        if not self.dim:
            return "dim=None, keepdim=True" if self.keepdim else ""
        dims = str(self.dim[0]) if len(self.dim) == 1 else repr(tuple(self.dim))
        return f"dim={dims}" + (", keepdim=True" if self.keepdim else "")

    @classmethod
    def example(cls, random: Random) -> Example:
        rank = random.randint(0, 4)
        params: dict[str, Any] = {}
        if samples.sometimes(random, 0.8):
            count = random.choice((1, 1, 2)) if cls.fields["dim"].kind == "sizes" else 1
            dims = [random.randint(-max(rank, 1), max(rank, 1) - 1) for _ in range(count)]
            if samples.sometimes(random, 0.08):
                dims[0] = rank + 1
            params["dim"] = dims if count > 1 else dims[0]
            if samples.sometimes(random, 0.3):
                params["keepdim"] = True
        x = samples.wire(random, samples.sizes(random, rank, 1, 4), samples.dtype(random, 0.2), 0.3)
        return Example(params, (x,))


@layer("mean", family="pool", torch_ops=("Mean",), aliases=("reduceMean", "average", "meanPool"))
class Mean(Reduction):
    """Average over axes.

    Shape: (B, T, C) -> (B, C) for dim 1.    [torch.mean]
    """

    function = "mean"

    def result_type(self, x: Wire) -> str:
        return x.require_floating().dtype


@layer("sum", family="pool", torch_ops=("Sum",), aliases=("reduceSum",))
class Sum(Reduction):
    """Sum over axes; whole numbers are summed as int64.

    Shape: (B, T, C) -> (B, C) for dim 1.    [torch.sum]
    """

    function = "sum"

    def result_type(self, x: Wire) -> str:
        return x.dtype if x.floating else "int64"


@layer("variance", family="pool", torch_ops=("Var", "Variance"), aliases=("var",))
class Variance(Reduction):
    """Variance over axes, with n − 1 in the denominator.

    Shape: (B, T, C) -> (B, C) for dim 1.    [torch.var]
    """

    function = "var"

    def result_type(self, x: Wire) -> str:
        return x.require_floating().dtype

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()


@layer("standardDeviation", family="pool", torch_ops=("Std",), aliases=("std",))
class StandardDeviation(Variance):
    """Standard deviation over axes, with n − 1 in the denominator.

    Shape: (B, T, C) -> (B, C) for dim 1.    [torch.std]
    """

    function = "std"

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()
        yield Saved.output()


@layer("logSumExp", family="pool", torch_ops=("LogSumExp",))
class LogSumExp(Reduction):
    """Logarithm of the sum of exponentials, a smooth maximum.

    Shape: (B, T, C) -> (B, C) for dim 1.    [torch.logsumexp]
    """

    function = "logsumexp"

    dim: tuple[int, ...] = sizes((-1,), torch=None, aliases=("dims", "axis", "axes"), help="Axes that disappear.")

    def forward(self, x: Wire) -> Value:
        if not self.dim:
            raise Refused(PARAM_RANGE, param="dim", gets="empty", needs="at least one axis")
        return super().forward(x)

    def result_type(self, x: Wire) -> str:
        return x.dtype if x.floating else "float32"

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        if inputs[0].floating:
            yield Saved.input()
            yield Saved.output()


@layer("norm", family="pool", torch_ops=("Norm",), aliases=("vectorNorm", "l2Norm"))
class VectorNorm(Reduction):
    """Length of vectors along axes.

    Shape: (B, T, C) -> (B, T) for dim −1.    (Σ |x|^p)^(1/p)    [torch.linalg.vector_norm]
    """

    function = "norm"
    telling = "p {p}, axes {dim}"
    p: float = number(2.0, torch=None, help="Kind of length: 1 sums, 2 is Euclidean.")

    def result_type(self, x: Wire) -> str:
        return x.require_floating().dtype

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()
        yield Saved.output()

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        arguments = ", ".join(part for part in (inputs[0], f"ord={self.p!r}", self._dim_code()) if part)
        return f"torch.linalg.vector_norm({arguments})"


class Extremes(Reduction):
    """The largest or smallest, with its place where an axis is named."""

    dim: int | None = integer(  # type: ignore[assignment]
        None, optional=True, torch=None, aliases=("axis",), help="Axis; null takes the one value of the whole tensor."
    )
    indexed: ClassVar[bool] = True

    def gone(self, x: Wire) -> set[int]:
        """The axes that disappear."""
        return set(range(x.rank)) if self.dim is None else {axis_of(x, self.dim)}

    def reduced(self, x: Wire) -> set[int]:
        return self.gone(x)

    def forward(self, x: Wire) -> Value:
        values = self.result(x, self.gone(x))
        for axis in sorted(self.gone(x)):
            if axis < x.rank and x.shape[axis] == 0:
                raise Refused(EMPTY, port=0, axis=axis - x.rank, gets=0, what="number")
        if self.dim is None:
            return Wire.of((), values.dtype)
        return (values, self.result(x, self.gone(x), "int64")) if self.indexed else values

    def _dim_code(self) -> str:
        if self.dim is None:
            return ""
        return f"dim={self.dim}" + (", keepdim=True" if self.keepdim else "")

    def output_names(self) -> Ports:
        pair = self.dim is not None and self.indexed
        return {"values": (0,), "indices": (1,)} if pair else {"output": ()}

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        if inputs[0].floating and isinstance(output, tuple):
            yield Saved.output(1)
        elif inputs[0].floating:
            yield Saved.input()
            yield Saved.output()


@layer("max", family="pool", torch_ops=("Max",), aliases=("reduceMax",))
class Max(Extremes):
    """Largest value, along an axis with its place.

    Shape: (B, C) -> values (B), indices (B) for dim 1; a scalar without dim.    [torch.max]
    """

    function = "max"


@layer("min", family="pool", torch_ops=("Min",), aliases=("reduceMin",))
class Min(Extremes):
    """Smallest value, along an axis with its place.

    Shape: (B, C) -> values (B), indices (B) for dim 1; a scalar without dim.    [torch.min]
    """

    function = "min"


class Places(Extremes):
    """The place of an extreme value; nothing flows back through it."""

    indexed = False

    def result_type(self, x: Wire) -> str:
        x.refuse_dtypes("bool", needs="non-boolean")
        return "int64"

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        return iter(())


@layer("argmax", family="pool", torch_ops=("ArgMax", "Argmax"))
class ArgMax(Places):
    """Place of the largest value.

    Shape: (B, C) -> (B) of int64 for dim 1.    [torch.argmax]
    """

    function = "argmax"


@layer("argmin", family="pool", torch_ops=("ArgMin", "Argmin"))
class ArgMin(Places):
    """Place of the smallest value.

    Shape: (B, C) -> (B) of int64 for dim 1.    [torch.argmin]
    """

    function = "argmin"


@layer("topK", family="pool", torch_ops=("Topk", "TopK"))
class TopK(Layer):
    """The k largest values of an axis, with their places.

    Shape: (B, C) -> values (B, k), indices (B, k).    [torch.topk]
    """

    telling = "{k} on axis {dim}"
    output_ports: ClassVar[Ports] = {"values": (0,), "indices": (1,)}

    k: int = size(1, at_least=0, late=True, torch=None, torch_default=None, help="How many.")
    dim: int = integer(-1, torch=None, aliases=("axis",), help="Axis that is searched.")
    largest: bool = flag(True, torch=None, help="The largest, not the smallest.")
    sorted: bool = flag(True, torch=None, help="In order.")

    def forward(self, x: Wire) -> Value:
        axis = axis_of(x, self.dim)
        total = x.shape[axis] if x.rank else 1
        if self.k > total:
            raise Refused(TOPK, port=0, axis=axis - x.rank, k=self.k, gets=total, param="k", set_by="k")
        x.refuse_dtypes("bool", needs="non-boolean")
        shape = (*x.shape[:axis], self.k, *x.shape[axis + 1 :]) if x.rank else ()
        return (x.with_shape(shape), Wire.of(shape, "int64"))

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        if inputs[0].floating:
            yield Saved.output(1)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step("k") if axis % output.rank == self.dim % output.rank else Step("", 0, axis)

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        rest = ("" if self.largest else ", largest=False") + ("" if self.sorted else ", sorted=False")
        return f"{inputs[0]}.topk({self.k}, dim={self.dim}{rest})"

    @classmethod
    def example(cls, random: Random) -> Example:
        rank = random.randint(0, 3)
        x = samples.wire(random, samples.sizes(random, rank, 1, 5), samples.dtype(random, 0.2), 0.3)
        params: dict[str, Any] = {"k": random.randint(0, 4)}
        if samples.sometimes(random, 0.5):
            params["dim"] = random.randint(-rank - 1, rank)
        return Example(params, (x,))


@layer("cumulativeSum", family="shape", torch_ops=("CumSum", "Cumsum"), aliases=("cumsum",))
class CumulativeSum(Layer):
    """Running sum along an axis; whole numbers become int64.

    Shape: any -> the same.    [torch.cumsum]
    """

    telling = "axis {dim}"

    dim: int = integer(-1, torch=None, torch_default=None, aliases=("axis",), help="Axis along which it runs.")

    def forward(self, x: Wire) -> Wire:
        axis_of(x, self.dim)
        return x.with_shape(x.shape, x.dtype if x.floating else "int64")

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return f"{inputs[0]}.cumsum(dim={self.dim})"

    @classmethod
    def example(cls, random: Random) -> Example:
        rank = random.randint(0, 3)
        x = samples.wire(random, samples.sizes(random, rank, 1, 4), samples.dtype(random, 0.3), 0.3)
        return Example({"dim": random.randint(-rank - 1, rank)}, (x,))
