"""`archstudio demo` and `archstudio open`: the window, or what is done in it off-screen."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from archstudio.cli.windowed import Windowed


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("demo")(demo)
    app.command("open")(open_)


def demo(
    context: typer.Context,
    out: Annotated[Path, typer.Option(help="Folder for pictures, graph, curve and report.")] = Path("demo-out"),
    samples: Annotated[int, typer.Option(min=64, help="Samples to train on.")] = 8_000,
) -> None:
    """Do the main job off-screen: open a broken model, mend it, grade it, train it, and leave a report."""
    windowed = context.ensure_object(Windowed)
    raise typer.Exit(windowed.run_demo(out, samples))


def open_(
    context: typer.Context,
    files: Annotated[list[Path] | None, typer.Argument(help="Graph files.")] = None,
    task: Annotated[str | None, typer.Option(help="Open this task.")] = None,
) -> None:
    """Open the window, on files or on a task."""
    windowed = context.ensure_object(Windowed)
    raise typer.Exit(windowed.open_window(files or [], task))
