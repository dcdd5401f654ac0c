"""How a document stands against its task: the plan that would be submitted, its grade, and the brief's facts."""

from __future__ import annotations

from dataclasses import dataclass

from archstudio.app.document import Document
from archstudio.app.tasks.library import task_of
from archstudio.bench.brief import AnyTask, does_the_brief
from archstudio.bench.facts import FactResult
from archstudio.bench.grade import Grade, Submission
from archstudio.bench.tasks import Rubric, Task, curated_task
from archstudio.bench.three_verdicts import judge_model
from archstudio.edits.plan import Plan, plan


@dataclass(frozen=True, slots=True)
class TaskReport:
    """Lines two and three of the verdict, and what *Submit* would send."""

    task: AnyTask
    plan: Plan
    grade: Grade
    facts: tuple[FactResult, ...]
    runs: bool | None = None
    """The exact verdict on what would be submitted; None where it cannot be read as a network."""

    @property
    def facts_met(self) -> int:
        """How many of the brief's facts hold."""
        return sum(1 for fact in self.facts if fact.holds)

    @property
    def does_the_brief(self) -> bool | None:
        """False if a fact fails, else None if one is unknown, else True."""
        return does_the_brief(list(self.facts))


def document_plan(document: Document) -> Plan:
    """The cheapest list of surgical actions found from the graph as opened to the graph as it is."""
    return plan(document.start, document.graph)


def task_report(document: Document, rubric: Rubric = 3) -> TaskReport | None:
    """The report of a document on its task; None outside a task, and for a graph of the practice set.

    What is judged is the graph that the plan brings about, since that is what would be submitted.
    """
    task = task_of(document.task_id) if document.task is None else document.task
    if task is None:
        return None
    if isinstance(task, Task):
        task = curated_task(task.id, rubric)
    made = document_plan(document)
    judged = judge_model(task, made.model, Submission.of(made.actions))
    return TaskReport(task, made, judged.grade, judged.facts, judged.runs)
