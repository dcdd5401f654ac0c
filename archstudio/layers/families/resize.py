"""Layers that change the size of images: interpolation, and moves between channels and space."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, ClassVar

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import Dim
from archstudio.layers.families.pool import averaged, pooled, require_averaged
from archstudio.layers.fields import choice, flag, integer, json
from archstudio.layers.problem import EMPTY, MEMORY_ORDER, ProblemKind, Refused, error
from archstudio.layers.windows import formulas
from archstudio.layers.wire import Value, Wire, is_channels_last

MODES = ("nearest", "linear", "bilinear", "bicubic", "trilinear", "area", "nearest-exact")
MODE_RANKS = {"linear": 3, "bilinear": 4, "bicubic": 4, "trilinear": 5}

RESIZE_SIZE = ProblemKind(
    "E-RESIZE-SIZE",
    error,
    "{node} needs {needs}",
    "The new size is given either as sizes or as factors, one for all spatial axes or one for each.",
)
RESIZE_EMPTY = ProblemKind(
    "E-RESIZE-EMPTY",
    error,
    "{node} would make an axis of size {gets} into one of size {size}",
    "Interpolation needs at least one element on each side.",
)
RESIZE_MODE = ProblemKind(
    "E-RESIZE-MODE",
    error,
    "{node}: mode {mode} needs {needs} dimensions, the wire carries {gets}",
    "linear is for sequences, bilinear and bicubic for images, trilinear for volumes; nearest and area take all.",
)


class Interpolation(Layer):
    """What interpolating layers share."""

    telling = "×{scale_factor}"
    new_params = {"scaleFactor": 2}

    size: Any = json(None, optional=True, help="Size going out, one for all spatial axes or one for each.")
    scale_factor: Any = json(None, optional=True, help="Factor on the size, one for all spatial axes or one for each.")
    mode: str
    align_corners: bool | None = None
    recompute_scale_factor: bool | None = None

    def forward(self, x: Wire) -> Wire:
        x.require_rank(3, 4, 5)
        needs_rank = MODE_RANKS.get(self.mode, x.rank)
        if x.rank != needs_rank:
            raise Refused(RESIZE_MODE, port=0, mode=self.mode, needs=needs_rank, gets=x.rank)
        spatial = self._sizes(x)
        if self.align_corners is not None and self.mode not in MODE_RANKS:
            raise self._refused("alignCorners", f"no alignCorners with mode {self.mode}")
        for axis, size in enumerate(spatial, -len(spatial)):
            least = 0 if self.mode == "area" else 1
            if size < least or x.shape[axis] == 0:
                raise Refused(RESIZE_EMPTY, port=0, axis=axis, gets=x.shape[axis], size=size)
        if self.mode == "area":
            require_averaged(x, spatial)
            return averaged(x, x.rank - 2, spatial)
        if x.dtype != "uint8" or self.mode in ("linear", "trilinear"):
            x.require_floating()
        if x.shape[1] == 0:
            raise Refused(EMPTY, port=0, axis=1 - x.rank, gets=0, what="channel")
        y = pooled(x, x.rank - 2, spatial)
        return y if x.rank > 3 else x.with_shape(y.shape)

    def _sizes(self, x: Wire) -> list[int]:
        axes = x.rank - 2
        if self.size is None and not self.scale_factor:
            raise self._refused("scaleFactor", "a size or a factor")
        if self.size is not None and self.scale_factor:
            raise self._refused("scaleFactor", "either a size or a factor, not both")
        if self.size is not None and self.recompute_scale_factor:
            raise self._refused("recomputeScaleFactor", "no recomputeScaleFactor with an explicit size")
        param, given = ("size", self.size) if self.size is not None else ("scaleFactor", self.scale_factor)
        each = list(given) if isinstance(given, list | tuple) else [given] * axes
        if len(each) != axes or not all(map(is_number, each)):
            raise self._refused(param, f"{axes} numbers as {param}, or one for all axes")
        if param == "size":
            return [int(e) for e in each]
        return [scaled(x.shape[axis], factor) for axis, factor in enumerate(each, -axes)]

    def _refused(self, param: str, needs: str) -> Refused:
        return Refused(RESIZE_SIZE, needs=needs, param=param)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """Nothing but for `area`, which is an adaptive average pool."""
        assert isinstance(output, Wire)
        if self.mode == "area" and inputs[0].floating and any(n != 1 for n in output.shape[2:]):
            yield Saved.input()

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        if axis < 2 - output.rank:
            return Step("", 0, axis)
        return Step("size") if self.size is not None else Step(self._text(axis, inputs[0]), 0, axis)

    def shape_formula(self, inputs: Sequence[Wire], output: Value) -> str:
        assert isinstance(output, Wire)
        if self.size is not None:
            return ""
        axes = range(2 - output.rank, 0)
        return formulas((self._text(axis, inputs[0]), output.shape[axis]) for axis in axes)

    def _text(self, axis: int, x: Wire) -> str:
        factor = self.scale_factor[axis] if isinstance(self.scale_factor, list | tuple) else self.scale_factor
        return f"⌊{x.shape[axis]} · {factor:g}⌋"

    @classmethod
    def example(cls, random: Random) -> Example:
        axes = random.choice((1, 2, 2, 3)) if "mode" in cls.fields else 2
        params: dict[str, Any] = {"scaleFactor": random.choice((2, 1.5, 0.5, 3, 0.1, [2] * axes, [1.5, 2]))}
        if samples.sometimes(random, 0.3):
            params = {"size": random.choice((3, 7, 1, 0, [4] * axes, [2, 3]))}
        if samples.sometimes(random, 0.06):
            params = random.choice(({}, {"size": 3, "scaleFactor": 2}, {"scaleFactor": 0}))
        params |= cls.random_mode(random, axes)
        return Example(params, (samples.image(random, axes, random.randint(1, 3), high=5, batched=0.95),))

    @classmethod
    def random_mode(cls, random: Random, axes: int) -> dict[str, Any]:
        """A mode that mostly suits so many axes."""
        return {}


def is_number(value: object) -> bool:
    """Whether a size or a factor is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def scaled(size: int, factor: float) -> int:
    """⌊size · factor⌋, as PyTorch computes it; whole factors keep what a size depends on."""
    if factor == int(factor):
        return size * int(factor)
    value = int(int(size) * factor)
    return Dim(value, None) if isinstance(size, Dim) else value


@layer("upsample", family="shape", torch="Upsample", torch_ops=("Interpolate",), aliases=("interpolate", "resize"))
class Upsample(Interpolation):
    """Enlarge or shrink the spatial axes by interpolation.

    Shape: (B, C, *) -> (B, C, *'); each spatial size is ⌊size · factor⌋, or as given.    [torch.nn.Upsample]
    """

    mode: str = choice("nearest", MODES, help="How values between the elements are found.")
    align_corners: bool | None = flag(None, optional=True, help="Keep the values at the corners (linear modes only).")
    recompute_scale_factor: bool | None = flag(
        None, optional=True, help="Take the factor from the rounded sizes; changes values, not shapes."
    )

    @classmethod
    def random_mode(cls, random: Random, axes: int) -> dict[str, Any]:
        fitting = {1: "linear", 2: random.choice(("bilinear", "bicubic")), 3: "trilinear"}[axes]
        mode = random.choice(("nearest", fitting, fitting, "area", "nearest-exact", "bilinear"))
        params: dict[str, Any] = {} if mode == "nearest" else {"mode": mode}
        if samples.sometimes(random, 0.2):
            params["alignCorners"] = random.choice((True, False))
        return params


@layer("upsamplingNearest2d", family="shape", torch="UpsamplingNearest2d")
class UpsamplingNearest2d(Interpolation):
    """Enlarge by repeating the nearest element.

    Shape: (B, C, H, W) -> (B, C, ⌊H · factor⌋, ⌊W · factor⌋).    [torch.nn.UpsamplingNearest2d]
    """

    mode: ClassVar[str] = "nearest"  # type: ignore[misc]


@layer("upsamplingBilinear2d", family="shape", torch="UpsamplingBilinear2d")
class UpsamplingBilinear2d(Interpolation):
    """Enlarge by bilinear interpolation with aligned corners.

    Shape: (B, C, H, W) -> (B, C, ⌊H · factor⌋, ⌊W · factor⌋).    [torch.nn.UpsamplingBilinear2d]
    """

    mode: ClassVar[str] = "bilinear"  # type: ignore[misc]


SHUFFLE = ProblemKind(
    "E-SHUFFLE",
    error,
    "{node}: {what} {gets:,} does not split by {needs:,}",
    "A shuffle moves equal parts between channels and space, so the size must divide.",
)


class Shuffle(Layer):
    """What pixel shuffles share."""

    telling = "×{factor}"

    @property
    def factor(self) -> int:
        """The factor on height and width."""
        raise NotImplementedError

    @classmethod
    def example(cls, random: Random) -> Example:
        factor = random.choice((1, 2, 2, 3, 0, -1))
        multiple = max(factor, 1)
        params = {next(iter(cls.fields.values())).json: factor}
        shape = [random.randint(1, 2) * multiple**2, *(random.randint(1, 2) * multiple for _ in range(2))]
        if samples.sometimes(random, 0.2):
            shape[random.randrange(3)] += 1
        lead = samples.sizes(random, random.choice((0, 1, 1, 1, 2)), 1, 3)
        full = (*lead, *shape) if samples.sometimes(random, 0.95) else (*shape[1:],)
        return Example(params, (samples.wire(random, full, samples.dtype(random)),))


def require_images(x: Wire) -> None:
    """Refuse five axes that lie in memory like a volume with its channels last: shuffles know images only."""
    if x.rank != 5 or x.strides is None or not is_channels_last(x.shape, x.strides):
        return
    packed = x.with_shape(x.shape).channels_last()  # the kernel looks at a copy without gaps
    if is_channels_last(packed.shape, packed.element_strides):
        raise Refused(MEMORY_ORDER, port=0, axis=-4, what="channels")


@layer("pixelShuffle", family="shape", torch="PixelShuffle", aliases=("depthToSpace",))
class PixelShuffle(Shuffle):
    """Move groups of r² channels into blocks of r × r pixels.

    Shape: (*, C·r², H, W) -> (*, C, H·r, W·r).    [torch.nn.PixelShuffle]
    """

    telling = "×{upscale_factor}"
    new_params = {"upscaleFactor": 2}

    upscale_factor: int = integer(at_least=1, late=True, help="Factor on height and width (r).")

    def forward(self, x: Wire) -> Wire:
        x.require_rank_at_least(3)
        r = self.upscale_factor
        if x.shape[-3] % (r * r):
            raise Refused(SHUFFLE, port=0, axis=-3, gets=x.shape[-3], needs=r * r, what="channel count")
        require_images(x)
        y = x.with_shape((*x.shape[:-3], x.shape[-3] // (r * r), x.shape[-2] * r, x.shape[-1] * r))
        return y.in_format_of(x) if x.rank == 4 else y

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        size, r = inputs[0].shape[axis], self.upscale_factor
        return Step({-3: f"{size}/{r * r}", -2: f"{size}·{r}", -1: f"{size}·{r}"}.get(axis, ""), 0, axis)


@layer("pixelUnshuffle", family="shape", torch="PixelUnshuffle", aliases=("spaceToDepth",))
class PixelUnshuffle(Shuffle):
    """Move blocks of r × r pixels into r² channels.

    Shape: (*, C, H·r, W·r) -> (*, C·r², H, W).    [torch.nn.PixelUnshuffle]
    """

    telling = "÷{downscale_factor}"
    new_params = {"downscaleFactor": 2}

    downscale_factor: int = integer(at_least=1, late=True, help="Factor by which height and width shrink (r).")

    def forward(self, x: Wire) -> Wire:
        x.require_rank_at_least(3)
        r = self.downscale_factor
        for axis, what in ((-2, "height"), (-1, "width")):
            if x.shape[axis] % r:
                raise Refused(SHUFFLE, port=0, axis=axis, gets=x.shape[axis], needs=r, what=what)
        if x.elements == 0:
            return x.with_shape(x.shape)  # which PyTorch gives back as it is
        require_images(x)
        y = x.with_shape((*x.shape[:-3], x.shape[-3] * r * r, x.shape[-2] // r, x.shape[-1] // r))
        return y.in_format_of(x) if x.rank == 4 else y

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        size, r = inputs[0].shape[axis], self.downscale_factor
        return Step({-3: f"{size}·{r * r}", -2: f"{size}/{r}", -1: f"{size}/{r}"}.get(axis, ""), 0, axis)


@layer("channelShuffle", family="shape", torch="ChannelShuffle")
class ChannelShuffle(Layer):
    """Mix the channels of groups: the first of each group, then the second of each, …

    Shape: (B, C, *, H, W) -> the same; C must split into the groups.    [torch.nn.ChannelShuffle]
    """

    telling = "{groups} groups"
    new_params = {"groups": 2}

    groups: int = integer(at_least=1, late=True, help="Number of groups that are mixed.")

    def forward(self, x: Wire) -> Wire:
        x.require_rank_at_least(3)
        if x.shape[1] % self.groups:
            raise Refused(SHUFFLE, port=0, axis=1, gets=x.shape[1], needs=self.groups, what="channel count")
        return x.with_shape(x.shape).in_format_of(x)

    @classmethod
    def example(cls, random: Random) -> Example:
        groups = random.choice((1, 2, 2, 3, 0))
        channels = max(groups, 1) * random.randint(1, 3) + samples.sometimes(random)
        shape = (random.randint(1, 2), channels, *samples.sizes(random, random.choice((0, 1, 2, 2, 3)), 1, 3))
        return Example({"groups": groups}, (samples.wire(random, shape, samples.dtype(random)),))
