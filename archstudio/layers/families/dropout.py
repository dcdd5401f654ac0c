"""Layers that drop values, channels or whole branches at random in training."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import ClassVar

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Saved
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import product
from archstudio.layers.fields import flag, number
from archstudio.layers.wire import Value, Wire

CHANCE = "Chance that something is dropped, in training only."


class Dropping(Layer):
    """What all dropouts share: in evaluation the input passes."""

    telling = "p {p}"
    ranks: ClassVar[tuple[int, ...]] = ()

    p: float = number(0.5, at_least=0, at_most=1, help=CHANCE)
    inplace: bool = flag(False, help="Overwrite the input to save memory.")

    def forward(self, x: Wire) -> Wire:
        if self.ranks:
            x.require_rank(*self.ranks)
        if not self.drops(x):
            return x
        if self.p < 1:
            x.require_floating()
        return x if self.inplace else x.pointwise()

    def drops(self, x: Wire) -> bool:
        """Whether anything is done at all; else the input itself comes back."""
        return self.training and self.p > 0 and x.elements > 0

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """The mask, already scaled; one zero where everything is dropped."""
        if self.drops(inputs[0]) and inputs[0].floating:
            yield from self.mask(inputs[0])

    def mask(self, x: Wire) -> Iterator[Saved]:
        """What is kept in training."""
        yield Saved.own(x.elements if self.p < 1 else 1, x.dtype)

    @classmethod
    def example(cls, random: Random) -> Example:
        rank = random.choice(cls.ranks or (0, 1, 2, 3, 4)) if samples.sometimes(random, 0.9) else random.randint(0, 5)
        x = samples.wire(random, samples.sizes(random, rank, 1, 4), samples.dtype(random))
        p = random.choice((0.5, 0.1, 0.0, 1.0, 0.3, 1.5, -0.1))
        return Example({"p": p}, (x,), training=samples.sometimes(random, 0.6))


@layer("dropout", family="norm", torch="Dropout")
class Dropout(Dropping):
    """Zero each value with chance p in training and scale the rest by 1/(1 − p).    [torch.nn.Dropout]"""


class ChannelDropout(Dropping):
    """What dropouts of whole channels share; `batched_rank` is the rank with a batch, None if all have one."""

    batched_rank: ClassVar[int | None] = None

    def forward(self, x: Wire) -> Wire:
        if self.drops(x) and self.p < 1:
            x.require_rank_at_least(2 - self._adds_batch(x))
        return super().forward(x)

    def _adds_batch(self, x: Wire) -> bool:
        return self.batched_rank not in (None, x.rank)

    def mask(self, x: Wire) -> Iterator[Saved]:
        yield Saved.own(product(x.shape[: 2 - self._adds_batch(x)]) if self.p < 1 else 1, x.dtype)


@layer("dropout1d", family="norm", torch="Dropout1d")
class Dropout1d(ChannelDropout):
    """Zero whole channels of sequences in training.

    Shape: (B, C, L) or (C, L) -> the same.    [torch.nn.Dropout1d]
    """

    ranks = (3, 2)
    batched_rank = 3


@layer("dropout2d", family="norm", torch="Dropout2d", aliases=("spatialDropout",))
class Dropout2d(ChannelDropout):
    """Zero whole channels of images in training.

    Shape: (B, C, H, W) -> the same; axis 1 counts as the channels whatever the rank.    [torch.nn.Dropout2d]
    """


@layer("dropout3d", family="norm", torch="Dropout3d")
class Dropout3d(ChannelDropout):
    """Zero whole channels of volumes in training.

    Shape: (B, C, D, H, W) or (C, D, H, W) -> the same.    [torch.nn.Dropout3d]
    """

    batched_rank = 5


@layer("alphaDropout", family="norm", torch="AlphaDropout")
class AlphaDropout(Dropping):
    """Dropout that keeps mean and variance, for SELU networks.    [torch.nn.AlphaDropout]"""


@layer("featureAlphaDropout", family="norm", torch="FeatureAlphaDropout")
class FeatureAlphaDropout(ChannelDropout):
    """Alpha dropout of whole channels.

    Shape: (B, C, *) -> the same.    [torch.nn.FeatureAlphaDropout]
    """
