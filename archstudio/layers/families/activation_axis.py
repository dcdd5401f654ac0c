"""Activations that work along one axis: softmax and its relatives, gated units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import ClassVar

from archstudio.layers import samples
from archstudio.layers.axes import axis_of
from archstudio.layers.base import Example, Layer, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.fields import flag, integer, number
from archstudio.layers.problem import EMPTY, ProblemKind, Refused, error
from archstudio.layers.wire import Value, Wire

GLU_ODD = ProblemKind(
    "E-GLU-ODD",
    error,
    "{node} splits an axis in halves, its size {gets:,} is odd",
    "One half is multiplied by the sigmoid of the other, so the size must be even.",
)


class AlongAxis(Layer):
    """What softmax and its relatives share."""

    telling = "dim {dim}"
    keeps: ClassVar[str] = "output"

    dim: int | None = integer(
        -1, optional=True, torch_default=None, help="Axis along which values compete; null guesses it from the rank."
    )

    def forward(self, x: Wire) -> Wire:
        x.require_floating()
        axis_of(x, self.dim_for(x))
        return x.with_shape(x.shape)

    def dim_for(self, x: Wire) -> int:
        """The axis, guessed as PyTorch does when none is given: 0 for 0, 1 and 3 dimensions, else 1."""
        if self.dim is not None:
            return self.dim
        return 0 if x.rank in (0, 1, 3) else 1

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.output()

    @classmethod
    def example(cls, random: Random) -> Example:
        x = samples.wire(random, samples.sizes(random, random.randint(0, 4)), samples.dtype(random))
        return Example({"dim": random.choice((-1, -1, 0, 1, 2, -2, 4, None))}, (x,))


@layer("softmax", family="activation", torch="Softmax")
class Softmax(AlongAxis):
    """Positive numbers that sum to 1 along an axis: eˣ / Σ eˣ.    [torch.nn.Softmax]"""


@layer("logSoftmax", family="activation", torch="LogSoftmax")
class LogSoftmax(AlongAxis):
    """The logarithm of softmax, computed without overflow: x − log Σ eˣ.    [torch.nn.LogSoftmax]"""


@layer("softmin", family="activation", torch="Softmin")
class Softmin(AlongAxis):
    """Softmax of the negated input: small values win.    [torch.nn.Softmin]"""


@layer("softmax2d", family="activation", torch="Softmax2d")
class Softmax2d(Layer):
    """Softmax over the channels at each place of an image.

    Shape: (B, C, H, W) or (C, H, W) -> the same.    [torch.nn.Softmax2d]
    """

    def forward(self, x: Wire) -> Wire:
        return x.require_rank(3, 4).require_floating().with_shape(x.shape)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.output()

    @classmethod
    def example(cls, random: Random) -> Example:
        return Example({}, (samples.image(random, 2, 3, dtypes=0.4),))


@layer("gumbelSoftmax", family="activation", aliases=("gumbel",))
class GumbelSoftmax(Layer):
    """Draw from softmax in a way that gradients pass through.

    softmax((x + g)/τ) with Gumbel noise g; `hard` gives one-hot vectors.    [torch.nn.functional.gumbel_softmax]
    """

    telling = "τ {tau}"

    tau: float = number(1.0, help="Temperature: small values come close to one-hot.")
    hard: bool = flag(False, help="Give one-hot vectors, with the gradient of the soft ones.")
    dim: int = integer(-1, help="Axis along which one is drawn.")

    def forward(self, x: Wire) -> Wire:
        x.require_floating()
        axis = axis_of(x, self.dim)
        if self.hard and x.rank and x.shape[axis] == 0:
            raise Refused(EMPTY, port=0, axis=axis - x.rank, gets=0, what="number")
        return x.with_shape(x.shape)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        x = inputs[0]
        if self.hard:
            yield Saved.own(x.elements, x.dtype)
            yield Saved.own(x.elements // max(x.shape[self.dim], 1) if x.rank else 1, "int64")
        else:
            yield Saved.output()

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return f"F.gumbel_softmax({inputs[0]}, tau={self.tau!r}, hard={self.hard!r}, dim={self.dim!r})"

    @classmethod
    def example(cls, random: Random) -> Example:
        x = samples.wire(random, samples.sizes(random, random.randint(0, 3)), samples.dtype(random))
        return Example({"dim": random.choice((-1, 0, 3)), "hard": random.choice((True, False))}, (x,))


@layer("glu", family="activation", torch="GLU")
class GLU(Layer):
    """Half of an axis, gated by the sigmoid of the other half: a·σ(b).

    Shape: (*, 2n, *) -> (*, n, *).    [torch.nn.GLU]
    """

    telling = "dim {dim}"

    dim: int = integer(-1, help="Axis that is split in halves.")

    def forward(self, x: Wire) -> Wire:
        x.require_floating()
        x.require_rank_at_least(1)
        axis = axis_of(x, self.dim)
        if x.shape[axis] % 2:
            raise Refused(GLU_ODD, port=0, axis=axis - x.rank, gets=x.shape[axis], param="dim")
        return x.with_axis(axis, x.shape[axis] // 2).in_order_of(x)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        rank = output.rank
        return Step(f"{inputs[0].shape[axis]}/2" if self.dim % rank == axis % rank else "", 0, axis)

    @classmethod
    def example(cls, random: Random) -> Example:
        shape = [2 * n for n in samples.sizes(random, random.randint(0, 4), 1, 3)]
        if shape and samples.sometimes(random, 0.3):
            shape[-1] += 1
        return Example({"dim": random.choice((-1, 0, 1, 3))}, (samples.wire(random, shape, samples.dtype(random)),))
