"""`archstudio iq pack build`: a pack of questions from a recipe, with everything that is trained for it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from archstudio.cli.engine_options import EngineOption, SchedulerOption, WorkersOption, choice, opened
from archstudio.cli.iq_faults import said
from archstudio.cli.output import console, say_json
from archstudio.files.atomic import save_atomic
from archstudio.files.home import runs_path
from archstudio.intuition.packs.export import bake
from archstudio.intuition.packs.make import write_pack
from archstudio.intuition.packs.recipe import Material, RecipeData, ask, gather, read_recipe, trained_seconds
from archstudio.intuition.packs.recipe_report import report
from archstudio.intuition.truth.description import KINDS
from archstudio.intuition.truth.sets import SetProgress

REPORT = "REPORT.md"


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("build")(build)


def build(
    recipe: Annotated[Path, typer.Argument(help="The recipe: data sets, candidates, questions.")],
    out: Annotated[Path, typer.Argument(help="The folder of the pack; the report goes there too.")],
    data_dir: Annotated[Path, typer.Option("--data-dir", help="The folder that data sets are kept in.")] = Path("data"),
    engine: EngineOption = "local",
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Make a pack from a recipe: train, choose, seal, report. What was trained before is not trained again."""
    columns = (TextColumn("training"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with said():
        asked_for, profile = read_recipe(recipe)
        chosen = choice(engine, workers, scheduler)
        with (
            opened(runs_path() / "candidates", chosen, KINDS) as trainer,
            Progress(*columns, console=console, disable=as_json) as bar,
        ):
            task = bar.add_task("", total=asked_for.candidates)

            def told(_order: RecipeData, _progress: SetProgress) -> None:
                bar.advance(task)

            materials: list[Material] = []
            for material in gather(trainer, asked_for, profile, data_dir.absolute(), told):
                materials.append(material)
                bar.update(task, completed=sum(of.count for each in materials for of in each.order.sets))
            truth = profile.content.ground_truth
            seeds = range(truth.base_seed, truth.base_seed + truth.n_seeds)
            seconds = trained_seconds(trainer, materials, seeds)
        asked = ask(asked_for, profile, materials)
    bakes = [bake(each.questions, each.material.dataset, title=asked_for.title) for each in asked]
    pack = write_pack(out, bakes, title=asked_for.title, seed=asked_for.seed, licence=asked_for.licence)
    save_atomic(out / REPORT, report(asked_for, profile, asked, pack, seconds).encode(), backups=0)
    if as_json:
        say_json("archstudio.iq.pack-build/1", {"folder": str(out), "pack": pack.manifest.as_json()})
        return
    console.print(f"{pack.manifest.n} questions in {out}, with {REPORT}", markup=False)
