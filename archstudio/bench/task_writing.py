"""Turns tasks of any kind into rows of task files, which `task_files` reads back."""

from typing import Any

from archstudio.bench.generate import GeneratedTask, Wording
from archstudio.bench.task_files import SCHEMA, FiledTask, Origin, graph_record


def filed(task: GeneratedTask, origin: Origin) -> FiledTask:
    """A generated task as one of a file, with its brief in the wording that `origin` names."""
    return FiledTask(
        id=task.id,
        kind=task.kind,
        spec=task.brief(origin.wording),
        budget=task.budget,
        constraints=task.constraints,
        start=task.start,
        actions=task.actions,
        origin=origin,
    )


def filed_row(task: FiledTask) -> dict[str, Any]:
    """A task as one object of a task file."""
    row: dict[str, Any] = {
        "schema": SCHEMA,
        "id": task.id,
        "kind": task.kind,
        "spec": task.spec,
        "budget": dict(task.budget),
        "constraints": dict(task.constraints),
        "start": graph_record(task.start),
        "reference": task.reference(),
    }
    return row if task.origin is None else {**row, **_origin_fields(task.origin)}


def _origin_fields(origin: Origin) -> dict[str, Any]:
    wording: Wording = origin.wording
    return {"tier": origin.tier, "seed": origin.seed, "index": origin.index, "wording": wording}
