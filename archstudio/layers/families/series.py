"""Layers that look at how responses spread over an image, a series or a batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, ClassVar

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Parameter, Ports, Saved
from archstudio.layers.catalogue import layer
from archstudio.layers.families.norm_batch import NORM_SIZE
from archstudio.layers.fields import flag, number, size
from archstudio.layers.problem import EMPTY, PARAM_RANGE, Refused
from archstudio.layers.wire import Value, Wire


def _shape(random: Random, rank: int, axis: int, width: int) -> list[int]:
    """A shape with this width on an axis, sometimes of another rank or width."""
    shape = list(samples.sizes(random, rank, 1, 4))
    shape[axis] = width + (1 if samples.sometimes(random, 0.1) else 0)
    return random.choice((shape[1:], [1, *shape])) if samples.sometimes(random, 0.1) else shape


@layer("grn", family="norm", torch="blocks.GlobalResponseNorm", aliases=("globalResponseNorm",))
class Grn(Layer):
    """Channels of an image compete: each is scaled by its share of the whole response.

    Shape: (B, C, H, W) -> the same.    γ·(x ⊙ |x|₂ / mean over channels of |x|₂) + β + x    [arXiv 2301.00808]
    """

    telling = "{num_features}"

    num_features: int = size(from_axis=1, at_least=1, aliases=("dim", "numChannels", "channels"), help="Channels.")
    eps: float = number(1e-6, help="Added to the mean response so that nothing is divided by zero.")

    def forward(self, x: Wire) -> Wire:
        x.require_rank(4)
        x.require_size(1, self.num_features, set_by="numFeatures", kind=NORM_SIZE)
        return x.require_float32().with_shape(x.shape)

    def parameters(self) -> Iterator[Parameter]:
        yield Parameter("weight", (self.num_features,))
        yield Parameter("bias", (self.num_features,))

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """An estimate: the input and its scaled twin."""
        yield Saved.input()
        yield Saved.own(inputs[0].elements)

    @classmethod
    def example(cls, random: Random) -> Example:
        width = random.randint(1, 4)
        x = samples.wire(random, _shape(random, 4, 1, width), samples.dtype(random, 0.05))
        return Example({"numFeatures": width}, (x,))


@layer("revIN", family="norm", torch="blocks.ReversibleInstanceNorm", aliases=("reversibleInstanceNorm",))
class RevIn(Layer):
    """Every series of a batch to mean 0 and variance 1 over time, then scaled and shifted by learned numbers.

    Shape: (B, T, C) -> the same. The way back, which undoes it behind a forecast, is not a layer of its own here.
    γ·(x − mean) / √(var + ε) + β    [RevIN, ICLR 2022]
    """

    telling = "{num_features}"

    num_features: int = size(from_axis=-1, at_least=1, aliases=("dim", "channels"), help="Series side by side.")
    eps: float = number(1e-5, help="Added to the variance so that nothing is divided by zero.")
    affine: bool = flag(True, help="Scale and shift each series by learned numbers.")

    def forward(self, x: Wire) -> Wire:
        x.require_rank(3)
        x.require_size(-1, self.num_features, set_by="numFeatures", kind=NORM_SIZE)
        return x.require_float32().with_shape(x.shape)

    def parameters(self) -> Iterator[Parameter]:
        if self.affine:
            yield Parameter("weight", (self.num_features,))
            yield Parameter("bias", (self.num_features,))

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """An estimate: the centred and the normalised series."""
        yield Saved.own(2 * inputs[0].elements)

    @classmethod
    def example(cls, random: Random) -> Example:
        width = random.randint(1, 4)
        params: dict[str, Any] = {"numFeatures": width} | ({"affine": False} if samples.sometimes(random, 0.3) else {})
        x = samples.wire(random, _shape(random, 3, 2, width), samples.dtype(random, 0.05))
        return Example(params, (x,))


@layer("seriesDecomp", family="norm", torch="blocks.SeriesDecomposition", aliases=("seriesDecomposition",))
class SeriesDecomp(Layer):
    """A series as a moving average (its trend) and what is left of it.

    Shape: (B, T, C) -> what is left and the trend, each (B, T, C).    [Autoformer, arXiv 2106.13008]
    """

    telling = "k{kernel_size}"
    output_ports: ClassVar[Ports] = {"seasonal": (0,), "trend": (1,)}

    kernel_size: int = size(25, at_least=1, help="Steps averaged over; odd, so that the series keeps its length.")

    def check(self) -> None:
        if self.kernel_size % 2 == 0:
            raise Refused(PARAM_RANGE, param="kernelSize", gets=self.kernel_size, needs="odd")

    def forward(self, x: Wire) -> Value:
        x.require_rank(3)
        x.require_float32()
        if x.shape[1] == 0:
            raise Refused(EMPTY, port=0, axis=1, what="step")
        return x.with_shape(x.shape), x.with_shape(x.shape)

    @classmethod
    def example(cls, random: Random) -> Example:
        params = {"kernelSize": random.choice((1, 3, 5, 7, 2))} if samples.sometimes(random, 0.8) else {}
        x = samples.wire(random, _shape(random, 3, 2, random.randint(1, 3)), samples.dtype(random, 0.08))
        return Example(params, (x,))


@layer("miniBatchStdDev", family="norm", torch="blocks.MinibatchStdDev", aliases=("minibatchStd",))
class MiniBatchStdDev(Layer):
    """One more channel that holds how much the images of the batch differ from each other.

    Shape: (B, C, H, W) -> (B, C + 1, H, W).    mean of √(var over the batch)    [arXiv 1710.10196]
    """

    def forward(self, x: Wire) -> Wire:
        x.require_rank(4)
        return x.require_float32().with_shape((x.shape[0], x.shape[1] + 1, *x.shape[2:]))

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """An estimate: the differences to the mean image, and the deviations."""
        yield Saved.own(inputs[0].elements)

    @classmethod
    def example(cls, random: Random) -> Example:
        return Example({}, (samples.wire(random, _shape(random, 4, 1, random.randint(1, 3)), samples.dtype(random)),))
