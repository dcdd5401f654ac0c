"""The full verdict on a graph as plain data: what PyTorch says, layer by layer, and what the rubric says."""

from collections.abc import Sequence
from typing import Any, Final

from archstudio.bench.rubric import assess, score
from archstudio.design.fixes import Fix, fixes_for
from archstudio.edits.plain import to_plain
from archstudio.graph import Graph
from archstudio.layers.wire import shapes_of
from archstudio.verify.advice import silenced_remarks
from archstudio.verify.advice.silence import silenced
from archstudio.verify.report import ProblemReport, report
from archstudio.verify.session import check
from archstudio.verify.verdict import Verdict

CHECK_SCHEMA: Final = "archstudio.check/1"
FIX_VISITS: Final = 20_000
"""Fixes are tried on the whole graph: in a graph of thousands of layers only those of the first problems."""


def check_record(graph: Graph) -> dict[str, Any]:
    """Everything there is to say of a graph, in the fields of `archstudio check --json` and the rubric's."""
    verdict = check(graph)
    told = [report(graph, verdict, problem) for problem in verdict.problems]
    record = verdict_record(verdict, told, offered_fixes(verdict, told))
    return {"schema": CHECK_SCHEMA, **record, "rubric": rubric_record(graph)}


def verdict_record(verdict: Verdict, told: Sequence[ProblemReport], fixes: Sequence[Sequence[Fix]]) -> dict[str, Any]:
    """What PyTorch says, from a verdict, its problems in words, and the fixes of each."""
    return {
        "name": verdict.graph.name,
        "runs": verdict.runs,
        "parameters": _whole(verdict.parameters),
        "buffers": _whole(verdict.buffers),
        "macs": _whole(verdict.macs),
        "layers": [_layer(verdict, node) for node in verdict.graph.node_ids],
        "problems": [problem_record(one, its) for one, its in zip(told, fixes, strict=True)],
        "silenced": silenced_record(verdict),
    }


def offered_fixes(verdict: Verdict, told: Sequence[ProblemReport]) -> list[list[Fix]]:
    """The fixes of each problem, errors first; none where so many problems would take for ever."""
    graph = verdict.graph
    tried = max(5, FIX_VISITS // max(1, len(graph)))
    found = [fixes_for(graph, one.problem, verdict) for one in told[:tried]]
    return [*found, *([] for _ in told[tried:])]


def problem_record(told: ProblemReport, fixes: Sequence[Fix]) -> dict[str, Any]:
    """One problem with its facts and its fixes."""
    problem = told.problem
    facts = {k: v for k, v in problem.facts.items() if isinstance(v, str | int | float | bool | list | tuple)}
    return {
        "code": told.code,
        "severity": told.severity.value,
        "phase": problem.phase,
        "layer": told.node_name,
        "port": problem.port,
        "axis": problem.axis,
        "title": told.title,
        "needs": told.needs,
        "needsWhy": told.needs_why,
        "gets": told.gets,
        "getsWhy": told.gets_why,
        "facts": facts,
        "fixes": [fix_record(fix) for fix in fixes],
    }


def fix_record(fix: Fix) -> dict[str, Any]:
    """One fix, with what it leads to and the edit that makes it."""
    return {
        "label": fix.label,
        "shape": fix.preview.shape,
        "parameterChange": fix.preview.d_parameters,
        "macChange": fix.preview.d_macs,
        "edit": fix.edit.to_json(),
    }


def silenced_record(verdict: Verdict) -> list[dict[str, Any]]:
    """Codes that the graph asks not to hear, why, and at which layers they would be told."""
    hidden: dict[str, list[str]] = {}
    for problem in silenced_remarks(verdict):
        name = verdict.graph.node(problem.node).name if problem.node in verdict.graph else ""
        hidden.setdefault(problem.kind.code, []).append(name)
    reasons = silenced(verdict.graph)
    return [{"code": code, "reason": reasons[code], "layers": hidden.get(code, [])} for code in reasons]


def rubric_record(graph: Graph) -> dict[str, Any]:
    """What the benchmark's rubric says of the graph as it is written, without any task."""
    assessment = assess(to_plain(graph))
    return {
        "score": finite(score(assessment, {})),
        "params": finite(assessment.params),
        "kvBytesPerToken": finite(assessment.kv_bytes_per_token),
        "blockers": [{"code": blocker.code, "text": blocker.text} for blocker in assessment.blockers],
    }


def finite(value: float) -> float | None:
    """A number, or null where JSON has none."""
    return value if abs(value) < float("inf") else None


def _layer(verdict: Verdict, node_id: str) -> dict[str, Any]:
    node, known = verdict.graph.node(node_id), verdict.nodes[node_id]
    return {
        "name": node.name,
        "type": node.type,
        "state": known.state,
        "shape": None if known.value is None else shapes_of(known.value),
        "parameters": _whole(known.parameters),
        "macs": _whole(known.macs),
        "inferred": dict(known.inferred),
        "waitingFor": [verdict.graph.node(n).name for n in known.waiting_for],
    }


def _whole(number: int | None) -> int | None:
    return None if number is None else int(number)
