"""`archstudio explain`: what a problem's code means, with a graph that has the problem and one that has not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from archstudio.cli.output import Unusable, console, say_json
from archstudio.design.fixes import fixes_for
from archstudio.graph import Graph
from archstudio.layers import Problem, Severity, value_text
from archstudio.layers.problem import ProblemKind
from archstudio.services.explaining import all_kinds, kind_of, kind_record
from archstudio.services.requests import BadRequest
from archstudio.verify import Verdict, check
from archstudio.verify.examples import problem_examples

_SAYS = {
    Severity.ERROR: "error: PyTorch refuses the graph; totals are unknown behind it",
    Severity.MISTAKE: "mistake: the graph runs, but does the wrong thing",
    Severity.ADVICE: "advice: the graph runs; worth knowing",
}
_MOST_ROWS = 9
"""Layers of an example that are shown: those around the problem."""


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("explain")(explain)


def explain(
    code: Annotated[str | None, typer.Argument(help="A code as 'archstudio check' prints it: E-LINEAR-IN.")] = None,
    list_all: Annotated[bool, typer.Option("--list", help="List all codes.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Say what a code means, why it matters and what mends it, with an example that has it and one that has not."""
    if list_all:
        _list(all_kinds(), as_json=as_json)
        return
    if code is None:
        raise Unusable("explain needs a code, or --list.")
    try:
        kind = kind_of(code)
    except BadRequest as unknown:
        raise Unusable(f"{unknown.text[:1].lower()}{unknown.text[1:]} See --list.") from None
    if as_json:
        say_json("archstudio.explain/1", kind_record(kind))
    else:
        _show(kind)


def _list(kinds: Mapping[str, ProblemKind], *, as_json: bool) -> None:
    if as_json:
        rows = [{"code": k.code, "severity": k.severity.value, "title": k.general_title} for k in kinds.values()]
        say_json("archstudio.codes/1", {"codes": rows})
        return
    table = Table("code", "severity", "what it says", box=None)
    for kind in kinds.values():
        table.add_row(kind.code, kind.severity.value, kind.general_title)
    console.print(table)


def _title(graph: Graph, problem: Problem) -> str:
    return problem.title(graph.node(problem.node).name if problem.node in graph else "The graph")


def _show(kind: ProblemKind) -> None:
    console.print(f"[bold]{kind.code}[/]  {_SAYS[kind.severity]}")
    console.print(kind.general_title, markup=False)
    console.print()
    console.print(kind.explain, markup=False)
    if kind.source:
        console.print(f"Source: {kind.source}", markup=False)
    if kind.severity is not Severity.ERROR:
        hint = f'A graph whose meta holds {{"silenced": {{"{kind.code}": "why it is meant"}}}} does not hear it.'
        console.print(hint, markup=False)
    example = problem_examples().get(kind.code)
    if example is None:
        return
    console.print("\n[red]✖[/] a graph that has it")
    _show_graph(example.failing(), kind)
    console.print("\n[green]✔[/] one that has not")
    _show_graph(example.passing(), kind)


def _show_graph(graph: Graph, kind: ProblemKind) -> None:
    verdict = check(graph)
    told = [p for p in verdict.problems if p.kind is kind]
    nodes = list(graph.nodes)
    at = next((k for k, n in enumerate(nodes) if told and n.id == told[0].node), 0)
    first = max(0, min(at - _MOST_ROWS // 2, len(nodes) - _MOST_ROWS))
    table = Table(box=None, show_header=False, padding=(0, 2))
    for node in nodes[first : first + _MOST_ROWS]:
        mark = "✖" if any(p.node == node.id for p in told) else ""
        cells = (mark, node.name, node.type, _parameters(node.params), _output(verdict, node.id))
        table.add_row(*map(Text, cells))
    console.print(table)
    if len(nodes) > _MOST_ROWS:
        console.print(f"  and {len(nodes) - _MOST_ROWS} more layers")
    for key, value in graph.meta.items():
        console.print(f"  meta {key}: {value}", markup=False)
    for problem in told[:1]:
        console.print(f"  {_title(graph, problem)}", markup=False)
        for fix in fixes_for(graph, problem, verdict):
            console.print(f"  → {fix.label}", markup=False)


def _parameters(params: Any) -> str:
    return ", ".join(f"{key} {value}" for key, value in params.items() if key != "shape")


def _output(verdict: Verdict, node_id: str) -> str:
    value = verdict.nodes[node_id].value
    return "–" if value is None else value_text(value)
