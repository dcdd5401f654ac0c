"""Convolutions in special arrangements: depthwise, separable, dilated, and with padding as TensorFlow has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, ClassVar

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Parameter, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.chain import Chain, bound
from archstudio.layers.dim import product
from archstudio.layers.families.conv import Conv1d, Conv2d, Convolution, require_channels
from archstudio.layers.fields import channels, each_axis, flag, padding_each_axis, size
from archstudio.layers.problem import Refused
from archstudio.layers.windows import WINDOW
from archstudio.layers.wire import Value, Wire

KERNEL = "Size of a kernel on each spatial axis."
STRIDE = "Step from one place of a kernel to the next."
PADDING = "Elements added on each side; 'same' keeps the size, 'valid' adds none."
DILATION = "Distance between the elements a kernel reads."
BIAS = "Add a learned offset to each channel."


class ConvolutionByAnotherName(Layer):
    """A convolution that is described by fewer parameters; `plain` is what it is in PyTorch."""

    def plain(self) -> Convolution:
        """The same layer as one of torch's convolutions."""
        raise NotImplementedError

    def check(self) -> None:
        self.plain().check()

    def forward(self, x: Wire) -> Wire:
        return self.plain().forward(x)

    def parameters(self) -> Iterator[Parameter]:
        return self.plain().parameters()

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return self.plain().macs(inputs, output)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        return self.plain().saved(inputs, output)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return self.plain().trace(axis, inputs, output)

    def shape_formula(self, inputs: Sequence[Wire], output: Value) -> str:
        return self.plain().shape_formula(inputs, output)

    def construct_code(self) -> str | None:
        return self.plain().construct_code()


class Depthwise(ConvolutionByAnotherName):
    """What depthwise convolutions share: each channel has kernels of its own."""

    telling = "{in_channels} k{kernel_size}"
    conv: ClassVar[type[Convolution]]

    in_channels: int = channels(at_least=1, aliases=("channels",), help="Channels coming in.")
    depth_multiplier: int = size(1, at_least=1, torch=None, help="Kernels, and channels going out, for each channel.")
    kernel_size: tuple[int, ...] = each_axis(3, at_least=1, late=True, help=KERNEL)
    stride: tuple[int, ...] = each_axis(1, at_least=1, late=True, help=STRIDE)
    padding: tuple[int, ...] | str = padding_each_axis(1, help=PADDING)
    dilation: tuple[int, ...] = each_axis(1, at_least=1, late=True, help=DILATION)
    bias: bool = flag(True, help=BIAS)

    def plain(self) -> Convolution:
        return bound(
            self.conv,
            in_channels=self.in_channels,
            out_channels=self.in_channels * self.depth_multiplier,
            kernel_size=self.kernel_size,
            stride=self.stride,
            padding=self.padding,
            dilation=self.dilation,
            groups=self.in_channels,
            bias=self.bias,
        )

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        if axis == -self.axes - 1:
            return Step(f"{self.in_channels}·{self.depth_multiplier}" if self.depth_multiplier > 1 else "", 0, axis)
        return super().trace(axis, inputs, output)

    @classmethod
    def example(cls, random: Random) -> Example:
        width = random.randint(1, 4)
        params: dict[str, Any] = {"inChannels": width, "depthMultiplier": random.randint(1, 2)}
        if samples.sometimes(random, 0.5):
            params["kernelSize"] = samples.each_axis(random, cls.axes, 1, 4)
        if samples.sometimes(random, 0.3):
            params["stride"] = samples.each_axis(random, cls.axes, 1, 2)
        if samples.sometimes(random, 0.2):
            params["padding"] = random.choice(("same", 0, 2))
        return Example(params, (samples.image(random, cls.axes, width + samples.sometimes(random, 0.06), high=6),))


@layer("depthwiseConv1d", family="conv")
class DepthwiseConv1d(Depthwise):
    """Slide a kernel of its own along each channel of a sequence.

    Shape: (B, C, L) -> (B, C·depthMultiplier, L').    [torch.nn.Conv1d with groups = C]
    """

    axes = 1
    conv = Conv1d


@layer("depthwiseConv2d", family="conv", aliases=("depthwiseConv",))
class DepthwiseConv2d(Depthwise):
    """Slide a kernel of its own over each channel of an image.

    Shape: (B, C, H, W) -> (B, C·depthMultiplier, H', W').    [torch.nn.Conv2d with groups = C]
    """

    axes = 2
    conv = Conv2d


@layer("dilatedConv2d", family="conv", aliases=("atrousConv2d",))
class DilatedConv2d(ConvolutionByAnotherName):
    """A convolution whose kernels read elements at a distance; by default 3 × 3 with distance 2, keeping the size.

    Shape: (B, C, H, W) -> (B, out_channels, H', W').    [torch.nn.Conv2d with dilation]
    """

    axes = 2
    telling = "{in_channels}→{out_channels} k{kernel_size} d{dilation}"
    new_params = {"outChannels": 32}

    in_channels: int = channels(at_least=1, help="Channels coming in.")
    out_channels: int = size(at_least=1, help="Channels going out.")
    kernel_size: tuple[int, ...] = each_axis(3, at_least=1, late=True, help=KERNEL)
    stride: tuple[int, ...] = each_axis(1, at_least=1, late=True, help=STRIDE)
    padding: tuple[int, ...] | str = padding_each_axis(2, help=PADDING)
    dilation: tuple[int, ...] = each_axis(2, at_least=1, late=True, help=DILATION)
    groups: int = size(1, at_least=1, divides=("in_channels", "out_channels"), help="Groups of channels.")
    bias: bool = flag(True, help=BIAS)

    def plain(self) -> Convolution:
        return bound(Conv2d, **{name: getattr(self, name) for name in self.fields})

    @classmethod
    def example(cls, random: Random) -> Example:
        width = random.randint(2, 4)  # a single channel may lie in memory either way after a convolution
        params: dict[str, Any] = {"inChannels": width, "outChannels": random.randint(1, 4)}
        if samples.sometimes(random, 0.3):
            params["kernelSize"] = samples.each_axis(random, 2, 1, 3)
        return Example(params, (samples.image(random, 2, width + samples.sometimes(random, 0.06), low=1, high=8),))


@layer("separableConv2d", family="conv", torch="blocks.SeparableConv2d", aliases=("depthwiseSeparableConv2d",))
class SeparableConv2d(Chain):
    """A depthwise convolution, then a 1 × 1 convolution that mixes the channels.

    Shape: (B, C, H, W) -> (B, out_channels, H', W').    [Chollet 2017, arXiv 1610.02357]
    """

    axes = 2
    telling = "{in_channels}→{out_channels} k{kernel_size}"
    new_params = {"outChannels": 64}

    in_channels: int = channels(at_least=1, help="Channels coming in.")
    out_channels: int = size(at_least=1, help="Channels going out.")
    kernel_size: tuple[int, ...] = each_axis(3, at_least=1, late=True, help=KERNEL)
    stride: tuple[int, ...] = each_axis(1, at_least=1, late=True, help=STRIDE)
    padding: tuple[int, ...] = each_axis(1, at_least=0, late=True, help="Elements added on each side.")
    dilation: tuple[int, ...] = each_axis(1, at_least=1, late=True, help=DILATION)
    bias: bool = flag(True, help="Add a learned offset to each channel going out.")

    def stages(self) -> list[tuple[str, Layer]]:
        depthwise = bound(
            Conv2d,
            in_channels=self.in_channels,
            out_channels=self.in_channels,
            kernel_size=self.kernel_size,
            stride=self.stride,
            padding=self.padding,
            dilation=self.dilation,
            groups=self.in_channels,
            bias=False,
        )
        pointwise = bound(
            Conv2d, in_channels=self.in_channels, out_channels=self.out_channels, kernel_size=1, bias=self.bias
        )
        return [("depthwise", depthwise), ("pointwise", pointwise)]

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        if axis == -3:
            return Step("outChannels")
        return self.layers()[0].trace(axis, inputs, output)

    @classmethod
    def example(cls, random: Random) -> Example:
        example = DilatedConv2d.example(random)
        return Example({**example.params, "dilation": random.randint(1, 2)}, example.inputs)


@layer("sameConv2d", family="conv", torch="blocks.SameConv2d")
class SameConv2d(Layer):
    """A convolution with TensorFlow's SAME padding, also with strides: as many places as the stride fits in.

    Shape: (B, C, H, W) -> (B, out_channels, ⌈H / stride⌉, ⌈W / stride⌉).    [TensorFlow, tf.nn padding notes]
    """

    axes = 2
    telling = "{in_channels}→{out_channels} k{kernel_size}"
    new_params = {"outChannels": 32, "kernelSize": 3}

    in_channels: int = channels(at_least=1, help="Channels coming in.")
    out_channels: int = size(at_least=1, help="Channels going out.")
    kernel_size: tuple[int, ...] = each_axis(at_least=1, late=True, help=KERNEL)
    stride: tuple[int, ...] = each_axis(1, at_least=1, late=True, help=STRIDE)
    dilation: tuple[int, ...] = each_axis(1, at_least=1, late=True, help=DILATION)
    groups: int = size(1, at_least=1, divides=("in_channels", "out_channels"), help="Groups of channels.")
    bias: bool = flag(True, help=BIAS)

    def check(self) -> None:
        self.plain().check()

    def plain(self) -> Conv2d:
        """The convolution after padding."""
        return bound(Conv2d, **{name: getattr(self, name) for name in self.fields})

    def pads(self, x: Wire) -> tuple[int, ...]:
        """What is added to height and width, both sides together."""
        each = zip(x.shape[-2:], self.kernel_size, self.stride, self.dilation, strict=True)
        return tuple(max((-(-n // s) - 1) * s + d * (k - 1) + 1 - n, 0) for n, k, s, d in each)

    def padded(self, x: Wire) -> Wire:
        """The input after padding."""
        pads = self.pads(x)
        if not any(pads):
            return x
        y = x.with_shape((*x.shape[:-2], x.shape[-2] + pads[0], x.shape[-1] + pads[1]))
        return y.in_format_of(x)

    def forward(self, x: Wire) -> Wire:
        x.require_rank(4, 3)
        require_channels(x, 2, self.in_channels, "inChannels")
        for axis in (-2, -1):
            if x.shape[axis] == 0:
                raise Refused(WINDOW, port=0, axis=axis, covers=self.kernel_size[axis], gets=0, pad=0)
        return self.plain().forward(self.padded(x)).in_format_of(x)

    def parameters(self) -> Iterator[Parameter]:
        return self.plain().parameters()

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return self.plain().macs(inputs, output)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        padded = self.padded(inputs[0])
        yield Saved.input() if padded is inputs[0] else Saved.own(product(padded.shape))

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        if axis == -3:
            return Step("outChannels")
        size_in = inputs[0].shape[axis]
        return Step(f"⌈{size_in}/{self.stride[axis]}⌉" if axis > -3 and self.stride[axis] > 1 else "", 0, axis)

    @classmethod
    def example(cls, random: Random) -> Example:
        width = random.randint(1, 4)
        params: dict[str, Any] = {"inChannels": width, "outChannels": random.randint(1, 4)}
        params["kernelSize"] = samples.each_axis(random, 2, 1, 4)
        for key in ("stride", "dilation"):
            if samples.sometimes(random, 0.4):
                params[key] = samples.each_axis(random, 2, 1, 3)
        return Example(params, (samples.image(random, 2, width + samples.sometimes(random, 0.06), high=8),))
