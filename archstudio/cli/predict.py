"""`archstudio predict`: what a trained graph says of samples, or of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from archstudio.app.training import TrainingDesk
from archstudio.cli.find_run import find_run
from archstudio.cli.output import console, say_json
from archstudio.files.atomic import save_atomic
from archstudio.files.tables import Cell, csv_text
from archstudio.training.own_data.columns import Columns, read_columns
from archstudio.training.own_data.images import SUFFIXES, one_image
from archstudio.training.predict import Predictions, predict_columns, predict_sample
from archstudio.training.store import StoredRun

_MOST_SHOWN = 20


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("predict")(predict_)


def predict_(
    run: Annotated[str, typer.Argument(help="A run: its id, the beginning of it, or its folder.")],
    file: Annotated[
        Path | None, typer.Argument(help="CSV, npy, npz, pt, safetensors, an image or folders of images.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Which seed's weights; default the first.")] = None,
    best: Annotated[bool, typer.Option("--best", help="The weights of the lowest validation loss.")] = False,
    count: Annotated[int, typer.Option(min=1, help="How many validation samples, without a file.")] = 16,
    csv: Annotated[Path | None, typer.Option(help="Write every answer to this file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Put trained weights into the graph's code and predict on a file, or on validation samples beside targets."""
    stored = find_run(TrainingDesk(), run)
    chosen = stored.description.seeds[0] if seed is None else seed
    if file is None:
        made = predict_sample(stored, chosen, best=best, count=count)
    else:
        made = predict_columns(stored, chosen, _read(stored, file), best=best)
    rows = _rows(made)
    if csv is not None:
        save_atomic(csv, csv_text(_header(made), rows).encode(), backups=0)
    if as_json:
        content = [dict(zip(_header(made), row, strict=True)) for row in rows]
        outputs = [output.tolist() for output in made.outputs]
        facts: dict[str, Any] = {"run": stored.run_id, "seed": chosen, "samples": content, "outputs": outputs}
        say_json("archstudio.predict/1", facts)
        return
    for row in rows[:_MOST_SHOWN]:
        console.print(
            "  ".join(f"{name} {value}" for name, value in zip(_header(made), row, strict=True)), markup=False
        )
    if len(rows) > _MOST_SHOWN:
        console.print(f"and {len(rows) - _MOST_SHOWN:,} more; --csv FILE writes all")


def _read(run: StoredRun, file: Path) -> Columns:
    shapes = [spec.sample_shape for spec in run.description.inputs if len(spec.sample_shape) == 3]
    if file.suffix.lower() in SUFFIXES:
        return one_image(file, shapes[0] if shapes else None)
    return read_columns(file, shapes[0] if shapes else None)


def _header(made: Predictions) -> tuple[str, ...]:
    sure = ("probability",) if made.sure() is not None else ()
    return ("sample", *(("target",) if made.targets is not None else ()), "answer", *sure)


def _rows(made: Predictions) -> list[tuple[Cell, ...]]:
    sure = made.sure()
    rows: list[tuple[Cell, ...]] = []
    for k in range(len(made)):
        target = (made.target_words(k),) if made.targets is not None else ()
        certain = (round(float(sure[k].mean()), 6),) if sure is not None else ()
        rows.append((k + 1, *target, made.words(k), *certain))
    return rows
