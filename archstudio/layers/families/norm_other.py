"""Normalisations and scalings that torch.nn does not have, and stochastic depth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Parameter, Saved
from archstudio.layers.catalogue import layer
from archstudio.layers.families.dropout import CHANCE
from archstudio.layers.families.norm_batch import INSTANCE_ONE_VALUE, NORM_SIZE
from archstudio.layers.fields import flag, number, size
from archstudio.layers.problem import ProblemKind, Refused, error
from archstudio.layers.wire import Value, Wire, pointwise_strides


def in_order(x: Wire, *others: tuple[int, ...]) -> Wire:
    """The product of a tensor with broadcast ones of these strides, as it lies in memory."""
    if x.strides is None:
        return x
    return Wire.of(x.shape, x.dtype, pointwise_strides(x.shape, x.strides, *others))


class PerFeature(Layer):
    """What layers with a learned number for each feature of the last axis share."""

    telling = "{dim}"

    dim: int = size(from_axis=-1, at_least=1, aliases=("hiddenDim", "embedDim"), help="Size of the last axis.")

    def scaled(self, x: Wire) -> Wire:
        """The result of a product with the learned numbers."""
        x.require_rank_at_least(1)
        x.require_size(-1, self.dim, set_by="dim", what="features", kind=NORM_SIZE)
        x.require_float32()
        return in_order(x, (*(0,) * (x.rank - 1), 1))

    @classmethod
    def example(cls, random: Random) -> Example:
        width = random.randint(1, 5)
        params: dict[str, Any] = {"dim": width} if samples.sometimes(random, 0.8) else {}
        shape = (*samples.sizes(random, random.randint(0, 3)), width + samples.sometimes(random))
        return Example(params, (samples.wire(random, shape, samples.dtype(random)),))


@layer("layerScale", family="norm", torch="blocks.LayerScale")
class LayerScale(PerFeature):
    """Multiply each feature by a learned number that begins small.

    Shape: (*, dim) -> the same.    [Touvron et al. 2021, arXiv 2103.17239]
    """

    init_value: float = number(1e-4, aliases=("initValues",), help="The numbers before training.")

    def forward(self, x: Wire) -> Wire:
        return self.scaled(x)

    def parameters(self) -> Iterator[Parameter]:
        yield Parameter("scale", (self.dim,))

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()


@layer("dyt", family="norm", torch="blocks.DyT", aliases=("dynamicTanh",))
class DyT(PerFeature):
    """A squashing in place of a norm: γ·tanh(α·x) + β with a learned α.

    Shape: (*, dim) -> the same.    [Zhu et al. 2025, arXiv 2503.10622]
    """

    init_alpha: float = number(0.5, help="α before training.")

    def forward(self, x: Wire) -> Wire:
        return self.scaled(x)

    def parameters(self) -> Iterator[Parameter]:
        yield Parameter("alpha", (1,))
        yield Parameter("weight", (self.dim,))
        yield Parameter("bias", (self.dim,))

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()
        yield Saved.own(inputs[0].elements)


@layer("pixelNorm", family="norm", torch="blocks.PixelNorm")
class PixelNorm(Layer):
    """Divide the channels of each pixel by their root mean square.

    Shape: (B, C, *) -> the same; x / √(mean(x², axis 1) + ε)    [Karras et al. 2018, arXiv 1710.10196]
    """

    eps: float = number(1e-8, help="Added under the root so that nothing is divided by zero.")

    def forward(self, x: Wire) -> Wire:
        x.require_rank_at_least(2)
        x.require_floating()
        rows = x.with_axis(1, 1).element_strides
        return in_order(x, tuple(0 if axis == 1 else stride for axis, stride in enumerate(rows)))

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()
        yield Saved.own(inputs[0].elements // max(inputs[0].shape[1], 1), inputs[0].dtype)

    @classmethod
    def example(cls, random: Random) -> Example:
        x = samples.wire(random, samples.sizes(random, random.randint(1, 5), 1, 4), samples.dtype(random))
        return Example({}, (x,))


@layer("dropPath", family="norm", torch="blocks.DropPath", aliases=("stochasticDepth",))
class DropPath(Layer):
    """Drop whole samples of a branch at random in training, so that the rest passes it by.

    Shape: (B, *) -> the same; kept samples are scaled by 1/(1 − p).    [Huang et al. 2016, arXiv 1603.09382]
    """

    telling = "p {p}"

    p: float = number(0.1, at_least=0, at_most=1, aliases=("dropProb",), help=CHANCE)
    scale_by_keep: bool = flag(True, help="Scale what is kept by 1/(1 − p).")

    def forward(self, x: Wire) -> Wire:
        if not self.drops:
            return x
        x.require_rank_at_least(1)
        x.require_floating()
        return in_order(x, (1, *(0,) * (x.rank - 1)))

    @property
    def drops(self) -> bool:
        """Whether anything is done at all."""
        return self.training and self.p > 0

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """One number a sample."""
        if self.drops:
            yield Saved.own(inputs[0].shape[0], inputs[0].dtype)

    @classmethod
    def example(cls, random: Random) -> Example:
        x = samples.wire(random, samples.sizes(random, random.randint(0, 4), 1, 4), samples.dtype(random))
        p = random.choice((0.1, 0.5, 0.0, 1.0, 1.2, -1))
        return Example({"p": p}, (x,), training=samples.sometimes(random, 0.6))


ADAIN_STYLE = ProblemKind(
    "E-ADAIN-STYLE",
    error,
    "{node} takes content and style with the same samples and channels",
    "Each channel of the content gets the mean and deviation that the same channel of the style has.",
)


@layer("adaIN", family="norm", torch="blocks.AdaIN", aliases=("adaptiveInstanceNorm",))
class AdaIN(Layer):
    """Give each channel of the content the mean and deviation of the style's channel.

    Shape: (B, C, H, W), (B, C, H', W') -> (B, C, H, W).    [Huang and Belongie 2017, arXiv 1703.06868]
    """

    inputs = ("content", "style")

    eps: float = number(1e-5, help="Added to the variance so that nothing is divided by zero.")

    def forward(self, x: Wire, style: Wire) -> Wire:
        x.require_rank(4)
        style.require_rank(4, port=1)
        if x.shape[:2] != style.shape[:2] or x.dtype != style.dtype:
            raise Refused(ADAIN_STYLE, port=1, axis=1, needs=x.shape[:2], gets=style.shape[:2])
        x.require_floating()
        if x.shape[-2] * x.shape[-1] == 1:
            raise Refused(INSTANCE_ONE_VALUE, port=0, axis=-1, gets=1)
        return x.with_shape(x.shape)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """Content, style, the content made normal, and three numbers for each sample and channel."""
        x = inputs[0]
        yield Saved.input(0)
        yield Saved.input(1)
        yield Saved.own(x.elements + 3 * x.shape[0] * x.shape[1], x.dtype)

    @classmethod
    def example(cls, random: Random) -> Example:
        lead, dtype = samples.sizes(random, 2, 1, 3), samples.dtype(random)
        other = lead if samples.sometimes(random, 0.9) else (lead[0], lead[1] + 1)
        x = samples.wire(random, (*lead, *samples.sizes(random, 2 - samples.sometimes(random), 1, 4)), dtype)
        return Example({}, (x, samples.wire(random, (*other, *samples.sizes(random, 2, 1, 4)), dtype)))
