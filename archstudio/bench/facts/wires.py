"""Facts about what goes into a network and what comes out."""

from dataclasses import dataclass
from math import isfinite
from typing import Any

from archstudio.bench.facts.view import Judgement, View
from archstudio.bench.vocabulary import CONVOLUTIONS
from archstudio.bench.widths import declared_input
from archstudio.edits.actions.javascript import is_number, number_text


@dataclass(frozen=True)
class Input:
    """An input of this shape (batch axis left out) that reaches an output and whose layers take that size."""

    shape: tuple[int, ...]
    noun: str = "input"

    @property
    def text(self) -> str:
        return f"The {self.noun} has shape {_times(self.shape)}"

    def judge(self, view: View) -> Judgement:
        inputs = view.on_path("input")
        fitting = [place for place in inputs if _shape(view, place)[1:] == self.shape]
        if not fitting:
            shapes = ", ".join(_times(_shape(view, place)[1:]) or "no shape" for place in inputs)
            return False, shapes or "no input that reaches an output"
        for child in view.wiring.children[fitting[0]]:
            wanted = declared_input(view.components[child])
            axis = -3 if view.kind(child) == "conv2d" else -2 if view.kind(child) in CONVOLUTIONS else -1
            if wanted and (len(self.shape) < -axis or wanted != self.shape[axis]):
                return False, f"{view.name(child)} takes {number_text(wanted)}"
        return True, _times(self.shape)


@dataclass(frozen=True)
class OutputWidth:
    """Every output carries this many values on its last axis; more than one size may be right."""

    sizes: tuple[int, ...]
    noun: str

    @property
    def text(self) -> str:
        return f"The output has {' or '.join(map(str, self.sizes))} {self.noun}"

    def judge(self, view: View) -> Judgement:
        outputs = view.on_path("output")
        if not outputs:
            return False, "no output that an input reaches"
        found = [_last_axis(view, place) for place in outputs]
        if None in found:
            return None, "unknown"
        return all(width in self.sizes for width in found), ", ".join(number_text(width or 0) for width in found)


@dataclass(frozen=True)
class OneVectorEach:
    """The output is one vector an example: no sequence axis is left. Only exact shapes can tell."""

    noun: str

    @property
    def text(self) -> str:
        return f"One {self.noun}, not one per position"

    def judge(self, view: View) -> Judgement:
        if view.exact is None:
            return None, "unknown"
        shapes = [view.exact.output_shapes.get(view.name(place)) for place in view.on_path("output")]
        known = [shape for shape in shapes if shape is not None]
        if not shapes or len(known) < len(shapes):
            return None, "unknown"
        return all(len(shape) == 2 for shape in known), ", ".join(_times(shape) for shape in known)


def _last_axis(view: View, place: int) -> float | None:
    """Exact where the caller has shapes, else as far as the rubric follows widths."""
    if view.exact is None:
        width = view.widths.emitted.get(place)
        return width if width is not None and width > 0 else None
    shape = view.exact.output_shapes.get(view.name(place))
    return shape[-1] if shape else None


def _shape(view: View, place: int) -> tuple[int, ...]:
    given: Any = view.components[place]["params"].get("shape")
    whole = isinstance(given, list) and all(_is_whole(size) for size in given)
    return tuple(int(size) for size in given) if whole else ()


def _is_whole(size: Any) -> bool:
    return is_number(size) and (isinstance(size, int) or (isfinite(size) and size == int(size)))


def _times(shape: tuple[int, ...]) -> str:
    return "×".join(map(str, shape))
