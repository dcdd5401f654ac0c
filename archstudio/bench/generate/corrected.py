"""Solutions of generated tasks that also run in PyTorch and do the brief, where the generator's own do not.

What is corrected: classifiers of texts and images pool before their head, so that they give one answer each; attention
over a single vector gets a sequence axis; the autoencoder gets nonlinearities. All other references stand as they are.
"""

from collections.abc import Callable
from typing import Any, Final

from archstudio.bench.generate.task import GeneratedTask
from archstudio.edits.actions.model import clone

Actions = list[dict[str, Any]]


def corrected(task: GeneratedTask) -> Actions:
    """The actions of a solution that passes all three verdicts."""
    correct = _CORRECTIONS.get(task.family)
    return task.reference() if correct is None else [correct(task.reference()[0])]


def with_layer(replacement: dict[str, Any], before: str, kind: str, name: str, **params: Any) -> dict[str, Any]:
    """A replace_model with one more layer on all wires into `before`."""
    changed: dict[str, Any] = clone(replacement)
    components, wires = changed["components"], changed["connections"]
    place = next(k for k, item in enumerate(components) if item["name"] == before)
    components.insert(place, {"componentType": kind, "name": name, "params": params})
    last = max(k for k, wire in enumerate(wires) if wire["to"] == before)
    for wire in wires:
        if wire["to"] == before:
            wire["to"] = name
    wires.insert(last + 1, {"from": name, "to": before})
    return changed


def _pooled_image(replacement: dict[str, Any]) -> dict[str, Any]:
    return with_layer(replacement, "head", "globalAvgPool2d", "pool")


def _pooled_text(replacement: dict[str, Any]) -> dict[str, Any]:
    return with_layer(replacement, "head", "mean", "pool", dim=[1])


def _bent(replacement: dict[str, Any]) -> dict[str, Any]:
    first = with_layer(replacement, "enc2", "relu", "act1")
    return with_layer(first, "dec2", "relu", "act2")


def _one_token(attention: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Attention over a sequence of one token instead of over the batch."""

    def correct(replacement: dict[str, Any]) -> dict[str, Any]:
        opened = with_layer(replacement, attention, "unsqueeze", "as_sequence", dim=1)
        return with_layer(opened, "head", "squeeze", "as_vector", dim=[1])

    return correct


_CORRECTIONS: Final[dict[str, Callable[[dict[str, Any]], dict[str, Any]]]] = {
    "ae": _bent,
    "cnn": _pooled_image,
    "txf": _pooled_text,
    "gqa": _pooled_text,
    "fmoe": _one_token("attn"),
    "fmla": _one_token("mla"),
    "eedge": _pooled_text,
}
