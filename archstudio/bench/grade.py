"""Grades a model and the actions that made it against one task's limits, as checks a person can read.

A check says what is limited, the value it has, and whether that holds. The grade, the failure list of published
records and the checklist in the window are all read off the same checks.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Protocol

from archstudio.bench.rubric import Assessment, Blocker, assess, score
from archstudio.bench.taxonomy import category
from archstudio.edits.actions.javascript import is_number, number_text, same, to_text, truthy
from archstudio.edits.actions.model import Model, Wiring, type_of


class Gradable(Protocol):
    """Anything with limits to grade against."""

    @property
    def id(self) -> str: ...
    @property
    def budget(self) -> Mapping[str, Any]: ...
    @property
    def constraints(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True)
class Submission:
    """How many actions were submitted and of which types, failed and unknown ones included."""

    count: int = 0
    types: tuple[Any, ...] = ()

    @classmethod
    def of(cls, actions: Any) -> "Submission":
        """Of one list of actions; anything but a list counts 0."""
        listed = actions if isinstance(actions, list) else []
        types = (action.get("type") for action in listed if isinstance(action, dict))
        return cls(len(listed), tuple(kind for kind in types if truthy(kind)))

    def then(self, later: "Submission") -> "Submission":
        """Both together, as episodes of several turns count them."""
        return Submission(self.count + later.count, self.types + later.types)


@dataclass(frozen=True)
class Failure:
    """Why a check failed, in the words published records use, and the category those words fall in."""

    constraint: str
    text: str
    category: str


@dataclass(frozen=True)
class Check:
    """One limit of a task: what it is about, the value now, the limit, and the failure where it does not hold."""

    constraint: str
    label: str
    value: str
    limit: str
    failure: Failure | None

    @property
    def ok(self) -> bool:
        return self.failure is None


@dataclass(frozen=True)
class Grade:
    """The verdict on one submission; `score` and `params` may be NaN where sizes are."""

    task_id: str
    score: float
    params: float
    kv_bytes_per_token: float
    blockers: tuple[Blocker, ...]
    checks: tuple[Check, ...]

    @property
    def failures(self) -> tuple[Failure, ...]:
        return tuple(check.failure for check in self.checks if check.failure)

    @property
    def passed(self) -> bool:
        return not self.failures


@dataclass(frozen=True)
class Measured:
    """What the caller knows of the network beyond the rubric; None is unknown, and a limit on it is then not met."""

    runs: bool | None = None
    macs: int | None = None
    activation_bytes: int | None = None
    """The peak between layers in inference, at the batch of the graph."""
    decode_ms: float | None = None


UNMEASURED: Final = Measured()


@dataclass(frozen=True)
class _Case:
    """What the checks look at."""

    model: Model
    assessment: Assessment
    score: float
    submission: Submission
    measured: Measured

    @cached_property
    def types_on_path(self) -> frozenset[str]:
        wiring = Wiring(self.model)
        return frozenset(type_of(wiring.components[place]) for place in wiring.on_path)


def grade(task: Gradable, model: Model, submission: Submission, measured: Measured = UNMEASURED) -> Grade:
    """Grade `model`, reached by `submission`, against `task`; `measured` is read by the limits of our own alone."""
    assessment = assess(model)
    case = _Case(model, assessment, score(assessment, task.budget), submission, measured)
    checks = tuple(check for name, make in _CHECKS.items() for check in make(task.constraints.get(name), case))
    kv = assessment.kv_bytes_per_token
    return Grade(task.id, case.score, assessment.params, kv, assessment.blockers, checks)


def checklist(task: Gradable, model: Model, submission: Submission, measured: Measured = UNMEASURED) -> list[Check]:
    """The task's limits as rows with their present values, in grading order."""
    return list(grade(task, model, submission, measured).checks)


_Checker = Callable[[Any, _Case], Iterator[Check]]


def _check(
    constraint: str, label: str, value: str, limit: str, failed: str | None, kind: str | None = None
) -> Iterator[Check]:
    failure = None if failed is None else Failure(constraint, failed, kind or category(failed))
    yield Check(constraint, label, value, limit, failure)


def grouped(value: float) -> str:
    """A number for people: thousands separated; "unknown" for NaN."""
    return "unknown" if value != value else f"{value:,}"


def _bound(
    constraint: str,
    label: str,
    measure: Callable[[_Case], float],
    wording: str,
    at_most: bool,
) -> _Checker:
    """A check that a measure is at most (or at least) a limit; NaN breaks neither, as in JavaScript."""

    def make(limit: Any, case: _Case) -> Iterator[Check]:
        if not is_number(limit):
            return
        value = measure(case)
        broken = value > limit if at_most else value < limit
        failed = wording.format(number_text(value), number_text(limit)) if broken else None
        sign = "≤" if at_most else "≥"
        yield from _check(constraint, label, grouped(value), f"{sign} {grouped(limit)}", failed)

    return make


def _no_blockers(limit: Any, case: _Case) -> Iterator[Check]:
    if not truthy(limit):
        return
    blockers = case.assessment.blockers
    failed = f"structural blocker: {blockers[0].text}" if blockers else None
    yield from _check("forbidBlockers", "Structural blockers", str(len(blockers)), "none", failed)


def _contains(limit: Any, case: _Case) -> Iterator[Check]:
    for kind in limit or ():
        count = case.assessment.types[kind]
        failed = None if count else f'missing layer type "{kind}"'
        yield from _check("mustContainTypes", f"Contains {kind}", str(count), "≥ 1", failed)


def _contains_any(limit: Any, case: _Case) -> Iterator[Check]:
    if not limit:
        return
    names = ", ".join(limit)
    count = sum(case.assessment.types[kind] for kind in limit)
    failed = None if count else f"needs one of: {names}"
    yield from _check("mustContainTypesAny", f"Contains one of {names}", str(count), "≥ 1", failed)


def _reaches(limit: Any, case: _Case) -> Iterator[Check]:
    if not truthy(limit):
        return
    reaches = case.assessment.reaches
    failed = None if reaches else "input does not reach output"
    yield from _check("mustReachOutput", "Input reaches output", "yes" if reaches else "no", "yes", failed)


def _forbidden(limit: Any, case: _Case) -> Iterator[Check]:
    for kind in limit or ():
        count = sum(same(kind, used) for used in case.submission.types)
        failed = f'used forbidden action "{to_text(kind)}"' if count else None
        yield from _check("forbidActionTypes", f"Uses of {kind}", str(count), "none", failed)


def _contains_on_path(limit: Any, case: _Case) -> Iterator[Check]:
    for kind in limit or ():
        there = kind in case.types_on_path
        failed = None if there else f'layer type "{kind}" is on no path from input to output'
        label, value = f"{kind} on an input-to-output path", "yes" if there else "no"
        yield from _check("mustContainTypesOnPath", label, value, "yes", failed, "off-path-layer")


def _decodes_within(limit: Any, case: _Case) -> Iterator[Check]:
    if not limit:
        return
    most, value = limit["value"], case.measured.decode_ms
    shown = "unknown" if value is None else f"{value:.3g} ms"
    failed = None if value is not None and value <= most else f"decode step takes {shown}, more than {most} ms"
    label = f"Decode step on {limit['machine']}"
    yield from _check("maxDecodeMs", label, shown, f"≤ {most} ms", failed, "decode-over-budget")


def _at_most(constraint: str, label: str, unit: str, measure: Callable[[_Case], int | None], kind: str) -> _Checker:
    """A limit of our own on a figure that may be unknown, which then does not hold."""

    def make(limit: Any, case: _Case) -> Iterator[Check]:
        if not is_number(limit):
            return
        value = measure(case)
        shown = "unknown" if value is None else grouped(value)
        holds = value is not None and value <= limit
        failed = None if holds else f"{shown} {unit}, more than {grouped(limit)}"
        yield from _check(constraint, label, shown, f"≤ {grouped(limit)}", failed, kind)

    return make


def _runs(limit: Any, case: _Case) -> Iterator[Check]:
    if not truthy(limit):
        return
    runs = case.measured.runs
    shown = "unknown" if runs is None else "yes" if runs else "no"
    yield from _check("mustRun", "Runs in PyTorch", shown, "yes", None if runs else f"runs: {shown}", "does-not-run")


# In the order the original appends its failures; the last five are limits of our own.
_CHECKS: Final[dict[str, _Checker]] = {
    "forbidBlockers": _no_blockers,
    "minScore": _bound("minScore", "Score", lambda case: case.score, "score {} < min {}", at_most=False),
    "maxParams": _bound(
        "maxParams", "Parameters (estimate)", lambda case: case.assessment.params, "params {} > budget {}", at_most=True
    ),
    "minParams": _bound(
        "minParams",
        "Parameters (estimate)",
        lambda case: case.assessment.params,
        "params {} < required minimum {}",
        at_most=False,
    ),
    "maxKvBytesPerToken": _bound(
        "maxKvBytesPerToken",
        "KV cache, bytes per token",
        lambda case: case.assessment.kv_bytes_per_token,
        "KV {} bytes/token > budget {}",
        at_most=True,
    ),
    "minComponents": _bound(
        "minComponents", "Components", lambda case: case.assessment.components, "{} components < min {}", at_most=False
    ),
    "mustContainTypes": _contains,
    "mustContainTypesAny": _contains_any,
    "mustReachOutput": _reaches,
    "maxActions": _bound(
        "maxActions", "Actions", lambda case: case.submission.count, "{} actions > max {}", at_most=True
    ),
    "forbidActionTypes": _forbidden,
    "mustContainTypesOnPath": _contains_on_path,
    "maxDecodeMs": _decodes_within,
    "maxMacs": _at_most(
        "maxMacs", "Multiply–accumulates", "MACs", lambda case: case.measured.macs, "compute-over-budget"
    ),
    "maxActivationBytes": _at_most(
        "maxActivationBytes",
        "Peak activation bytes",
        "bytes of activations",
        lambda case: case.measured.activation_bytes,
        "memory-over-budget",
    ),
    "mustRun": _runs,
}
OWN_LIMITS: Final = ("mustContainTypesOnPath", "maxDecodeMs", "maxMacs", "maxActivationBytes", "mustRun")
"""Limits the original does not know, for authored tasks."""
