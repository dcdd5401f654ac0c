"""Facts about which layers lie between input and output, how many, and in what order."""

from collections.abc import Collection
from dataclasses import dataclass

from archstudio.bench.facts.view import Judgement, View
from archstudio.bench.vocabulary import WEIGHTED, WITH_HEADS
from archstudio.edits.actions.javascript import number_text

_WEIGHTS = WEIGHTED | WITH_HEADS | {"mixtureOfExperts"}


@dataclass(frozen=True)
class OnPath:
    """A layer of one of these types lies between input and output."""

    kinds: tuple[str, ...]

    @property
    def text(self) -> str:
        return f"{' or '.join(self.kinds)} between input and output"

    def judge(self, view: View) -> Judgement:
        names = [view.name(place) for place in view.on_path(*self.kinds)]
        if names:
            return True, ", ".join(names)
        return False, "only off the path" if view.wiring.of_type(*self.kinds) else "none"


@dataclass(frozen=True)
class Layers:
    """At least this many layers of these types between input and output, on whatever paths."""

    kinds: tuple[str, ...]
    least: int
    noun: str

    @property
    def text(self) -> str:
        return f"At least {self.least} {self.noun}"

    def judge(self, view: View) -> Judgement:
        count = len(view.on_path(*self.kinds))
        return count >= self.least, str(count)


@dataclass(frozen=True)
class Stages:
    """Layers one after the other on one path, each followed by one of `closers` before the next layer with weights.

    Counted along the path that has most; without `closers` the layers alone are counted.
    """

    kinds: frozenset[str]
    closers: frozenset[str]
    least: int
    most: int | None
    noun: str

    @property
    def text(self) -> str:
        if self.most is None:
            return f"At least {self.least} {self.noun}"
        return f"{self.least} {self.noun}" if self.most == self.least else f"{self.least} to {self.most} {self.noun}"

    def judge(self, view: View) -> Judgement:
        count = most_on_a_path(view, self.kinds, self.closers)
        return self.least <= count and (self.most is None or count <= self.most), str(count)


@dataclass(frozen=True)
class EndsIn:
    """The last layer with weights before every output is of this type."""

    kind: str

    @property
    def text(self) -> str:
        return f"The last layer is {self.kind}"

    def judge(self, view: View) -> Judgement:
        last = [place for output in view.on_path("output") for place in _last_weighted(view, output)]
        wrong = [place for place in last if view.kind(place) != self.kind]
        return bool(last) and not wrong, ", ".join(view.name(place) for place in wrong or last) or "none"


@dataclass(frozen=True)
class Bottleneck:
    """Everything passes through a layer of exactly `width`, or of any width below `below`."""

    width: int | None = None
    below: int | None = None

    @property
    def text(self) -> str:
        size = f"{self.width} wide" if self.width is not None else f"narrower than {self.below}"
        return f"Everything passes a bottleneck {size}"

    def judge(self, view: View) -> Judgement:
        between = view.on_path("linear")
        widths = {place: view.widths.emitted.get(place) or 0.0 for place in between}
        narrow = {place for place, width in widths.items() if self._fits(width)}
        shown = f"narrowest {number_text(min(widths.values()))}" if widths else "no linear layer"
        return bool(narrow) and not _passes_around(view, narrow), shown

    def _fits(self, width: float) -> bool:
        return width == self.width if self.width is not None else 0 < width < (self.below or 0)


@dataclass(frozen=True)
class Towers:
    """Separate branches that meet in a concatenation (or each reach an output), of at least `layers` linear layers.

    A branch starts at a layer of type `start`; with `width`, its last linear layer is that wide.
    """

    start: str
    layers: int
    width: int | None = None

    @property
    def text(self) -> str:
        size = f", {self.width} wide" if self.width is not None else ""
        return f"Two towers of at least {self.layers} linear layer{'s' * (self.layers > 1)} each{size}"

    def judge(self, view: View) -> Judgement:
        heads = view.on_path(self.start)
        towers = [_own_layers(view, head, heads) for head in heads]
        good = [tower for tower in towers if len(tower) >= self.layers and self._wide(view, tower)]
        return len(good) >= 2, f"{len(good)} such tower{'s' * (len(good) != 1)}"

    def _wide(self, view: View, tower: list[int]) -> bool:
        return self.width is None or view.widths.emitted.get(tower[-1]) == self.width


def most_on_a_path(view: View, kinds: Collection[str], closers: Collection[str]) -> int:
    """The most `kinds` that one input-to-output path holds, each closed as `Stages` says; cycles are never entered."""
    on_path = view.wiring.on_path
    best: dict[int, dict[bool, int]] = {}
    for place in view.wiring.order:
        if place not in on_path:
            continue
        arriving: dict[bool, int] = {False: 0} if view.kind(place) == "input" else {}
        for parent in view.wiring.parents[place]:
            for opened, count in best.get(parent, {}).items():
                arriving[opened] = max(count, arriving.get(opened, 0))
        best[place] = _after(view.kind(place), arriving, kinds, closers)
    return max((count for place in view.on_path("output") for count in best.get(place, {}).values()), default=0)


def _after(kind: str, arriving: dict[bool, int], kinds: Collection[str], closers: Collection[str]) -> dict[bool, int]:
    """Counts behind a layer of this type, by whether a layer still waits for its closer."""
    leaving: dict[bool, int] = {}
    for waiting, count in arriving.items():
        if kind in kinds:
            state, total = bool(closers), count + (not closers)
        elif kind in closers and waiting:
            state, total = False, count + 1
        else:
            state, total = waiting and kind not in _WEIGHTS, count
        leaving[state] = max(total, leaving.get(state, 0))
    return leaving


def _last_weighted(view: View, output: int) -> list[int]:
    """The nearest layers with weights upstream of `output`, on every branch."""
    found: list[int] = []
    seen, waiting = {output}, [output]
    while waiting:
        for parent in view.wiring.parents[waiting.pop()]:
            if parent in seen or parent not in view.wiring.on_path:
                continue
            seen.add(parent)
            (found if view.kind(parent) in _WEIGHTS else waiting).append(parent)
    return sorted(found)


def _passes_around(view: View, cut: Collection[int]) -> bool:
    """Whether an input still reaches an output when the layers of `cut` are closed."""
    seen = set(view.on_path("input"))
    waiting = list(seen)
    while waiting:
        for child in view.wiring.children[waiting.pop()]:
            if child not in seen and child not in cut:
                seen.add(child)
                waiting.append(child)
    return any(view.kind(place) == "output" for place in seen)


def _own_layers(view: View, head: int, heads: list[int]) -> list[int]:
    """The linear layers that `head` reaches on the way to an output and no other head does, in wiring order."""
    own = _reached(view, head)
    for other in heads:
        if other != head:
            own = own - _reached(view, other)
    return [place for place in view.wiring.order if place in own and view.kind(place) == "linear"]


def _reached(view: View, start: int) -> frozenset[int]:
    seen, waiting = {start}, [start]
    while waiting:
        for child in view.wiring.children[waiting.pop()]:
            if child not in seen and child in view.wiring.on_path:
                seen.add(child)
                waiting.append(child)
    return frozenset(seen)
