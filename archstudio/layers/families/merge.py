"""Several tensors become one, element by element or side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from random import Random
from typing import Any, ClassVar

from archstudio.layers import samples
from archstudio.layers.axes import axis_among, axis_of
from archstudio.layers.base import Example, Layer, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.fields import integer, number
from archstudio.layers.problem import DTYPE, PARAM_RANGE, RANK, ProblemKind, Refused, error
from archstudio.layers.spread import broadcast, broadcast_shapes, promoted, repeated, spread_strides, spread_type
from archstudio.layers.wire import Value, Wire, is_channels_last, pointwise_strides

CONCAT = ProblemKind(
    "E-CONCAT",
    error,
    "{node}: one input has {gets:,} where the first has {needs:,}",
    "Tensors that are joined along one axis must have the same sizes on all others.",
)


MOST_IN_A_ROW = 200
"""Python cannot read an expression with thousands of signs: each nests the ones before it."""
_FOLDED = {"+": "sum", "*": "math.prod"}
"""What does the same from left to right."""


class Elementwise(Layer):
    """Tensors combined element by element, spread over each other where a size is 1."""

    inputs: ClassVar[tuple[str, ...]] = ("a", "b")
    sign: ClassVar[str]

    def result_type(self, wires: Sequence[Wire]) -> str:
        """The dtype of the result of two."""
        return promoted(wires)

    def forward(self, *wires: Wire) -> Wire:
        broadcast_shapes([x.shape for x in wires])
        result, strides = wires[0], wires[0].element_strides
        for x in wires[1:]:  # between two steps PyTorch knows strides that a wire forgets: those of axes of size 1
            shape = broadcast_shapes((result.shape, x.shape))
            operands = (repeated(result.shape, strides, shape), spread_strides(x, shape))
            strides = pointwise_strides(shape, *operands)
            result = Wire.of(shape, self.result_type((result, x)), strides)
        return result

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        if self.sign in _FOLDED and len(inputs) > MOST_IN_A_ROW:
            return f"{_FOLDED[self.sign]}([{', '.join(inputs[1:])}], start={inputs[0]})"
        return f" {self.sign} ".join(inputs)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        for port, x in enumerate(inputs):
            if -axis <= x.rank and x.shape[axis] == output.shape[axis]:
                return Step("", port, axis)
        return None

    @classmethod
    def example(cls, random: Random) -> Example:
        count = random.choice((2, 2, 2, 3, 4)) if cls.variadic else len(cls.inputs)
        if cls.inputs == ("input",):
            count = random.choice((1, 2, 2, 3))
        return Example({}, spreading_wires(random, count))


def spreading_wires(random: Random, count: int, dtypes: float = 0.15) -> tuple[Wire, ...]:
    """Tensors that mostly spread over each other."""
    shape = samples.sizes(random, random.randint(0, 4), 1, 4)
    wires = []
    for _ in range(count):
        own = [1 if samples.sometimes(random, 0.15) else size for size in shape]
        if samples.sometimes(random, 0.15):
            own = own[random.randint(0, len(own)) :]
        if own and samples.sometimes(random, 0.12):
            own[random.randrange(len(own))] += 1
        wires.append(samples.wire(random, own, samples.dtype(random, dtypes), chance=0.2))
    return tuple(wires)


@layer("add", family="merge", torch_ops=("Add",), aliases=("sum2", "plus"))
class Add(Elementwise):
    """Sum of all inputs, element by element; sizes of 1 spread.

    Shape: any that spread over each other.    [torch.add]
    """

    variadic = True
    sign = "+"


@layer("residual", family="merge", torch_ops=("Residual",), aliases=("skipConnection", "residualAdd"))
class Residual(Elementwise):
    """Sum of what comes in by all ways around; passes a single input on.

    Shape: any that spread over each other.    x + f(x)    [He et al., arXiv 1512.03385]
    """

    inputs = ("input",)
    variadic = True
    sign = "+"


@layer("subtract", family="merge", torch_ops=("Sub", "Subtract"), aliases=("sub", "minus"))
class Subtract(Elementwise):
    """First input minus the second, element by element; sizes of 1 spread.    [torch.sub]"""

    sign = "-"

    def result_type(self, wires: Sequence[Wire]) -> str:
        for port, x in enumerate(wires):
            x.refuse_dtypes("bool", needs="non-boolean", port=port)
        return promoted(wires)


@layer("multiply", family="merge", torch_ops=("Mul", "Multiply"), aliases=("mul", "elementwiseProduct", "gate"))
class Multiply(Elementwise):
    """Product of all inputs, element by element; sizes of 1 spread.    [torch.mul]"""

    variadic = True
    sign = "*"

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """Each product keeps one factor where the other one has a gradient."""
        product = inputs[0]
        for port, x in enumerate(inputs[1:], 1):
            if product.floating:
                yield Saved.input(port)
            if x.floating:
                yield Saved.input(0) if port == 1 else Saved.own(product.elements, product.dtype)
            product = broadcast((product, x), promoted((product, x)))


@layer("divide", family="merge", torch_ops=("Div", "Divide"), aliases=("div",))
class Divide(Elementwise):
    """First input by the second, element by element; sizes of 1 spread. Whole numbers give float32.    [torch.div]"""

    sign = "/"

    def result_type(self, wires: Sequence[Wire]) -> str:
        dtype = promoted(wires)
        return dtype if "float" in dtype else "float32"

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        if inputs[0].floating or inputs[1].floating:
            yield Saved.input(1)
        if inputs[1].floating:
            yield Saved.input(0)


class Extreme(Elementwise):
    """The larger or smaller of two, element by element."""

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return reduce(lambda a, b: f"torch.{self.sign}({a}, {b})", inputs)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        if inputs[0].floating or inputs[1].floating:
            yield Saved.input(0)
            yield Saved.input(1)


@layer("maximum", family="merge", torch_ops=("Maximum",))
class Maximum(Extreme):
    """The larger of two, element by element; sizes of 1 spread.    [torch.maximum]"""

    sign = "maximum"


@layer("minimum", family="merge", torch_ops=("Minimum",))
class Minimum(Extreme):
    """The smaller of two, element by element; sizes of 1 spread.    [torch.minimum]"""

    sign = "minimum"


def joined(wires: Sequence[Wire], axis: int) -> Wire:
    """Tensors side by side along an axis: channels last in memory if all of them are, else in plain order."""
    first = wires[0]
    total = sum((x.shape[axis] for x in wires[1:]), first.shape[axis])
    out = Wire.of((*first.shape[:axis], total, *first.shape[axis + 1 :]), promoted(wires))
    kept = all(x.strides is not None and is_channels_last(x.shape, x.strides) for x in wires)
    return out.channels_last() if kept else out


class Joining(Layer):
    """Tensors of one shape put together along an axis."""

    inputs = ("input",)
    variadic = True
    telling = "axis {dim}"

    @classmethod
    def example(cls, random: Random) -> Example:
        rank = random.randint(1, 5)
        shape, dim = samples.sizes(random, rank, 1, 4), random.randint(-rank, rank)
        params: dict[str, Any] = {"dim": dim} if samples.sometimes(random, 0.8) else {}
        dtype = samples.dtype(random, 0.1)
        wires = []
        for _ in range(random.choice((1, 2, 2, 3))):
            own = list(shape)
            if cls.type == "concatenate" and samples.sometimes(random, 0.6):
                own[params.get("dim", -1) % rank] = random.randint(1, 4)
            if samples.sometimes(random, 0.08):
                own[random.randrange(rank)] += 1
            if samples.sometimes(random, 0.04):
                own.append(1)
            wires.append(samples.wire(random, own, samples.dtype(random, 0.1) if dtype != "float32" else dtype, 0.3))
        return Example(params, tuple(wires))


@layer("concatenate", family="merge", torch_ops=("Concat", "Cat"), aliases=("concat", "cat"))
class Concatenate(Joining):
    """Put tensors side by side along one axis.

    Shape: equal on all other axes; sizes on `dim` add up.    [torch.cat]
    """

    dim: int = integer(-1, torch_default=0, aliases=("axis",), help="Axis along which they are joined.")

    def forward(self, *wires: Wire) -> Wire:
        first = wires[0]
        if first.rank == 0:
            first.require_rank(1)
        for port, x in enumerate(wires):
            if x.rank != first.rank:
                raise Refused(RANK, port=port, needs=first.rank, gets=x.rank, ranks=(first.rank,))
        axis = axis_of(first, self.dim)
        for port, x in enumerate(wires):
            for k in range(first.rank):
                if k != axis and x.shape[k] != first.shape[k]:
                    gets, needs = x.shape[k], first.shape[k]
                    raise Refused(CONCAT, port=port, axis=k - first.rank, gets=gets, needs=needs, set_by="dim")
        return joined(wires, axis)

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return f"torch.cat([{', '.join(inputs)}], dim={self.dim})"

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        if axis % output.rank != self.dim % output.rank:
            return Step("", 0, axis)
        return Step(" + ".join(str(int(x.shape[axis])) for x in inputs), 0, axis)

    def shape_formula(self, inputs: Sequence[Wire], output: Value) -> str:
        axis = self.dim % inputs[0].rank
        return " + ".join(str(int(x.shape[axis])) for x in inputs)


@layer("stack", family="merge", torch_ops=("Stack",))
class Stack(Joining):
    """Put tensors of the same shape behind each other on a new axis.

    Shape: n of (*) -> (*, n) with the new axis at `dim`.    [torch.stack]
    """

    dim: int = integer(0, aliases=("axis",), help="Place of the new axis.")

    def forward(self, *wires: Wire) -> Wire:
        first = wires[0]
        axis = axis_among(first.rank + 1, self.dim)
        for port, x in enumerate(wires):
            if x.rank != first.rank:
                raise Refused(RANK, port=port, needs=first.rank, gets=x.rank, ranks=(first.rank,))
            for k in range(first.rank):
                if x.shape[k] != first.shape[k]:
                    gets, needs = x.shape[k], first.shape[k]
                    raise Refused(CONCAT, port=port, axis=k - first.rank, gets=gets, needs=needs)
        if axis == first.rank:
            return joined([x.unsqueezed(axis) for x in wires], axis)
        whole = joined(wires, axis)  # PyTorch joins them on the old axis and splits it by a view
        shape = (*first.shape[:axis], len(wires), *first.shape[axis:])
        size, strides = first.shape[axis], whole.element_strides
        return Wire.of(shape, whole.dtype, (*strides[:axis], strides[axis] * size, *strides[axis:]))

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return f"torch.stack([{', '.join(inputs)}], dim={self.dim})"

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        new = self.dim % output.rank - output.rank
        if axis == new:
            return Step(f"{len(inputs)} inputs")
        return Step("", 0, axis if axis > new else axis + 1)


class Similarity(Layer):
    """Two tensors compared along one axis, which disappears."""

    inputs = ("a", "b")
    axis_field = "dim"

    def forward(self, a: Wire, b: Wire) -> Wire:
        raise NotImplementedError

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return None

    @classmethod
    def example(cls, random: Random) -> Example:
        wires = list(spreading_wires(random, 2, 0.08))
        params = {"dim": random.randint(-2, 2)} if "dim" in cls.fields and samples.sometimes(random, 0.6) else {}
        return Example(params, tuple(wires))


@layer("cosineSimilarity", family="merge", torch="CosineSimilarity", aliases=("cosine",))
class CosineSimilarity(Similarity):
    """Cosine of the angle between two tensors along one axis.

    Shape: any that spread over each other -> the same without `dim`.    a·b / (|a|·|b|)    [torch.nn.CosineSimilarity]
    """

    dim: int = integer(1, help="Axis that is compared and disappears.")
    eps: float = number(1e-8, help="Keeps from dividing by zero.")

    def forward(self, a: Wire, b: Wire) -> Wire:
        out = broadcast((a, b), spread_type(a, b))
        if not out.floating:
            raise Refused(DTYPE, port=0, needs="floating-point", gets=out.dtype)
        axis = axis_of(out, self.dim)
        if self.eps < 0:
            raise Refused(PARAM_RANGE, param="eps", gets=self.eps, needs="at least 0")
        return Wire.of(out.shape[:axis] + out.shape[axis + 1 :], out.dtype)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """Both inputs, both made unit vectors, and their lengths twice."""
        assert isinstance(output, Wire)
        both = broadcast(inputs, output.dtype)
        yield from (Saved.input(port) for port in range(2))
        yield Saved.own(2 * both.elements + 4 * output.elements, output.dtype)


@layer("pairwiseDistance", family="merge", torch="PairwiseDistance")
class PairwiseDistance(Similarity):
    """Length of the difference of two tensors along the last axis.

    Shape: any that spread over each other -> the same without the last axis.    [torch.nn.PairwiseDistance]
    """

    p: float = number(2.0, help="Kind of length: 1 sums, 2 is Euclidean.")
    eps: float = number(1e-6, help="Is added to the difference.")
    keepdim: bool

    def forward(self, a: Wire, b: Wire) -> Wire:
        for port, x in enumerate((a, b)):
            x.refuse_dtypes("bool", needs="non-boolean", port=port)
        out = broadcast((a, b), promoted((a, b)))
        return Wire.of(out.shape[:-1], out.dtype if out.floating else "float32")

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        assert isinstance(output, Wire)
        if any(x.floating for x in inputs):
            yield Saved.own(broadcast(inputs, output.dtype).elements + output.elements, output.dtype)
