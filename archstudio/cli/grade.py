"""`archstudio grade`: the benchmark's own grade of a submission."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from archstudio.bench.grade import Grade, Submission, grade
from archstudio.bench.tasks import curated_task
from archstudio.cli.output import FINE, PROBLEMS, Unusable, console, read_actions, read_object, say_json
from archstudio.edits.actions import apply, hydrate


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("grade")(grade_)


def grade_(
    task: Annotated[str, typer.Option(help="Task id; see 'archstudio tasks list'.")],
    actions: Annotated[Path | None, typer.Option(help="A JSON list of actions, applied to the task's start.")] = None,
    graph: Annotated[Path | None, typer.Option(help="A finished graph, graded as it is.")] = None,
    rubric: Annotated[int, typer.Option(min=2, max=3, help="Rubric version.")] = 3,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Grade a list of actions or a graph on a task. Exit 0 if it passes, 1 if not."""
    if (actions is None) == (graph is None):
        raise Unusable("grade needs either --actions FILE or --graph FILE.")
    chosen = curated_task(task, 2 if rubric == 2 else 3)
    errors: list[str] = []
    if actions is not None:
        listed = read_actions(actions)
        done = apply(chosen.model(), listed)
        errors = [str(e.text) for e in done.errors]
        made = grade(chosen, done.model, Submission.of(listed))
    else:
        assert graph is not None
        made = grade(chosen, hydrate(read_object(graph, "a graph")), Submission())
    if as_json:
        say_json("archstudio.grade/1", {"rubric": rubric, **_record(made), "actionErrors": errors})
    else:
        _show(made, errors)
    raise typer.Exit(FINE if made.passed else PROBLEMS)


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


def _show(made: Grade, errors: list[str]) -> None:
    verdict = "[green]passes[/]" if made.passed else "[red]does not pass[/]"
    console.print(
        f"[bold]{made.task_id}[/] {verdict} · score {made.score:g} · {made.params:,.0f} parameters (estimate)"
    )
    for check in made.checks:
        mark = "[green]✔[/]" if check.ok else "[red]✖[/]"
        console.print(f"  {mark} {check.label}: {check.value} {check.limit}".rstrip())
    for text in errors:
        console.print(f"  action not applied: {text}", markup=False)
