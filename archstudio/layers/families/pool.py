"""Pooling with a window that slides: maximum and average."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Ports, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.fields import each_axis, flag, integer
from archstudio.layers.problem import MEMORY_ORDER, PARAM_RANGE, ProblemKind, Refused, error
from archstudio.layers.windows import WINDOW, Window, flat_index, formulas, slide
from archstudio.layers.wire import Value, Wire, is_channels_last

POOL_PAD = ProblemKind(
    "E-POOL-PAD",
    error,
    "{node} pads {pad} around a window of {kernel}; at most half of the window, {most}, is allowed",
    "With more padding some windows would lie wholly outside the input. Convolutions have no such limit.",
)
POOL_EMPTY = ProblemKind(
    "E-POOL-EMPTY",
    error,
    "{node} pools over an axis of size 0",
    "Every axis but the batch must have at least one element.",
)
STRIDE = "Step from one window to the next; null means the size of the window, so that windows do not overlap."
INDICES = "Also give the places of the largest values, for an unpooling."


def require_elements(x: Wire, axes: int) -> None:
    """Refuse an empty axis beside the batch."""
    for axis in range(-axes - 1, 0):
        if x.shape[axis] == 0:
            raise Refused(POOL_EMPTY, port=0, axis=axis, gets=0)


def require_averaged(x: Wire, places: Sequence[int]) -> None:
    """Refuse what adaptive averages have no kernel for; below three axes an empty result is never computed."""
    if 0 not in places or len(places) > 2:
        x.require_floating()


def pooled(x: Wire, axes: int, places: Sequence[int]) -> Wire:
    """A wire with these sizes in place of the spatial ones, channels last in memory where x has them last."""
    y = x.with_shape((*x.shape[:-axes], *places))
    if axes == 1 and x.rank == 3:  # sequences are pooled as images of height 1
        return y.unsqueezed(2).in_format_of(x.unsqueezed(2)).without_axis(2)
    return y.in_format_of(x) if x.rank == axes + 2 else y


def averaged(x: Wire, axes: int, places: Sequence[int]) -> Wire:
    """Like `pooled`, but volumes come out in plain order, whatever order they came in."""
    y = pooled(x, axes, places)
    return y if axes < 3 else x.with_shape(y.shape)


class Pool(Layer):
    """What pooling layers with sliding windows share."""

    telling = "k{kernel_size}"
    new_params = {"kernelSize": 2}

    kernel_size: tuple[int, ...] = each_axis(at_least=1, late=True, help="Size of the window on each spatial axis.")
    stride: tuple[int, ...] | None = each_axis(None, optional=True, help=STRIDE)
    padding: tuple[int, ...] = each_axis(0, at_least=0, late=True, help="Elements added on each side.")
    ceil_mode: bool

    def windows(self) -> tuple[Window, ...]:
        """The window on each spatial axis."""
        stride = self.stride or self.kernel_size
        dilation: tuple[int, ...] = getattr(self, "dilation", (1,) * self.axes)
        each = zip(self.kernel_size, stride, self.padding, dilation, strict=True)
        return tuple(Window(k, s, 2 * p, d, self.ceil_mode) for k, s, p, d in each)

    def places(self, x: Wire) -> tuple[int, ...]:
        """The sizes going out, after the checks of sizes that all pools make."""
        x.require_rank(self.axes + 2, self.axes + 1)
        if self.stride is not None and min(self.stride) < 1:
            raise Refused(PARAM_RANGE, param="stride", gets=min(self.stride), needs="at least 1")
        for kernel, pad in zip(self.kernel_size, self.padding, strict=True):
            if pad > kernel // 2:
                raise Refused(POOL_PAD, pad=pad, kernel=kernel, most=kernel // 2, param="padding")
        require_elements(x, self.axes)
        return slide(x, self.windows())

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        if axis < -self.axes:
            return Step("", 0, axis)
        return Step(self.windows()[axis].text(inputs[0].shape[axis]), 0, axis)

    def shape_formula(self, inputs: Sequence[Wire], output: Value) -> str:
        y = output if isinstance(output, Wire) else output[0]
        assert isinstance(y, Wire)
        axes = range(-self.axes, 0)
        return formulas((self.windows()[a].text(inputs[0].shape[a]), y.shape[a]) for a in axes)

    @classmethod
    def random_params(cls, random: Random) -> dict[str, Any]:
        """Parameters beside the window."""
        return {}

    @classmethod
    def example(cls, random: Random) -> Example:
        params: dict[str, Any] = {"kernelSize": samples.each_axis(random, cls.axes, 1, 4)}
        for key, low, high in (("stride", 1, 3), ("padding", 0, 2)):
            if samples.sometimes(random, 0.5):
                params[key] = samples.each_axis(random, cls.axes, low - samples.sometimes(random, 0.05), high)
        if samples.sometimes(random, 0.4):
            params["ceilMode"] = True
        params |= cls.random_params(random)
        return Example(params, (samples.image(random, cls.axes, random.randint(1, 3), high=7),))


class MaxPool(Pool):
    """What maximum pools share."""

    dilation: tuple[int, ...] = each_axis(1, at_least=1, late=True, help="Distance between the elements of a window.")
    return_indices: bool = flag(False, help=INDICES)
    ceil_mode: bool = flag(False, help="Keep a last window that reaches beyond the edge.")

    def forward(self, x: Wire) -> Value:
        places = self.places(x)
        if self.axes == 1 and not self.return_indices:
            x.require_floating()
        x.refuse_dtypes("bool", needs="real")
        y = pooled(x, self.axes, places)
        if self.axes == 1 and not self.return_indices:  # a kernel of its own, where no gradient is asked for
            y = x.with_shape(y.shape)
        if self.axes == 3 and x.rank == 4 and x.strides is not None and is_channels_last(x.shape, x.strides):
            raise Refused(MEMORY_ORDER, port=0, axis=-3, what="depth")  # taken for a batch of images
        if self.axes == 3 and x.rank == 4:  # as a batch of one volume
            y = y.unsqueezed(0).in_format_of(x.unsqueezed(0), loose=True).without_axis(0)
        return (y, self._indices(x, y)) if self.return_indices else y

    def _indices(self, x: Wire, y: Wire) -> Wire:
        spatial = x.shape[-self.axes :]
        last = [window.last(size) for window, size in zip(self.windows(), spatial, strict=True)]
        return Wire.of(y.shape, "int64", y.strides, flat_index(last, spatial))

    def output_names(self) -> Ports:
        return {"output": (0,), "indices": (1,)} if self.return_indices else {"output": ()}

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        if not inputs[0].floating:
            return
        yield Saved.input()
        if isinstance(output, Wire):
            yield Saved.own(output.elements, "int64")
        else:
            yield Saved.output(1)

    @classmethod
    def random_params(cls, random: Random) -> dict[str, Any]:
        params: dict[str, Any] = {}
        if samples.sometimes(random, 0.3):
            params["dilation"] = samples.each_axis(random, cls.axes, 1 - samples.sometimes(random), 2)
        if samples.sometimes(random, 0.2):
            params["returnIndices"] = True
        return params


@layer("maxPool1d", family="pool", torch="MaxPool1d")
class MaxPool1d(MaxPool):
    """The largest value in each window along a sequence.

    Shape: (B, C, L) or (C, L) -> (…, L'); L' = ⌊(L + 2·padding − dilation·(kernel − 1) − 1) / stride⌋ + 1, rounded up
    with ceil_mode    [torch.nn.MaxPool1d]
    """

    axes = 1


@layer("maxPool2d", family="pool", torch="MaxPool2d", aliases=("maxPool", "maxPooling2d"))
class MaxPool2d(MaxPool):
    """The largest value in each window of an image.

    Shape: (B, C, H, W) or (C, H, W) -> (…, H', W'); H' = ⌊(H + 2·padding − dilation·(kernel − 1) − 1) / stride⌋ + 1,
    rounded up with ceil_mode    [torch.nn.MaxPool2d]
    """

    axes = 2


@layer("maxPool3d", family="pool", torch="MaxPool3d")
class MaxPool3d(MaxPool):
    """The largest value in each window of a volume.

    Shape: (B, C, D, H, W) or (C, D, H, W) -> (…, D', H', W').    [torch.nn.MaxPool3d]
    """

    axes = 3


class AvgPool(Pool):
    """What average pools share."""

    ceil_mode: bool = flag(False, help="Keep a last window that reaches beyond the edge.")
    count_include_pad: bool = flag(True, help="Count the zeros of the padding in the average.")

    def forward(self, x: Wire) -> Wire:
        places = self.places(x)
        if x.dtype != "int64":
            x.require_floating()
        return averaged(x, self.axes, places)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        if inputs[0].floating:
            yield Saved.input()


class AvgPoolDivided(AvgPool):
    """Average pools that can divide by another number than the size of the window."""

    divisor_override: int | None = integer(
        None, optional=True, help="Divide by this number instead of the count of elements."
    )

    def forward(self, x: Wire) -> Wire:
        if self.divisor_override == 0:
            raise Refused(PARAM_RANGE, param="divisorOverride", gets=0, needs="other than 0")
        return super().forward(x)

    @classmethod
    def random_params(cls, random: Random) -> dict[str, Any]:
        return random.choice(({}, {}, {"divisorOverride": random.choice((0, 3))}, {"countIncludePad": False}))


@layer("avgPool1d", family="pool", torch="AvgPool1d")
class AvgPool1d(AvgPool):
    """The mean of each window along a sequence.

    Shape: (B, C, L) or (C, L) -> (…, L'); L' = ⌊(L + 2·padding − kernel) / stride⌋ + 1    [torch.nn.AvgPool1d]
    """

    axes = 1


@layer("avgPool2d", family="pool", torch="AvgPool2d", aliases=("avgPool", "averagePool2d"))
class AvgPool2d(AvgPoolDivided):
    """The mean of each window of an image.

    Shape: (B, C, H, W) or (C, H, W) -> (…, H', W'); H' = ⌊(H + 2·padding − kernel) / stride⌋ + 1 [torch.nn.AvgPool2d]
    """

    axes = 2


@layer("avgPool3d", family="pool", torch="AvgPool3d")
class AvgPool3d(AvgPoolDivided):
    """The mean of each window of a volume.

    Shape: (B, C, D, H, W) or (C, D, H, W) -> (…, D', H', W'). The volume must be as large as the window even before
    padding.    [torch.nn.AvgPool3d]
    """

    axes = 3

    def forward(self, x: Wire) -> Wire:
        y = super().forward(x)
        for axis, kernel in enumerate(self.kernel_size, -3):
            if x.shape[axis] < kernel:
                facts = {"covers": kernel, "gets": x.shape[axis], "pad": 0, "set_by": "kernelSize"}
                raise Refused(WINDOW, port=0, axis=axis, **facts)
        x.refuse_dtypes("float16", "bfloat16", needs="float32")
        return y
