"""Cut images into blocks and put blocks together."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import product
from archstudio.layers.families.pool import require_elements
from archstudio.layers.fields import each_axis
from archstudio.layers.problem import ProblemKind, Refused, error
from archstudio.layers.windows import WINDOW, Window, slide
from archstudio.layers.wire import Value, Wire

FOLD_BLOCKS = ProblemKind(
    "E-FOLD-BLOCKS",
    error,
    "{node} expects {needs:,} blocks, the wire carries {gets:,}",
    "An image of the given size has exactly so many places for a block; each is one column of the input.",
)
FOLD_CHANNELS = ProblemKind(
    "E-FOLD-CHANNELS",
    error,
    "{node}: {gets:,} values a block do not split into blocks of {needs:,} elements",
    "A block holds the elements of its kernel for each channel.",
)


class Blocks(Layer):
    """What fold and unfold share."""

    axes = 2
    telling = "k{kernel_size}"
    new_params = {"kernelSize": 2, "stride": 2}

    kernel_size: tuple[int, ...] = each_axis(at_least=1, late=True, help="Height and width of a block.")
    dilation: tuple[int, ...] = each_axis(1, at_least=1, late=True, help="Distance between the elements of a block.")
    padding: tuple[int, ...] = each_axis(0, at_least=0, late=True, help="Zeros added on each side.")
    stride: tuple[int, ...] = each_axis(1, at_least=1, late=True, help="Step from one block to the next.")

    def windows(self) -> tuple[Window, ...]:
        """A block on each axis."""
        each = zip(self.kernel_size, self.stride, self.padding, self.dilation, strict=True)
        return tuple(Window(k, s, 2 * p, d) for k, s, p, d in each)

    @classmethod
    def random_params(cls, random: Random) -> dict[str, Any]:
        """Parameters of the blocks."""
        params: dict[str, Any] = {"kernelSize": samples.each_axis(random, 2, 1, 3)}
        for key, low, high in (("stride", 1, 2), ("padding", 0, 1), ("dilation", 1, 2)):
            if samples.sometimes(random, 0.4):
                params[key] = samples.each_axis(random, 2, low - samples.sometimes(random, 0.06), high)
        return params


@layer("unfold", family="shape", torch="Unfold", aliases=("im2col",))
class Unfold(Blocks):
    """Cut an image into (overlapping) blocks, each a column.

    Shape: (B, C, H, W) or (C, H, W) -> (…, C·kernel², number of blocks).    [torch.nn.Unfold]
    """

    def forward(self, x: Wire) -> Wire:
        x.require_rank(4, 3)
        require_elements(x, 2)
        x.refuse_dtypes("int64", "int32", "int16", "int8", "uint8", needs="floating-point")
        blocks = product(slide(x, self.windows()))
        return x.with_shape((*x.shape[:-3], x.shape[-3] * product(self.kernel_size), blocks))

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        if axis == -2:
            return Step(f"{inputs[0].shape[-3]}·{product(self.kernel_size)}", 0, -3)
        if axis == -1:
            x = inputs[0]
            texts = (window.text(x.shape[k]) for k, window in zip((-2, -1), self.windows(), strict=True))
            return Step("·".join(f"({text})" for text in texts), 0, -1)
        return Step("", 0, axis - 1)

    @classmethod
    def example(cls, random: Random) -> Example:
        return Example(cls.random_params(random), (samples.image(random, 2, random.randint(1, 3), high=6),))


class SizedOutput(Layer):
    """The parameter that torch's fold has before all others."""

    axes = 2

    output_size: tuple[int, ...] = each_axis(at_least=0, late=True, help="Height and width going out.")


@layer("fold", family="shape", torch="Fold", aliases=("col2im",))
class Fold(Blocks, SizedOutput):
    """Put blocks together to an image, adding up where they overlap.

    Shape: (B, C·kernel², number of blocks) or without B -> (…, C, *output_size).    [torch.nn.Fold]
    """

    telling = "→ {output_size} k{kernel_size}"
    new_params = {"outputSize": 28, "kernelSize": 2, "stride": 2}

    def forward(self, x: Wire) -> Value:
        x.require_rank(3, 2)
        for axis in (-1, -2):
            if x.shape[axis] == 0:
                x.require_size(axis, 1, set_by="kernelSize", what="values")
        elements = product(self.kernel_size)
        if x.shape[-2] % elements:
            raise Refused(FOLD_CHANNELS, port=0, axis=-2, gets=x.shape[-2], needs=elements, set_by="kernelSize")
        blocks = product(self._places())
        if x.shape[-1] != blocks:
            raise Refused(FOLD_BLOCKS, port=0, axis=-1, gets=x.shape[-1], needs=blocks, set_by="outputSize")
        x.refuse_dtypes("int64", "int32", "int16", "int8", "uint8", needs="floating-point")
        return x.with_shape((*x.shape[:-2], x.shape[-2] // elements, *self.output_size))

    def _places(self) -> tuple[int, ...]:
        for window, size in zip(self.windows(), self.output_size, strict=True):
            if not window.fits(size):
                raise Refused(WINDOW, covers=window.covers, gets=size, pad=window.pad, param="outputSize")
        return tuple(w.places(size) for w, size in zip(self.windows(), self.output_size, strict=True))

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        if axis >= -2:
            return Step("outputSize")
        if axis == -3:
            return Step(f"{inputs[0].shape[-2]}/{product(self.kernel_size)}", 0, -2)
        return Step("", 0, axis + 1)

    @classmethod
    def example(cls, random: Random) -> Example:
        params = cls.random_params(random) | {"outputSize": samples.each_axis(random, 2, 2, 5)}
        made = cls.from_params(params)
        assert isinstance(made, Fold)
        kernel = product(made.kernel_size)
        positive = min(made.stride) > 0
        blocks = product(w.places(s) for w, s in zip(made.windows(), made.output_size, strict=True)) if positive else 4
        shape = [random.randint(1, 3) * kernel, max(blocks, 1)]
        if samples.sometimes(random, 0.2):
            shape[random.randrange(2)] += 1
        lead = samples.sizes(random, 1 if samples.sometimes(random, 0.8) else random.choice((0, 2)), 1, 2)
        return Example(params, (samples.wire(random, (*lead, *shape), samples.dtype(random)),))
