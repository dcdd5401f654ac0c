"""Less common pools: power averages, random windows, unpooling and pyramids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Ports, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import product
from archstudio.layers.families.pool import INDICES, STRIDE, averaged, require_elements
from archstudio.layers.fields import each_axis, flag, json, number, sizes, whole_number
from archstudio.layers.problem import PARAM_RANGE, PARAM_TYPE, ProblemKind, Refused, error
from archstudio.layers.windows import Window, formulas, slide
from archstudio.layers.wire import Value, Wire

FRACTIONAL = ProblemKind(
    "E-FRACTIONAL",
    error,
    "{node} cannot take {size} windows of {kernel} from an axis of {gets}",
    "Each window starts at a place of its own, so an axis needs (about) size + window − 1 elements.",
)
UNPOOL_INDICES = ProblemKind(
    "E-UNPOOL-INDICES",
    error,
    "{node} needs the indices of the pooling, of the same shape as its input",
    "Connect the output `indices` of a max pool with returnIndices.",
)
UNPOOL_RANGE = ProblemKind(
    "E-UNPOOL-RANGE",
    error,
    "{node} gets indices up to {largest:,}, its result has only {elements:,} elements",
    "The pooling dropped a last row or column, so its indices point into a larger image than the usual size going "
    "back. Give the size before the pooling as outputSize.",
)
UNPOOL_SIZE = ProblemKind(
    "E-UNPOOL-SIZE",
    error,
    "{node} cannot give size {gets}: it must lie within one stride of {size}",
    "Several sizes are pooled to the same one; the one to go back to must be among them.",
)


class LPPool(Layer):
    """What power-average pools share."""

    telling = "p{norm_type} k{kernel_size}"
    new_params = {"normType": 2, "kernelSize": 2}

    norm_type: float = number(help="Exponent: 1 sums, large values come close to the maximum.")
    kernel_size: tuple[int, ...] = each_axis(at_least=1, late=True, help="Size of the window on each spatial axis.")
    stride: tuple[int, ...] | None = each_axis(None, optional=True, help=STRIDE)
    ceil_mode: bool = flag(False, help="Keep a last window that reaches beyond the edge.")

    def windows(self) -> tuple[Window, ...]:
        """The window on each spatial axis."""
        each = zip(self.kernel_size, self.stride or self.kernel_size, strict=True)
        return tuple(Window(k, s, ceil=self.ceil_mode) for k, s in each)

    def forward(self, x: Wire) -> Wire:
        if self.norm_type == 0:
            raise Refused(PARAM_RANGE, param="normType", gets=0, needs="other than 0")
        if self.stride is not None and min(self.stride) < 1:
            raise Refused(PARAM_RANGE, param="stride", gets=min(self.stride), needs="at least 1")
        x.require_rank(self.axes + 2, self.axes + 1)
        require_elements(x, self.axes)
        places = slide(x, self.windows())
        if self.axes == 3:
            slide(x, [Window(k) for k in self.kernel_size])
            x.refuse_dtypes("float16", "bfloat16", needs="float32")
        powers = x.pointwise() if x.floating else x.pointwise("float32").pointwise()  # converted, then raised
        return averaged(powers, self.axes, places)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """The input, its powers, and four tensors of the size going out."""
        assert isinstance(output, Wire)
        if inputs[0].floating:
            yield Saved.input()
            yield Saved.own(inputs[0].elements + 4 * output.elements, inputs[0].dtype)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        text = "" if axis < -self.axes else self.windows()[axis].text(inputs[0].shape[axis])
        return Step(text, 0, axis)

    def shape_formula(self, inputs: Sequence[Wire], output: Value) -> str:
        assert isinstance(output, Wire)
        axes = range(-self.axes, 0)
        return formulas((self.windows()[a].text(inputs[0].shape[a]), output.shape[a]) for a in axes)

    @classmethod
    def example(cls, random: Random) -> Example:
        params: dict[str, Any] = {
            "normType": random.choice((1, 2, 3, 1.5, 0)),
            "kernelSize": samples.each_axis(random, cls.axes, 1, 3),
            "ceilMode": samples.sometimes(random, 0.4),
        }
        if samples.sometimes(random, 0.4):
            params["stride"] = samples.each_axis(random, cls.axes, 1 - samples.sometimes(random), 3)
        return Example(params, (samples.image(random, cls.axes, random.randint(1, 3), high=6),))


@layer("lpPool1d", family="pool", torch="LPPool1d")
class LPPool1d(LPPool):
    """The power average of each window along a sequence: (Σ xᵖ)^(1/p).

    Shape: (B, C, L) or (C, L) -> (…, L'); L' = ⌊(L − kernel) / stride⌋ + 1    [torch.nn.LPPool1d]
    """

    axes = 1


@layer("lpPool2d", family="pool", torch="LPPool2d")
class LPPool2d(LPPool):
    """The power average of each window of an image: (Σ xᵖ)^(1/p).

    Shape: (B, C, H, W) or (C, H, W) -> (…, H', W'); H' = ⌊(H − kernel) / stride⌋ + 1    [torch.nn.LPPool2d]
    """

    axes = 2


@layer("lpPool3d", family="pool", torch="LPPool3d")
class LPPool3d(LPPool):
    """The power average of each window of a volume: (Σ xᵖ)^(1/p).

    Shape: (B, C, D, H, W) or (C, D, H, W) -> (…, D', H', W').    [torch.nn.LPPool3d]
    """

    axes = 3


class FractionalMaxPool(Layer):
    """What pools with windows at random places share."""

    telling = "k{kernel_size} → {output_size}"
    new_params = {"kernelSize": 2, "outputRatio": 0.7}

    kernel_size: tuple[int, ...] = each_axis(at_least=1, help="Size of the window on each spatial axis.")
    output_size: tuple[int, ...] | None = each_axis(
        None, optional=True, at_least=0, late=True, help="Size going out on each spatial axis."
    )
    output_ratio: Any = json(None, optional=True, help="Or: the part of the size that goes out, between 0 and 1.")
    return_indices: bool = flag(False, help=INDICES)

    def check(self) -> None:
        if (self.output_size is None) == (self.output_ratio is None):
            raise Refused(PARAM_RANGE, param="outputSize", gets="given", needs="given, or else outputRatio")
        if self.output_ratio is None:
            return
        if len(self.ratios()) != self.axes or any(
            isinstance(r, bool) or not isinstance(r, int | float) for r in self.ratios()
        ):
            raise Refused(PARAM_TYPE, param="outputRatio", needs=f"a number or {self.axes}", gets=self.output_ratio)
        if any(not 0 < r < 1 for r in self.ratios()):
            raise Refused(PARAM_RANGE, param="outputRatio", gets=self.output_ratio, needs="between 0 and 1")

    def ratios(self) -> list[float]:
        """The ratio on each axis."""
        given = self.output_ratio
        return list(given) if isinstance(given, list | tuple) else [given] * self.axes

    def forward(self, x: Wire) -> Value:
        x.require_rank(self.axes + 2, self.axes + 1)
        x.require_floating()
        require_elements(x, self.axes)
        spatial = self.output_size or tuple(
            int(int(size) * ratio) for size, ratio in zip(x.shape[-self.axes :], self.ratios(), strict=True)
        )
        spare = 1 if self.axes == 2 else 0
        for axis, (size, kernel) in enumerate(zip(spatial, self.kernel_size, strict=True), -self.axes):
            if size + kernel - 1 >= x.shape[axis] + spare:
                raise Refused(FRACTIONAL, port=0, axis=axis, size=size, kernel=kernel, gets=x.shape[axis])
        y = x.with_shape((*x.shape[: -self.axes], *spatial))
        if not self.return_indices:
            return y
        return y, Wire.of(y.shape, "int64", largest=product(x.shape[-self.axes :]) - 1)

    def output_names(self) -> Ports:
        return {"output": (0,), "indices": (1,)} if self.return_indices else {"output": ()}

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()
        yield Saved.own(output.elements, "int64") if isinstance(output, Wire) else Saved.output(1)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        if axis < -self.axes:
            return Step("", 0, axis)
        if self.output_size is not None:
            return Step("outputSize")
        return Step(f"⌊{inputs[0].shape[axis]} · {self.ratios()[axis]:g}⌋", 0, axis)

    @classmethod
    def example(cls, random: Random) -> Example:
        params: dict[str, Any] = {"kernelSize": samples.each_axis(random, cls.axes, 1, 3)}
        if samples.sometimes(random, 0.5):
            params["outputSize"] = samples.each_axis(random, cls.axes, 1, 5)
        if samples.sometimes(random, 0.1) or "outputSize" not in params:
            params["outputRatio"] = random.choice((0.5, 0.7, [0.5, 0.6, 0.4][: cls.axes], 1.5))
        if samples.sometimes(random, 0.2):
            params["returnIndices"] = True
        return Example(params, (samples.image(random, cls.axes, random.randint(1, 2), low=4, high=7),))


@layer("fractionalMaxPool2d", family="pool", torch="FractionalMaxPool2d")
class FractionalMaxPool2d(FractionalMaxPool):
    """The largest values in windows at random places, to any smaller size.

    Shape: (B, C, H, W) or (C, H, W) -> (…, *output_size), or ⌊size · ratio⌋.    [torch.nn.FractionalMaxPool2d]
    """

    axes = 2


@layer("fractionalMaxPool3d", family="pool", torch="FractionalMaxPool3d")
class FractionalMaxPool3d(FractionalMaxPool):
    """The largest values in windows at random places of a volume, to any smaller size.

    Shape: (B, C, D, H, W) or (C, D, H, W) -> (…, *output_size), or ⌊size · ratio⌋.    [torch.nn.FractionalMaxPool3d]
    """

    axes = 3


class MaxUnpool(Layer):
    """What unpoolings share: values go back to where a max pool found them."""

    inputs = ("input", "indices")
    telling = "k{kernel_size}"
    new_params = {"kernelSize": 2}

    kernel_size: tuple[int, ...] = each_axis(at_least=1, late=True, help="Window of the pooling that is undone.")
    stride: tuple[int, ...] | None = each_axis(None, optional=True, help=STRIDE)
    padding: tuple[int, ...] = each_axis(0, help="Padding of the pooling that is undone.")
    output_size: Any = json(
        None, optional=True, torch=None, help="The spatial size to go back to, where several were pooled to this one."
    )

    def forward(self, x: Wire, indices: Wire) -> Wire:
        x.require_rank(self.axes + 2, self.axes + 1)
        stride = self.stride or self.kernel_size
        if min(stride) < 1:
            raise Refused(PARAM_RANGE, param="stride", gets=min(stride), needs="at least 1")
        if indices.dtype != "int64" or indices.shape != x.shape:
            raise Refused(UNPOOL_INDICES, port=1, needs=x.shape, gets=indices.shape)
        require_elements(x, self.axes)
        x.require_floating()
        usual = [self._usual(axis, x.shape[axis]) for axis in range(-self.axes, 0)]
        wanted = self._wanted(usual, stride)
        for axis, size in enumerate(wanted, -self.axes):
            if size < 1:
                raise Refused(PARAM_RANGE, axis=axis, port=0, param="padding", gets=self.padding, needs="smaller")
        if indices.largest is not None and indices.largest >= product(wanted):
            raise Refused(UNPOOL_RANGE, port=1, largest=indices.largest, elements=product(wanted), param="outputSize")
        y = x.with_shape((*x.shape[: -self.axes], *wanted))
        return y.in_format_of(x) if self.axes == 2 and x.rank == 4 else y

    def _usual(self, axis: int, size: int) -> int:
        stride = (self.stride or self.kernel_size)[axis]
        return (size - 1) * stride + self.kernel_size[axis] - 2 * self.padding[axis]

    def _wanted(self, usual: list[int], stride: tuple[int, ...]) -> list[int]:
        if self.output_size is None:
            return usual
        asked = self.output_size if isinstance(self.output_size, list | tuple) else [self.output_size]
        found = [whole_number(a) for a in asked]
        if len(found) != self.axes or None in found:
            needs = f"{self.axes} whole numbers"
            raise Refused(PARAM_TYPE, param="outputSize", needs=needs, gets=self.output_size)
        wanted = [f for f in found if f is not None]
        for axis, (size, want, step) in enumerate(zip(usual, wanted, stride, strict=True), -self.axes):
            if not size - step < want < size + step:
                raise Refused(UNPOOL_SIZE, port=0, axis=axis, gets=want, size=size, param="outputSize")
        return wanted

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        if self.output_size is None:
            return super().call_code(module, inputs)
        size = self.output_size if isinstance(self.output_size, list | tuple) else [self.output_size]
        return f"{module}({', '.join(inputs)}, output_size={[int(s) for s in size]})"

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        if inputs[0].floating:
            yield Saved.input(1)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        if axis < -self.axes:
            return Step("", 0, axis)
        if self.output_size is not None:
            return Step("outputSize")
        stride = (self.stride or self.kernel_size)[axis]
        text = f"({inputs[0].shape[axis]} − 1)·{stride} + {self.kernel_size[axis]} − {2 * self.padding[axis]}"
        return Step(text, 0, axis)

    @classmethod
    def example(cls, random: Random) -> Example:
        params: dict[str, Any] = {"kernelSize": samples.each_axis(random, cls.axes, 2, 3)}
        if samples.sometimes(random, 0.4):
            params["stride"] = samples.each_axis(random, cls.axes, 1, 3)
        if samples.sometimes(random, 0.3):
            params["padding"] = samples.each_axis(random, cls.axes, 0, 1)
        if samples.sometimes(random, 0.2):
            params["outputSize"] = list(samples.sizes(random, cls.axes, 3, 7))
        x = samples.image(random, cls.axes, random.randint(1, 2), low=2, high=4)
        shape = x.shape if samples.sometimes(random, 0.95) else (*x.shape[:-1], x.shape[-1] + 1)
        indices = Wire.of(shape, "int64" if samples.sometimes(random, 0.95) else "int32")
        return Example(params, (x, indices))


@layer("maxUnpool1d", family="pool", torch="MaxUnpool1d")
class MaxUnpool1d(MaxUnpool):
    """Put pooled values back where they came from, zeros elsewhere.

    Shape: (B, C, L) or (C, L) -> (…, (L − 1)·stride + kernel − 2·padding).    [torch.nn.MaxUnpool1d]
    """

    axes = 1


@layer("maxUnpool2d", family="pool", torch="MaxUnpool2d")
class MaxUnpool2d(MaxUnpool):
    """Put pooled values back where they came from, zeros elsewhere.

    Shape: (B, C, H, W) or (C, H, W) -> (…, H', W'); H' = (H − 1)·stride + kernel − 2·padding [torch.nn.MaxUnpool2d]
    """

    axes = 2


@layer("maxUnpool3d", family="pool", torch="MaxUnpool3d")
class MaxUnpool3d(MaxUnpool):
    """Put pooled values back where they came from, zeros elsewhere.

    Shape: (B, C, D, H, W) or (C, D, H, W) -> (…, D', H', W').    [torch.nn.MaxUnpool3d]
    """

    axes = 3


@layer("spatialPyramidPool", family="pool", torch="blocks.SpatialPyramidPool", aliases=("spp",))
class SpatialPyramidPool(Layer):
    """Largest values in grids of several sizes, side by side: a vector of fixed length from an image of any size.

    Shape: (B, C, H, W) -> (B, C·Σ level²).    [He et al. 2014, arXiv 1406.4729]
    """

    axes = 2
    telling = "{levels}"

    levels: tuple[int, ...] = sizes((1, 2, 4), at_least=1, late=True, help="Cells on each side of each grid.")

    def forward(self, x: Wire) -> Wire:
        if not self.levels:
            raise Refused(PARAM_RANGE, param="levels", gets="empty", needs="at least one size")
        x.require_rank(4)
        require_elements(x, 2)
        x.require_floating()
        return x.with_shape((x.shape[0], x.shape[1] * self._cells()))

    def _cells(self) -> int:
        return sum(level * level for level in self.levels)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """The input and the place of each value."""
        assert isinstance(output, Wire)
        yield Saved.input()
        yield Saved.own(output.elements, "int64")

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        if axis == -1:
            cells = " + ".join(f"{level}²" for level in self.levels)
            return Step(f"{inputs[0].shape[1]}·({cells})", 0, -3)
        return Step("", 0, -4)

    @classmethod
    def example(cls, random: Random) -> Example:
        params: dict[str, Any] = random.choice(({}, {"levels": [1, 2]}, {"levels": [3]}, {"levels": [0]}))
        return Example(params, (samples.image(random, 2, random.randint(1, 3), high=6, batched=0.95),))
