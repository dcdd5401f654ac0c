"""Convolutions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Parameter, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import product
from archstudio.layers.fields import channels, choice, each_axis, flag, padding_each_axis, size
from archstudio.layers.problem import EMPTY, PARAM_RANGE, ProblemKind, Refused, error
from archstudio.layers.windows import Window, formulas, require_padding, slide
from archstudio.layers.wire import Value, Wire

CONV_IN = ProblemKind(
    "E-CONV-IN",
    error,
    "{node} expects {needs:,} channels, the wire carries {gets:,}",
    "A convolution's kernels are made for a fixed number of channels: the axis before the spatial ones.",
)
CHANNELS_LAST = ProblemKind(
    "E-CHANNELS-LAST",
    error,
    "{node} expects {needs:,} channels before the spatial axes, the wire has them last",
    "PyTorch's images are batch × channels × height × width. This tensor looks like batch × height × width × channels; "
    "a permute mends it.",
)
GROUPS = ProblemKind(
    "E-GROUPS",
    error,
    "{node}: {whole_name} {whole:,} does not split into {parts:,} groups",
    "Each group works on an equal share of the channels, so groups must divide the channels coming in and going out.",
)


def require_channels(x: Wire, axes: int, needs: int, set_by: str) -> None:
    """Refuse another number of channels before `axes` spatial axes, and say so if they seem to be last."""
    gets = x.shape[-axes - 1]
    if gets != needs:
        last = x.rank == axes + 2 and x.shape[-1] == needs and min(x.shape[1:-1]) > 1
        raise Refused(
            CHANNELS_LAST if last else CONV_IN, port=0, axis=-axes - 1, needs=needs, gets=gets, set_by=set_by,
            what="channels",
        )  # fmt: skip


def require_spatial(x: Wire, axes: int) -> None:
    """Refuse an empty spatial axis, which no padding helps."""
    for axis in range(-axes, 0):
        if x.shape[axis] == 0:
            raise Refused(EMPTY, port=0, axis=axis, gets=0, what="element")


class Convolution(Layer):
    """What all convolutions share; `axes` is the number of spatial axes."""

    telling = "{in_channels}→{out_channels} k{kernel_size}"
    new_params = {"outChannels": 32, "kernelSize": 3, "padding": 1}

    in_channels: int = channels(at_least=1, help="Channels coming in.")
    out_channels: int = size(at_least=1, help="Number of kernels, which is the number of channels going out.")
    kernel_size: tuple[int, ...] = each_axis(at_least=1, late=True, help="Size of a kernel on each spatial axis.")
    stride: tuple[int, ...] = each_axis(1, at_least=1, late=True, help="Step from one place of a kernel to the next.")
    padding: tuple[int, ...] | str = padding_each_axis(
        help="Elements added on each side; 'same' keeps the size, 'valid' adds none."
    )
    dilation: tuple[int, ...] = each_axis(
        1, at_least=1, late=True, help="Distance between the elements a kernel reads."
    )
    groups: int = size(
        1, at_least=1, divides=("in_channels", "out_channels"), help="Groups of channels that do not see each other."
    )
    bias: bool = flag(True, help="Add a learned offset to each channel.")
    padding_mode: str = choice(
        "zeros", ("zeros", "reflect", "replicate", "circular"), help="Where the values of the padding come from."
    )

    def check(self) -> None:
        for name, whole in (("inChannels", self.in_channels), ("outChannels", self.out_channels)):
            if whole % self.groups:
                raise Refused(GROUPS, whole_name=name, whole=whole, parts=self.groups, param="groups")
        if self.padding == "same" and any(s != 1 for s in self.stride):
            raise Refused(PARAM_RANGE, param="stride", gets=max(self.stride), needs="1 where padding is 'same'")
        if min(self.kernel_size) < 0:
            raise Refused(PARAM_RANGE, param="kernelSize", gets=min(self.kernel_size), needs="at least 1")

    def pads(self) -> tuple[tuple[int, int], ...]:
        """Padding before and after each spatial axis."""
        if self.padding == "same":
            total = [d * (k - 1) for k, d in zip(self.kernel_size, self.dilation, strict=True)]
            return tuple((t // 2, t - t // 2) for t in total)
        if isinstance(self.padding, str):
            return ((0, 0),) * self.axes
        return tuple((p, p) for p in self.padding)

    def windows(self) -> tuple[Window, ...]:
        """The kernel on each spatial axis."""
        each = zip(self.kernel_size, self.stride, self.pads(), self.dilation, strict=True)
        return tuple(Window(k, s, sum(p), d) for k, s, p, d in each)

    def forward(self, x: Wire) -> Wire:
        x.require_rank(self.axes + 2, self.axes + 1)
        require_channels(x, self.axes, self.in_channels, "inChannels")
        x.require_float32()
        if self.padding_mode != "zeros":
            require_padding(x, self.pads(), self.padding_mode)
        elif min(p for pair in self.pads() for p in pair) < 0:
            raise Refused(PARAM_RANGE, param="padding", gets=self.padding, needs="at least 0")
        require_spatial(x, self.axes)
        places = slide(x, self.windows())
        like = x.with_shape(x.shape) if self.padding_mode == "circular" else x  # which PyTorch pads into a new tensor
        if x.rank == self.axes + 2:
            return x.with_shape((x.shape[0], self.out_channels, *places)).in_format_of(like)
        return x.with_shape((1, self.out_channels, *places)).in_format_of(like.unsqueezed(0)).without_axis(0)

    def parameters(self) -> Iterator[Parameter]:
        yield Parameter("weight", (self.out_channels, self.in_channels // self.groups, *self.kernel_size))
        if self.bias:
            yield Parameter("bias", (self.out_channels,))

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        assert isinstance(output, Wire)
        return output.elements * (self.in_channels // self.groups) * product(self.kernel_size)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """The input, or what PyTorch makes of it by padding in a step of its own."""
        x, pads = inputs[0], self.pads()
        if self.padding_mode == "zeros":  # only what one side has more than the other is added before
            extra = [after - before for before, after in pads]
        else:
            extra = [before + after for before, after in pads]
        if self.padding_mode != "circular" and (self.padding_mode != "zeros" or not any(extra)):
            yield Saved.input()
        if self.padding_mode != "zeros" or any(extra):
            padded = (n + more for n, more in zip(x.shape[-self.axes :], extra, strict=True))
            yield Saved.own(product((*x.shape[: -self.axes], *padded)))

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        if axis == -self.axes - 1:
            return Step("outChannels")
        if axis < -self.axes:
            return Step("", 0, axis)
        return Step(self.windows()[axis].text(inputs[0].shape[axis]), 0, axis)

    def shape_formula(self, inputs: Sequence[Wire], output: Value) -> str:
        assert isinstance(output, Wire)
        axes = range(-self.axes, 0)
        return formulas((self.windows()[a].text(inputs[0].shape[a]), output.shape[a]) for a in axes)

    @classmethod
    def example(cls, random: Random) -> Example:
        axes, groups = cls.axes, random.choice((1, 1, 2))
        channels_in, channels_out = groups * random.randint(1, 3), groups * random.randint(1, 3)
        params: dict[str, object] = {
            "inChannels": channels_in,
            "outChannels": channels_out,
            "kernelSize": samples.each_axis(random, axes, 1, 3),
        }
        if groups > 1:
            params["groups"] = groups if samples.sometimes(random, 0.9) else 3
        for key, low, high in (("stride", 1, 3), ("padding", 0, 2), ("dilation", 1, 2)):
            if samples.sometimes(random, 0.4):
                params[key] = samples.each_axis(random, axes, low - samples.sometimes(random, 0.08), high)
        if samples.sometimes(random, 0.15):
            params["padding"] = random.choice(("same", "valid"))
        if samples.sometimes(random, 0.3):
            params["paddingMode"] = random.choice(("reflect", "replicate", "circular"))
        if samples.sometimes(random, 0.3):
            params["bias"] = False
        if samples.sometimes(random, 0.2):
            del params["inChannels"]
        carried = channels_in + samples.sometimes(random, 0.05)
        return Example(params, (samples.image(random, axes, carried, high=9 if axes < 3 else 5),))


@layer("conv1d", family="conv", torch="Conv1d", torch_ops=("LazyConv1d",))
class Conv1d(Convolution):
    """Slide kernels along a sequence.

    Shape: (B, C, L) -> (B, out_channels, L'); unbatched (C, L) is accepted.
    L' = ⌊(L + 2·padding − dilation·(kernel − 1) − 1) / stride⌋ + 1    [torch.nn.Conv1d]
    """

    axes = 1


@layer("conv2d", family="conv", torch="Conv2d", torch_ops=("LazyConv2d",), aliases=("conv", "convolution"))
class Conv2d(Convolution):
    """Slide kernels over height and width.

    Shape: (B, C, H, W) -> (B, out_channels, H', W'); unbatched (C, H, W) is accepted.
    H' = ⌊(H + 2·padding − dilation·(kernel − 1) − 1) / stride⌋ + 1    [torch.nn.Conv2d]
    """

    axes = 2


@layer("conv3d", family="conv", torch="Conv3d", torch_ops=("LazyConv3d",))
class Conv3d(Convolution):
    """Slide kernels through depth, height and width.

    Shape: (B, C, D, H, W) -> (B, out_channels, D', H', W'); unbatched (C, D, H, W) is accepted.
    D' = ⌊(D + 2·padding − dilation·(kernel − 1) − 1) / stride⌋ + 1    [torch.nn.Conv3d]
    """

    axes = 3
