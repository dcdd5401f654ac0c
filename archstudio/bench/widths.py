"""Follows feature widths along the wires, as far as Arch-Bench's rubric does."""

from dataclasses import dataclass

from archstudio.bench.vocabulary import ATTENTION_LIKE, CONVOLUTIONS, MODEL_WIDTH, PASSES_WIDTH
from archstudio.edits.actions.javascript import number_text
from archstudio.edits.actions.model import Component, Wiring, name_text, size, type_of


@dataclass(frozen=True)
class WidthClash:
    """A component whose parents disagree ("merge-width"), or disagree with its own size ("declared-width")."""

    code: str
    place: int
    text: str


@dataclass(frozen=True)
class Widths:
    """What each visited component emits (None: unknown), by position, and the clashes in visiting order."""

    emitted: dict[int, float | None]
    clashes: list[WidthClash]


def declared_input(component: Component) -> float:
    """The width a component says it takes; 0 when it says nothing."""
    kind = type_of(component)
    if kind in ATTENTION_LIKE:
        return size(component, *MODEL_WIDTH)
    if kind == "linear":
        return size(component, "inFeatures")
    return size(component, "inChannels") if kind in CONVOLUTIONS else 0.0


def declared_output(component: Component) -> float:
    """The width a component says it emits; 0 when it says nothing."""
    kind = type_of(component)
    if kind in ATTENTION_LIKE:
        return size(component, *MODEL_WIDTH)
    if kind == "linear":
        return size(component, "outFeatures")
    if kind == "embedding":
        return size(component, "embeddingDim")
    return size(component, "outChannels") if kind in CONVOLUTIONS else 0.0


def propagate(wiring: Wiring) -> Widths:
    """Widths of every component that is neither on nor behind a cycle."""
    widths = Widths({}, [])
    for place in wiring.order:
        arriving = [widths.emitted[parent] for parent in wiring.parents[place]]
        component = wiring.components[place]
        if type_of(component) == "concatenate":
            incoming = _joined(arriving)
        else:
            incoming = _agreed(widths, place, component, arriving)
        _compare_declared(widths, place, component, incoming)
        widths.emitted[place] = _emitted(component, incoming)
    return widths


def _joined(arriving: list[float | None]) -> float | None:
    known = [width for width in arriving if width is not None and width > 0]
    return sum(known) if known and len(known) == len(arriving) else None


def _agreed(widths: Widths, place: int, component: Component, arriving: list[float | None]) -> float | None:
    distinct = list(dict.fromkeys(width for width in arriving if width is not None and width > 0))
    if len(distinct) > 1:
        sizes = " vs ".join(number_text(width) for width in distinct)
        text = f"{name_text(component)}: merges parents of differing widths ({sizes})"
        widths.clashes.append(WidthClash("merge-width", place, text))
    return distinct[0] if distinct else None


def _compare_declared(widths: Widths, place: int, component: Component, incoming: float | None) -> None:
    declared = declared_input(component)
    if not declared or incoming is None or declared == incoming:
        return
    text = (
        f"{name_text(component)}: {type_of(component)} declares input width {number_text(declared)} "
        f"but upstream emits {number_text(incoming)}"
    )
    widths.clashes.append(WidthClash("declared-width", place, text))


def _emitted(component: Component, incoming: float | None) -> float | None:
    declared = declared_output(component)
    if declared:
        return declared
    return incoming if type_of(component) in PASSES_WIDTH else None
