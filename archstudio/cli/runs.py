"""`archstudio runs`: the training runs that are kept: listed, explained, compared, exported, freed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from archstudio.app.runs import RunRow, RunsBook, size_text
from archstudio.app.training import TrainingDesk
from archstudio.app.training_compare import compared
from archstudio.cli.find_run import find_run
from archstudio.cli.output import Unusable, console, say_json
from archstudio.files.atomic import save_atomic
from archstudio.training.diagnosis import read_diagnosis
from archstudio.training.export import runs_as_csv, runs_as_json
from archstudio.training.findings import findings
from archstudio.training.tensorboard import write_events

app = typer.Typer(help="Training runs that are kept.", no_args_is_help=True)

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
RunsArgument = Annotated[list[str], typer.Argument(help="Runs: ids, the beginnings of them, or folders.")]


def register(parent: typer.Typer) -> None:
    """Add the commands of this module and its neighbours, under one name."""
    parent.add_typer(app, name="runs")


def _book() -> RunsBook:
    book = RunsBook(TrainingDesk())
    book.load()
    return book


@app.command("list")
def list_(
    words: Annotated[list[str] | None, typer.Argument(help="Only runs with these words.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List runs, newest first, with what they take on disk."""
    book = _book()
    rows = [row for row in book.rows if row.matches(" ".join(words or []))]
    if as_json:
        say_json("archstudio.runs/1", {"bytes": book.bytes_used, "runs": [_record(row) for row in rows]})
        return
    for row in rows:
        told = f"{row.run_id}  {row.name}  {row.state}, {row.progress_text}  {row.result_text}"
        console.print(f"{told}  {size_text(row.bytes_used)}", markup=False)
    console.print(f"{len(rows)} runs; all runs take {size_text(book.bytes_used)}")


def _record(row: RunRow) -> dict[str, object]:
    return {
        "run": row.run_id,
        "name": row.name,
        "state": row.state,
        "samples": row.samples,
        "result": row.result_text,
        "failure": row.failure,
        "bytes": row.bytes_used,
    }


@app.command()
def why(run: Annotated[str, typer.Argument(help="A run.")], as_json: JsonOption = False) -> None:
    """Say why a run failed or learnt little, with the measured facts."""
    stored = find_run(TrainingDesk(), run)
    told = []
    for seed in stored.description.seeds:
        files = stored.seed(seed)
        told.append((seed, findings(stored.description, files.result(), read_diagnosis(files.path))))
    if as_json:
        seeds = [{"seed": seed, "findings": [vars_of(one) for one in found]} for seed, found in told]
        say_json("archstudio.runs.why/1", {"run": stored.run_id, "seeds": seeds})
        return
    for seed, found in told:
        for one in found:
            console.print(f"seed {seed}: {one.title}", markup=False)
            for fact in one.facts:
                console.print(f"    {fact}", markup=False)
            if one.remedy:
                console.print(f"    → {one.remedy}", markup=False)


def vars_of(finding: object) -> dict[str, object]:
    """A finding as JSON values."""
    return {name: getattr(finding, name) for name in ("kind", "weight", "title", "facts", "remedy")}


@app.command()
def compare(runs: RunsArgument, as_json: JsonOption = False) -> None:
    """Say in which settings runs differ, and what came of each."""
    if len(runs) < 2:
        raise Unusable("Name at least two runs.")
    desk = TrainingDesk()
    stored = [find_run(desk, name) for name in runs]
    rows = compared(stored)
    if as_json:
        content = [{"name": row.name, "values": row.values, "differs": row.differs} for row in rows]
        say_json("archstudio.runs.compare/1", {"runs": [run.run_id for run in stored], "rows": content})
        return
    for row in rows:
        console.print(f"{row.name}: {' | '.join(row.values)}", markup=False)


@app.command()
def export(
    out: Annotated[Path, typer.Argument(help="The .csv or .json file to write; a folder with --tensorboard.")],
    runs: RunsArgument,
    tensorboard: Annotated[bool, typer.Option("--tensorboard", help="Write TensorBoard event files.")] = False,
) -> None:
    """Write every value of every metric, with the digest of each run's description beside it."""
    desk = TrainingDesk()
    stored = [find_run(desk, name) for name in runs]
    if tensorboard:
        console.print(f"{len(write_events(out, stored))} event files in {out}", markup=False)
        return
    if out.suffix.lower() not in (".csv", ".json"):
        raise Unusable(f"{out}: write a .csv or a .json file.")
    text = runs_as_csv(stored) if out.suffix.lower() == ".csv" else runs_as_json(stored)
    save_atomic(out, text.encode(), backups=0)
    console.print(f"{len(stored)} runs in {out}", markup=False)


@app.command()
def free(
    runs: RunsArgument, delete: Annotated[bool, typer.Option("--delete", help="Delete the runs whole.")] = False
) -> None:
    """Free disk: delete checkpoints and weights (curves and results stay), or with --delete everything."""
    desk = TrainingDesk()
    book = RunsBook(desk)
    book.load()
    wanted = {find_run(desk, name).run_id for name in runs}
    rows = [row for row in book.rows if row.run_id in wanted]
    if delete:
        freed = sum(row.bytes_used for row in rows)
        for row in rows:
            desk.store.delete(row.run_id)
    else:
        freed = book.free(rows)
    console.print(f"{size_text(freed)} freed")
