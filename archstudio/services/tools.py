"""The tools that a language model may call, as pure functions from what it says to what it is told."""

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, Final

from archstudio.bench.grade import Submission, grade
from archstudio.bench.tasks import curated_tasks
from archstudio.design.fixes import Fix
from archstudio.edits.actions.javascript import is_number
from archstudio.edits.plain import to_plain
from archstudio.edits.plan import plan
from archstudio.graph import Graph
from archstudio.layers import Severity
from archstudio.services.environment import Environment, graded, task_named
from archstudio.services.explaining import all_kinds, kind_of, kind_record
from archstudio.services.graphs import graph_of
from archstudio.services.limits import MOST_TASKS
from archstudio.services.requests import BadRequest, seed_of, split_of, text_of, whole
from archstudio.services.verdict_record import check_record, offered_fixes
from archstudio.verify.report import ProblemReport, report
from archstudio.verify.session import check

Tool = Callable[[Environment, dict[str, Any]], dict[str, Any]]
MOST_LISTED: Final = 50
"""Tasks told at once."""
_PROBLEMS_MENDED: Final = 5
_LARGEST_PLANNED: Final = 300
"""Layers of a graph for which fixes are also told as actions."""


def audit_architecture(environment: Environment, given: dict[str, Any]) -> dict[str, Any]:
    """The rubric's figures and what PyTorch would say, in short; graded on a curated task where one is named."""
    graph = graph_of(given.get("graph"))
    record = check_record(graph)
    rubric = record["rubric"]
    budget = _budget(given)
    blockers = [blocker["text"] for blocker in rubric["blockers"]]
    told = {
        "score": rubric["score"],
        "blockers": blockers,
        "params": rubric["params"],
        "kvBytesPerToken": rubric["kvBytesPerToken"],
        "components": len(graph),
        "runs": record["runs"],
        "parameters": record["parameters"],
        "problems": [_shortly(problem) for problem in record["problems"]],
        "overBudget": None if budget is None else (record["parameters"] or rubric["params"] or 0) > budget,
    }
    if given.get("taskId") is not None:
        task = environment.task(task_named({"taskId": given["taskId"]}))
        made = grade(task, to_plain(graph), Submission())
        told["task"] = {"id": task.id, "pass": made.passed, "failures": [failure.text for failure in made.failures]}
    return {**told, "summary": _summary(told)}


def grade_task(environment: Environment, given: dict[str, Any]) -> dict[str, Any]:
    """The grade of actions on a task, in all three ways."""
    return graded(environment, {**given, "verdicts": True})


def generate_tasks(environment: Environment, given: dict[str, Any]) -> dict[str, Any]:
    """Tasks of a split, from `offset` on, at most fifty."""
    tier, seed = split_of(given.get("split")), seed_of(given.get("seed"))
    count = whole(given.get("count"), "count", 1, MOST_TASKS, default=256)
    count = count if tier is not None else min(count, len(curated_tasks()))
    offset = whole(given.get("offset"), "offset", 0, MOST_TASKS, default=0)
    limit = whole(given.get("limit"), "limit", 1, MOST_LISTED, default=10)
    rows = list(islice(environment.tasks(tier, seed, count), offset, offset + limit))
    return {"count": count, "offset": offset, "tasks": rows}


def explain_problem(_: Environment, given: dict[str, Any]) -> dict[str, Any]:
    """What a code means, with examples; all codes where none is given."""
    code = given.get("code")
    if code is None:
        rows = [{"code": k.code, "severity": k.severity.value, "title": k.general_title} for k in all_kinds().values()]
        return {"codes": rows}
    return kind_record(kind_of(text_of(code, "code")))


def suggest_fix(_: Environment, given: dict[str, Any]) -> dict[str, Any]:
    """Fixes for the problems of a graph, or of one layer or code of it, each tried before it is told."""
    graph = graph_of(given.get("graph"))
    verdict = check(graph)
    told = [report(graph, verdict, problem) for problem in verdict.problems]
    layer, code = given.get("layer"), given.get("code")
    wanted = [
        one
        for one in told
        if (layer is None or one.node_name == layer) and (code is None or one.code == str(code).upper())
    ]
    if told and not wanted:
        raise BadRequest("The graph has no such problem at that layer.", status=404, field="layer")
    mended = wanted[:_PROBLEMS_MENDED]
    fixes = offered_fixes(verdict, mended)
    return {
        "runs": verdict.runs,
        "problems": [_mended(graph, one, its) for one, its in zip(mended, fixes, strict=True)],
        "others": len(wanted) - len(mended),
    }


def _mended(graph: Graph, told: ProblemReport, fixes: list[Fix]) -> dict[str, Any]:
    return {
        "code": told.code,
        "severity": told.severity.value,
        "layer": told.node_name,
        "title": told.title,
        "needs": told.needs,
        "gets": told.gets,
        "getsWhy": told.gets_why,
        "fixes": [
            {
                "label": fix.label,
                "shape": fix.preview.shape,
                "parameterChange": fix.preview.d_parameters,
                "remainingErrors": fix.remaining,
                "actions": _actions(graph, fix),
            }
            for fix in fixes
        ],
    }


def _actions(graph: Graph, fix: Fix) -> list[dict[str, Any]] | None:
    """The fix in the benchmark's actions; None where they cannot say it, or the graph is large."""
    if len(graph) > _LARGEST_PLANNED:
        return None
    after = graph.copy()
    fix.edit.apply(after)
    found = plan(graph, after)
    return None if found.inexpressible else found.actions


def _shortly(problem: dict[str, Any]) -> dict[str, Any]:
    fixes = [fix["label"] for fix in problem["fixes"]]
    return {**{key: problem[key] for key in ("code", "severity", "layer", "title")}, "fixes": fixes}


def _budget(given: dict[str, Any]) -> float | None:
    most: Any = given.get("maxParams")
    if most is not None and not is_number(most):
        raise BadRequest("maxParams must be a number.", field="maxParams")
    return None if most is None else float(most)


def _summary(told: dict[str, Any]) -> str:
    errors = sum(problem["severity"] == Severity.ERROR.value for problem in told["problems"])
    runs = "runs in PyTorch" if told["runs"] else f"does not run in PyTorch ({errors} error{'s' * (errors != 1)})"
    blocked = f"{len(told['blockers'])} blocker{'s' * (len(told['blockers']) != 1)}"
    return f"{told['components']} components; {runs}; rubric score {told['score']}, {blocked}."


TOOLS: Final[Mapping[str, Tool]] = {
    "audit_architecture": audit_architecture,
    "grade_task": grade_task,
    "generate_tasks": generate_tasks,
    "explain_problem": explain_problem,
    "suggest_fix": suggest_fix,
}
