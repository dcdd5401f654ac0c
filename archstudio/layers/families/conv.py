"""Convolutions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from archstudio.layers.base import Layer, Parameter, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import product
from archstudio.layers.fields import choice, flag, padding_of, size, tuple_of
from archstudio.layers.problem import DIVIDES, PARAM_RANGE, ProblemKind, Refused, error
from archstudio.layers.wire import Value, Wire

WINDOW = ProblemKind(
    "E-WINDOW",
    error,
    "{node} covers {covers}, but only {gets} is left",
    "The (dilated) kernel is larger than the padded input, so there is no place to put it.",
)


class Convolution(Layer):
    """What convolutions of one, two and three axes share; `axes` is how many."""

    axes: int
    telling = "{in_channels}→{out_channels} k{kernel_size}"

    in_channels: int = size(at_least=1, help="Channels coming in.")
    out_channels: int = size(at_least=1, help="Number of kernels, which is the number of channels going out.")
    groups: int = size(1, at_least=1, divides=("in_channels", "out_channels"), help="Split the channels into groups.")
    bias: bool = flag(True, help="Add a learned offset per channel.")
    padding_mode: str = choice("zeros", ("zeros", "reflect", "replicate", "circular"), help="What lies outside.")

    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...] | str
    dilation: tuple[int, ...]

    def check(self) -> None:
        for name, channels in (("inChannels", self.in_channels), ("outChannels", self.out_channels)):
            if channels % self.groups:
                raise Refused(
                    DIVIDES, whole_name=name, whole=channels, parts=self.groups, parts_name="groups", param="groups"
                )
        if self.padding == "same" and any(s != 1 for s in self.stride):
            raise Refused(PARAM_RANGE, param="stride", gets=self.stride[0], needs="1 where padding is 'same'")

    def pads(self) -> tuple[int, ...]:
        """Total padding (both sides) on each axis."""
        if self.padding == "same":
            return tuple(d * (k - 1) for k, d in zip(self.kernel_size, self.dilation, strict=True))
        if isinstance(self.padding, str):
            return (0,) * self.axes
        return tuple(2 * p for p in self.padding)

    def forward(self, x: Wire) -> Wire:
        x.require_rank(self.axes + 2, self.axes + 1)
        x.require_size(-self.axes - 1, self.in_channels, set_by="inChannels")
        x.require_float32()
        spatial = []
        for k in range(self.axes):
            covers = self.dilation[k] * (self.kernel_size[k] - 1) + 1
            room = x.shape[k - self.axes] + self.pads()[k]
            if room < covers:
                raise Refused(
                    WINDOW, port=0, axis=k - self.axes, covers=covers, gets=x.shape[k - self.axes], set_by="kernelSize"
                )
            spatial.append((room - covers) // self.stride[k] + 1)
        return x.with_shape((*x.shape[: -self.axes - 1], self.out_channels, *spatial))

    def parameters(self) -> Iterator[Parameter]:
        yield Parameter("weight", (self.out_channels, self.in_channels // self.groups, *self.kernel_size))
        if self.bias:
            yield Parameter("bias", (self.out_channels,))

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        assert isinstance(output, Wire)
        return output.elements * (self.in_channels // self.groups) * product(self.kernel_size)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        if axis < -self.axes:
            return Step("outChannels", None) if axis == -self.axes - 1 else Step("", 0, axis)
        k, size_in = axis + self.axes, inputs[0].shape[axis]
        pad, covers = self.pads()[k], self.dilation[k] * (self.kernel_size[k] - 1) + 1
        padded = f"{size_in}" + (f" + {pad}" if pad else "")
        text = f"{padded} − {covers} + 1" if self.stride[k] == 1 else f"⌊({padded} − {covers})/{self.stride[k]}⌋ + 1"
        return Step(text, 0, axis)


@layer("conv2d", family="conv", torch="Conv2d", aliases=("conv", "convolution"))
class Conv2d(Convolution):
    """Slide kernels over height and width.

    Shape: (B, C, H, W) -> (B, out_channels, H', W'); unbatched (C, H, W) is accepted.
    H' = ⌊(H + 2·padding − dilation·(kernel − 1) − 1) / stride⌋ + 1    [torch.nn.Conv2d]
    """

    axes = 2
    in_channels: int = size(from_axis=-3, at_least=1, help="Channels coming in.")
    kernel_size: tuple[int, ...] = tuple_of(2, at_least=1, help="Height and width of a kernel.")
    stride: tuple[int, ...] = tuple_of(2, 1, at_least=1, help="Step between places of the kernel.")
    padding: tuple[int, ...] | str = padding_of(2, at_least=0, help="Rows and columns added on each side.")
    dilation: tuple[int, ...] = tuple_of(2, 1, at_least=1, help="Distance between kernel elements.")
