"""A problem as people read it: the sentence, both shapes with the wrong axis marked, and where each size is from."""

from __future__ import annotations

from dataclasses import dataclass

from archstudio.graph import Graph
from archstudio.layers import Problem, Severity, Wire, find, value_text
from archstudio.layers.dim import dim_text
from archstudio.verify.ports import input_order
from archstudio.verify.provenance import explain_axis, origin_text
from archstudio.verify.verdict import Verdict


@dataclass(frozen=True, slots=True)
class ProblemReport:
    """Everything told of one problem; texts are empty where there is nothing to tell."""

    problem: Problem
    code: str
    severity: Severity
    node_name: str
    title: str
    needs: str
    """The shape it needs, the wrong axis in brackets: `B×32×28×[32]`."""
    needs_why: str
    """Which parameter asks for it: `inFeatures of head`."""
    gets: str
    """The shape it gets: `B×32×28×[28]`."""
    gets_why: str
    """Where the size comes from: `28 ← conv2 (30 − 3 + 1) ← conv1 (32 − 3 + 1)`."""
    waiting: str
    """Which layers wait for this one: `output waits for head.`"""
    explanation: str


def report(graph: Graph, verdict: Verdict, problem: Problem) -> ProblemReport:
    """Put one problem into words."""
    name = graph.node(problem.node).name if problem.node in graph else "The graph"
    needs, needs_why, gets, gets_why = _shapes(graph, verdict, problem, name)
    return ProblemReport(
        problem,
        problem.kind.code,
        problem.severity,
        name,
        problem.title(name),
        needs,
        needs_why,
        gets,
        gets_why,
        _waiting_text(graph, verdict, problem, name),
        problem.kind.explain,
    )


def _shapes(graph: Graph, verdict: Verdict, problem: Problem, name: str) -> tuple[str, str, str, str]:
    facts = problem.facts
    set_by = facts.get("set_by")
    needs_why = f"{set_by} of {name}" if set_by else ""
    if problem.port is None or problem.node not in graph:
        return "", needs_why, "", ""
    incoming = input_order(find(graph.node(problem.node).type), graph.incoming(problem.node))
    if problem.port >= len(incoming):
        return "", needs_why, "", ""
    wire = incoming[problem.port]
    carried = verdict.carried(wire.id)
    if not isinstance(carried, Wire):
        return "", needs_why, "" if carried is None else value_text(carried), ""
    axis = problem.axis
    if axis is None or not -carried.rank <= axis < carried.rank:
        return "", needs_why, carried.text(), ""
    axis = axis if axis < 0 else axis - carried.rank
    needed = facts.get("needs")
    needs = marked(carried, axis, needed) if isinstance(needed, int) else ""
    why = origin_text(graph, carried.shape[axis], explain_axis(graph, verdict, wire.source, axis, wire.source_port))
    return needs, needs_why, marked(carried, axis), why


def marked(wire: Wire, axis: int, size: int | None = None) -> str:
    """A shape with one axis in brackets, showing `size` there if given."""
    texts = [dim_text(d) for d in wire.shape]
    texts[axis] = f"[{texts[axis] if size is None else size}]"
    return "×".join(texts)


def _waiting_text(graph: Graph, verdict: Verdict, problem: Problem, name: str) -> str:
    if problem.severity is not Severity.ERROR:
        return ""
    waiting = [n for n in graph.node_ids if problem.node in verdict.nodes[n].waiting_for]
    alone = " Nothing else is wrong." if len(verdict.errors) == 1 else ""
    if not waiting:
        return alone.strip()
    if len(waiting) == 1:
        return f"{graph.node(waiting[0]).name} waits for {name}.{alone}"
    return f"{len(waiting)} layers wait for {name}.{alone}"
