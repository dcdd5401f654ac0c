"""`archstudio bench`: results of benchmark runs."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Column, Table

from archstudio.bench.results.gathered import read_result_file
from archstudio.bench.results.outcomes import (
    FamilyShare,
    Outcome,
    Summary,
    family_difficulty,
    repeats,
    summaries,
    task_difficulty,
)
from archstudio.bench.results.tables import (
    as_csv,
    as_markdown,
    difficulty_record,
    interval_text,
    record,
    repeats_record,
)
from archstudio.cli import bench_arena, bench_run
from archstudio.cli.output import FINE, PROBLEMS, Unusable, complain, console, plain, say_json

app = typer.Typer(help="Run the benchmark, and read results of it.", no_args_is_help=True)
bench_run.register(app)
bench_arena.register(app)


def register(parent: typer.Typer) -> None:
    """Add the commands of this module and its neighbours, under one name."""
    parent.add_typer(app, name="bench")


@dataclass
class _Gathered:
    """What several result files hold together."""

    files: list[dict[str, Any]] = field(default_factory=list)
    tries: list[Outcome] = field(default_factory=list)
    shares: list[FamilyShare] = field(default_factory=list)

    @property
    def agree(self) -> bool:
        """Whether the rows of every file make the totals it states."""
        return all(file["totalsAgree"] is not False for file in self.files)


@app.command("results")
def results_(
    files: Annotated[list[Path], typer.Argument(help="Published result files, or runs of 'archstudio bench run'.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print comma-separated values.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a Markdown table.")] = False,
) -> None:
    """Totals of result files, made from their rows. Exit 1 if a file states other totals than its rows make."""
    if as_json + csv + markdown > 1:
        raise Unusable("choose one of --json, --csv and --markdown.")
    gathered = _gathered(files)
    rows = summaries(gathered.tries, gathered.shares)
    for file in gathered.files:
        if file["totalsAgree"] is False:
            complain(f"{file['file']}: its rows make other totals than it states.")
    if as_json:
        say_json("archstudio.bench-results/1", _record(gathered, rows))
    elif csv or markdown:
        sys.stdout.write(as_csv(rows) if csv else as_markdown(rows))
    else:
        _show(rows)
    raise typer.Exit(FINE if gathered.agree else PROBLEMS)


def _gathered(files: list[Path]) -> _Gathered:
    gathered = _Gathered()
    for held in map(read_result_file, files):
        gathered.files.append({"file": held.name, "form": held.form, "totalsAgree": held.totals_agree})
        gathered.tries += held.tries
        gathered.shares += held.shares
    return gathered


def _record(gathered: _Gathered, rows: list[Summary]) -> dict[str, Any]:
    tasks = task_difficulty(gathered.tries)
    families = family_difficulty(gathered.tries, gathered.shares)
    return {
        "files": gathered.files,
        "summaries": [record(row) for row in rows],
        "severalTries": [repeats_record(row) for row in repeats(gathered.tries)],
        "difficulty": {
            "tasks": {name: difficulty_record(rated) for name, rated in tasks.items()},
            "families": {name: difficulty_record(rated) for name, rated in families.items()},
        },
    }


def _show(rows: list[Summary]) -> None:
    table = Table(
        Column("model", overflow="fold"), "way", "tasks", "passed", "95 %", "score", "tokens per solve", box=None
    )
    for row in rows:
        score = "" if row.average_score is None else f"{row.average_score:g}"
        tokens = "" if row.tokens_per_solve is None else f"{row.tokens_per_solve:,}"
        passed = f"{row.passed} of {row.total}"
        setting = row.setting
        table.add_row(
            plain(setting.model), setting.way, plain(setting.split), passed, interval_text(row), score, tokens
        )
    console.print(table)
