"""Reading images at places that another tensor gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.fields import choice, flag
from archstudio.layers.problem import ProblemKind, Refused, error
from archstudio.layers.wire import Value, Wire

GRID = ProblemKind(
    "E-GRID",
    error,
    "{node} takes a grid of {needs} for an image of {axes} spatial axes, the wire carries {gets}",
    "The last axis of the grid holds the coordinates of a place, from −1 to 1; one place for each element going out.",
)


@layer("gridSample", family="shape", aliases=("gridSampler",))
class GridSample(Layer):
    """Read an image at the places a grid gives, between its elements if need be.

    Shape: (B, C, H, W), (B, H', W', 2) -> (B, C, H', W'), or the same with three axes.
    [torch.nn.functional.grid_sample]
    """

    inputs = ("input", "grid")

    mode: str = choice(
        "bilinear", ("bilinear", "nearest", "bicubic"), help="How values between the elements are found."
    )
    padding_mode: str = choice("zeros", ("zeros", "border", "reflection"), help="What is read outside the image.")
    align_corners: bool = flag(False, help="Whether −1 and 1 are the centres of the corner elements or their edges.")

    def forward(self, x: Wire, grid: Wire) -> Wire:
        x.require_rank(*((4,) if self.mode == "bicubic" else (4, 5)))
        axes = x.rank - 2
        fits = grid.rank == x.rank and grid.shape[0] == x.shape[0] and grid.shape[-1] == axes
        if not fits or grid.dtype != x.dtype:
            needs = f"{int(x.shape[0])}×…×{axes} ({x.dtype})"
            raise Refused(GRID, port=1, axis=-1, needs=needs, axes=axes, gets=f"{grid.text()} ({grid.dtype})")
        x.require_floating()
        for axis in range(-axes, 0):
            if x.shape[axis] == 0:
                x.require_size(axis, 1, set_by="", what="elements")
        return x.with_shape((*x.shape[:2], *grid.shape[1:-1]))

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        options = f"mode={self.mode!r}, padding_mode={self.padding_mode!r}, align_corners={self.align_corners!r}"
        return f"F.grid_sample({', '.join(inputs)}, {options})"

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input(0)
        yield Saved.input(1)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        if axis < 2 - output.rank:
            return Step("", 0, axis)
        return Step("", 1, axis - 1)

    @classmethod
    def example(cls, random: Random) -> Example:
        axes, dtype = random.choice((2, 2, 3)), samples.dtype(random)
        batch = random.randint(1, 2)
        x = samples.wire(random, (batch, *samples.sizes(random, axes + 1, 1, 4)), dtype)
        coordinates = axes + samples.sometimes(random)
        grid = samples.wire(random, (batch, *samples.sizes(random, axes, 1, 4), coordinates), dtype)
        mode = random.choice(("bilinear", "nearest", "bicubic"))
        return Example({"mode": mode}, (x, grid))
