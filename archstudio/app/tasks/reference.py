"""A solution of a task as a graph, to be set beside the one a person made."""

from __future__ import annotations

from archstudio.app.tasks.opening import model_graph
from archstudio.bench.brief import AnyTask
from archstudio.bench.policies import corrected
from archstudio.edits.actions import apply
from archstudio.graph import Graph


def solution_actions(task: AnyTask) -> list[dict[str, object]] | None:
    """Our solution, which passes all three verdicts, else the reference that came with the task, if any."""
    return corrected(task) or task.reference()


def solution_graph(task: AnyTask) -> Graph | None:
    """The graph that the solution brings about; None where there is no solution. GraphError if it is no network."""
    actions = solution_actions(task)
    if actions is None:
        return None
    return model_graph(apply(task.model(), actions).model, f"{task.id} (reference)")
