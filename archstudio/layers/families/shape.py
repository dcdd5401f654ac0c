"""The same elements in another shape or order of axes."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from archstudio.layers import samples
from archstudio.layers.axes import axis_among, axis_of
from archstudio.layers.base import Example, Layer, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import dim_text, product
from archstudio.layers.fields import integer, sizes
from archstudio.layers.problem import PARAM_RANGE, ProblemKind, Refused, error
from archstudio.layers.views import filled, reshaped, viewed
from archstudio.layers.wire import Value, Wire

PERMUTE = ProblemKind(
    "E-PERMUTE",
    error,
    "{node}: {dims} does not name each of {rank} axes once",
    "A permutation says for every axis of the result which axis of the input it is.",
)


def numbers(values: Sequence[int]) -> str:
    """`2, -1, 4`, as arguments are written."""
    return ", ".join(str(int(v)) for v in values)


class Shaped(Layer):
    """A layer without weights that moves no number."""

    view = True

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return None


@layer("flatten", family="shape", torch="Flatten")
class Flatten(Shaped):
    """Join axes into one; by default all but the batch.

    Shape: (B, C, H, W) -> (B, C·H·W).    [torch.nn.Flatten]
    """

    telling = "axes {start_dim} to {end_dim}"

    start_dim: int = integer(1, help="First axis that is joined.")
    end_dim: int = integer(-1, help="Last axis that is joined.")

    def forward(self, x: Wire) -> Wire:
        first = axis_of(x, self.start_dim, "startDim")
        last = axis_of(x, self.end_dim, "endDim")
        if first > last:
            raise Refused(PARAM_RANGE, param="startDim", gets=self.start_dim, needs="before endDim")
        if x.rank == 0:
            return x.with_shape((1,))
        if first == last:
            return x
        return reshaped(x, (*x.shape[:first], product(x.shape[first : last + 1]), *x.shape[last + 1 :]))

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        x = inputs[0]
        if x.rank == 0:
            return None
        first, last = self.start_dim % x.rank, self.end_dim % x.rank
        place = axis % output.rank
        if place == first:
            return Step(" · ".join(str(int(d)) for d in x.shape[first : last + 1]), 0, last - x.rank)
        return Step("", 0, (place if place < first else place + last - first) - x.rank)

    def shape_formula(self, inputs: Sequence[Wire], output: Value) -> str:
        x = inputs[0]
        if x.rank < 2:
            return ""
        joined = x.shape[self.start_dim % x.rank : self.end_dim % x.rank + 1]
        return f"{' · '.join(dim_text(d) for d in joined)} = {dim_text(product(joined), thousands=True)}"

    @classmethod
    def example(cls, random: Random) -> Example:
        params: dict[str, Any] = {}
        if samples.sometimes(random, 0.6):
            params["startDim"] = random.randint(-3, 3)
        if samples.sometimes(random, 0.4):
            params["endDim"] = random.randint(-3, 3)
        shape = samples.sizes(random, random.choice((0, 1, 2, 3, 4, 4)), 1, 4)
        return Example(params, (samples.wire(random, shape, samples.dtype(random), 0.4),))


class NewShape(Shaped):
    """A shape that is given whole, with one −1 for what remains."""

    telling = "{shape}"

    shape: tuple[int, ...] = sizes(
        aliases=("targetShape", "size", "sizes"),
        torch=None,
        help="The new shape, batch included; one −1 is worked out.",
    )

    def shape_formula(self, inputs: Sequence[Wire], output: Value) -> str:
        return f"{dim_text(inputs[0].elements, thousands=True)} elements" if -1 in self.shape else ""

    @classmethod
    def example(cls, random: Random) -> Example:
        shape = list(samples.sizes(random, random.choice((0, 1, 2, 3, 4)), 1, 4))
        new = list(shape)
        for _ in range(random.randint(0, 3)):
            if len(new) > 1 and samples.sometimes(random, 0.5):
                k = random.randrange(len(new) - 1)
                new[k : k + 2] = [new[k] * new[k + 1]]
            else:
                new.insert(random.randint(0, len(new)), 1)
        if samples.sometimes(random, 0.25):
            random.shuffle(new)
        if new and samples.sometimes(random, 0.4):
            new[random.randrange(len(new))] = -1
        if new and samples.sometimes(random, 0.15):
            new[random.randrange(len(new))] = random.choice((-1, -2, 0, 2, 3))
        return Example({"shape": new}, (samples.wire(random, shape, samples.dtype(random, 0.05), 0.5),))


@layer("reshape", family="shape", torch_ops=("Reshape",))
class Reshape(NewShape):
    """Give the same elements another shape, copying them where they have been rearranged.

    Shape: any -> `shape`, of as many elements.    [torch.reshape]
    """

    def forward(self, x: Wire) -> Wire:
        return reshaped(x, filled(self.shape, x))

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return f"{inputs[0]}.reshape({numbers(self.shape) or '()'})"


@layer("view", family="shape", torch_ops=("View",))
class View(NewShape):
    """See the same memory in another shape; refuses where that would need a copy.

    Shape: any -> `shape`, of as many elements.    [torch.Tensor.view]
    """

    def forward(self, x: Wire) -> Wire:
        return viewed(x, filled(self.shape, x))

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return f"{inputs[0]}.view({numbers(self.shape) or '()'})"


@layer("permute", family="shape", torch_ops=("Permute",))
class Permute(Shaped):
    """Put the axes into another order, without moving memory.

    Shape: axis k of the result is axis `dims[k]` of the input.    [torch.permute]
    """

    telling = "{dims}"

    dims: tuple[int, ...] = sizes(aliases=("axes", "order", "dim"), torch=None, help="The old axis at each new place.")

    def forward(self, x: Wire) -> Wire:
        if len(self.dims) != x.rank:
            raise self._refused(x)
        axes = [axis_of(x, d, "dims") for d in self.dims]
        if len(set(axes)) != x.rank:
            raise self._refused(x)
        strides = x.element_strides
        return Wire.of([x.shape[a] for a in axes], x.dtype, [strides[a] for a in axes])

    def _refused(self, x: Wire) -> Refused:
        return Refused(PERMUTE, port=0, param="dims", dims=f"({numbers(self.dims)})", rank=x.rank, set_by="dims")

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step("", 0, self.dims[axis] % output.rank - output.rank)

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return f"{inputs[0]}.permute({numbers(self.dims) or '()'})"

    @classmethod
    def example(cls, random: Random) -> Example:
        rank = random.randint(0, 5)
        dims = [d - rank if samples.sometimes(random, 0.2) else d for d in random.sample(range(rank), rank)]
        if dims and samples.sometimes(random, 0.2):
            dims[random.randrange(rank)] = random.randint(-rank - 1, rank)
        if samples.sometimes(random, 0.06):
            dims.append(rank)
        x = samples.wire(random, samples.sizes(random, rank, 1, 4), samples.dtype(random), 0.3)
        return Example({"dims": dims}, (x,))


@layer("transpose", family="shape", torch_ops=("Transpose", "SwapAxes"), aliases=("swapAxes",))
class Transpose(Shaped):
    """Swap two axes, without moving memory.

    Shape: sizes of `dim0` and `dim1` trade places.    [torch.transpose]
    """

    telling = "{dim0} ↔ {dim1}"

    dim0: int = integer(-2, torch=None, torch_default=None, help="One axis.")
    dim1: int = integer(-1, torch=None, torch_default=None, help="The other axis.")

    def forward(self, x: Wire) -> Wire:
        a, b = axis_of(x, self.dim0, "dim0"), axis_of(x, self.dim1, "dim1")
        shape, strides = list(x.shape), list(x.element_strides)
        if x.rank:
            shape[a], shape[b] = shape[b], shape[a]
            strides[a], strides[b] = strides[b], strides[a]
        return Wire.of(shape, x.dtype, strides)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        a, b = (d % output.rank - output.rank for d in (self.dim0, self.dim1))
        return Step("", 0, {a: b, b: a}.get(axis, axis))

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return f"{inputs[0]}.transpose({self.dim0}, {self.dim1})"

    @classmethod
    def example(cls, random: Random) -> Example:
        rank = random.randint(0, 4)
        params = {name: random.randint(-rank - 1, rank) for name in ("dim0", "dim1") if samples.sometimes(random, 0.8)}
        return Example(params, (samples.wire(random, samples.sizes(random, rank, 1, 4), samples.dtype(random), 0.3),))


@layer("squeeze", family="shape", torch_ops=("Squeeze",))
class Squeeze(Shaped):
    """Drop axes of size 1: those named, or all (a batch of 1 included).

    Shape: (B, 1, C) -> (B, C).    [torch.squeeze]
    """

    telling = "{dim}"

    dim: tuple[int, ...] | None = sizes(None, optional=True, torch=None, aliases=("axis",), help="Axes; null is all.")

    def forward(self, x: Wire) -> Wire:
        dims = range(x.rank) if self.dim is None else [axis_of(x, d) for d in self.dim]
        dropped = set(dims)
        if self.dim is not None and len(dropped) != len(self.dim):
            raise Refused(PERMUTE, port=0, param="dim", dims=f"({numbers(self.dim)})", rank=x.rank)
        kept = [k for k in range(x.rank) if k not in dropped or x.shape[k] != 1]
        strides = x.element_strides
        return Wire.of([x.shape[k] for k in kept], x.dtype, [strides[k] for k in kept])

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        if self.dim is None:
            return f"{inputs[0]}.squeeze()"
        return f"{inputs[0]}.squeeze({self.dim[0] if len(self.dim) == 1 else f'({numbers(self.dim)})'})"

    @classmethod
    def example(cls, random: Random) -> Example:
        rank = random.randint(0, 4)
        shape = [random.choice((1, 1, 2, 3)) for _ in range(rank)]
        params: dict[str, Any] = {}
        if samples.sometimes(random, 0.7):
            params["dim"] = random.randint(-rank - 1, rank)
        elif samples.sometimes(random, 0.4):
            params["dim"] = [random.randint(-rank, max(rank - 1, 0)) for _ in range(2)]
        return Example(params, (samples.wire(random, shape, samples.dtype(random), 0.3),))


@layer("unsqueeze", family="shape", torch_ops=("Unsqueeze",), aliases=("expandDims",))
class Unsqueeze(Shaped):
    """Add an axis of size 1.

    Shape: (B, C) -> (B, 1, C) for dim 1.    [torch.unsqueeze]
    """

    telling = "{dim}"

    dim: int = integer(0, torch=None, torch_default=None, aliases=("axis",), help="Place of the new axis.")

    def forward(self, x: Wire) -> Wire:
        return x.unsqueezed(axis_among(x.rank + 1, self.dim))

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        new = self.dim % output.rank - output.rank
        return Step("new axis") if axis == new else Step("", 0, axis if axis > new else axis + 1)

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return f"{inputs[0]}.unsqueeze({self.dim})"

    @classmethod
    def example(cls, random: Random) -> Example:
        rank = random.randint(0, 4)
        x = samples.wire(random, samples.sizes(random, rank, 1, 4), samples.dtype(random), 0.3)
        return Example({"dim": random.randint(-rank - 2, rank + 1)}, (x,))


@layer("unflatten", family="shape", torch="Unflatten")
class Unflatten(Shaped):
    """Split one axis into several.

    Shape: (B, C·H·W) -> (B, C, H, W).    [torch.nn.Unflatten]
    """

    telling = "axis {dim} → {unflattened_size}"

    dim: int = integer(1, torch_default=None, aliases=("axis",), help="Axis that is split.")
    unflattened_size: tuple[int, ...] = sizes(aliases=("sizes", "shape"), help="Sizes it is split into; one may be −1.")

    def forward(self, x: Wire) -> Wire:
        axis = axis_of(x, self.dim)
        if not self.unflattened_size or x.rank == 0:
            raise Refused(PARAM_RANGE, param="unflattenedSize", gets=list(self.unflattened_size), needs="sizes")
        parts = filled(self.unflattened_size, Wire.of((x.shape[axis],)), "unflattenedSize")
        return viewed(x, (*x.shape[:axis], *parts, *x.shape[axis + 1 :]))

    @classmethod
    def example(cls, random: Random) -> Example:
        rank, parts = random.randint(1, 3), list(samples.sizes(random, random.randint(1, 3), 1, 3))
        shape, dim = list(samples.sizes(random, rank, 1, 4)), random.randint(-rank, rank - 1)
        shape[dim] = product(parts)
        if samples.sometimes(random, 0.3):
            parts[random.randrange(len(parts))] = random.choice((-1, -1, 2))
        if samples.sometimes(random, 0.05):
            dim += rank + 1
        x = samples.wire(random, shape, samples.dtype(random), 0.3)
        return Example({"dim": dim, "unflattenedSize": parts}, (x,))
