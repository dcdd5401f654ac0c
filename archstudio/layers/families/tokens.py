"""From images and clips to tokens, and tokens that are learned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Parameter, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import dim_text, product
from archstudio.layers.families.position import POSITION_WIDTH
from archstudio.layers.fields import channels, each_axis, flag, size
from archstudio.layers.spread import promoted
from archstudio.layers.views import reshaped
from archstudio.layers.windows import Window, slide
from archstudio.layers.wire import Value, Wire


@layer("clsToken", family="embedding", torch="blocks.ClsToken", aliases=("classToken",))
class ClsToken(Layer):
    """Put one learned token before the sequence, from which a class can be read.

    Shape: (B, T, C) -> (B, 1 + T, C).    [BERT, arXiv 1810.04805; ViT, arXiv 2010.11929]
    """

    telling = "{embed_dim}"

    embed_dim: int = size(
        from_axis=-1, at_least=0, aliases=("dim", "dModel", "hiddenDim", "d"), help="Width of the tokens."
    )

    def forward(self, x: Wire) -> Wire:
        x.require_rank(3)
        x.require_size(-1, self.embed_dim, set_by="embedDim", what="features", kind=POSITION_WIDTH)
        return Wire.of((x.shape[0], x.shape[1] + 1, x.shape[2]), promoted((Wire.of((1, 1, 1)), x)))

    def parameters(self) -> Iterator[Parameter]:
        yield Parameter("token", (1, 1, self.embed_dim))

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step(f"{int(inputs[0].shape[1])} + 1", 0, -2) if axis == -2 else Step("", 0, axis)

    def shape_formula(self, inputs: Sequence[Wire], output: Value) -> str:
        return f"{dim_text(inputs[0].shape[1])} + 1 tokens"

    @classmethod
    def example(cls, random: Random) -> Example:
        width = random.randint(1, 5)
        shape = [random.randint(1, 3), random.randint(1, 5), width + (1 if samples.sometimes(random, 0.15) else 0)]
        if samples.sometimes(random, 0.1):
            shape = random.choice((shape[1:], [1, *shape]))
        return Example({"embedDim": width}, (samples.wire(random, shape, samples.dtype(random, 0.1)),))


class Patches(Layer):
    """A convolution whose kernels do not overlap, its places flattened to a sequence."""

    telling = "{in_channels}→{embed_dim}, patch {patch_size}"

    in_channels: int = channels(at_least=1, aliases=("inCh", "in_ch", "inChans"), help="Channels that come in.")
    embed_dim: int = size(at_least=1, aliases=("dim", "outChannels", "dModel", "hiddenDim"), help="Width of a token.")
    patch_size: tuple[int, ...] = each_axis(
        16, torch_default=None, at_least=1, aliases=("patch",), help="Side of a patch."
    )
    bias: bool = flag(True, help="Add a learned offset.")

    def windows(self) -> tuple[Window, ...]:
        """The kernel on each axis."""
        return tuple(Window(p, p) for p in self.patch_size)

    def forward(self, x: Wire) -> Wire:
        x.require_rank(self.axes + 2)
        x.require_size(-self.axes - 1, self.in_channels, set_by="inChannels")
        x.require_float32()
        places = slide(x, self.windows())
        image = Wire.of((x.shape[0], self.embed_dim, *places)).in_format_of(x)
        flat = reshaped(image, (x.shape[0], self.embed_dim, product(places)))
        batch, channel, place = flat.element_strides
        return Wire.of((flat.shape[0], flat.shape[2], flat.shape[1]), "float32", (batch, place, channel))

    def parameters(self) -> Iterator[Parameter]:
        yield Parameter("proj.weight", (self.embed_dim, self.in_channels, *self.patch_size))
        if self.bias:
            yield Parameter("proj.bias", (self.embed_dim,))

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        assert isinstance(output, Wire)
        return output.elements * self.in_channels * product(self.patch_size)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        if axis == -1:
            return Step("embedDim")
        return Step("", 0, -self.axes - 2) if axis == -3 else Step(self.shape_formula(inputs, output), 0, -1)

    def shape_formula(self, inputs: Sequence[Wire], output: Value) -> str:
        spatial = inputs[0].shape[-self.axes :]
        parts = [f"⌊{dim_text(s)}/{p}⌋" for s, p in zip(spatial, self.patch_size, strict=True)]
        return f"{' · '.join(parts)} patches"

    @classmethod
    def example(cls, random: Random) -> Example:
        channels = random.randint(1, 3)
        params: dict[str, Any] = {
            "inChannels": channels,
            "embedDim": random.randint(1, 5),
            cls.fields["patch_size"].json: samples.each_axis(random, cls.axes, 1, 3),
        }
        if samples.sometimes(random, 0.2):
            params["bias"] = False
        if samples.sometimes(random, 0.1):
            channels += 1
        return Example(params, (samples.image(random, cls.axes, channels, low=1, high=6, batched=0.9),))


@layer("patchEmbed", family="embedding", torch="blocks.PatchEmbed", aliases=("patchEmbedding",))
class PatchEmbed(Patches):
    """Cut an image into patches and make a token of each; rows and columns that do not fill a patch are dropped.

    Shape: (B, C, H, W) -> (B, ⌊H/p⌋·⌊W/p⌋, embed_dim).    [ViT, arXiv 2010.11929]
    """

    new_params = {"embedDim": 768, "patchSize": 16}
    axes = 2


@layer("tubeletEmbed", family="embedding", torch="blocks.TubeletEmbed")
class TubeletEmbed(Patches):
    """Cut a clip into small blocks of time and space and make a token of each.

    Shape: (B, C, T, H, W) -> (B, ⌊T/t⌋·⌊H/p⌋·⌊W/p⌋, embed_dim).    [ViViT, arXiv 2103.15691]
    """

    new_params = {"embedDim": 768, "tubeletSize": [2, 16, 16]}
    axes = 3
    patch_size: tuple[int, ...] = each_axis(
        (2, 16, 16),
        json="tubeletSize",
        torch="tubelet_size",
        torch_default=None,
        at_least=1,
        aliases=("patchSize",),
        help="Frames, rows and columns of a tubelet.",
    )
