"""Layers that multiply the last axis by a matrix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from archstudio.layers.base import Layer, Parameter, Saved
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import product
from archstudio.layers.fields import flag, size
from archstudio.layers.problem import ProblemKind, error
from archstudio.layers.wire import Value, Wire

LINEAR_IN = ProblemKind(
    "E-LINEAR-IN",
    error,
    "{node} expects {needs:,} features, the wire carries {gets:,}",
    "A linear layer multiplies the last axis by its weight matrix; nothing is flattened or pooled by itself.",
)


@layer("linear", family="dense", torch="Linear", aliases=("fc", "dense", "fullyConnected"))
class Linear(Layer):
    """Multiply the last axis by a learned matrix and add a bias.

    Shape: (*, in_features) -> (*, out_features).    y = x·Wᵀ + b    [torch.nn.Linear]
    """

    telling = "{in_features}→{out_features}"

    in_features: int = size(from_axis=-1, at_least=0, help="Size of the last axis coming in.")
    out_features: int = size(at_least=0, help="Size of the last axis going out.")
    bias: bool = flag(True, help="Add a learned offset.")

    def forward(self, x: Wire) -> Wire:
        if x.rank == 0:
            x.require_rank(1)
        x.require_size(-1, self.in_features, set_by="inFeatures", what="features", kind=LINEAR_IN)
        x.require_float32()
        return x.with_last(self.out_features)

    def parameters(self) -> Iterator[Parameter]:
        yield Parameter("weight", (self.out_features, self.in_features))
        if self.bias:
            yield Parameter("bias", (self.out_features,))

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return product(inputs[0].shape) * self.out_features

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()
