"""Plans that read no number of a brief: what a task has to fail if passing it shall mean anything.

Each is one of the ways in which the original rubric was passed without doing what was asked.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from archstudio.bench.brief import AnyTask
from archstudio.bench.policies import number_blind
from archstudio.bench.vocabulary import WITH_HEADS

Actions = list[dict[str, Any]]

_SIZES: Final = ("inFeatures", "outFeatures", "inChannels", "outChannels", "embedDim", "hiddenDim", "embeddingDim")
_PADDED_TO: Final = 20


@dataclass(frozen=True)
class Shortcut:
    """A plan and what it does, as a sentence."""

    text: str
    actions: Actions


def shortcuts(task: AnyTask) -> list[Shortcut]:
    """The plans that apply to this task, the empty one first; equal ones once."""
    found = [
        Shortcut("Nothing is done", []),
        Shortcut("Only input and output are left", _chain([])),
        Shortcut("A chain of the required types without any sizes", _chain(_required(task))),
        Shortcut("Every size is scaled to its least", _shrunk()),
        Shortcut("Required layers and a large table hang behind the output", _dead_ends(task)),
    ]
    heads = _named(task, *WITH_HEADS)
    if heads:
        found += [
            Shortcut("Heads are set to 0", [_update(name, numHeads=0) for name in heads]),
            Shortcut("Attention is deleted", [{"type": "delete_component", "name": name} for name in heads]),
            Shortcut("Attention without sizes takes the place of attention", _sizeless(heads)),
        ]
    tables = _named(task, "embedding")
    if tables:
        found.append(Shortcut("Vocabularies of one", [_update(name, numEmbeddings=1) for name in tables]))
    found.append(Shortcut("What passes most tasks of this kind without a number", number_blind(task) or []))
    return [each for place, each in enumerate(found) if each.actions not in [one.actions for one in found[:place]]]


def _required(task: AnyTask) -> list[str]:
    limits = task.constraints
    kinds = [*limits.get("mustContainTypes", []), *limits.get("mustContainTypesOnPath", [])]
    return list(dict.fromkeys([*kinds, *limits.get("mustContainTypesAny", [])[:1]])) or ["linear"]


def _chain(kinds: list[str]) -> Actions:
    """One replace_model: these types from input to output, filled up with ReLU where there are any."""
    filled = [*kinds, *["relu"] * (_PADDED_TO - 2 - len(kinds))] if kinds else []
    layers = [("input", "input"), *((kind, f"x{place}") for place, kind in enumerate(filled)), ("output", "output")]
    components = [{"componentType": kind, "name": name, "params": {}} for kind, name in layers]
    wires = [{"from": left, "to": right} for (_, left), (_, right) in pairwise(layers)]
    return [{"type": "replace_model", "components": components, "connections": wires}]


def _shrunk() -> Actions:
    return [{"type": "scale_params", "paramKey": key, "factor": 0} for key in _SIZES]


def _dead_ends(task: AnyTask) -> Actions:
    kinds = [*_required(task), "embedding"]
    size = {"numEmbeddings": 1000, "embeddingDim": 1000}
    return [
        {
            "type": "add_component",
            "componentType": kind,
            "name": f"dead{place}",
            "afterName": "output",
            "params": size if kind == "embedding" else {},
        }
        for place, kind in enumerate(kinds)
    ]


def _sizeless(heads: list[str]) -> Actions:
    actions: Actions = []
    for name in heads:
        actions.append({"type": "add_component", "componentType": "mla", "name": f"{name}_mla", "afterName": name})
        actions.append({"type": "delete_component", "name": name})
    return actions


def _update(name: str, **params: Any) -> dict[str, Any]:
    return {"type": "update_params", "name": name, "params": params}


def _named(task: AnyTask, *kinds: str) -> list[str]:
    return [item["name"] for item in task.model()["components"] if item["type"] in kinds]
