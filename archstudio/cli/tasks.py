"""`archstudio tasks`: the curated tasks."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.table import Table

from archstudio.bench.observation import observe
from archstudio.bench.tasks import Rubric, Task, curated_task, curated_tasks
from archstudio.cli.output import console, say_json

app = typer.Typer(help="The curated Arch-Bench tasks.", no_args_is_help=True)
RubricOption = Annotated[int, typer.Option("--rubric", min=2, max=3, help="Rubric version.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@app.command("list")
def list_(rubric: RubricOption = 3, as_json: JsonOption = False) -> None:
    """List the tasks."""
    rows = curated_tasks(_rubric(rubric))
    if as_json:
        say_json("archstudio.tasks/1", {"rubric": rubric, "tasks": [_record(t) for t in rows]})
        return
    table = Table("task", "kind", "start", "limits", box=None)
    for task in rows:
        table.add_row(task.id, task.kind, task.start, limits_text(task))
    console.print(table)


@app.command()
def show(task_id: str, rubric: RubricOption = 3, as_json: JsonOption = False) -> None:
    """Show one task: brief, limits and starting graph."""
    task = curated_task(task_id, _rubric(rubric))
    if as_json:
        say_json("archstudio.task/1", {"rubric": rubric, **_record(task), "model": task.model()})
        return
    console.print(f"[bold]{task.id}[/] ({task.kind})", f"\n{task.spec}\n", f"\nLimits: {limits_text(task)}\n", sep="")
    console.print(observe(task.model()), markup=False)


def _rubric(number: int) -> Rubric:
    return 2 if number == 2 else 3


def _record(task: Task) -> dict[str, Any]:
    return {
        "id": task.id,
        "kind": task.kind,
        "spec": task.spec,
        "start": task.start,
        "budget": dict(task.budget),
        "constraints": dict(task.constraints),
        "source": task.source,
    }


def limits_text(task: Task) -> str:
    """The constraints in one line."""
    shown = []
    for key, value in task.constraints.items():
        if value is True:
            shown.append(key)
        elif isinstance(value, list):
            shown.append(f"{key} {', '.join(map(str, value))}")
        else:
            shown.append(f"{key} {value:,}" if isinstance(value, int) else f"{key} {value}")
    return " · ".join(shown)
