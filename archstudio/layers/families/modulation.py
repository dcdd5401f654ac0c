"""Layers that scale, shift or bend what comes in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Parameter, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import product
from archstudio.layers.families.attention_grouped import linear_weights
from archstudio.layers.families.dense import LINEAR_IN
from archstudio.layers.families.feedforward import feature_wire
from archstudio.layers.fields import size
from archstudio.layers.problem import RANK, ProblemKind, Refused, error
from archstudio.layers.spread import broadcast, promoted
from archstudio.layers.wire import Value, Wire

SCALE_WIDTH = ProblemKind(
    "E-SCALE-WIDTH",
    error,
    "{node} has {needs:,} factors, the last axis has {gets:,}",
    "Every channel of the last axis has a learned factor of its own.",
)


@layer("film", family="norm", torch="blocks.FiLM")
class Film(Layer):
    """Scale and shift features of the last axis as a condition says.

    Shape: (B, …, C), condition (B, D) -> (B, …, C).    x·(1 + γ(c)) + β(c)    [FiLM, arXiv 1709.07871]
    """

    inputs = ("input", "condition")
    telling = "{cond_dim}→{feature_dim}"

    feature_dim: int = size(from_axis=-1, at_least=1, aliases=("dim", "numFeatures"), help="Channels that are scaled.")
    cond_dim: int = size(from_axis=-1, from_port=1, at_least=1, aliases=("condDim",), help="Width of the condition.")

    def forward(self, x: Wire, condition: Wire) -> Wire:
        if condition.rank == 0:
            condition.require_rank(1, 2, port=1)
        condition.require_size(-1, self.cond_dim, set_by="condDim", what="features", port=1, kind=LINEAR_IN)
        condition.require_float32(1)
        missing = max(x.rank - condition.rank, 0)
        shape = (*condition.shape[:-1], *(1,) * missing, self.feature_dim)
        if x.rank and self.feature_dim != 1 and x.shape[-1] not in (1, self.feature_dim):
            raise Refused(SCALE_WIDTH, port=0, axis=-1, needs=self.feature_dim, gets=x.shape[-1], set_by="featureDim")
        scale = Wire.of(shape)
        scaled = broadcast((x, scale), promoted((x, scale)))
        return broadcast((scaled, scale), promoted((scaled, scale)))

    def parameters(self) -> Iterator[Parameter]:
        yield from linear_weights("proj", self.cond_dim, 2 * self.feature_dim, True)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return product(inputs[1].shape) * 2 * self.feature_dim

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input(0)
        yield Saved.input(1)
        if inputs[0].floating:
            yield Saved.own(product(inputs[1].shape[:-1]) * self.feature_dim)

    @classmethod
    def example(cls, random: Random) -> Example:
        width, cond, batch = random.randint(1, 5), random.randint(1, 5), random.randint(1, 3)
        params: dict[str, Any] = {"featureDim": width, "condDim": cond}
        shape = [batch, *samples.sizes(random, random.randint(0, 2), 1, 4), width]
        condition = [batch, cond]
        if samples.sometimes(random, 0.2):
            wrong = random.choice((shape, condition))
            wrong[random.randrange(len(wrong))] += 1
        return Example(params, (samples.wire(random, shape), Wire.of(condition, samples.dtype(random, 0.05))))


@layer("kan", family="dense", torch="blocks.KANLinear", aliases=("kanLinear",))
class Kan(Layer):
    """A linear layer whose connections are learned curves: SiLU plus a B-spline.

    Shape: (*, in_features) -> (*, out_features); in·out·(1 + grid + order) weights.    [KAN, arXiv 2404.19756]
    """

    new_params = {"outFeatures": 64}
    telling = "{in_features}→{out_features}"

    in_features: int = size(from_axis=-1, at_least=1, aliases=("inputDim",), help="Size of the last axis coming in.")
    out_features: int = size(at_least=1, aliases=("outputDim",), help="Size of the last axis going out.")
    grid_size: int = size(5, at_least=1, help="Intervals of the spline's grid.")
    spline_order: int = size(3, at_least=0, help="Degree of the spline.")

    def forward(self, x: Wire) -> Wire:
        if x.rank == 0:
            raise Refused(RANK, port=0, needs="at least 1", gets=0, ranks=())
        x.require_size(-1, self.in_features, set_by="inFeatures", what="features", kind=LINEAR_IN)
        return x.require_float32().with_last(self.out_features)

    def parameters(self) -> Iterator[Parameter]:
        yield Parameter("base_weight", (self.out_features, self.in_features))
        yield Parameter("spline_weight", (self.out_features, self.in_features, self.grid_size + self.spline_order))

    def buffers(self) -> Iterator[Parameter]:
        yield Parameter("knots", (self.grid_size + 2 * self.spline_order + 1,))

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return product(inputs[0].shape) * self.out_features * (1 + self.grid_size + self.spline_order)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step("outFeatures") if axis == -1 else Step("", 0, axis)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """An estimate: the input, its activation and the last basis functions; the recursion keeps more."""
        yield Saved.input()
        yield Saved.own(product(inputs[0].shape) * (1 + self.grid_size + self.spline_order))

    @classmethod
    def example(cls, random: Random) -> Example:
        width = random.randint(1, 4)
        params: dict[str, Any] = {"inFeatures": width, "outFeatures": random.randint(1, 4)}
        if samples.sometimes(random, 0.5):
            params |= {"gridSize": random.randint(1, 4), "splineOrder": random.randint(0, 3)}
        return Example(params, (feature_wire(random, width),))
