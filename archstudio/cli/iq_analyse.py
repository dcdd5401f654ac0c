"""`archstudio iq analyse`: what trained candidates and questions show, as a page, tables, or JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from archstudio.cli.output import Unusable, console, say_json
from archstudio.files.atomic import save_atomic
from archstudio.intuition.analysis.figures import analyse as analyse_
from archstudio.intuition.analysis.figures import as_json as figures_json
from archstudio.intuition.analysis.material import gather
from archstudio.intuition.analysis.page import page
from archstudio.intuition.analysis.tables import csv_files
from archstudio.stats.extra import MissingExtra

TITLE = "Analysis of candidates and questions"


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("analyse")(analyse)


def analyse(
    folders: Annotated[list[Path], typer.Argument(help="Sets, runs of questions, or data sets that have them.")],
    out: Annotated[Path | None, typer.Option("--out", help="The page to write, one HTML file.")] = None,
    csv: Annotated[Path | None, typer.Option("--csv", help="A folder for the tables.")] = None,
    trees: Annotated[bool, typer.Option("--trees/--no-trees", help="Fit trees too (extra: analysis).")] = True,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Folds and trees follow from it.")] = 0,
    title: Annotated[str, typer.Option("--title", help="Title of the page.")] = TITLE,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Learning curves in numbers, how far rules and trees get on questions, how clear winners are. Trains nothing."""
    if out is None and csv is None and not as_json:
        raise Unusable("Say where the figures go: --out FILE.html, --csv FOLDER, or --json.")
    material = gather(folders)
    try:
        found = analyse_(material, trees=trees, seed=seed)
    except MissingExtra as reason:
        raise Unusable(f"{reason}, or leave the trees out with --no-trees.") from None
    if out is not None:
        save_atomic(out, page(found, title).encode(), backups=0)
    for name, content in csv_files(found).items() if csv is not None else ():
        assert csv is not None
        csv.mkdir(parents=True, exist_ok=True)
        save_atomic(csv / name, content, backups=0)
    if as_json:
        say_json("archstudio.iq.analysis/1", figures_json(found))
        return
    for score in found.overall():
        interval = f"{score.low:.1%} to {score.high:.1%}"
        console.print(
            f"{score.rule}: {score.right}/{score.n} right ({interval}; chance {score.chance:.1%})", markup=False
        )
    for place in (out, csv):
        if place is not None:
            console.print(f"written: {place}", markup=False)
