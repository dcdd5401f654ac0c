"""What a problem's code means: in words, with a graph that has the problem and one that has not."""

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any

from archstudio.files.unusable import shortened
from archstudio.graph import Graph, to_document
from archstudio.layers import Severity, entries
from archstudio.layers.problem import KINDS, ProblemKind
from archstudio.services.requests import BadRequest
from archstudio.verify import advice, check
from archstudio.verify.examples import problem_examples


@cache
def all_kinds() -> Mapping[str, ProblemKind]:
    """Every kind of problem by its code: errors, then mistakes, then advice."""
    list(entries())
    advice.load()
    rank = {severity: k for k, severity in enumerate(Severity)}
    return {kind.code: kind for kind in sorted(KINDS.values(), key=lambda k: (rank[k.severity], k.code))}


def kind_of(code: str) -> ProblemKind:
    """The kind of a code, in any case. BadRequest (404) names those that are close."""
    kind = all_kinds().get(code.upper())
    if kind is None:
        close = get_close_matches(code.upper(), list(all_kinds()), n=3)
        hint = f" Is it {' or '.join(close)}?" if close else ""
        raise BadRequest(f"No problem has the code {shortened(code)}.{hint}", status=404, field="code")
    return kind


def kind_record(kind: ProblemKind) -> dict[str, Any]:
    """Everything there is to say of a kind."""
    record: dict[str, Any] = {
        "code": kind.code,
        "severity": kind.severity.value,
        "title": kind.general_title,
        "explanation": kind.explain,
        "source": kind.source,
    }
    example = problem_examples().get(kind.code)
    if example is not None:
        record |= {"fails": _example(example.failing()), "passes": _example(example.passing())}
    return record


def _example(graph: Graph) -> dict[str, Any]:
    names = {node.id: node.name for node in graph.nodes}
    problems = check(graph).problems
    said = [{"code": p.kind.code, "title": p.title(names.get(p.node, "The graph"))} for p in problems]
    return {"graph": to_document(graph), "problems": said}
