"""The twelve curated Arch-Bench tasks, their starting graphs and their reference solutions."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal, get_args

from archstudio.edits.actions.model import Model, clone, hydrate
from archstudio.files.data import data_path

Rubric = Literal[2, 3]
Kind = Literal["design", "repair", "extend"]
RUBRICS: Final = get_args(Rubric)

_REPAIR: Final = frozenset({"fix-broken-attention"})
_EXTEND: Final = frozenset({"deepen-resnet", "add-normalization", "scale-under-budget"})


class UnknownName(KeyError):
    """There is no task or starting graph of this name; `known` lists those there are."""

    def __init__(self, what: str, name: str, known: tuple[str, ...]) -> None:
        self.what = what
        self.name = name
        self.known = known
        super().__init__(str(self))

    def __str__(self) -> str:
        return f"There is no {self.what} {self.name!r}. Choose one of: {', '.join(self.known)}."


@dataclass(frozen=True)
class Task:
    """One curated task: what is asked, what it starts from, and the limits it is graded against."""

    id: str
    kind: Kind
    spec: str
    start: str
    budget: Mapping[str, Any]
    constraints: Mapping[str, Any]
    source: str

    def model(self) -> Model:
        """A fresh copy of the starting graph."""
        return start_model(self.start)

    def reference(self) -> list[dict[str, Any]]:
        """The actions of the published reference solution."""
        actions: list[dict[str, Any]] = clone(_read("references.json")["references"][self.id])
        return actions


def curated_tasks(rubric: Rubric = 3) -> tuple[Task, ...]:
    """The twelve tasks in published order.

    Rubric 3 is rubric 2 with one more limit: `scale-under-budget` asks for at least 15 million parameters.
    """
    if rubric not in RUBRICS:
        raise UnknownName("rubric", str(rubric), tuple(map(str, RUBRICS)))
    table = _read("archbench_tasks.json")
    return tuple(_task(row, rubric, table["source"]) for row in table["tasks"])


def curated_task(task_id: str, rubric: Rubric = 3) -> Task:
    """The task of this id; raises UnknownName."""
    tasks = {task.id: task for task in curated_tasks(rubric)}
    if task_id not in tasks:
        raise UnknownName("task", task_id, tuple(tasks))
    return tasks[task_id]


def start_model(name: str) -> Model:
    """A fresh copy of the starting graph of this name; raises UnknownName."""
    starts = _read("starts.json")["starts"]
    if name not in starts:
        raise UnknownName("starting graph", name, tuple(starts))
    return hydrate(clone(starts[name]))


def corrected_solution(task_id: str) -> list[dict[str, Any]]:
    """The actions of our own solution of a curated task, which runs in PyTorch and does all the brief says."""
    solutions = _read("corrected.json")["corrected"]
    if task_id not in solutions:
        raise UnknownName("task", task_id, tuple(solutions))
    actions: list[dict[str, Any]] = clone(solutions[task_id])
    return actions


def _task(row: Mapping[str, Any], rubric: Rubric, source: str) -> Task:
    constraints = dict(row["constraints"])
    if rubric == 2:
        constraints.pop("minParams", None)
    name = row["id"]
    kind: Kind = "repair" if name in _REPAIR else "extend" if name in _EXTEND else "design"
    return Task(name, kind, row["spec"], row["start"], dict(row["budget"]), constraints, source)


@cache
def _read(file: str) -> Any:
    return json.loads(data_path("fixtures", file).read_text(encoding="utf-8"))
