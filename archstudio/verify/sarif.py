"""Problems as SARIF 2.1.0, the form in which code hosts and editors take the findings of checkers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from archstudio.layers import Problem, Severity
from archstudio.layers.problem import ProblemKind
from archstudio.verify.advice import silenced_remarks
from archstudio.verify.advice.silence import silenced
from archstudio.verify.report import report
from archstudio.verify.verdict import Verdict

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.MISTAKE: "warning", Severity.ADVICE: "note"}


def sarif_log(verdict: Verdict, uri: str, version: str) -> dict[str, Any]:
    """A log with one run on one file; layers are logical locations, silenced remarks are suppressed results."""
    hidden = list(silenced_remarks(verdict))
    told = [*verdict.problems, *hidden]
    kinds = list({p.kind.code: p.kind for p in told}.values())
    reasons = silenced(verdict.graph)
    index = {kind.code: k for k, kind in enumerate(kinds)}
    results = [_result(verdict, p, uri, index[p.kind.code]) for p in verdict.problems]
    for problem in hidden:
        suppression = {"kind": "inSource", "justification": reasons[problem.kind.code]}
        results.append(_result(verdict, problem, uri, index[problem.kind.code]) | {"suppressions": [suppression]})
    driver = {"name": "Arch Studio", "version": version, "rules": list(_rules(kinds))}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}


def _rules(kinds: Iterable[ProblemKind]) -> Iterable[dict[str, Any]]:
    for kind in kinds:
        help_text = " ".join(part for part in (kind.explain, kind.source and f"Source: {kind.source}.") if part)
        yield {
            "id": kind.code,
            "shortDescription": {"text": kind.general_title},
            "fullDescription": {"text": kind.explain or kind.general_title},
            "help": {"text": help_text or kind.general_title},
            "defaultConfiguration": {"level": _LEVELS[kind.severity]},
        }


def _result(verdict: Verdict, problem: Problem, uri: str, rule: int) -> dict[str, Any]:
    told = report(verdict.graph, verdict, problem)
    location: dict[str, Any] = {"physicalLocation": {"artifactLocation": {"uri": uri}}}
    if problem.node in verdict.graph:
        kind = verdict.graph.node(problem.node).type
        location["logicalLocations"] = [
            {"name": told.node_name, "fullyQualifiedName": f"{verdict.graph.name}/{told.node_name}", "kind": kind}
        ]
    return {
        "ruleId": problem.kind.code,
        "ruleIndex": rule,
        "level": _LEVELS[problem.severity],
        "message": {"text": told.title},
        "locations": [location],
        "partialFingerprints": {"problem/v1": problem.id},
    }
