"""Padding: more elements around the spatial axes, or fewer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import ClassVar

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.families.pool import require_elements
from archstudio.layers.fields import each_axis, number
from archstudio.layers.problem import Refused
from archstudio.layers.windows import PAD_CROPS_ALL, formulas, require_padding
from archstudio.layers.wire import Value, Wire

PADDING = "Elements before and after each axis, the last axis first; negative numbers cut off."


class Pad(Layer):
    """What pads share."""

    telling = "{padding}"
    new_params = {"padding": 1}
    mode: ClassVar[str]

    padding: tuple[int, ...] = each_axis(numbers=2, help=PADDING)

    @property
    def pads(self) -> tuple[tuple[int, int], ...]:
        """(before, after) of each spatial axis, in the order of the axes."""
        pairs = [(self.padding[k], self.padding[k + 1]) for k in range(0, 2 * self.axes, 2)]
        return tuple(reversed(pairs))

    def padded(self, x: Wire) -> tuple[int, ...]:
        """The sizes going out."""
        sizes = list(x.shape)
        for axis, pair in enumerate(self.pads, -self.axes):
            sizes[axis] += sum(pair)
        return tuple(sizes)

    def forward(self, x: Wire) -> Wire:
        x.require_rank(self.axes + 2, self.axes + 1)
        require_padding(x, self.pads, self.mode)
        shape = self.padded(x)
        for axis in range(-self.axes, 0):
            if self.crops_all(axis, shape):
                raise Refused(PAD_CROPS_ALL, port=0, axis=axis, gets=x.shape[axis], param="padding")
        return x.with_shape(shape)

    def crops_all(self, axis: int, shape: tuple[int, ...]) -> bool:
        """Whether PyTorch finds too little left on an axis of the result."""
        return shape[axis] < 0

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step(self._text(axis, inputs[0]), 0, axis)

    def shape_formula(self, inputs: Sequence[Wire], output: Value) -> str:
        assert isinstance(output, Wire)
        return formulas((self._text(axis, inputs[0]), output.shape[axis]) for axis in range(-self.axes, 0))

    def _text(self, axis: int, x: Wire) -> str:
        if axis < -self.axes or x.shape[axis] == self.padded(x)[axis]:
            return ""
        before, after = self.pads[axis]
        return f"{before} + {x.shape[axis]} + {after}"

    @classmethod
    def example(cls, random: Random) -> Example:
        low, high = (-2, 3) if samples.sometimes(random, 0.3) else (0, 3)
        padding = random.randint(low, high) if samples.sometimes(random, 0.4) else None
        each = [random.randint(low, high) for _ in range(2 * cls.axes)]
        params: dict[str, object] = {"padding": each if padding is None else padding}
        if cls.mode == "circular":  # PyTorch may refuse, by chance of memory, to wrap one side and crop the other
            params["padding"] = [abs(p) for p in each] if max(each) > 0 else each
        if "value" in cls.fields:
            params["value"] = random.choice((0, 1.5))
        return Example(params, (samples.image(random, cls.axes, random.randint(1, 3), high=5, dtypes=0.1),))


class ConstantPad(Pad):
    """What pads with a fixed value share: they take tensors of any rank."""

    mode = "constant"

    def forward(self, x: Wire) -> Wire:
        x.require_rank_at_least(self.axes)
        shape = self.padded(x)
        for axis, (before, after) in enumerate(self.pads, -self.axes):
            if x.shape[axis] + min(before, 0) + min(after, 0) < 0:
                raise Refused(PAD_CROPS_ALL, port=0, axis=axis, gets=x.shape[axis], param="padding")
        y = x.with_shape(shape)
        if max(self.padding) <= 0:  # only cut off: a copy in the order the input has in memory
            return y.in_order_of(x)
        return y.in_format_of(x)


class Constant(ConstantPad):
    """What pads with a value of one's choice share."""

    value: float = number(help="The value of the new elements.")
    new_params = {"padding": 1, "value": 0.0}
    telling = "{padding} of {value}"


@layer("constantPad1d", family="shape", torch="ConstantPad1d")
class ConstantPad1d(Constant):
    """Put a value before and after a sequence.

    Shape: (*, L) -> (*, before + L + after).    [torch.nn.ConstantPad1d]
    """

    axes = 1


@layer("constantPad2d", family="shape", torch="ConstantPad2d")
class ConstantPad2d(Constant):
    """Put a frame of a value around an image.

    Shape: (*, H, W) -> (*, top + H + bottom, left + W + right).    [torch.nn.ConstantPad2d]
    """

    axes = 2


@layer("constantPad3d", family="shape", torch="ConstantPad3d")
class ConstantPad3d(Constant):
    """Put a value around a volume.

    Shape: (*, D, H, W) -> (*, D', H', W').    [torch.nn.ConstantPad3d]
    """

    axes = 3


@layer("zeroPad1d", family="shape", torch="ZeroPad1d")
class ZeroPad1d(ConstantPad):
    """Put zeros before and after a sequence.

    Shape: (*, L) -> (*, before + L + after).    [torch.nn.ZeroPad1d]
    """

    axes = 1


@layer("zeroPad2d", family="shape", torch="ZeroPad2d")
class ZeroPad2d(ConstantPad):
    """Put a frame of zeros around an image.

    Shape: (*, H, W) -> (*, top + H + bottom, left + W + right).    [torch.nn.ZeroPad2d]
    """

    axes = 2


@layer("zeroPad3d", family="shape", torch="ZeroPad3d")
class ZeroPad3d(ConstantPad):
    """Put zeros around a volume.

    Shape: (*, D, H, W) -> (*, D', H', W').    [torch.nn.ZeroPad3d]
    """

    axes = 3


class EdgePad(Pad):
    """What pads share whose new values come from the input's edge; backward needs the input."""

    def crops_all(self, axis: int, shape: tuple[int, ...]) -> bool:
        """One axis may become empty if another keeps something: what PyTorch checks."""
        return shape[axis] < 0 or max(shape[-self.axes :]) < 1

    def forward(self, x: Wire) -> Wire:
        y = super().forward(x)
        require_elements(x, self.axes)
        x.refuse_dtypes("bool", needs="real")
        return y.in_format_of(x)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        if inputs[0].floating:
            yield Saved.input()


class ReflectionPad(EdgePad):
    """What reflecting pads share."""

    mode = "reflect"


@layer("reflectionPad1d", family="shape", torch="ReflectionPad1d")
class ReflectionPad1d(ReflectionPad):
    """Continue a sequence with its mirror image; the edge itself is not repeated.

    Shape: (B, C, L) or (C, L) -> (…, before + L + after).    [torch.nn.ReflectionPad1d]
    """

    axes = 1


@layer("reflectionPad2d", family="shape", torch="ReflectionPad2d")
class ReflectionPad2d(ReflectionPad):
    """Continue an image with its mirror image; the edge itself is not repeated.

    Shape: (B, C, H, W) or (C, H, W) -> (…, top + H + bottom, left + W + right).    [torch.nn.ReflectionPad2d]
    """

    axes = 2


@layer("reflectionPad3d", family="shape", torch="ReflectionPad3d")
class ReflectionPad3d(ReflectionPad):
    """Continue a volume with its mirror image; the edge itself is not repeated.

    Shape: (B, C, D, H, W) or (C, D, H, W) -> (…, D', H', W').    [torch.nn.ReflectionPad3d]
    """

    axes = 3


class ReplicationPad(EdgePad):
    """What repeating pads share."""

    mode = "replicate"


@layer("replicationPad1d", family="shape", torch="ReplicationPad1d")
class ReplicationPad1d(ReplicationPad):
    """Continue a sequence with the value at its edge.

    Shape: (B, C, L) or (C, L) -> (…, before + L + after).    [torch.nn.ReplicationPad1d]
    """

    axes = 1


@layer("replicationPad2d", family="shape", torch="ReplicationPad2d")
class ReplicationPad2d(ReplicationPad):
    """Continue an image with the values at its edge.

    Shape: (B, C, H, W) or (C, H, W) -> (…, top + H + bottom, left + W + right).    [torch.nn.ReplicationPad2d]
    """

    axes = 2


@layer("replicationPad3d", family="shape", torch="ReplicationPad3d")
class ReplicationPad3d(ReplicationPad):
    """Continue a volume with the values at its edge.

    Shape: (B, C, D, H, W) or (C, D, H, W) -> (…, D', H', W').    [torch.nn.ReplicationPad3d]
    """

    axes = 3


class CircularPad(Pad):
    """What wrapping pads share."""

    mode = "circular"


@layer("circularPad1d", family="shape", torch="CircularPad1d")
class CircularPad1d(CircularPad):
    """Continue a sequence with its other end.

    Shape: (B, C, L) or (C, L) -> (…, before + L + after).    [torch.nn.CircularPad1d]
    """

    axes = 1


@layer("circularPad2d", family="shape", torch="CircularPad2d")
class CircularPad2d(CircularPad):
    """Continue an image with its other side.

    Shape: (B, C, H, W) or (C, H, W) -> (…, top + H + bottom, left + W + right).    [torch.nn.CircularPad2d]
    """

    axes = 2


@layer("circularPad3d", family="shape", torch="CircularPad3d")
class CircularPad3d(CircularPad):
    """Continue a volume with its other side.

    Shape: (B, C, D, H, W) or (C, D, H, W) -> (…, D', H', W').    [torch.nn.CircularPad3d]
    """

    axes = 3
