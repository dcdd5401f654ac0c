"""Arch-Bench's rubric: what it estimates, what it blocks, and how it scores.

It reads the file as written: absent sizes count 0, biases and norms count nothing. The exact figures PyTorch would
report are the business of `archstudio.verify`.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from archstudio.bench.vocabulary import FULL_ATTENTION, MODEL_WIDTH, NONLINEARITIES, NORMS, WEIGHTED
from archstudio.bench.widths import propagate
from archstudio.edits.actions.javascript import (
    UNDEFINED,
    is_number,
    largest,
    number_text,
    plain,
    remainder,
    round_half_up,
    smallest,
    to_number,
    truthy,
)
from archstudio.edits.actions.model import Component, Model, Wiring, name_text, number, size, type_of

BYTES_PER_ELEMENT: Final = 2


@dataclass(frozen=True)
class Blocker:
    """One structural objection: its `code`, its text, and the position of the component it is about (None: all)."""

    code: str
    text: str
    place: int | None = None


@dataclass(frozen=True)
class Assessment:
    """What the rubric makes of a model before any task's limits are looked at.

    `params` and `kv_bytes_per_token` are the rubric's own estimates and may be NaN; KV counts 2 bytes an element.
    """

    components: int
    types: Counter[str]
    params: float
    kv_bytes_per_token: float
    reaches: bool
    blockers: tuple[Blocker, ...]


def assess(model: Model) -> Assessment:
    """Estimate, walk and inspect `model` once."""
    wiring = Wiring(model)
    return Assessment(
        components=len(wiring.components),
        types=Counter(type_of(component) for component in wiring.components),
        params=plain(sum((parameters(component) for component in wiring.components), 0.0)),
        kv_bytes_per_token=round_half_up(sum((kv_bytes(component) for component in wiring.components), 0.0)),
        reaches=wiring.reaches,
        blockers=tuple(_blockers(wiring)),
    )


def score(assessment: Assessment, budget: Mapping[str, Any] | None) -> float:
    """0 to 100: at most 15 with any blocker, else for depth, nonlinearity, normalisation and the parameter budget."""
    if assessment.blockers:
        return max(0, 20 - 5 * len(assessment.blockers))
    types = assessment.types
    nonlinear = any(types[kind] for kind in NONLINEARITIES) or not any(types[kind] for kind in WEIGHTED)
    normalised = any(types[kind] for kind in NORMS)
    depth = 25 * (min(assessment.components, 12) / 12)
    total = 40 + depth + 15 * nonlinear + 10 * normalised + _budget_points(assessment.params, budget)
    return smallest(100, round_half_up(total))


def _budget_points(params: float, budget: Mapping[str, Any] | None) -> float:
    limit = (budget or {}).get("maxParams")
    if not is_number(limit) or not limit > 0 or params <= limit:
        return 10
    return largest(0, 10 - 10 * (params / limit - 1))


# Parameters ----------------------------------------------------------------------------------------------------------


def parameters(component: Component) -> float:
    """The rubric's parameter estimate of one component; most types count 0."""
    estimate = _ESTIMATES.get(type_of(component))
    return estimate(component) if estimate else 0.0


def _product(*names: str) -> Callable[[Component], float]:
    return lambda component: number(component, names[0]) * number(component, names[1])


def _convolution(component: Component) -> float:
    kernel = largest(1, number(component, "kernelSize"))
    return number(component, "inChannels") * number(component, "outChannels") * kernel * kernel


def _squares(factor: int, *names: str) -> Callable[[Component], float]:
    def estimate(component: Component) -> float:
        width = _first_number(component, *names)
        return factor * width * width

    return estimate


def _first_number(component: Component, *names: str) -> float:
    """A falsy chain that ends in its last value, NaN included."""
    values = [number(component, name) for name in names]
    return next((value for value in values if truthy(value)), values[-1])


def _experts(component: Component) -> float:
    width, hidden = number(component, "embedDim"), number(component, "hiddenDim")
    experts = largest(1, number(component, "numExperts"))
    return experts * 2 * width * hidden + width * experts


_ESTIMATES: Final[dict[str, Callable[[Component], float]]] = {
    "linear": _product("inFeatures", "outFeatures"),
    "embedding": _product("numEmbeddings", "embeddingDim"),
    "conv1d": _convolution,
    "conv2d": _convolution,
    "conv3d": _convolution,
    "multiHeadAttention": _squares(4, "embedDim", "hiddenDim", "dModel"),
    "attention": _squares(4, "embedDim", "hiddenDim", "dModel"),
    "transformerBlock": _squares(12, "hiddenDim", "embedDim", "dModel"),
    "mixtureOfExperts": _experts,
}


# KV cache ------------------------------------------------------------------------------------------------------------


def kv_bytes(component: Component) -> float:
    """Cached bytes per token at 2 bytes an element; here, and only here, text and booleans are coerced to numbers."""
    kind, params = type_of(component), component["params"]
    if kind in FULL_ATTENTION or kind == "transformerBlock":
        given = (params.get(name) for name in MODEL_WIDTH)
        width = next((value for value in given if value is not None), UNDEFINED)
        return 2 * _positive(width) * BYTES_PER_ELEMENT
    if kind == "groupedQueryAttention":
        return _grouped_kv(params)
    if kind == "mla":
        return (_positive(params.get("kvLatentDim")) + _positive(params.get("ropeHeadDim"))) * BYTES_PER_ELEMENT
    return 0.0


def _grouped_kv(params: Mapping[str, Any]) -> float:
    heads = _positive(params.get("numHeads"))
    kv_heads = _positive(params.get("numKVHeads"), heads)
    shared = _positive(params.get("embedDim")) / heads if heads else 0.0
    return 2 * kv_heads * _positive(params.get("headDim"), shared) * BYTES_PER_ELEMENT


def _positive(value: Any, fallback: float = 0.0) -> float:
    coerced = to_number(value)
    return coerced if 0 < coerced < float("inf") else fallback


# Blockers ------------------------------------------------------------------------------------------------------------


def _blockers(wiring: Wiring) -> list[Blocker]:
    if not wiring.components:
        return [Blocker("empty-graph", "empty graph")]
    found = [blocker for place, item in enumerate(wiring.components) for blocker in _own_blockers(place, item)]
    if not wiring.reaches:
        found.append(Blocker("unreachable-output", "input does not reach output (disconnected)"))
    for place, component in enumerate(wiring.components):
        if type_of(component) != "input" and place not in wiring.fed:
            text = f"{name_text(component)}: no incoming connection (orphaned)"
            found.append(Blocker("orphan", text, place))
    clashes = propagate(wiring).clashes
    return found + [Blocker(clash.code, clash.text, clash.place) for clash in clashes]


def _own_blockers(place: int, component: Component) -> list[Blocker]:
    """Head counts that do not divide, and more experts chosen than there are; of any type that carries the keys."""
    found = []
    name = name_text(component)
    heads, kv_heads = size(component, "numHeads"), size(component, "numKVHeads")
    width = size(component, *MODEL_WIDTH)
    if heads > 0 and width > 0 and remainder(width, heads) != 0:
        text = f"{name}: embedDim {number_text(width)} not divisible by numHeads {number_text(heads)}"
        found.append(Blocker("heads-divisibility", text, place))
    if heads > 0 and kv_heads > 0 and remainder(heads, kv_heads) != 0:
        text = f"{name}: numHeads {number_text(heads)} not divisible by numKVHeads {number_text(kv_heads)}"
        found.append(Blocker("kv-heads-divisibility", text, place))
    experts, chosen = size(component, "numExperts"), size(component, "topK")
    if 0 < experts < chosen:
        text = f"{name}: topK {number_text(chosen)} > numExperts {number_text(experts)}"
        found.append(Blocker("moe-routing", text, place))
    return found
