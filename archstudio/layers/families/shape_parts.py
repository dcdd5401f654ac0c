"""Parts of a tensor: slices, single elements of an axis, pieces, and items of several outputs."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from archstudio.layers import samples
from archstudio.layers.axes import axis_of
from archstudio.layers.base import Example, Layer, Ports, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.fields import MOST_REPEATED, integer, size, sizes
from archstudio.layers.problem import PARAM_RANGE, RANK, ProblemKind, Refused, error
from archstudio.layers.wire import Value, Wire

RANGE = ProblemKind(
    "E-SLICE",
    error,
    "{node} reads {start} to {end} of an axis of {gets:,}",
    "The part must lie inside the axis.",
)
INDEX = ProblemKind(
    "E-INDEX",
    error,
    "{node} takes item {index} of {gets:,}",
    "Items are counted from 0, or from −1 backwards.",
)
SPLIT = ProblemKind(
    "E-SPLIT",
    error,
    "{node}: the parts make {needs:,}, the axis has {gets:,}",
    "The sizes of the parts must add up to the size of the axis.",
)
NO_TUPLE = ProblemKind(
    "E-NO-TUPLE",
    error,
    "{node} picks one of several outputs, the wire carries a single tensor",
    "Item k of a tensor is its k-th row; use select for that.",
)


def cut(x: Wire, axis: int, length: int) -> Wire:
    """A part of an axis, over the same memory."""
    return Wire.of((*x.shape[:axis], length, *x.shape[axis + 1 :]), x.dtype, x.element_strides)


class Part(Layer):
    """A part of one axis, which shares its memory."""

    view = True
    dim: int = integer(0, torch=None, torch_default=None, aliases=("axis",), help="Axis that is read.")

    def axis(self, x: Wire) -> int:
        """The axis counted from 0; Refused if there is none (a scalar has none)."""
        if x.rank == 0:
            raise Refused(RANK, port=0, needs="at least 1", gets=0, ranks=())
        return axis_of(x, self.dim)

    @classmethod
    def example_input(cls, random: Random) -> tuple[dict[str, Any], Wire, int]:
        """A tensor, the parameter that names an axis of it, and the size of that."""
        rank = random.choice((0, 1, 2, 2, 3, 4))
        x = samples.wire(random, samples.sizes(random, rank, 1, 7), samples.dtype(random), 0.3)
        dim = random.randint(-rank - 1, rank) if samples.sometimes(random, 0.3) else random.randint(0, max(rank - 1, 0))
        return {"dim": dim}, x, x.shape[dim] if -rank <= dim < rank else 1


@layer("slice", family="shape", torch_ops=("Slice", "Narrow"), aliases=("narrow", "crop"))
class Slice(Part):
    """A stretch of one axis.

    Shape: `length` elements from `start` on axis `dim`; a missing length reads to the end.    [torch.narrow]
    """

    telling = "axis {dim} from {start}"

    start: int = integer(0, torch=None, torch_default=None, help="First element; negative from the end.")
    length: int | None = size(None, optional=True, torch=None, help="Number of elements; null reads to the end.")

    def forward(self, x: Wire) -> Wire:
        axis = self.axis(x)
        total = x.shape[axis]
        start = self.start + total if self.start < 0 else self.start
        length = total - start if self.length is None else self.length
        if not -total <= self.start <= total or length < 0 or start + length > total:
            raise Refused(
                RANGE, port=0, axis=axis, start=int(start), end=int(start + length), gets=total, param="start"
            )
        return cut(x, axis, length)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        if axis % output.rank == self.dim % output.rank:
            return Step("length") if self.length is not None else Step(f"{int(inputs[0].shape[axis])} − {self.start}")
        return Step("", 0, axis)

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        x = inputs[0]
        length = f"{x}.size({self.dim}) - {self.start}" if self.length is None else str(self.length)
        if self.start < 0 and self.length is None:
            length = str(-self.start)
        return f"{x}.narrow({self.dim}, {self.start}, {length})"

    @classmethod
    def example(cls, random: Random) -> Example:
        params, x, total = cls.example_input(random)
        params["start"] = random.randint(-2, total)
        if samples.sometimes(random, 0.8):
            params["length"] = random.randint(0, max(total - max(params["start"], 0), 0) + random.choice((0, 0, 1)))
        return Example(params, (x,))


@layer("select", family="shape", torch_ops=("Select",), aliases=("index", "lastToken"))
class Select(Part):
    """One element of an axis, which disappears: `index` −1 of the tokens is the last one.

    Shape: (B, T, C) -> (B, C) for dim 1.    [torch.select]
    """

    telling = "axis {dim} [{index}]"

    index: int = integer(0, torch=None, torch_default=None, help="Which element; negative from the end.")

    def forward(self, x: Wire) -> Wire:
        axis = self.axis(x)
        total = x.shape[axis]
        if not -total <= self.index < total:
            raise Refused(INDEX, port=0, axis=axis, index=self.index, gets=total, param="index", set_by="index")
        return x.without_axis(axis)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        gone = self.dim % inputs[0].rank - inputs[0].rank
        return Step("", 0, axis if axis > gone else axis - 1)

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return f"{inputs[0]}.select({self.dim}, {self.index})"

    @classmethod
    def example(cls, random: Random) -> Example:
        params, x, total = cls.example_input(random)
        params["index"] = random.randint(-total - 1, total)
        return Example(params, (x,))


def numbered_ports(count: int) -> dict[str, tuple[int, ...]]:
    """Ports `0`, `1`, … of as many outputs."""
    return {str(k): (k,) for k in range(count)}


class Pieces(Part):
    """An axis cut into pieces, each an output of its own."""

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        if axis % output.rank == self.dim % output.rank:
            return Step(f"part of {int(inputs[0].shape[axis])}", 0, axis)
        return Step("", 0, axis)


def require_few(count: int, param: str) -> None:
    """Refuse more outputs than a node can have."""
    if count > MOST_REPEATED:
        raise Refused(
            PARAM_RANGE, param=param, gets=f"such that {count:,} pieces come out", needs=f"at most {MOST_REPEATED:,}"
        )


def pieces(x: Wire, axis: int, each: int) -> tuple[Wire, ...]:
    """Pieces of equal size, the last one with what is left; one empty piece of an empty axis."""
    total = x.shape[axis]
    if total == 0:
        return (x,)
    require_few(-(-int(total) // each), "splitSize")
    whole, rest = total // each, total % each
    return tuple(cut(x, axis, each) for _ in range(whole)) + ((cut(x, axis, rest),) if rest else ())


@layer("chunk", family="shape", torch_ops=("Chunk",))
class Chunk(Pieces):
    """Cut an axis into a number of pieces of equal size; the last may be smaller, and there may be fewer.

    Shape: (B, 7) -> (B, 3), (B, 3), (B, 1) for 3 chunks.    [torch.chunk]
    """

    telling = "{chunks} on axis {dim}"

    chunks: int = size(
        2,
        at_least=1,
        at_most=MOST_REPEATED,
        late=True,
        torch=None,
        torch_default=None,
        help="How many pieces are wanted.",
    )

    def forward(self, x: Wire) -> Value:
        axis = self.axis(x)
        if x.shape[axis] == 0:
            return (x.with_shape(x.shape),) * self.chunks
        return pieces(x, axis, -(-x.shape[axis] // self.chunks))

    def output_names(self) -> Ports:
        return numbered_ports(self.chunks)

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return f"{inputs[0]}.chunk({self.chunks}, dim={self.dim})"

    @classmethod
    def example(cls, random: Random) -> Example:
        params, x, _ = cls.example_input(random)
        return Example({**params, "chunks": random.randint(0, 5)}, (x,))


@layer("split", family="shape", torch_ops=("Split",))
class Split(Pieces):
    """Cut an axis into pieces of a given size (the last may be smaller), or of the given sizes.

    Shape: (B, 7) -> (B, 3), (B, 3), (B, 1) for size 3.    [torch.split]
    """

    telling = "{split_size} on axis {dim}"

    split_size: tuple[int, ...] = sizes(
        aliases=("splitSizeOrSections", "split_size_or_sections", "splitSizes", "sections"),
        torch=None,
        help="Size of each piece, or a list of sizes.",
    )

    def forward(self, x: Wire) -> Value:
        axis = self.axis(x)
        total = x.shape[axis]
        if len(self.split_size) == 1:
            each = self.split_size[0]
            if each < 0 or (each == 0 and total):
                raise Refused(SPLIT, port=0, axis=axis, needs=each, gets=total, param="splitSize", set_by="splitSize")
            return pieces(x, axis, each or 1)
        made = sum(self.split_size)
        if made != total or any(s < 0 for s in self.split_size):
            raise Refused(SPLIT, port=0, axis=axis, needs=made, gets=total, param="splitSize", set_by="splitSize")
        return tuple(cut(x, axis, s) for s in self.split_size)

    def output_names(self) -> Ports:
        return numbered_ports(len(self.split_size)) if len(self.split_size) > 1 else {"0": (0,), "1": (1,)}

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        one = len(self.split_size) == 1
        given = str(self.split_size[0]) if one else f"[{', '.join(map(str, self.split_size))}]"
        return f"{inputs[0]}.split({given}, dim={self.dim})"

    @classmethod
    def example(cls, random: Random) -> Example:
        params, x, total = cls.example_input(random)
        if samples.sometimes(random, 0.5):
            return Example({**params, "splitSize": random.randint(0, 4)}, (x,))
        first = random.randint(0, total)
        parts = [first, total - first + random.choice((0, 0, 0, 1))]
        return Example({**params, "splitSize": parts}, (x,))


@layer("unbind", family="shape", torch_ops=("Unbind",), aliases=("unstack",))
class Unbind(Pieces):
    """Take an axis apart: one output for each of its elements.

    Shape: (3, B, T, C) -> three of (B, T, C).    [torch.unbind]
    """

    telling = "axis {dim}"

    count: int = size(
        3, at_most=MOST_REPEATED, torch=None, torch_default=None, help="Number of outputs that are shown."
    )

    def forward(self, x: Wire) -> Value:
        axis = self.axis(x)
        require_few(int(x.shape[axis]), "dim")
        return (x.without_axis(axis),) * int(x.shape[axis])

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        gone = self.dim % inputs[0].rank - inputs[0].rank
        return Step("", 0, axis if axis > gone else axis - 1)

    def output_names(self) -> Ports:
        return numbered_ports(self.count)

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return f"{inputs[0]}.unbind({self.dim})"

    @classmethod
    def example(cls, random: Random) -> Example:
        params, x, _ = cls.example_input(random)
        return Example(params, (x,))


@layer("getItem", family="shape", torch_ops=("GetItem",), aliases=("pickOutput", "tupleItem"))
class GetItem(Layer):
    """One of several outputs of a layer.

    Shape: that of the item.    [operator.getitem]
    """

    view = True
    takes_tuples = True
    telling = "[{index}]"

    index: int = integer(0, torch=None, torch_default=None, help="Which output, counted from 0.")

    def forward(self, x: Value) -> Value:
        if isinstance(x, Wire):
            return self._row(x)
        if not -len(x) <= self.index < len(x):
            raise Refused(INDEX, port=0, index=self.index, gets=len(x), param="index")
        return x[self.index]

    def _row(self, x: Wire) -> Wire:
        """Indexing a tensor takes a row of its first axis."""
        if x.rank == 0:
            raise Refused(NO_TUPLE, port=0)
        if not -x.shape[0] <= self.index < x.shape[0]:
            raise Refused(INDEX, port=0, axis=0, index=self.index, gets=x.shape[0], param="index")
        return Wire.of(x.shape[1:], x.dtype, x.element_strides[1:])

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return None

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return f"{inputs[0]}[{self.index}]"

    @classmethod
    def example(cls, random: Random) -> Example:
        wires = [Wire.of(samples.sizes(random, random.randint(0, 3))) for _ in range(random.randint(1, 3))]
        value: Value = tuple(wires) if samples.sometimes(random, 0.7) else wires[0]
        return Example({"index": random.randint(-3, 3)}, (value,))
