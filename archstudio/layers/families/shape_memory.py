"""Repeating, rolling, padding, converting and copying tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from archstudio.layers import samples
from archstudio.layers.axes import axis_of
from archstudio.layers.base import Example, Layer, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.families.pool import require_elements
from archstudio.layers.families.shape import numbers
from archstudio.layers.fields import choice, number, sizes
from archstudio.layers.problem import PARAM_RANGE, RANK, ProblemKind, Refused, error
from archstudio.layers.windows import PAD_CROPS_ALL, require_padding
from archstudio.layers.wire import ITEM_BYTES, Value, Wire, is_channels_last

EXPAND = ProblemKind(
    "E-EXPAND",
    error,
    "{node}: an axis of {gets:,} cannot be spread to {needs:,}",
    "Only axes of size 1 can be repeated without copying; −1 leaves an axis as it is.",
)


@layer("identity", family="shape", torch="Identity", aliases=("passThrough", "noop"))
class Identity(Layer):
    """Pass the input on.    [torch.nn.Identity]"""

    view = True

    def forward(self, x: Wire) -> Wire:
        return x

    @classmethod
    def example(cls, random: Random) -> Example:
        return Example({}, (samples.wire(random, samples.sizes(random, 2), samples.dtype(random, 0.5)),))


@layer("contiguous", family="shape", torch_ops=("Contiguous",))
class Contiguous(Layer):
    """Copy the elements into order where they have been rearranged, so that a view fits again.

    Shape: any -> the same.    [torch.Tensor.contiguous]
    """

    def forward(self, x: Wire) -> Wire:
        return x.with_shape(x.shape)

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return f"{inputs[0]}.contiguous()"

    @classmethod
    def example(cls, random: Random) -> Example:
        return Example({}, (samples.wire(random, samples.sizes(random, 3), samples.dtype(random), 0.7),))


@layer("cast", family="shape", torch_ops=("Cast", "To"), aliases=("to", "convertDtype"))
class Cast(Layer):
    """Convert to another type of numbers.

    Shape: any -> the same.    [torch.Tensor.to]
    """

    telling = "{dtype}"

    dtype: str = choice("float32", tuple(ITEM_BYTES), torch=None, help="Type of the numbers.")

    def forward(self, x: Wire) -> Wire:
        return x if x.dtype == self.dtype else x.pointwise(self.dtype)

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return f"{inputs[0]}.to(torch.{self.dtype})"

    @classmethod
    def example(cls, random: Random) -> Example:
        x = samples.wire(random, samples.sizes(random, random.randint(0, 3)), samples.dtype(random, 0.5), 0.3)
        return Example({"dtype": random.choice(tuple(ITEM_BYTES))}, (x,))


@layer("expand", family="shape", torch_ops=("Expand", "BroadcastTo"), aliases=("broadcastTo",))
class Expand(Layer):
    """Repeat axes of size 1 without copying; −1 leaves an axis as it is.

    Shape: (B, 1, C) -> (B, T, C).    [torch.Tensor.expand]
    """

    view = True
    telling = "{shape}"

    shape: tuple[int, ...] = sizes(aliases=("size", "sizes"), torch=None, help="The new shape; −1 keeps a size.")

    def forward(self, x: Wire) -> Wire:
        missing = len(self.shape) - x.rank
        if missing < 0:
            raise Refused(RANK, port=0, needs=f"at most {len(self.shape)}", gets=x.rank, ranks=())
        shape, strides = list(self.shape), [0] * missing
        for axis, (size, stride) in enumerate(zip(x.shape, x.element_strides, strict=True), missing):
            wanted = self.shape[axis]
            if wanted in (-1, size):
                shape[axis] = size
                strides.append(stride)
            elif size == 1 and wanted >= 0:
                strides.append(0)
            else:
                raise Refused(EXPAND, port=0, axis=axis - len(shape), needs=wanted, gets=size, param="shape")
        if any(s < 0 for s in shape[:missing]):
            raise Refused(PARAM_RANGE, param="shape", gets=min(shape[:missing]), needs="a size for a new axis")
        return Wire.of(shape, x.dtype, strides)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step("", 0, axis) if self.shape[axis] == -1 else Step("shape")

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return f"{inputs[0]}.expand({numbers(self.shape) or '()'})"

    @classmethod
    def example(cls, random: Random) -> Example:
        shape = samples.sizes(random, random.randint(0, 3), 1, 3)
        wanted = [random.choice((-1, d, random.randint(1, 4) if d == 1 else d, d + 1 if d > 2 else d)) for d in shape]
        wanted = [*(random.choice((1, 2, 3, -1)) for _ in range(random.choice((0, 0, 1, 2)))), *wanted]
        if samples.sometimes(random, 0.05):
            wanted = wanted[1:]
        return Example({"shape": wanted}, (samples.wire(random, shape, samples.dtype(random), 0.3),))


@layer("repeat", family="shape", torch_ops=("Repeat", "Tile"), aliases=("tile",))
class Repeat(Layer):
    """Copy the tensor several times along its axes.

    Shape: (2, 3) -> (4, 4, 3) for repeats 4, 2, 1.    [torch.Tensor.repeat]
    """

    telling = "{repeats}"

    repeats: tuple[int, ...] = sizes(torch=None, help="Copies along each axis; further axes come in front.")

    def forward(self, x: Wire) -> Wire:
        if len(self.repeats) < x.rank:
            raise Refused(RANK, port=0, needs=f"at most {len(self.repeats)}", gets=x.rank, ranks=())
        if any(r < 0 for r in self.repeats):
            raise Refused(PARAM_RANGE, param="repeats", gets=min(self.repeats), needs="at least 0")
        shape = (*(1,) * (len(self.repeats) - x.rank), *x.shape)
        return x.with_shape([size * r for size, r in zip(shape, self.repeats, strict=True)])

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        old = inputs[0].shape[axis] if -axis <= inputs[0].rank else None
        return Step("repeats") if old is None else Step(f"{int(old)} · {self.repeats[axis]}", 0, axis)

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return f"{inputs[0]}.repeat({numbers(self.repeats) or '()'})"

    @classmethod
    def example(cls, random: Random) -> Example:
        rank = random.randint(0, 3)
        repeats = [random.randint(1, 3) for _ in range(rank + random.choice((-1, 0, 0, 0, 1)))]
        if repeats and samples.sometimes(random, 0.06):
            repeats[0] = random.choice((0, -1))
        return Example({"repeats": repeats}, (samples.wire(random, samples.sizes(random, rank, 1, 3)),))


class Moved(Layer):
    """The same shape with its elements elsewhere."""

    dims: tuple[int, ...] | None

    @classmethod
    def example_input(cls, random: Random) -> tuple[list[int], Wire]:
        """Some axes and a tensor."""
        rank = random.randint(1, 4)
        dims = [random.randint(-rank, rank - 1) for _ in range(random.randint(1, 2))]
        if samples.sometimes(random, 0.08):
            dims[0] = rank
        return dims, samples.wire(random, samples.sizes(random, rank, 1, 4), samples.dtype(random), 0.3)


@layer("roll", family="shape", torch_ops=("Roll",), aliases=("cyclicShift",))
class Roll(Moved):
    """Shift elements along axes; what leaves at one end comes in at the other.

    Shape: any -> the same.    [torch.roll; the shifted windows of Swin, arXiv 2103.14030]
    """

    telling = "{shifts}"

    shifts: tuple[int, ...] = sizes(torch=None, help="How far, for each axis.")
    dims: tuple[int, ...] | None = sizes(
        None, optional=True, torch=None, aliases=("dim",), help="Axes; null rolls the flattened tensor."
    )

    def forward(self, x: Wire) -> Wire:
        dims = self.dims or ()
        if not self.shifts:
            raise Refused(PARAM_RANGE, param="shifts", gets="empty", needs="at least one number")
        if len(dims) != len(self.shifts) and not (not dims and len(self.shifts) == 1):
            raise Refused(PARAM_RANGE, param="shifts", gets=list(self.shifts), needs=f"{len(dims)} numbers")
        if dims:
            x.require_rank_at_least(1)  # unlike most functions, roll takes no axis of a scalar
        for d in dims:
            axis_of(x, d, "dims")
        for shift, d in zip(self.shifts, dims, strict=False):
            x = self._rolled(x, shift, d % x.rank)
        return x if dims else x.with_shape(x.shape)

    @staticmethod
    def _rolled(x: Wire, shift: int, axis: int) -> Wire:
        """Two parts joined the other way round; the result is channels last in memory if both are."""
        size = int(x.shape[axis])
        start = -shift % size if size else 0
        parts = [(*x.shape[:axis], part, *x.shape[axis + 1 :]) for part in (size - start, start)]
        plain = x.with_shape(x.shape)
        if x.strides is None or not all(is_channels_last(part, x.strides) for part in parts):
            return plain
        return plain.channels_last()

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        dims = "" if self.dims is None else f", {tuple(map(int, self.dims))}"
        return f"{inputs[0]}.roll({tuple(map(int, self.shifts))}{dims})"

    @classmethod
    def example(cls, random: Random) -> Example:
        dims, x = cls.example_input(random)
        params: dict[str, Any] = {"shifts": [random.randint(-3, 3) for _ in dims]}
        if samples.sometimes(random, 0.8):
            params["dims"] = dims
        return Example(params, (x,))


@layer("flip", family="shape", torch_ops=("Flip",), aliases=("reverse",))
class Flip(Moved):
    """Turn axes round.

    Shape: any -> the same.    [torch.flip]
    """

    telling = "{dims}"

    dims: tuple[int, ...] = sizes(torch=None, aliases=("dim", "axes"), help="Axes that are turned round.")

    def forward(self, x: Wire) -> Wire:
        axes = [axis_of(x, d, "dims") for d in self.dims]
        if len(set(axes)) != len(axes):
            raise Refused(PARAM_RANGE, param="dims", gets=list(self.dims), needs="different axes")
        return x.pointwise()

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return f"{inputs[0]}.flip({numbers(self.dims) or '()'})"

    @classmethod
    def example(cls, random: Random) -> Example:
        dims, x = cls.example_input(random)
        return Example({"dims": dims}, (x,))


@layer("pad", family="shape", torch_ops=("Pad",))
class Pad(Layer):
    """Add elements around the last axes (negative numbers cut off).

    Shape: `pad` has two numbers an axis, last axis first: left, right, top, bottom, …    [torch.nn.functional.pad]
    """

    telling = "{pad} {mode}"

    pad: tuple[int, ...] = sizes(
        aliases=("padding",), torch=None, help="Before and after, two numbers an axis, last axis first."
    )
    mode: str = choice("constant", ("constant", "reflect", "replicate", "circular"), torch=None, help="What is added.")
    value: float | None = number(None, optional=True, torch=None, help="The constant; null is 0.")

    def pairs(self) -> list[tuple[int, int]]:
        """(before, after) of the padded axes, in the order of the shape."""
        return list(zip(self.pad[::2], self.pad[1::2], strict=True))[::-1]

    def forward(self, x: Wire) -> Wire:
        if len(self.pad) % 2:
            raise Refused(PARAM_RANGE, param="pad", gets=list(self.pad), needs="two numbers an axis")
        pairs = self.pairs()
        if len(pairs) > x.rank:
            raise Refused(RANK, port=0, needs=f"at least {len(pairs)}", gets=x.rank, ranks=())
        if self.mode != "constant":
            self._check_mode(x, pairs)
        shape = list(x.shape)
        for axis, (before, after) in enumerate(pairs, x.rank - len(pairs)):
            shape[axis] = shape[axis] + before + after
            cut = self.mode == "constant" and min(x.shape[axis] + before, x.shape[axis] + after) < 0
            if shape[axis] < 0 or cut:
                raise Refused(PAD_CROPS_ALL, port=0, axis=axis - x.rank, gets=x.shape[axis], set_by="pad")
        if self.mode in ("reflect", "replicate") and pairs and max(shape[-len(pairs) :]) < 1:
            raise Refused(PAD_CROPS_ALL, port=0, axis=-1, gets=x.shape[-1], set_by="pad")
        return self._result(x, shape)

    def _check_mode(self, x: Wire, pairs: Sequence[tuple[int, int]]) -> None:
        if len(pairs) not in (1, 2, 3) or x.rank not in (len(pairs) + 1, len(pairs) + 2):
            raise Refused(RANK, port=0, needs=f"{len(pairs) + 1} or {len(pairs) + 2}", gets=x.rank, ranks=())
        require_padding(x, pairs, self.mode)
        if self.value is not None and self.value != 0:
            raise Refused(PARAM_RANGE, param="value", gets=self.value, needs=f"absent with mode {self.mode}")
        if self.mode != "circular":
            require_elements(x, len(pairs))

    def _result(self, x: Wire, shape: Sequence[int]) -> Wire:
        if self.mode == "constant" and not any(self.pad):
            return x.pointwise()
        padded = x.with_shape(shape)
        if self.mode == "constant" and max(self.pad) <= 0:  # only cut off: a copy in the order the input has
            return padded.in_order_of(x)
        return padded if self.mode == "circular" else padded.in_format_of(x)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        if self.mode in ("reflect", "replicate"):
            yield Saved.input()

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        pairs = self.pairs()
        if -axis > len(pairs):
            return Step("", 0, axis)
        before, after = pairs[axis]
        return Step(f"{int(inputs[0].shape[axis])} + {before} + {after}", 0, axis)

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        mode = "" if self.mode == "constant" else f", mode={self.mode!r}"
        value = "" if self.value is None else f", value={self.value!r}"
        return f"F.pad({inputs[0]}, [{numbers(self.pad)}]{mode}{value})"

    @classmethod
    def example(cls, random: Random) -> Example:
        rank = random.randint(1, 4)
        count = random.randint(1, rank)
        params: dict[str, Any] = {"pad": [random.randint(0, 2) for _ in range(2 * count)]}
        if samples.sometimes(random, 0.15):
            params["pad"][random.randrange(2 * count)] = random.choice((-1, -2, 3))
        if samples.sometimes(random, 0.04):
            params["pad"].append(1)
        if samples.sometimes(random, 0.35):
            params["mode"] = random.choice(("reflect", "replicate", "circular"))
        return Example(params, (samples.wire(random, samples.sizes(random, rank, 1, 5)),))
