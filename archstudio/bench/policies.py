"""Policies that answer tasks without a model: the references, corrected ones, nothing, and one blind to numbers."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Final

from archstudio.bench.brief import AnyTask, original_of
from archstudio.bench.generate import GeneratedTask
from archstudio.bench.generate.corrected import corrected as corrected_generated
from archstudio.bench.tasks import Task, corrected_solution
from archstudio.bench.vocabulary import WITH_HEADS

Actions = list[dict[str, Any]]
Policy = Callable[[AnyTask], Actions | None]
"""The actions for a task; None where the policy has no answer to it."""

_PADDED_TO: Final = 20


def reference(task: AnyTask) -> Actions | None:
    """The solution that came with the task."""
    return task.reference()


def corrected(task: AnyTask) -> Actions | None:
    """Our solution, which passes all three verdicts; None for tasks that are neither curated nor generated."""
    original = original_of(task)
    if isinstance(original, Task):
        return corrected_solution(original.id)
    return corrected_generated(original) if isinstance(original, GeneratedTask) else None


def noop(task: AnyTask) -> Actions | None:
    """Nothing at all."""
    return []


def number_blind(task: AnyTask) -> Actions | None:
    """What passes the rubric for a task of this kind without reading a number of its brief."""
    limits = task.constraints
    free = "replace_model" not in limits.get("forbidActionTypes", [])
    required = limits.get("mustContainTypes") or limits.get("mustContainTypesAny")
    if task.kind == "design" or (free and task.kind == "extend" and required):
        return _hollow(task)
    if limits.get("mustContainTypesAny"):
        return _sizeless_swap(task)
    if "minParams" in limits:
        return [_behind_output("embedding", "dead", **_dead_weight(free))]
    if "maxParams" in limits:
        return [{"type": "scale_params", "paramKey": key, "factor": 0} for key in ("inFeatures", "outFeatures")]
    if required:
        return _norms_nowhere(task)
    return [{"type": "update_params", "name": name, "params": {"numHeads": 0}} for name in _attention(task)]


POLICIES: Final[dict[str, Policy]] = {
    "reference": reference,
    "corrected": corrected,
    "noop": noop,
    "number-blind": number_blind,
}


def _hollow(task: AnyTask) -> Actions:
    """One chain of the required types without any sizes, padded with ReLU."""
    limits = task.constraints
    kinds = [*limits.get("mustContainTypes", []), *limits.get("mustContainTypesAny", [])[:1]]
    middle = [*kinds, *["relu"] * (_PADDED_TO - 2 - len(kinds))]
    layers = [("input", "input"), *((kind, f"x{place}") for place, kind in enumerate(middle)), ("output", "output")]
    components = [{"componentType": kind, "name": name, "params": {}} for kind, name in layers]
    connections = [{"from": left, "to": right} for (_, left), (_, right) in pairwise(layers)]
    return [{"type": "replace_model", "components": components, "connections": connections}]


def _sizeless_swap(task: AnyTask) -> Actions:
    """Attention that states no sizes, and so caches nothing, in place of the model's own; a vocabulary of one."""
    actions: Actions = []
    for name in _attention(task):
        actions.append({"type": "add_component", "componentType": "mla", "name": f"{name}_mla", "afterName": name})
        actions.append({"type": "delete_component", "name": name})
    if "maxParams" in task.constraints:
        embeddings = _named(task, "embedding")
        actions += [{"type": "update_params", "name": name, "params": {"numEmbeddings": 1}} for name in embeddings]
    return actions


def _norms_nowhere(task: AnyTask) -> Actions:
    """One required layer for every hidden linear layer, all behind the output."""
    kind = task.constraints["mustContainTypes"][0]
    return [_behind_output(kind, f"extra{place}") for place in range(len(_named(task, "linear")) - 1)]


def _behind_output(kind: str, name: str, **params: int) -> dict[str, Any]:
    return {
        "type": "add_component",
        "componentType": kind,
        "name": name,
        "afterName": "output",
        "params": params,
    }


def _dead_weight(free: bool) -> dict[str, int]:
    return {"numEmbeddings": 5000, "embeddingDim": 4000} if free else {"numEmbeddings": 1000, "embeddingDim": 1000}


def _attention(task: AnyTask) -> list[str]:
    return _named(task, *WITH_HEADS)


def _named(task: AnyTask, *kinds: str) -> list[str]:
    return [item["name"] for item in task.model()["components"] if item["type"] in kinds]
