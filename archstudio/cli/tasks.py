"""`archstudio tasks`: the curated tasks, generated splits, and tasks in files."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, cast, get_args

import typer
from rich.table import Table

from archstudio.bench.brief import AnyTask
from archstudio.bench.generate import TIERS, GeneratedTask, Wording, generate
from archstudio.bench.observation import observe
from archstudio.bench.results.published import published_for
from archstudio.bench.results.tables import difficulty_record
from archstudio.bench.task_files import FiledTask, Rejected, find_task, read_tasks, task_row
from archstudio.bench.tasks import Rubric, Task, UnknownName, curated_task, curated_tasks
from archstudio.cli.output import FINE, PROBLEMS, Unusable, complain, console, plain, say_json
from archstudio.files.atomic import saving

app = typer.Typer(help="Arch-Bench tasks: curated, generated, or read from files.", no_args_is_help=True)
RubricOption = Annotated[int, typer.Option("--rubric", min=2, max=3, help="Rubric version.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
FileOption = Annotated[Path | None, typer.Option("--file", help="A file of tasks instead of the curated ones.")]
LARGEST_SEED = 2**32 - 1


def register(parent: typer.Typer) -> None:
    """Add the commands of this module and its neighbours, under one name."""
    parent.add_typer(app, name="tasks")


@app.command("list")
def list_(rubric: RubricOption = 3, file: FileOption = None, as_json: JsonOption = False) -> None:
    """List the tasks. With --file: exit 1 if a row of it was rejected, with the reason for each."""
    if file is not None:
        raise typer.Exit(_list_file(file, as_json))
    rows = curated_tasks(_rubric(rubric))
    if as_json:
        say_json("archstudio.tasks/1", {"rubric": rubric, "tasks": [_record(t) for t in rows]})
        return
    table = Table("task", "kind", "start", "limits", box=None)
    for task in rows:
        table.add_row(task.id, task.kind, task.start, limits_text(task))
    console.print(table)


@app.command()
def show(task_id: str, rubric: RubricOption = 3, file: FileOption = None, as_json: JsonOption = False) -> None:
    """Show one task: brief, limits and starting graph."""
    task: AnyTask = curated_task(task_id, _rubric(rubric)) if file is None else find_task(file, task_id)
    if as_json:
        say_json("archstudio.task/1", {"rubric": rubric, **_record(task), "model": task.model()})
        return
    console.print(f"[bold]{plain(task.id)}[/] ({task.kind})")
    console.print(f"\n{task.spec}\n\nLimits: {limits_text(task)}", markup=False)
    console.print(f"Difficulty for published models: {_difficulty_text(task.id)}\n", markup=False)
    console.print(observe(task.model()), markup=False)


@app.command("generate")
def generate_(
    tier: Annotated[str, typer.Option(help=f"One of {', '.join(TIERS)}.")],
    count: Annotated[int, typer.Option(help="How many tasks; a smaller count is a prefix of a larger one.")],
    seed: Annotated[int, typer.Option(help="0 to 4294967295; the same seed always gives the same tasks.")],
    brief: Annotated[
        str, typer.Option(help="'complete', or 'original-facts': no fact the original leaves out.")
    ] = "complete",
    out: Annotated[Path | None, typer.Option(help="Write JSON lines to this file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
) -> None:
    """Generate tasks of a tier, as Arch-Bench draws them. They are streamed: any count takes the same memory."""
    tasks = _stream(tier, count, seed)
    wording = _wording(brief)
    lines = (json.dumps(task_row(t, seed, k, wording), ensure_ascii=False) + "\n" for k, t in enumerate(tasks))
    if out is not None:
        _write_lines(out, lines)
        console.print(f"{count:,} tasks ({tier}, seed {seed}) in {out}", markup=False)
    else:
        _print_lines(lines if as_json else (_brief_text(t, wording) for t in tasks))


def _stream(tier: str, count: int, seed: int) -> Iterator[GeneratedTask]:
    if tier not in TIERS:
        raise UnknownName("tier", tier, TIERS)
    if count < 1:
        raise Unusable(f"--count is {count}; it must be at least 1.")
    if not 0 <= seed <= LARGEST_SEED:
        raise Unusable(f"--seed is {seed}; it must be from 0 to {LARGEST_SEED}.")
    return generate(tier, count, seed)


def _wording(brief: str) -> Wording:
    if brief not in get_args(Wording):
        raise UnknownName("wording of briefs", brief, get_args(Wording))
    return cast(Wording, brief)


def _brief_text(task: GeneratedTask, wording: Wording) -> str:
    return f"{task.id} ({task.kind})\n{task.brief(wording)}\nLimits: {limits_text(task)}\n\n"


def _write_lines(out: Path, lines: Iterator[str]) -> None:
    """Write beside and rename, so that an interrupted run leaves no half file under the name asked for."""
    part = out.with_name(out.name + ".part")
    with saving(out):
        try:
            with part.open("w", encoding="utf-8") as stream:
                stream.writelines(lines)
            os.replace(part, out)
        finally:
            part.unlink(missing_ok=True)


def _print_lines(lines: Iterator[str]) -> None:
    """Print until done, or until the reader at the other end of a pipe has had enough."""
    try:
        sys.stdout.writelines(lines)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing is left to complain at exit


def _list_file(file: Path, as_json: bool) -> int:
    rows = read_tasks(file)
    if as_json:
        read = list(rows)
        tasks = [_record(row) for row in read if isinstance(row, FiledTask)]
        rejected = [_rejection(row) for row in read if isinstance(row, Rejected)]
        say_json("archstudio.tasks/1", {"file": file.name, "tasks": tasks, "rejected": rejected})
        return PROBLEMS if rejected else FINE
    bad = 0
    first = next(rows, None)
    if first is None:
        raise Unusable(f"{file} holds no tasks.")
    for row in chain([first], rows):
        if isinstance(row, Rejected):
            bad += 1
            complain(f"{file.name}, {row.place}: rejected: {row.reason}")
        else:
            console.print(f"{row.id}  {row.kind}  {limits_text(row)}", markup=False)
    return PROBLEMS if bad else FINE


def _rejection(row: Rejected) -> dict[str, Any]:
    return {"place": row.place, "id": row.id, "reason": row.reason}


def _rubric(number: int) -> Rubric:
    return 2 if number == 2 else 3


def _record(task: AnyTask) -> dict[str, Any]:
    record = {
        "id": task.id,
        "kind": task.kind,
        "spec": task.spec,
        "start": task.start if isinstance(task, Task) else None,
        "budget": dict(task.budget),
        "constraints": dict(task.constraints),
        "difficulty": difficulty_record(published_for(task.id)),
    }
    return {**record, "source": task.source} if isinstance(task, Task) else record


def _difficulty_text(task_id: str) -> str:
    rated = published_for(task_id)
    return f"{rated.band} ({rated.passes} of {rated.trials} passed)" if rated.trials else rated.band


def limits_text(task: AnyTask) -> str:
    """The constraints in one line."""
    shown = []
    for key, value in task.constraints.items():
        if value is True:
            shown.append(key)
        elif isinstance(value, list):
            shown.append(f"{key} {', '.join(map(str, value))}")
        elif isinstance(value, dict):
            shown.append(f"{key} {', '.join(f'{k} {v}' for k, v in value.items())}")
        else:
            shown.append(f"{key} {value:,}" if isinstance(value, int) else f"{key} {value}")
    return " · ".join(shown)
