"""Grades what a person submits, with the very graders that models are graded with, in a form that fits a log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from archstudio.bench.grade import Submission
from archstudio.bench.run.episode import audit_report
from archstudio.bench.task_files import FiledTask
from archstudio.bench.three_verdicts import ThreeVerdicts, judge_model
from archstudio.edits.plan import Plan, plan
from archstudio.graph import Graph
from archstudio.graph.digest import architecture_digest, document_digest


@dataclass(frozen=True, slots=True)
class Graded:
    """One audit or submission: its plan, the digests of the graph, and the three verdicts."""

    plan: Plan
    document: str
    architecture: str
    verdicts: ThreeVerdicts
    used: Submission
    """Count of this plan, types of this and all earlier ones: what binds."""

    @property
    def failures(self) -> list[str]:
        """What a model is told after a failed round."""
        return [*(failure.text for failure in self.verdicts.grade.failures), *self.verdicts.action_errors]

    def record(self) -> dict[str, Any]:
        """The fields of an AUDIT or SUBMIT event that replaying must find again."""
        made = self.verdicts
        return {
            "d": self.document,
            "a": self.architecture,
            "plan": self.plan.actions,
            "g": {
                "passed": made.grade.passed,
                "score": _finite(made.grade.score),
                "params": _finite(made.grade.params),
                "kv": _finite(made.grade.kv_bytes_per_token),
                "failures": [failure.text for failure in made.grade.failures],
                "categories": [failure.category for failure in made.grade.failures],
            },
            "runs": made.runs,
            "problems": list(made.refusals),
            "brief": made.does_the_brief,
        }

    def rehearsal(self) -> Mapping[str, Any]:
        """What a dry run tells, as it tells models."""
        return audit_report(self.verdicts)


def graded(task: FiledTask, start: Graph, now: Graph, used: Submission) -> Graded:
    """Grade the plan from `start` to `now`; `used` are the submissions of the turns before."""
    made = plan(start, now)
    given = Submission.of(made.actions)
    counted = Submission(given.count, used.types + given.types)
    verdicts = judge_model(task, made.model, counted)
    return Graded(made, document_digest(now), architecture_digest(now), verdicts, counted)


def differences(recorded: Mapping[str, Any], found: Mapping[str, Any]) -> Sequence[str]:
    """Names of the fields in which a recorded grade differs from one made again."""
    return [name for name, value in found.items() if recorded.get(name) != value]


def _finite(value: float) -> float | None:
    """Finite, or null: JSON has no NaN."""
    return value if abs(value) < float("inf") else None
