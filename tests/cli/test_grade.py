"""`archstudio grade` gives all three verdicts, on curated tasks and on tasks in files."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from archstudio.bench.generate import generated_task
from archstudio.bench.task_files import task_row
from archstudio.bench.tasks import corrected_solution, curated_task


def saved(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_three_verdicts_are_told_apart(archstudio: Callable[..., Any], tmp_path: Path) -> None:
    published = saved(tmp_path / "published.json", curated_task("cnn-cifar").reference())
    ran = archstudio("grade", "--task", "cnn-cifar", "--actions", published, "--json")
    assert ran.code == 0
    told = ran.json
    assert (told["pass"], told["runs"], told["doesTheBrief"], told["passesAllThree"]) == (True, False, None, False)
    assert told["refusals"] == ["head expects 64 features, the wire carries 28"]
    ours = saved(tmp_path / "ours.json", corrected_solution("cnn-cifar"))
    assert archstudio("grade", "--task", "cnn-cifar", "--actions", ours, "--json").json["passesAllThree"] is True
    text = archstudio("grade", "--task", "cnn-cifar", "--actions", published).out
    assert "Rubric: passes" in text
    assert "PyTorch: does not run" in text
    assert "Brief: cannot be told" in text


def test_a_task_of_a_file_is_graded(archstudio: Callable[..., Any], tmp_path: Path) -> None:
    task = generated_task("core", 7, 5)
    file = saved(tmp_path / "tasks.jsonl", task_row(task, 7, 5))
    actions = saved(tmp_path / "actions.json", task.reference())
    ran = archstudio("grade", "--task-file", file, "--task", task.id, "--actions", actions, "--json")
    assert (ran.code, ran.json["passesAllThree"]) == (0, True)
    unknown = archstudio("grade", "--task-file", file, "--task", "gen-fix-6", "--actions", actions)
    assert unknown.code == 2
    assert "There is no task 'gen-fix-6'. Choose one of: gen-fix-5." in unknown.err


@pytest.mark.parametrize("graph", [{}, {"components": 3, "connections": []}, {"components": [1], "connections": []}])
def test_a_file_that_is_no_graph_is_refused_in_one_line(
    archstudio: Callable[..., Any], tmp_path: Path, graph: Any
) -> None:
    ran = archstudio("grade", "--task", "cnn-cifar", "--graph", saved(tmp_path / "graph.json", graph))
    assert ran.code == 2
    assert "graph.json, $.components: is not a list of objects" in ran.err
