"""`archstudio study report`: from session files and model results to a report with all exports."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from archstudio.cli.output import Unusable, console, say_json
from archstudio.cli.study_files import opened
from archstudio.stats.extra import MissingExtra
from archstudio.study.collect import Collected, collect
from archstudio.study.collect.exclusions import read_exclusions
from archstudio.study.export.folder import write_report
from archstudio.study.report.figures import SimulatedRefused
from archstudio.study.report.material import Material, prepare
from archstudio.study.report.models import read_models
from archstudio.study.report.page.page import sentence
from archstudio.study.report.shape import PRIMARY


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("report")(report)


def report(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="The frozen .study file.")],
    sessions: Annotated[list[Path], typer.Argument(metavar="SESSIONS…", help="Session files, or folders of them.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="Folder of the report.")] = Path("study-report"),
    models: Annotated[
        list[Path] | None,
        typer.Option("--models", help="A result file, or a run folder of questions. May be repeated."),
    ] = None,
    key: Annotated[Path | None, typer.Option("--key", help="The researcher's key file.")] = None,
    exclusions: Annotated[Path | None, typer.Option("--exclusions", help="A JSON list of exclusions by hand.")] = None,
    allow_simulated: Annotated[bool, typer.Option("--allow-simulated", help="Report simulated rows too.")] = False,
    remove: Annotated[
        list[str] | None, typer.Option("--remove", help="A name to keep out of every export. May be repeated.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as one JSON document.")] = False,
) -> None:
    """Write page, PDF, tables with dictionaries and all other forms, with model rows of the same items beside people.

    Model rows come from the files you name and nowhere else. Every number can be worked out again from the tables:
    'python OUT/recompute.py OUT'.
    """
    pack = opened(study, key)
    by_hand = [] if exclusions is None else read_exclusions(exclusions, pack.protocol)
    made = collect(pack, sessions, exclusions=by_hand)
    try:
        rows = read_models(models or [], made.records)
        material = prepare(made.records, rows, allow_simulated=allow_simulated)
        written = write_report(material, out, remove or [])
    except (SimulatedRefused, MissingExtra) as refused:
        raise Unusable(str(refused)) from refused
    if as_json:
        say_json("archstudio.study-report/1", {"out": str(out), "figures": material.figures.plain()})
        return
    _tell(made, material)
    console.print(f"Wrote {len(written)} files to {out}; begin with report.html.", markup=False)


def _tell(made: Collected, material: Material) -> None:
    for left in made.left:
        console.print(f"{left.file}: {left.why}: {left.detail}", markup=False)
    for reason, runs in Counter(each.reason for each in material.models.left_out).items():
        console.print(f"Runs of models with rows that no figure uses: {runs} ({reason})", markup=False)
    for figures in material.figures.variant(PRIMARY).conditions:
        console.print(sentence(figures), markup=False)
