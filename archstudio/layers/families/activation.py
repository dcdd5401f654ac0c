"""Functions applied to each element."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from archstudio.layers.base import Layer, Saved
from archstudio.layers.catalogue import layer
from archstudio.layers.fields import flag
from archstudio.layers.wire import Value, Wire


@layer("relu", family="activation", torch="ReLU")
class ReLU(Layer):
    """Zero what is negative: max(x, 0).    [torch.nn.ReLU]"""

    inplace: bool = flag(False, help="Overwrite the input to save memory.")

    def forward(self, x: Wire) -> Wire:
        return x

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.output()
