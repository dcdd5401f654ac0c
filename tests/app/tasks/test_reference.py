"""The solution shown after solving is one that passes, where there is one."""

from __future__ import annotations

import pytest

from archstudio.app.tasks.reference import solution_actions, solution_graph
from archstudio.bench.generate import TIERS, generate
from archstudio.bench.task_files import FiledTask, Origin
from archstudio.bench.task_writing import filed
from archstudio.bench.tasks import curated_tasks
from archstudio.edits.actions.model import Model
from archstudio.verify.session import check


@pytest.mark.parametrize("task", curated_tasks(), ids=lambda task: task.id)
def test_the_solution_of_a_curated_task_runs(task) -> None:
    graph = solution_graph(task)
    assert graph is not None
    assert check(graph).runs
    assert graph.name == f"{task.id} (reference)"


@pytest.mark.parametrize("tier", TIERS)
def test_the_solution_of_a_generated_task_runs(tier) -> None:
    for index, task in enumerate(generate(tier, 10, 9)):
        graph = solution_graph(filed(task, Origin(tier, 9, index)))
        assert graph is not None
        assert check(graph).runs, task.id


def test_an_own_task_shows_its_own_reference_and_one_without_shows_none(mlp: Model) -> None:
    actions = [{"type": "delete_component", "name": "r"}]
    own = FiledTask("x", "design", "Do.", {}, {}, mlp, actions)
    assert solution_actions(own) == actions
    graph = solution_graph(own)
    assert graph is not None
    assert graph.named("r") is None
    assert solution_graph(FiledTask("x", "design", "Do.", {}, {}, mlp, None)) is None
