"""Blocks of vision networks: squeeze and excitation, inverted residual, ConvNeXt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Parameter, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.chain import Chain, bound, run
from archstudio.layers.families.activation import GELU, ReLU, ReLU6, Sigmoid
from archstudio.layers.families.conv import Conv2d, require_channels
from archstudio.layers.families.dense import Linear
from archstudio.layers.families.norm import LayerNorm
from archstudio.layers.families.norm_batch import BatchNorm2d
from archstudio.layers.fields import channels, number, size
from archstudio.layers.problem import PARAM_RANGE, Refused
from archstudio.layers.wire import Value, Wire, pointwise_strides


@layer("seBlock", family="attention", torch="blocks.SEBlock", aliases=("squeezeExcitation", "squeezeExcite"))
class SEBlock(Layer):
    """Weigh each channel of an image by a gate computed from all channels' means.

    Shape: (B, C, H, W) -> the same. Mean, linear to max(C // r, 1), ReLU, linear to C, sigmoid, product.
    [Hu et al. 2018, arXiv 1709.01507]
    """

    telling = "{channels} ÷{reduction_ratio}"
    axes = 2

    channels: int = channels(at_least=1, torch="c", help="Channels of the image.")
    reduction_ratio: int = size(
        16, at_least=1, torch="r", aliases=("reduction",), help="How many times narrower the middle of the gate is."
    )

    def gate(self) -> list[tuple[str, Layer]]:
        """The layers that compute the weights of the channels from their means."""
        narrow = max(self.channels // self.reduction_ratio, 1)
        return [
            ("squeeze", bound(Linear, in_features=self.channels, out_features=narrow)),
            ("relu", bound(ReLU)),
            ("excite", bound(Linear, in_features=narrow, out_features=self.channels)),
            ("sigmoid", bound(Sigmoid)),
        ]

    def forward(self, x: Wire) -> Wire:
        x.require_rank(4)
        require_channels(x, 2, self.channels, "channels")
        x.require_float32()
        if x.strides is None:
            return x
        gate = (self.channels, 1, 0, 0)
        return Wire.of(x.shape, x.dtype, pointwise_strides(x.shape, x.strides, gate))

    def parameters(self) -> Iterator[Parameter]:
        for name, stage in self.gate():
            for parameter in stage.parameters():
                yield Parameter(f"{name}.{parameter.name}", parameter.shape)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        narrow = max(self.channels // self.reduction_ratio, 1)
        return inputs[0].shape[0] * 2 * self.channels * narrow

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """The image, the means, the middle and the gate."""
        narrow = max(self.channels // self.reduction_ratio, 1)
        yield Saved.input()
        yield Saved.own(inputs[0].shape[0] * (2 * self.channels + narrow))

    @classmethod
    def example(cls, random: Random) -> Example:
        width = random.randint(1, 8)
        params: dict[str, Any] = {"channels": width, "reductionRatio": random.choice((1, 2, 3, 16, 0))}
        carried = width + samples.sometimes(random, 0.1)
        return Example(params, (samples.image(random, 2, carried, high=4, batched=0.95),))


@layer("invResidualBlock", family="conv", torch="blocks.InvertedResidual", aliases=("invertedResidual", "mbConv"))
class InvertedResidual(Chain):
    """Widen the channels, filter each by itself, narrow them again; added to the input where the shape stays.

    Shape: (B, C, H, W) -> (B, out_channels, ⌈H / stride⌉, ⌈W / stride⌉). Each convolution is without bias and followed
    by a batch norm; ReLU6 after the first two.    [Sandler et al. 2018, arXiv 1801.04381]
    """

    telling = "{in_channels}→{out_channels} ×{expand_ratio}"
    new_params = {"outChannels": 32}
    axes = 2

    in_channels: int = channels(at_least=1, help="Channels coming in.")
    out_channels: int = size(at_least=1, help="Channels going out.")
    stride: int = size(1, at_least=1, help="Step of the middle convolution; 2 halves the image.")
    expand_ratio: int = size(6, at_least=1, help="How many times wider the middle is; 1 leaves the widening out.")

    def stages(self) -> list[tuple[str, Layer]]:
        wide = self.in_channels * self.expand_ratio
        made: list[Layer] = []
        if self.expand_ratio != 1:
            made += [*self._conv(self.in_channels, wide, kernel_size=1), bound(ReLU6)]
        made += [*self._conv(wide, wide, kernel_size=3, stride=self.stride, padding=1, groups=wide), bound(ReLU6)]
        made += self._conv(wide, self.out_channels, kernel_size=1)
        return [(f"layers.{k}", stage) for k, stage in enumerate(made)]

    def _conv(self, before: int, after: int, **more: Any) -> list[Layer]:
        conv = bound(Conv2d, in_channels=before, out_channels=after, bias=False, **more)
        return [conv, bound(BatchNorm2d, num_features=after, training=self.training)]

    @property
    def adds_input(self) -> bool:
        """Whether the input is added to the result."""
        return self.stride == 1 and self.in_channels == self.out_channels

    def forward(self, x: Wire) -> Wire:
        x.require_rank(4)
        y = run(self.layers(), x)[-1]
        if not self.adds_input or (x.strides is None and y.strides is None):
            return y
        return Wire.of(y.shape, y.dtype, pointwise_strides(y.shape, x.element_strides, y.element_strides))

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        if axis == -3:
            return Step("outChannels")
        return Step(f"⌈{inputs[0].shape[axis]}/{self.stride}⌉" if axis > -3 and self.stride > 1 else "", 0, axis)

    @classmethod
    def example(cls, random: Random) -> Example:
        width = random.randint(1, 3)
        params: dict[str, Any] = {
            "inChannels": width,
            "outChannels": random.choice((width, width + 1)),
            "stride": random.randint(1, 2),
            "expandRatio": random.randint(1, 3),
        }
        x = samples.image(random, 2, width + samples.sometimes(random, 0.1), high=4, batched=0.95)
        return Example(params, (x,), training=samples.sometimes(random, 0.5))


@layer("convNeXtBlock", family="conv", torch="blocks.ConvNeXtBlock")
class ConvNeXtBlock(Layer):
    """A wide depthwise convolution, a layer norm and two linears over the channels, scaled and added to the input.

    Shape: (B, C, H, W) -> the same. Each channel is scaled by a learned number.    [Liu et al. 2022, arXiv 2201.03545]
    """

    telling = "{dim} k{kernel_size}"
    axes = 2

    dim: int = channels(at_least=1, aliases=("channels",), help="Channels of the image.")
    kernel_size: int = size(7, at_least=1, help="Size of the depthwise kernels; odd, so that the image keeps its size.")
    expand_ratio: int = size(4, at_least=1, help="How many times wider the middle of the two linears is.")
    layer_scale: float = number(1e-6, help="The scale of each channel before training.")

    def check(self) -> None:
        if self.kernel_size % 2 == 0:
            raise Refused(PARAM_RANGE, param="kernelSize", gets=self.kernel_size, needs="odd")

    def stages(self) -> list[tuple[str, Layer]]:
        """The convolution, then the layers that see the channels last."""
        pad, wide = self.kernel_size // 2, self.dim * self.expand_ratio
        conv: dict[str, Any] = {"in_channels": self.dim, "out_channels": self.dim, "groups": self.dim}
        return [
            ("conv", bound(Conv2d, kernel_size=self.kernel_size, padding=(pad, pad), **conv)),
            ("norm", bound(LayerNorm, normalized_shape=(self.dim,))),
            ("widen", bound(Linear, in_features=self.dim, out_features=wide)),
            ("act", bound(GELU)),
            ("narrow", bound(Linear, in_features=wide, out_features=self.dim)),
        ]

    def forward(self, x: Wire) -> Wire:
        x.require_rank(4)
        require_channels(x, 2, self.dim, "dim")
        x.require_float32()
        self.stages()[0][1].forward(x)
        _, width, high, wide = x.shape
        last = Wire.of(x.shape, x.dtype, (width * high * wide, 1, wide * width, width))
        if x.strides is not None and x.in_format_of(x, loose=True).strides == last.strides:
            return last
        return Wire.of(x.shape, x.dtype, pointwise_strides(x.shape, x.element_strides, last.element_strides))

    def parameters(self) -> Iterator[Parameter]:
        yield Parameter("scale", (self.dim,))
        for name, stage in self.stages():
            for parameter in stage.parameters():
                yield Parameter(f"{name}.{parameter.name}", parameter.shape)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return inputs[0].elements * (self.kernel_size**2 + 2 * self.dim * self.expand_ratio)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """The input, the results of convolution, norm and second linear, and twice the wide middle."""
        x = inputs[0]
        yield Saved.input()
        yield Saved.own(x.elements * (3 + 2 * self.expand_ratio) + 2 * (x.elements // self.dim))

    @classmethod
    def example(cls, random: Random) -> Example:
        width = random.randint(1, 4)
        params: dict[str, Any] = {"dim": width, "kernelSize": random.choice((7, 3, 5, 1, 4)), "expandRatio": 2}
        x = samples.image(random, 2, width + samples.sometimes(random, 0.1), high=4, batched=0.95)
        return Example(params, (x,))
