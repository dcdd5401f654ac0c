"""`archstudio check`: what PyTorch would say of a graph, and the benchmark's grade beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

import archstudio
from archstudio.app.document import Document
from archstudio.app.figures import UNKNOWN, count_text, macs_text, plural
from archstudio.app.layer_table import layer_rows
from archstudio.app.task_report import TaskReport
from archstudio.bench.grade import Submission
from archstudio.bench.tasks import curated_task
from archstudio.bench.three_verdicts import judge_model
from archstudio.cli.output import FINE, PROBLEMS, console, plain, say_json
from archstudio.design.fixes import Fix
from archstudio.edits.plain import to_plain
from archstudio.edits.plan import Plan
from archstudio.files.atomic import save_atomic
from archstudio.graph import read_graph
from archstudio.layers import Severity
from archstudio.services.verdict_record import offered_fixes, silenced_record, verdict_record
from archstudio.verify.report import ProblemReport, report
from archstudio.verify.sarif import sarif_log

_COLOURS = {Severity.ERROR: "red", Severity.MISTAKE: "magenta", Severity.ADVICE: "yellow"}


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("check")(check_)


def check_(
    file: Annotated[Path, typer.Argument(help="A graph file.")],
    task: Annotated[str | None, typer.Option(help="Also grade it on this task, as it is.")] = None,
    strict: Annotated[bool, typer.Option(help="Exit 1 on mistakes and advice too.")] = False,
    sarif: Annotated[Path | None, typer.Option(help="Also write the problems to this file, as SARIF 2.1.0.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Say what PyTorch would say: shapes, problems with fixes, parameters. Exit 0: it runs, 1: not, 2: unusable."""
    document = Document(read_graph(file), path=file)
    graded = None if task is None else _graded(document, task)
    verdict = document.verdict
    told = [report(document.graph, verdict, p) for p in verdict.problems]
    fixes = offered_fixes(verdict, told)
    if as_json:
        say_json("archstudio.check/1", _record(document, told, fixes, graded))
    else:
        _show(document, told, fixes, graded)
    if sarif is not None:
        log = sarif_log(verdict, file.as_posix(), archstudio.__version__)
        save_atomic(sarif, (json.dumps(log, ensure_ascii=False, indent=2) + "\n").encode())
    passed = graded is None or graded.grade.passed
    clean = not verdict.problems if strict else verdict.runs
    raise typer.Exit(FINE if clean and passed else PROBLEMS)


def _graded(document: Document, task_id: str) -> TaskReport:
    """The graph as it is, without any actions, on a task."""
    task = curated_task(task_id)
    model = to_plain(document.graph)
    judged = judge_model(task, model, Submission(), document.verdict)
    return TaskReport(task, Plan([], (), model), judged.grade, judged.facts)


def _record(
    document: Document, told: list[ProblemReport], fixes: list[list[Fix]], graded: TaskReport | None
) -> dict[str, Any]:
    record = verdict_record(document.verdict, told, fixes)
    if graded is not None:
        record["task"] = {
            "id": graded.task.id,
            "pass": graded.grade.passed,
            "score": graded.grade.score,
            "failures": [f.text for f in graded.grade.failures],
            "brief": [{"text": f.text, "holds": f.holds, "value": f.value} for f in graded.facts],
        }
    return record


def _show(document: Document, told: list[ProblemReport], fixes: list[list[Fix]], graded: TaskReport | None) -> None:
    verdict = document.verdict
    errors = sum(1 for t in told if t.severity is Severity.ERROR)
    line = "[green]✔ runs in PyTorch[/]" if verdict.runs else f"[red]✖ {plural(errors, 'problem')}[/]"
    console.print(f"[bold]{plain(document.graph.name)}[/]  {line}")
    table = Table("layer", "type", "output", "parameters", "MACs", box=None)
    for row in layer_rows(document):
        known = verdict.nodes[row.node]
        output = row.output if known.state != "waiting" else f"waiting for {_roots(document, known.waiting_for)}"
        table.add_row(*(plain(c) for c in (row.name, row.type, output, *row.cells[3:5])))
    console.print(table)
    for t, offered in zip(told, fixes, strict=True):
        _show_problem(t, offered)
    for silent in silenced_record(verdict):
        reason = f": {silent['reason']}" if silent["reason"] else ""
        console.print(
            f"\n{silent['code']} is silenced at {plural(len(silent['layers']), 'layer')}{reason}", markup=False
        )
    totals = f"{count_text(verdict.parameters)} parameters, {macs_text(verdict.macs)}"
    console.print(totals if verdict.runs else f"parameters and MACs {UNKNOWN} while problems stand")
    if graded is not None:
        _show_grade(graded)


def _show_problem(told: ProblemReport, fixes: list[Fix]) -> None:
    console.print(f"\n[{_COLOURS[told.severity]}]{told.code}[/] [bold]{plain(told.title)}[/]")
    for name, shape, why in (("needs", told.needs, told.needs_why), ("gets ", told.gets, told.gets_why)):
        if shape or why:
            console.print(f"  {name} {shape:<20} {why}".rstrip(), markup=False)
    for fix in fixes:
        change = "" if fix.preview.d_parameters is None else f" ({fix.preview.d_parameters:+,} parameters)"
        console.print(f"  → {fix.label}{change}", markup=False)
    if told.waiting:
        console.print(f"  {told.waiting}", markup=False)


def _show_grade(graded: TaskReport) -> None:
    passed = "[green]✔ passes[/]" if graded.grade.passed else "[red]✖ does not pass[/]"
    console.print(f"\n{graded.task.id}: {passed} (rubric v3, score {graded.grade.score:g})")
    for failure in graded.grade.failures:
        console.print(f"  ✖ {failure.text}", markup=False)
    for fact in graded.facts:
        mark = {True: "✔", False: "✖", None: "–"}[fact.holds]
        console.print(f"  {mark} {fact.text}: {fact.value}", markup=False)


def _roots(document: Document, ids: tuple[str, ...]) -> str:
    return ", ".join(document.graph.node(n).name for n in ids)
