"""Products of features, as recommendation models take them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Parameter, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import product
from archstudio.layers.families.attention_grouped import linear_weights
from archstudio.layers.families.dense import LINEAR_IN
from archstudio.layers.families.feedforward import feature_wire
from archstudio.layers.fields import MOST_REPEATED, size
from archstudio.layers.wire import Value, Wire


@layer("featureInteraction", family="merge", torch="blocks.FeatureInteraction", aliases=("dotInteraction",))
class FeatureInteraction(Layer):
    """Dot products of all pairs of feature vectors.

    Shape: (B, F, D) -> (B, F·(F−1)/2).    [DLRM, arXiv 1906.00091]
    """

    def forward(self, x: Wire) -> Wire:
        x.require_rank(3).refuse_dtypes("bool", needs="non-boolean")
        count = x.shape[1]
        return x.with_shape((x.shape[0], count * (count - 1) // 2))

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        batch, count, width = inputs[0].shape
        return batch * count * count * width

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        if inputs[0].floating:
            yield Saved.input()
            yield Saved.own(inputs[0].shape[1] * (inputs[0].shape[1] - 1), "int64")

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        count = int(inputs[0].shape[1])
        return Step(f"{count} · {count - 1} / 2", 0, -2) if axis == -1 else Step("", 0, -3)

    @classmethod
    def example(cls, random: Random) -> Example:
        shape = samples.sizes(random, random.choice((3, 3, 3, 3, 2)), 1, 5)
        return Example({}, (samples.wire(random, shape, samples.dtype(random, 0.1)),))


@layer("crossNetworkDCN", family="dense", torch="blocks.CrossNetwork", aliases=("crossNetwork",))
class CrossNetwork(Layer):
    """Layers that multiply by the first input, so that each raises the degree of feature products by one.

    Shape: (*, C) -> (*, C).    x₀ ⊙ (W·x + b) + x    [DCN-V2, arXiv 2008.13535]
    """

    telling = "{input_dim}, {num_layers} layers"

    input_dim: int = size(from_axis=-1, at_least=1, aliases=("embedDim", "inFeatures"), help="Number of features.")
    num_layers: int = size(3, at_least=0, at_most=MOST_REPEATED, help="Number of layers.")

    def forward(self, x: Wire) -> Wire:
        if self.num_layers == 0:
            return x
        if x.rank == 0:
            x.require_rank(1)
        x.require_size(-1, self.input_dim, set_by="inputDim", what="features", kind=LINEAR_IN)
        return x.require_float32().pointwise()

    def parameters(self) -> Iterator[Parameter]:
        for k in range(self.num_layers):
            yield from linear_weights(f"layers.{k}", self.input_dim, self.input_dim, True)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return product(inputs[0].shape) * self.input_dim * self.num_layers

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        if self.num_layers:
            yield Saved.input()
            yield Saved.own(product(inputs[0].shape) * (2 * self.num_layers - 1))

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step("", 0, axis)

    @classmethod
    def example(cls, random: Random) -> Example:
        width = random.randint(1, 5)
        return Example({"inputDim": width, "numLayers": random.randint(0, 3)}, (feature_wire(random, width),))
