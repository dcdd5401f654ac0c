"""Layers that multiply the last axis by a matrix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Parameter, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import product
from archstudio.layers.fields import flag, size
from archstudio.layers.problem import ProblemKind, Refused, error
from archstudio.layers.views import view_strides
from archstudio.layers.wire import Value, Wire

LINEAR_IN = ProblemKind(
    "E-LINEAR-IN",
    error,
    "{node} expects {needs:,} features, the wire carries {gets:,}",
    "A linear layer multiplies the last axis by its weight matrix; nothing is flattened or pooled by itself.",
)
BILINEAR_SHAPES = ProblemKind(
    "E-BILINEAR-SHAPES",
    error,
    "{node} takes two inputs that differ only in their last axis",
    "Each row of one input is multiplied with the row of the other input at the same place.",
)


@layer("linear", family="dense", torch="Linear", torch_ops=("LazyLinear",), aliases=("fc", "dense", "fullyConnected"))
class Linear(Layer):
    """Multiply the last axis by a learned matrix and add a bias.

    Shape: (*, in_features) -> (*, out_features).    y = x·Wᵀ + b    [torch.nn.Linear]
    """

    telling = "{in_features}→{out_features}"
    new_params = {"outFeatures": 128}

    in_features: int = size(from_axis=-1, at_least=0, help="Size of the last axis coming in.")
    out_features: int = size(at_least=0, help="Size of the last axis going out.")
    bias: bool = flag(True, help="Add a learned offset.")

    def forward(self, x: Wire) -> Wire:
        x.require_rank_at_least(1)
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
        """Its input; a sequence or image whose rows do not lie at one distance is copied into a matrix first."""
        x = inputs[0]
        rows = (product(x.shape[:-1]), x.shape[-1])
        copied = x.rank > 2 and x.strides is not None and view_strides(x.shape, x.strides, rows) is None
        yield Saved.own(x.elements, x.dtype) if copied else Saved.input()

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step("outFeatures") if axis == -1 else Step("", 0, axis)

    @classmethod
    def example(cls, random: Random) -> Example:
        features = random.randint(1, 6)
        params: dict[str, object] = {"inFeatures": features, "outFeatures": random.randint(1, 6)}
        if samples.sometimes(random, 0.3):
            params["bias"] = False
        if samples.sometimes(random, 0.2):
            del params["inFeatures"]
        if samples.sometimes(random, 0.05):
            params["outFeatures"] = random.choice((-1, 0))
        shape = (*samples.sizes(random, random.randint(0, 3)), features + samples.sometimes(random))
        x = samples.wire(random, () if samples.sometimes(random, 0.03) else shape, samples.dtype(random))
        return Example(params, (x,))


@layer("bilinear", family="dense", torch="Bilinear")
class Bilinear(Layer):
    """Multiply two inputs through a learned matrix for each feature going out.

    Shape: (*, in1_features), (*, in2_features) -> (*, out_features).    y = x₁ᵀ·A·x₂ + b    [torch.nn.Bilinear]
    """

    inputs = ("input1", "input2")
    telling = "{in1_features}×{in2_features}→{out_features}"
    new_params = {"outFeatures": 128}

    in1_features: int = size(from_axis=-1, at_least=1, help="Size of the last axis of the first input.")
    in2_features: int = size(from_axis=-1, from_port=1, at_least=0, help="Size of the last axis of the second input.")
    out_features: int = size(at_least=0, help="Size of the last axis going out.")
    bias: bool = flag(True, help="Add a learned offset.")

    def forward(self, x1: Wire, x2: Wire) -> Wire:
        for port, (x, needs) in enumerate(((x1, self.in1_features), (x2, self.in2_features))):
            x.require_rank_at_least(1, port)
            set_by = f"in{port + 1}Features"
            x.require_size(-1, needs, set_by=set_by, what="features", port=port, kind=LINEAR_IN)
            x.require_float32(port)
        if x1.shape[:-1] != x2.shape[:-1]:
            raise Refused(BILINEAR_SHAPES, port=1, needs=x1.shape[:-1], gets=x2.shape[:-1])
        return x1.with_last(self.out_features)

    def parameters(self) -> Iterator[Parameter]:
        yield Parameter("weight", (self.out_features, self.in1_features, self.in2_features))
        if self.bias:
            yield Parameter("bias", (self.out_features,))

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        """x₁ᵀ·A for each feature going out, then its product with x₂."""
        assert isinstance(output, Wire)
        return output.elements * self.in2_features * (self.in1_features + 1)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input(0)
        yield Saved.input(1)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step("outFeatures") if axis == -1 else Step("", 0, axis)

    @classmethod
    def example(cls, random: Random) -> Example:
        a, b, out = samples.sizes(random, 3)
        params = {"in1Features": a, "in2Features": b, "outFeatures": out}
        if samples.sometimes(random, 0.2):
            del params["in2Features"]
        lead = samples.sizes(random, random.randint(0, 3))
        other = (*lead[:-1], lead[-1] + 1) if lead and samples.sometimes(random) else lead
        x = samples.wire(random, (*lead, a), samples.dtype(random))
        y = samples.wire(random, (*other, b + samples.sometimes(random)), samples.dtype(random))
        return Example(params, (x, y))
