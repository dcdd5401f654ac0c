"""Where tensors enter and leave the network."""

from __future__ import annotations

from collections.abc import Sequence

from archstudio.layers.base import Layer
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import batch, sequence
from archstudio.layers.fields import choice, integer, sizes
from archstudio.layers.wire import ITEM_BYTES, Wire


@layer("input", family="io", torch_ops=("Input",), aliases=("placeholder",))
class Input(Layer):
    """A tensor that the network is given.

    `shape` is complete: its axis `batchAxis` is the batch, whose size is shown as B, and `sequenceAxis`, if given, the
    sequence, whose length is shown as T. Without `dtype` the studio infers it: integers where the value is used as an
    index, else float32.
    """

    inputs = ()
    telling = "shape {shape}"

    shape: tuple[int, ...] = sizes((1,), at_least=0, torch=None, help="The complete shape, batch axis included.")
    dtype: str | None = choice(
        "float32", tuple(ITEM_BYTES), torch=None, help="Type of the numbers; left out, it is inferred from the use."
    )
    batch_axis: int | None = integer(
        0, optional=True, torch=None, help="Which axis is the batch; null for a tensor without one."
    )

    sequence_axis: int | None = integer(
        None, optional=True, torch=None, help="Which axis is the sequence; null for a tensor without one."
    )

    def forward(self) -> Wire:
        sizes_ = list(self.shape)
        for axis, named in ((self.sequence_axis, sequence), (self.batch_axis, batch)):
            if axis is not None and -len(sizes_) <= axis < len(sizes_):
                sizes_[axis] = named(int(sizes_[axis]))
        return Wire.of(sizes_, self.dtype or "float32")


@layer("output", family="io")
class Output(Layer):
    """A result of the network; passes its input on."""

    view = True

    def forward(self, x: Wire) -> Wire:
        return x

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return inputs[0]
