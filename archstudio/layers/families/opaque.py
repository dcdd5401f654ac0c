"""The one entry for layers without a reference implementation: what comes out of them is declared, not worked out."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Parameter
from archstudio.layers.catalogue import layer
from archstudio.layers.fields import size, sizes
from archstudio.layers.problem import PARAM_RANGE, Refused
from archstudio.layers.wire import Wire

NO_REFERENCE = (
    *("audioConv", "coAttention", "customModule", "deformableAttention", "deformableConv2d", "deltaNet", "fpn"),
    *("fusion", "gatedDeltaNet", "gatedLinearAttention", "hyena", "mamba2", "melSpectrogram", "mfcc"),
    *("mixtureOfDepths", "multiTokenPrediction", "nativeSparseAttention", "rgLru", "roiAlign", "rwkv", "s4Layer"),
    *("scatter", "setAbstraction", "sparseConv3d", "spectralNorm", "stft", "tabnet", "titansMemory", "tttLayer"),
    *("weightNorm", "xlstm"),
)
"""Names of Arch-Bench's product vocabulary whose layers PyTorch does not have and papers leave open in places."""


@layer("opaque", family="io", torch="blocks.StandIn", aliases=NO_REFERENCE)
class Opaque(Layer):
    """A layer for which there is no exact rule: it gives what it declares, and has the weights that it declares.

    Shape: anything -> output_shape, where a first size of −1 is the batch of the first input. The graph behind it is
    checked as exactly as any other; whether the layer itself runs, nobody can say from here.
    """

    variadic = True
    telling = "as declared"

    output_shape: tuple[int, ...] = sizes(aliases=("shape",), help="What comes out; −1 first is the batch.")
    parameter_count: int = size(0, at_least=0, aliases=("parameters", "numParameters"), help="Trainable weights.")

    def check(self) -> None:
        shape = self.output_shape
        if not shape or shape[0] < -1 or any(d < 0 for d in shape[1:]):
            raise Refused(
                PARAM_RANGE, param="outputShape", gets=list(shape), needs="sizes of which the first may be −1"
            )

    def forward(self, *inputs: Wire) -> Wire:
        if self.output_shape[0] != -1:
            return Wire.of(self.output_shape)
        inputs[0].require_rank_at_least(1)
        return Wire.of((inputs[0].shape[0], *self.output_shape[1:]))

    def parameters(self) -> Iterator[Parameter]:
        yield Parameter("weight", (self.parameter_count,))

    @classmethod
    def example(cls, random: Random) -> Example:
        first = -1 if samples.sometimes(random, 0.6) else random.randint(1, 3)
        shape = [first, *samples.sizes(random, random.randint(0, 3), 1, 4)]
        if samples.sometimes(random, 0.15):
            shape[random.randrange(len(shape))] = -2
        params: dict[str, Any] = {"outputShape": shape, "parameterCount": random.randint(0, 5)}
        count = random.randint(1, 2)
        wires = (samples.wire(random, samples.sizes(random, random.randint(0, 3), 1, 4)) for _ in range(count))
        return Example(params, tuple(wires))
