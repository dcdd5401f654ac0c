"""Pooling over everything: one value for each channel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.families.pool import require_elements
from archstudio.layers.fields import flag
from archstudio.layers.wire import Value, Wire


class GlobalPool(Layer):
    """What global pools share: the spatial axes are gone afterwards, or have size 1."""

    keep_dims: bool = flag(False, help="Keep the pooled axes, with size 1.")

    def reduced(self, x: Wire) -> Wire:
        """The wire without its spatial axes."""
        x.require_rank(self.axes + 2, self.axes + 1)
        head = x.shape[: -self.axes]
        return x.with_shape((*head, *(1,) * self.axes) if self.keep_dims else head)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        if not self.keep_dims:
            return Step("", 0, axis - self.axes)
        return Step("", 0, axis) if axis < -self.axes else Step("pooled")

    @classmethod
    def example(cls, random: Random) -> Example:
        params = {"keepDims": True} if samples.sometimes(random, 0.3) else {}
        return Example(params, (samples.image(random, cls.axes, random.randint(1, 4), high=5),))


class GlobalAvgPool(GlobalPool):
    """What global average pools share; backward needs nothing."""

    def forward(self, x: Wire) -> Wire:
        y = self.reduced(x)
        x.require_floating()
        return y


class GlobalMaxPool(GlobalPool):
    """What global maximum pools share."""

    def forward(self, x: Wire) -> Wire:
        y = self.reduced(x)
        require_elements(x, self.axes - 1)
        return y

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        if inputs[0].floating:
            yield Saved.input()
            yield Saved.output()


@layer("globalAvgPool1d", family="pool", torch="blocks.GlobalAvgPool1d")
class GlobalAvgPool1d(GlobalAvgPool):
    """The mean of each channel over the whole sequence.

    Shape: (B, C, L) -> (B, C), or (B, C, 1) with keepDims; unbatched (C, L) is accepted.    [torch.mean]
    """

    axes = 1


@layer("globalAvgPool2d", family="pool", torch="blocks.GlobalAvgPool2d", aliases=("globalAvgPool", "gap"))
class GlobalAvgPool2d(GlobalAvgPool):
    """The mean of each channel over the whole image.

    Shape: (B, C, H, W) -> (B, C), or (B, C, 1, 1) with keepDims; unbatched (C, H, W) is accepted.    [torch.mean]
    """

    axes = 2


@layer("globalAvgPool3d", family="pool", torch="blocks.GlobalAvgPool3d")
class GlobalAvgPool3d(GlobalAvgPool):
    """The mean of each channel over the whole volume.

    Shape: (B, C, D, H, W) -> (B, C); unbatched (C, D, H, W) is accepted.    [torch.mean]
    """

    axes = 3


@layer("globalMaxPool1d", family="pool", torch="blocks.GlobalMaxPool1d")
class GlobalMaxPool1d(GlobalMaxPool):
    """The largest value of each channel over the whole sequence.

    Shape: (B, C, L) -> (B, C), or (B, C, 1) with keepDims; unbatched (C, L) is accepted.    [torch.amax]
    """

    axes = 1


@layer("globalMaxPool2d", family="pool", torch="blocks.GlobalMaxPool2d", aliases=("globalMaxPool",))
class GlobalMaxPool2d(GlobalMaxPool):
    """The largest value of each channel over the whole image.

    Shape: (B, C, H, W) -> (B, C), or (B, C, 1, 1) with keepDims; unbatched (C, H, W) is accepted.    [torch.amax]
    """

    axes = 2


@layer("globalMaxPool3d", family="pool", torch="blocks.GlobalMaxPool3d")
class GlobalMaxPool3d(GlobalMaxPool):
    """The largest value of each channel over the whole volume.

    Shape: (B, C, D, H, W) -> (B, C); unbatched (C, D, H, W) is accepted.    [torch.amax]
    """

    axes = 3
