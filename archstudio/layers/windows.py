"""Kernels that slide along axes: how often they fit, and what padding each axis can take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from archstudio.layers.problem import ProblemKind, Refused, error
from archstudio.layers.wire import Wire

WINDOW = ProblemKind(
    "E-WINDOW",
    error,
    "{node} covers {covers} at a time, but only {gets} is left",
    "The (dilated) kernel is larger than the padded input, so there is no place to put it. Earlier layers without "
    "padding or with strides have used up the axis.",
)
PAD_REFLECT = ProblemKind(
    "E-PAD-REFLECT",
    error,
    "{node} reflects {pad} at an edge, the axis has only {gets}",
    "A reflection does not repeat the edge itself, so the padding on each side must be smaller than the axis.",
)
PAD_WRAP = ProblemKind(
    "E-PAD-WRAP",
    error,
    "{node} wraps {pad} around, the axis has only {gets}",
    "Circular padding takes its values from the opposite side and may go around only once.",
)
PAD_CROPS_ALL = ProblemKind(
    "E-PAD-CROPS-ALL",
    error,
    "{node} leaves nothing of an axis of size {gets}",
    "Negative padding cuts off; at least one element has to remain.",
)


@dataclass(frozen=True, slots=True)
class Window:
    """A kernel on one axis. `pad` is what is added on both sides together.

    `ceil` keeps a last placement that begins inside the input but reaches out of it.
    """

    kernel: int
    stride: int = 1
    pad: int = 0
    dilation: int = 1
    ceil: bool = False

    @property
    def covers(self) -> int:
        """Elements from the first to the last that one placement reads."""
        return self.dilation * (self.kernel - 1) + 1

    def places(self, size: int) -> int:
        """⌊(size + pad − dilation·(kernel − 1) − 1) / stride⌋ + 1: how many placements fit."""
        room = size + self.pad - self.covers
        if not self.ceil:
            return room // self.stride + 1
        count = (room + self.stride - 1) // self.stride + 1
        return count - 1 if (count - 1) * self.stride >= size + self.pad // 2 else count

    def fits(self, size: int) -> bool:
        """Whether there is room for one placement."""
        return self.places(size) >= 1

    def last(self, size: int) -> int:
        """The last element that a placement reads, padding apart."""
        return min(int(size) - 1, (int(self.places(size)) - 1) * self.stride - self.pad // 2 + self.covers - 1)

    def text(self, size: int) -> str:
        """The rule with its numbers, what adds nothing left out: `30 − 3 + 1`, `⌊(30 + 2 − 3)/2⌋ + 1`."""
        padded = f"{size} {'+' if self.pad > 0 else '−'} {abs(self.pad)}" if self.pad else f"{size}"
        room = f"{padded} − {self.covers}"
        if self.stride == 1:
            return f"{room} + 1"
        return f"⌈({room})/{self.stride}⌉ + 1" if self.ceil else f"⌊({room})/{self.stride}⌋ + 1"


def slide(x: Wire, windows: Sequence[Window], port: int = 0) -> tuple[int, ...]:
    """The sizes that windows along the last axes leave; Refused where one does not fit."""
    spatial = []
    for axis, window in enumerate(windows, -len(windows)):
        size = x.shape[axis]
        if not window.fits(size):
            facts = {"covers": window.covers, "gets": size, "pad": window.pad, "set_by": "kernelSize"}
            raise Refused(WINDOW, port=port, axis=axis, **facts)
        spatial.append(window.places(size))
    return tuple(spatial)


def flat_index(coordinates: Iterable[int], sizes: Sequence[int]) -> int:
    """The place of an element among all elements of the last axes, as poolings give it."""
    index = 0
    for coordinate, size in zip(coordinates, sizes, strict=True):
        index = index * int(size) + int(coordinate)
    return index


def formulas(texts: Iterable[tuple[str, int]]) -> str:
    """`rule = size` for each axis on a line of its own, equal ones once."""
    return "\n".join(dict.fromkeys(f"{text} = {size}" for text, size in texts if text))


def require_padding(x: Wire, pads: Sequence[tuple[int, int]], mode: str, port: int = 0) -> None:
    """Refuse what reflect and circular padding cannot give; `pads` are (before, after) of the last axes."""
    for axis, (before, after) in enumerate(pads, -len(pads)):
        size, most = x.shape[axis], max(before, after)
        if mode == "reflect" and most >= size:
            raise Refused(PAD_REFLECT, port=port, axis=axis, pad=most, gets=size, set_by="padding")
        if mode == "circular" and most > size:
            raise Refused(PAD_WRAP, port=port, axis=axis, pad=most, gets=size, set_by="padding")
