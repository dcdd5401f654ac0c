"""Compares recorded Arch-Bench cases with what this program makes of them, one JSON object a line."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from archstudio.bench.engine import apply
from archstudio.bench.grade import Submission, grade
from archstudio.bench.javascript import is_number
from archstudio.bench.model import Model, hydrate
from archstudio.bench.rubric import assess, score
from archstudio.files.conform import ConformReport

_SCORE_BUDGET: Final = {"maxParams": 50_000}


@dataclass(frozen=True)
class _RecordedTask:
    """One of the four tasks every recorded plan is graded against."""

    id: str
    budget: dict[str, Any]
    constraints: dict[str, Any]


RECORDED_TASKS: Final = (
    _RecordedTask("t0", {}, {"forbidBlockers": True, "minScore": 50, "mustReachOutput": True}),
    _RecordedTask(
        "t1",
        {"maxParams": 20_000},
        {
            "forbidBlockers": True,
            "minScore": 55,
            "maxParams": 20_000,
            "minParams": 2_000,
            "minComponents": 6,
            "mustContainTypes": ["linear", "relu"],
            "mustReachOutput": True,
            "maxActions": 3,
        },
    ),
    _RecordedTask(
        "t2",
        {"maxParams": 1_000_000},
        {
            "mustContainTypesAny": ["layerNorm", "batchNorm1d"],
            "maxKvBytesPerToken": 256,
            "forbidActionTypes": ["replace_model", "clear_canvas"],
            "minComponents": 3,
        },
    ),
    _RecordedTask("t3", {}, {}),
)


def conform_plans(lines: Iterable[str]) -> ConformReport:
    """Compare recorded plans: the model after them, counts, estimates, blockers, score and four grades."""
    return _compare(lines, _plan_outcome, lambda record: record["expect"])


def _plan_outcome(record: dict[str, Any]) -> dict[str, Any]:
    applied = apply(hydrate(record["start"]), record["actions"])
    submission = Submission.of(record["actions"])
    assessment = assess(applied.model)
    grades = [(task, grade(task, applied.model, submission)) for task in RECORDED_TASKS]
    return {
        "model": _recorded_model(applied.model),
        "applied": applied.applied,
        "errors": len(applied.errors),
        "skipped": applied.skipped,
        "params": assessment.params,
        "kvBytesPerToken": assessment.kv_bytes_per_token,
        "reaches": assessment.reaches,
        "blockers": [blocker.code for blocker in assessment.blockers],
        "score": score(assessment, _SCORE_BUDGET),
        "grades": [
            {
                "task": task.id,
                "pass": result.passed,
                "score": result.score,
                "failures": [failure.category for failure in result.failures],
            }
            for task, result in grades
        ],
    }


def _recorded_model(model: Model) -> dict[str, Any]:
    """The parts of a model that records hold."""
    components = [{name: item.get(name) for name in ("id", "type", "name", "params")} for item in model["components"]]
    connections = [{name: wire[name] for name in ("id", "from", "to")} for wire in model["connections"]]
    return {"components": components, "connections": connections}


# Reading and comparing -----------------------------------------------------------------------------------------------


def records(lines: Iterable[str], report: ConformReport) -> Iterator[tuple[str, dict[str, Any]]]:
    """The cases among `lines` with a name for each; blank lines and `about` lines are none, bad ones uncovered."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            report.not_covered(f"line {number}: not readable as JSON ({error})")
            continue
        if not isinstance(record, dict):
            report.not_covered(f"line {number}: holds no JSON object")
        elif "about" not in record:
            yield f"line {number} ({record['id']})" if "id" in record else f"line {number}", record


def _compare(
    lines: Iterable[str],
    outcome: Callable[[dict[str, Any]], dict[str, Any]],
    expected: Callable[[dict[str, Any]], dict[str, Any]],
) -> ConformReport:
    report = ConformReport()
    for name, record in records(lines, report):
        try:
            wanted, got = expected(record), outcome(record)
        except (KeyError, TypeError, AttributeError) as error:
            report.not_covered(f"{name}: not a case of this kind ({type(error).__name__}: {error})")
            continue
        found = first_difference(wanted, got)
        if found is None:
            report.agreed()
        else:
            report.differs(f"{name}: {found}")
    return report


def first_difference(recorded: Any, now: Any, at: str = "") -> str | None:
    """Where and how two JSON values differ, or None; 12 equals 12.0, true does not equal 1, NaN is null.

    Only the keys that were recorded are compared.
    """
    if isinstance(recorded, dict) and isinstance(now, dict):
        if at.endswith(".params") and recorded.keys() != now.keys():
            return f"{at}: recorded the keys {sorted(recorded)}, now {sorted(now)}"
        pairs = ((f"{at}.{name}" if at else name, recorded[name], now.get(name)) for name in recorded)
        return next((found for place, old, new in pairs if (found := first_difference(old, new, place))), None)
    if isinstance(recorded, list) and isinstance(now, list):
        if len(recorded) != len(now):
            return f"{at}: recorded {_short(recorded)}, now {_short(now)}"
        pairs = ((f"{at}[{i}]", old, new) for i, (old, new) in enumerate(zip(recorded, now, strict=True)))
        return next((found for place, old, new in pairs if (found := first_difference(old, new, place))), None)
    return None if _equal(recorded, now) else f"{at}: recorded {_short(recorded)}, now {_short(now)}"


def _equal(recorded: Any, now: Any) -> bool:
    if is_number(now) and (now != now or now in (float("inf"), float("-inf"))):
        return recorded is None
    if is_number(recorded) and is_number(now):
        return float(recorded) == float(now)
    return type(recorded) is type(now) and bool(recorded == now)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:200]}…"
