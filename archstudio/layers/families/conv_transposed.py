"""Transposed convolutions: convolutions run backwards, which enlarge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Parameter, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import product
from archstudio.layers.families.conv import GROUPS, require_channels, require_spatial
from archstudio.layers.fields import channels, choice, each_axis, flag, size
from archstudio.layers.problem import PARAM_RANGE, ProblemKind, Refused, error
from archstudio.layers.windows import formulas
from archstudio.layers.wire import Value, Wire

OUTPUT_PADDING = ProblemKind(
    "E-OUTPUT-PADDING",
    error,
    "{node}: outputPadding {gets} must be smaller than the stride ({stride}) or the dilation ({dilation})",
    "Output padding chooses among the sizes that a strided convolution would have mapped onto this one; there are as "
    "many as the stride, or the dilation.",
)
TRANSPOSED_EMPTY = ProblemKind(
    "E-TRANSPOSED-EMPTY",
    error,
    "{node} would give an axis of size {size}",
    "Padding cuts off from the result of a transposed convolution; here nothing is left.",
)


class TransposedConvolution(Layer):
    """What transposed convolutions share; `axes` is the number of spatial axes."""

    telling = "{in_channels}→{out_channels} k{kernel_size}"
    new_params = {"outChannels": 32, "kernelSize": 2, "stride": 2}

    in_channels: int = channels(at_least=1, help="Channels coming in.")
    out_channels: int = size(at_least=1, help="Channels going out.")
    kernel_size: tuple[int, ...] = each_axis(at_least=1, late=True, help="Size of a kernel on each spatial axis.")
    stride: tuple[int, ...] = each_axis(1, at_least=1, late=True, help="How far apart the elements are spread.")
    padding: tuple[int, ...] = each_axis(0, at_least=0, late=True, help="Elements cut off on each side of the result.")
    output_padding: tuple[int, ...] = each_axis(
        0, at_least=0, late=True, help="Elements added at the end of each axis of the result."
    )
    groups: int = size(
        1, at_least=1, divides=("in_channels", "out_channels"), help="Groups of channels that do not see each other."
    )
    bias: bool = flag(True, help="Add a learned offset to each channel.")
    dilation: tuple[int, ...] = each_axis(1, at_least=1, late=True, help="Distance between the elements of a kernel.")
    padding_mode: str = choice("zeros", ("zeros",), help="PyTorch knows only zeros here.")

    def check(self) -> None:
        for name, whole in (("inChannels", self.in_channels), ("outChannels", self.out_channels)):
            if whole % self.groups:
                raise Refused(GROUPS, whole_name=name, whole=whole, parts=self.groups, param="groups")
        if min(self.kernel_size) < 0:
            raise Refused(PARAM_RANGE, param="kernelSize", gets=min(self.kernel_size), needs="at least 1")

    def forward(self, x: Wire) -> Wire:
        x.require_rank(self.axes + 2, self.axes + 1)
        require_channels(x, self.axes, self.in_channels, "inChannels")
        x.require_float32()
        for more, stride, dilation in zip(self.output_padding, self.stride, self.dilation, strict=True):
            if more >= stride and more >= dilation:
                raise Refused(OUTPUT_PADDING, gets=more, stride=stride, dilation=dilation, param="outputPadding")
        require_spatial(x, self.axes)
        spatial = [self._size(axis, x.shape[axis]) for axis in range(-self.axes, 0)]
        for axis, found in enumerate(spatial, -self.axes):
            if found < 1:
                raise Refused(TRANSPOSED_EMPTY, port=0, axis=axis, size=found, gets=x.shape[axis], set_by="padding")
        if x.rank == self.axes + 2:
            return x.with_shape((x.shape[0], self.out_channels, *spatial)).in_format_of(x)
        return x.with_shape((1, self.out_channels, *spatial)).in_format_of(x.unsqueezed(0)).without_axis(0)

    def _size(self, axis: int, size_in: int) -> int:
        stride, pad, kernel = self.stride[axis], self.padding[axis], self.kernel_size[axis]
        covers = self.dilation[axis] * (kernel - 1)
        return (size_in - 1) * stride - 2 * pad + covers + self.output_padding[axis] + 1

    def parameters(self) -> Iterator[Parameter]:
        yield Parameter("weight", (self.in_channels, self.out_channels // self.groups, *self.kernel_size))
        if self.bias:
            yield Parameter("bias", (self.out_channels,))

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        """By the size of the input: each of its elements is multiplied by a whole kernel."""
        return inputs[0].elements * (self.out_channels // self.groups) * product(self.kernel_size)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        if axis == -self.axes - 1:
            return Step("outChannels")
        return Step(self._text(axis, inputs[0]) if axis >= -self.axes else "", 0, axis)

    def shape_formula(self, inputs: Sequence[Wire], output: Value) -> str:
        assert isinstance(output, Wire)
        return formulas((self._text(axis, inputs[0]), output.shape[axis]) for axis in range(-self.axes, 0))

    def _text(self, axis: int, x: Wire) -> str:
        covers = self.dilation[axis] * (self.kernel_size[axis] - 1)
        spread = f"({x.shape[axis]} − 1)·{self.stride[axis]}"
        return f"{spread} − {2 * self.padding[axis]} + {covers} + {self.output_padding[axis]} + 1"

    @classmethod
    def example(cls, random: Random) -> Example:
        axes, groups = cls.axes, random.choice((1, 1, 2))
        channels_in = groups * random.randint(1, 3)
        params: dict[str, object] = {
            "inChannels": channels_in,
            "outChannels": groups * random.randint(1, 3),
            "kernelSize": samples.each_axis(random, axes, 0 if samples.sometimes(random, 0.05) else 1, 3),
            "groups": groups if samples.sometimes(random, 0.95) else 3,
            "bias": samples.sometimes(random, 0.7),
        }
        for key, low, high in (("stride", 1, 3), ("padding", 0, 1), ("dilation", 1, 2), ("outputPadding", 0, 2)):
            if samples.sometimes(random, 0.4):
                below = key != "dilation" and samples.sometimes(random, 0.06)
                params[key] = samples.each_axis(random, axes, low - below, high)
        if samples.sometimes(random, 0.03):
            params["padding"] = 30  # never leaves exactly 0, of which PyTorch's back ends think differently
        if samples.sometimes(random, 0.2):
            del params["inChannels"]
        carried = channels_in + samples.sometimes(random, 0.05)
        return Example(params, (samples.image(random, axes, carried, low=3, high=5),))


@layer("convTranspose1d", family="conv", torch="ConvTranspose1d", torch_ops=("LazyConvTranspose1d",),
       aliases=("transposeConv1d", "deconv1d"))  # fmt: skip
class ConvTranspose1d(TransposedConvolution):
    """Spread each element of a sequence over a kernel: a convolution run backwards.

    Shape: (B, C, L) -> (B, out_channels, L'); unbatched (C, L) is accepted.
    L' = (L − 1)·stride − 2·padding + dilation·(kernel − 1) + output_padding + 1    [torch.nn.ConvTranspose1d]
    """

    axes = 1


@layer("convTranspose2d", family="conv", torch="ConvTranspose2d", torch_ops=("LazyConvTranspose2d",),
       aliases=("transposeConv2d", "transposedConv2d", "deconv2d", "deconvolution"))  # fmt: skip
class ConvTranspose2d(TransposedConvolution):
    """Spread each pixel over a kernel: a convolution run backwards, to enlarge images.

    Shape: (B, C, H, W) -> (B, out_channels, H', W'); unbatched (C, H, W) is accepted.
    H' = (H − 1)·stride − 2·padding + dilation·(kernel − 1) + output_padding + 1    [torch.nn.ConvTranspose2d]
    """

    axes = 2


@layer("convTranspose3d", family="conv", torch="ConvTranspose3d", torch_ops=("LazyConvTranspose3d",),
       aliases=("transposeConv3d", "deconv3d"))  # fmt: skip
class ConvTranspose3d(TransposedConvolution):
    """Spread each voxel over a kernel: a convolution run backwards.

    Shape: (B, C, D, H, W) -> (B, out_channels, D', H', W'); unbatched (C, D, H, W) is accepted.
    D' = (D − 1)·stride − 2·padding + dilation·(kernel − 1) + output_padding + 1    [torch.nn.ConvTranspose3d]
    """

    axes = 3
