"""Facts about sizes, heads and budgets."""

from dataclasses import dataclass

from archstudio.bench.facts.view import Judgement, View
from archstudio.bench.grade import grouped
from archstudio.bench.rubric import kv_bytes, parameters
from archstudio.bench.vocabulary import MODEL_WIDTH, WITH_HEADS
from archstudio.edits.actions.javascript import number_text, plain, remainder
from archstudio.edits.actions.model import size


@dataclass(frozen=True)
class Setting:
    """Every layer of these types between input and output has this value for the first of these parameters it sets."""

    kinds: tuple[str, ...]
    names: tuple[str, ...]
    value: int
    noun: str

    @property
    def text(self) -> str:
        return f"{self.noun} {grouped(self.value)}"

    def judge(self, view: View) -> Judgement:
        found = {view.name(place): size(view.components[place], *self.names) for place in view.on_path(*self.kinds)}
        if not found:
            return False, f"no {' or '.join(self.kinds)} between input and output"
        wrong = [f"{name} {grouped(value)}" for name, value in found.items() if value != self.value]
        return not wrong, ", ".join(wrong) or grouped(self.value)


@dataclass(frozen=True)
class SplitsIntoHeads:
    """Attention lies between input and output, and every such layer states a head count that divides its width."""

    kinds: tuple[str, ...] = tuple(sorted(WITH_HEADS))

    @property
    def text(self) -> str:
        return "The width of every attention layer divides by its heads"

    def judge(self, view: View) -> Judgement:
        places = view.on_path(*self.kinds)
        reasons = [reason for place in places if (reason := self._objection(view, place))]
        if not places:
            return False, "no attention between input and output"
        return not reasons, "; ".join(reasons) or "all divide"

    def _objection(self, view: View, place: int) -> str | None:
        component, name = view.components[place], view.name(place)
        heads, kv_heads = size(component, "numHeads"), size(component, "numKVHeads")
        width = size(component, *MODEL_WIDTH)
        if not _whole(heads):
            return f"{name} has no head count"
        if not _whole(width) or (remainder(width, heads) and not size(component, "headDim")):
            return f"{name}: {number_text(width)} does not divide by {number_text(heads)}"
        if kv_heads and (not _whole(kv_heads) or remainder(heads, kv_heads)):
            return f"{name}: {number_text(heads)} heads do not share {number_text(kv_heads)} KV heads"
        return None


@dataclass(frozen=True)
class ParameterRange:
    """The parameter total stays within these bounds: the exact one, or the rubric's estimate where a brief means that.

    Weights that lie on no input-to-output path do not count towards the least (by the rubric's estimate of them).
    """

    most: int
    least: int = 0
    estimated: bool = False

    @property
    def text(self) -> str:
        bounds = f"From {grouped(self.least)} to" if self.least else "At most"
        return f"{bounds} {grouped(self.most)} parameters{' (estimate)' * self.estimated}"

    def judge(self, view: View) -> Judgement:
        counts = [parameters(item) for item in view.components]
        idle = plain(sum(count for place, count in enumerate(counts) if place not in view.wiring.on_path))
        total = plain(sum(counts)) if self.estimated else view.exact.parameters if view.exact else None
        if total is None or total != total:
            return None, "unknown"
        aside = f", {grouped(idle)} of them off the path" if idle else ""
        return self.least <= total - idle and total <= self.most, f"{grouped(total)}{aside}"


@dataclass(frozen=True)
class KvLimit:
    """Every attention layer between input and output states its sizes, and together they cache at most this much."""

    most: int

    @property
    def text(self) -> str:
        return f"At most {grouped(self.most)} bytes of KV cache per token (2 bytes an element)"

    def judge(self, view: View) -> Judgement:
        cached = {view.name(place): kv_bytes(view.components[place]) for place in view.on_path(*WITH_HEADS)}
        if not cached:
            return False, "no attention between input and output"
        unsized = [name for name, each in cached.items() if not each]
        if unsized:
            return False, f"{', '.join(unsized)} states no sizes"
        total = sum(cached.values())
        return total <= self.most, number_text(total)


def _whole(value: float) -> bool:
    return value > 0 and value.is_integer()
