"""Pooling to a given size: adaptive pools."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Ports, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import product
from archstudio.layers.families.pool import INDICES, averaged, require_averaged, require_elements
from archstudio.layers.fields import flag, json, whole_number
from archstudio.layers.problem import PARAM_RANGE, PARAM_TYPE, Refused
from archstudio.layers.wire import Value, Wire

OUTPUT = "Size going out on each spatial axis; null keeps an axis as it is."


class AdaptivePool(Layer):
    """What adaptive pools share: windows are laid out so that a given size results."""

    telling = "→ {output_size}"
    new_params = {"outputSize": 1}

    output_size: Any = json(optional=True, help=OUTPUT)

    def targets(self, x: Wire) -> tuple[int, ...]:
        """The sizes going out."""
        asked = self.output_size if isinstance(self.output_size, list | tuple) else [self.output_size] * self.axes
        spatial = x.shape[-self.axes :]
        if len(asked) != self.axes or (None in asked and self.axes == 1) or self.output_size is None:
            raise self._refused("a number" if self.axes == 1 else f"a number or {self.axes} of them")
        sizes = [s if a is None else whole_number(a) for a, s in zip(asked, spatial, strict=True)]
        if any(s is None for s in sizes):
            raise self._refused("whole numbers")
        found = tuple(s for s in sizes if s is not None)
        if min(found) < 0:
            raise Refused(PARAM_RANGE, param="outputSize", gets=min(found), needs="at least 0")
        return found

    def _refused(self, needs: str) -> Refused:
        return Refused(PARAM_TYPE, param="outputSize", needs=needs, gets=self.output_size)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step("", 0, axis) if axis < -self.axes else Step("outputSize")

    @classmethod
    def example(cls, random: Random) -> Example:
        asked: Any = random.randint(0, 5) if samples.sometimes(random, 0.6) else list(samples.sizes(random, cls.axes))
        if samples.sometimes(random, 0.3):
            asked = random.choice(([None] * cls.axes, [None] * (cls.axes - 1) + [1], None, -1, [1, 2]))
        high = 6 if cls.axes < 3 else 4
        return Example({"outputSize": asked}, (samples.image(random, cls.axes, random.randint(1, 3), high=high),))


class AdaptiveAvgPool(AdaptivePool):
    """What adaptive average pools share."""

    def forward(self, x: Wire) -> Wire:
        x.require_rank_at_least(self.axes + isinstance(self.output_size, list | tuple))
        targets = self.targets(x)
        if self.axes == 1 or any(size != 1 for size in targets):  # else PyTorch takes a mean, of any tensor
            x.require_rank(self.axes + 2, self.axes + 1)
            require_elements(x, self.axes if self.axes == 3 and x.rank == 5 else self.axes - 1)
        require_averaged(x, targets)
        return averaged(x, self.axes, targets)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """The input, unless it is averaged to one value, which PyTorch does with a mean."""
        assert isinstance(output, Wire)
        if inputs[0].floating and any(size != 1 for size in output.shape[-self.axes :]):
            yield Saved.input()


@layer("adaptiveAvgPool1d", family="pool", torch="AdaptiveAvgPool1d")
class AdaptiveAvgPool1d(AdaptiveAvgPool):
    """Average a sequence down (or up) to a given length.

    Shape: (B, C, L) or (C, L) -> (…, output_size).    [torch.nn.AdaptiveAvgPool1d]
    """

    axes = 1


@layer("adaptiveAvgPool2d", family="pool", torch="AdaptiveAvgPool2d")
class AdaptiveAvgPool2d(AdaptiveAvgPool):
    """Average an image down (or up) to a given size.

    Shape: (B, C, H, W) or (C, H, W) -> (…, output_size[0], output_size[1]).    [torch.nn.AdaptiveAvgPool2d]
    """

    axes = 2


@layer("adaptiveAvgPool3d", family="pool", torch="AdaptiveAvgPool3d")
class AdaptiveAvgPool3d(AdaptiveAvgPool):
    """Average a volume down (or up) to a given size.

    Shape: (B, C, D, H, W) or (C, D, H, W) -> (…, *output_size).    [torch.nn.AdaptiveAvgPool3d]
    """

    axes = 3


class AdaptiveMaxPool(AdaptivePool):
    """What adaptive maximum pools share."""

    return_indices: bool = flag(False, help=INDICES)

    def forward(self, x: Wire) -> Value:
        x.require_rank(self.axes + 2, self.axes + 1)
        targets = self.targets(x)
        require_elements(x, self.axes)
        x.require_floating()
        y = averaged(x, self.axes, targets)
        if not self.return_indices:
            return y
        return y, Wire.of(y.shape, "int64", y.strides, product(x.shape[-self.axes :]) - 1)

    def output_names(self) -> Ports:
        return {"output": (0,), "indices": (1,)} if self.return_indices else {"output": ()}

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()
        if isinstance(output, Wire):
            yield Saved.own(output.elements, "int64")
        else:
            yield Saved.output(1)


@layer("adaptiveMaxPool1d", family="pool", torch="AdaptiveMaxPool1d")
class AdaptiveMaxPool1d(AdaptiveMaxPool):
    """The largest values of a sequence in a given number of windows.

    Shape: (B, C, L) or (C, L) -> (…, output_size).    [torch.nn.AdaptiveMaxPool1d]
    """

    axes = 1


@layer("adaptiveMaxPool2d", family="pool", torch="AdaptiveMaxPool2d")
class AdaptiveMaxPool2d(AdaptiveMaxPool):
    """The largest values of an image in a given number of windows.

    Shape: (B, C, H, W) or (C, H, W) -> (…, output_size[0], output_size[1]).    [torch.nn.AdaptiveMaxPool2d]
    """

    axes = 2


@layer("adaptiveMaxPool3d", family="pool", torch="AdaptiveMaxPool3d")
class AdaptiveMaxPool3d(AdaptiveMaxPool):
    """The largest values of a volume in a given number of windows.

    Shape: (B, C, D, H, W) or (C, D, H, W) -> (…, *output_size).    [torch.nn.AdaptiveMaxPool3d]
    """

    axes = 3
