"""`archstudio grade`: the three verdicts on a submission, the benchmark's own grade first."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from archstudio.bench.brief import AnyTask
from archstudio.bench.grade import Grade, Submission
from archstudio.bench.task_files import find_task
from archstudio.bench.tasks import curated_task
from archstudio.bench.three_verdicts import ThreeVerdicts, judge_actions, judge_model
from archstudio.cli.output import FINE, PROBLEMS, Unusable, console, plain, read_actions, read_object, say_json
from archstudio.edits.actions import hydrate
from archstudio.edits.actions.model import Model
from archstudio.files.unusable import UnusableFile


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("grade")(grade_)


def grade_(
    task: Annotated[str, typer.Option(help="Task id; see 'archstudio tasks list'.")],
    task_file: Annotated[Path | None, typer.Option(help="The file of tasks that holds it.")] = None,
    actions: Annotated[Path | None, typer.Option(help="A JSON list of actions, applied to the task's start.")] = None,
    graph: Annotated[Path | None, typer.Option(help="A finished graph, graded as it is.")] = None,
    rubric: Annotated[int, typer.Option(min=2, max=3, help="Rubric version of curated tasks.")] = 3,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Grade actions or a graph on a task: rubric, PyTorch, brief. Exit 0 if the rubric passes it, 1 if not."""
    if (actions is None) == (graph is None):
        raise Unusable("grade needs either --actions FILE or --graph FILE.")
    chosen: AnyTask = curated_task(task, 2 if rubric == 2 else 3) if task_file is None else find_task(task_file, task)
    if actions is not None:
        made = judge_actions(chosen, read_actions(actions))
    else:
        assert graph is not None
        made = judge_model(chosen, _read_model(graph), Submission())
    if as_json:
        say_json("archstudio.grade/1", {"rubric": rubric, **_record(made.grade), **_other_verdicts(made)})
    else:
        _show(made)
    raise typer.Exit(FINE if made.passes_rubric else PROBLEMS)


def _read_model(path: Path) -> Model:
    given = read_object(path, "a graph")
    for name in ("components", "connections"):
        listed = given.get(name)
        if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
            remedy = "A graph is an object with the lists 'components' and 'connections'."
            raise UnusableFile(path.name, place=f"$.{name}", problem="is not a list of objects", remedy=remedy)
    return hydrate(given)


def _record(made: Grade) -> dict[str, Any]:
    return {
        "taskId": made.task_id,
        "pass": made.passed,
        "score": made.score,
        "params": made.params,
        "kvBytesPerToken": made.kv_bytes_per_token,
        "blockers": [{"code": b.code, "text": b.text} for b in made.blockers],
        "failures": [{"category": f.category, "text": f.text} for f in made.failures],
        "checks": [{"constraint": c.constraint, "value": c.value, "limit": c.limit, "ok": c.ok} for c in made.checks],
    }


def _other_verdicts(made: ThreeVerdicts) -> dict[str, Any]:
    return {
        "runs": made.runs,
        "refusals": list(made.refusals),
        "parameters": made.parameters,
        "doesTheBrief": made.does_the_brief,
        "facts": [{"text": f.text, "holds": f.holds, "value": f.value} for f in made.facts],
        "passesAllThree": made.passes_all,
        "actionErrors": list(made.action_errors),
    }


def _show(made: ThreeVerdicts) -> None:
    graded = made.grade
    console.print(f"[bold]{plain(graded.task_id)}[/]")
    console.print(
        f"Rubric: {_answer(graded.passed, 'passes', 'does not pass')} · score {graded.score:g} · "
        f"{graded.params:,.0f} parameters (estimate)"
    )
    for check in graded.checks:
        _line(check.ok, f"{check.label}: {check.value} {check.limit}".rstrip())
    exactly = "" if made.parameters is None else f" · {made.parameters:,} parameters"
    console.print(f"PyTorch: {_answer(made.runs, 'runs', 'does not run')}{exactly}")
    for text in made.refusals:
        _line(False, text)
    if made.facts:
        console.print(f"Brief: {_answer(made.does_the_brief, 'done', 'not done')}")
    for fact in made.facts:
        _line(fact.holds, f"{fact.text}: {fact.value}")
    for text in made.action_errors:
        console.print(f"  action not applied: {text}", markup=False)


def _answer(holds: bool | None, yes: str, no: str) -> str:
    return "[yellow]cannot be told[/]" if holds is None else f"[green]{yes}[/]" if holds else f"[red]{no}[/]"


def _line(holds: bool | None, text: str) -> None:
    mark = "[yellow]?[/]" if holds is None else "[green]✔[/]" if holds else "[red]✖[/]"
    console.print(f"  {mark} {plain(text)}")
