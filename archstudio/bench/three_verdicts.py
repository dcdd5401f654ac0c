"""The three verdicts on one submission: the rubric's grade, whether PyTorch would run it, and the brief's facts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from archstudio.bench.brief import AnyTask, check_brief, does_the_brief
from archstudio.bench.facts import Exact, FactResult
from archstudio.bench.grade import Grade, Measured, Submission, grade
from archstudio.edits.actions import apply
from archstudio.edits.actions.model import Model
from archstudio.graph import GraphError
from archstudio.graph.document import from_document
from archstudio.layers import Wire
from archstudio.verify.costs.activations import peak_memory
from archstudio.verify.costs.machines import UnknownMachine
from archstudio.verify.costs.report import costs
from archstudio.verify.session import check
from archstudio.verify.verdict import Verdict


@dataclass(frozen=True)
class ThreeVerdicts:
    """What came of a submission. `runs` is None where the graph cannot be read as a network at all."""

    grade: Grade
    runs: bool | None
    refusals: tuple[str, ...]
    """Why it does not run, or cannot be read; empty where it runs."""
    parameters: int | None
    """All trainable weights, exactly; None while it does not run."""
    facts: tuple[FactResult, ...]
    action_errors: tuple[str, ...] = ()

    @property
    def passes_rubric(self) -> bool:
        """The first verdict."""
        return self.grade.passed

    @property
    def does_the_brief(self) -> bool | None:
        """The third verdict; None while a fact is unknown, and for a task whose facts are not known here."""
        return does_the_brief(list(self.facts)) if self.facts else None

    @property
    def passes_all(self) -> bool:
        """Whether all three are a clear yes."""
        return self.passes_rubric and self.runs is True and self.does_the_brief is True


def judge_actions(task: AnyTask, actions: Any) -> ThreeVerdicts:
    """The verdicts on a list of actions, applied to the task's starting graph."""
    applied = apply(task.model(), actions)
    errors = tuple(map(str, applied.errors))
    return judge_model(task, applied.model, Submission.of(actions), action_errors=errors)


def judge_model(
    task: AnyTask,
    model: Model,
    submission: Submission,
    verdict: Verdict | None = None,
    action_errors: tuple[str, ...] = (),
) -> ThreeVerdicts:
    """The verdicts on a finished graph; `verdict` is the exact one of the same graph where the caller has it."""
    refusals: tuple[str, ...] = ()
    if verdict is None:
        try:
            verdict = check(from_document(_readable(model)))
        except GraphError as error:
            refusals = (str(error),)
    if verdict is not None:
        names = {node.id: node.name for node in verdict.graph.nodes}
        refusals = tuple(problem.title(names.get(problem.node, problem.node)) for problem in verdict.errors)
    made = grade(task, model, submission, measured(verdict, task.constraints))
    return ThreeVerdicts(
        grade=made,
        runs=None if verdict is None else verdict.runs,
        refusals=refusals,
        parameters=None if verdict is None or verdict.parameters is None else int(verdict.parameters),
        facts=tuple(check_brief(task, model, exact_of(verdict))),
        action_errors=action_errors,
    )


def exact_of(verdict: Verdict | None) -> Exact:
    """What the facts of a brief may know of the exact verdict: all parameters, and the shape each node gives out."""
    if verdict is None:
        return Exact()
    shapes: dict[str, tuple[int, ...] | None] = {}
    for node in verdict.graph.nodes:
        value = verdict.nodes[node.id].value
        shapes[node.name] = tuple(map(int, value.shape)) if isinstance(value, Wire) else None
    return Exact(None if verdict.parameters is None else int(verdict.parameters), shapes)


def measured(verdict: Verdict | None, constraints: Mapping[str, Any]) -> Measured:
    """The figures that limits of our own read; the dear ones only where `constraints` limits them."""
    if verdict is None:
        return Measured()
    peak = peak_memory(verdict) if "maxActivationBytes" in constraints else None
    return Measured(
        runs=verdict.runs,
        macs=None if verdict.macs is None else int(verdict.macs),
        activation_bytes=None if peak is None else peak.bytes,
        decode_ms=_decode_ms(verdict, constraints.get("maxDecodeMs")),
    )


def _decode_ms(verdict: Verdict, limit: Any) -> float | None:
    """One decoding step at best, on the machine and in the setting the limit names; None where it is unknown."""
    if not isinstance(limit, dict):
        return None
    setting = {name: limit[name] for name in ("machine", "batch", "context", "dtype") if name in limit}
    try:
        told = costs(verdict, **setting)
    except (UnknownMachine, KeyError):
        return None
    return None if told is None or told.decode is None else told.decode.ideal.ms


def _readable(model: Model) -> dict[str, Any]:
    """The parts of a model that the document form reads; a model without a name has an empty one."""
    name = model.get("name")
    return {**model, "name": name if isinstance(name, str) else "untitled"}
