"""How a document stands against its task: the grade, the plan that would be submitted, and the brief's facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from archstudio.app.document import Document
from archstudio.bench.facts import FactResult, brief_facts
from archstudio.bench.grade import Grade, Submission, grade
from archstudio.bench.tasks import Rubric, Task, curated_task
from archstudio.edits.plain import to_plain
from archstudio.edits.plan import Plan, plan


@dataclass(frozen=True, slots=True)
class TaskReport:
    """Lines two and three of the verdict, and what *Submit* would send."""

    task: Task
    plan: Plan
    grade: Grade
    facts: tuple[FactResult, ...]

    @property
    def facts_unmet(self) -> int:
        """How many of the brief's facts do not hold or are unknown."""
        return sum(1 for fact in self.facts if fact.holds is not True)


def document_plan(document: Document) -> Plan:
    """The cheapest list of surgical actions found from the graph as opened to the graph as it is."""
    return plan(document.start, document.graph)


def task_report(document: Document, rubric: Rubric = 3) -> TaskReport | None:
    """The report of a document on its task; None outside a task."""
    if document.task_id is None:
        return None
    task = curated_task(document.task_id, rubric)
    made = document_plan(document)
    model: dict[str, Any] = to_plain(document.graph)
    submission = Submission.of(made.actions)
    return TaskReport(task, made, grade(task, model, submission), tuple(_facts(document, task, model)))


def _facts(document: Document, task: Task, model: dict[str, Any]) -> list[FactResult]:
    verdict = document.verdict
    return brief_facts(task.id, model, parameters=verdict.parameters, shapes=_output_shapes(document))


def _output_shapes(document: Document) -> dict[str, tuple[int, ...] | None]:
    """Shape of what each node gives out, by name; None where it is unknown or not one tensor."""
    nodes = document.verdict.nodes
    shapes: dict[str, tuple[int, ...] | None] = {}
    for node in document.graph.nodes:
        value = nodes[node.id].value
        shapes[node.name] = None if value is None or isinstance(value, tuple) else tuple(map(int, value.shape))
    return shapes
