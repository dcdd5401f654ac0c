"""`archstudio study run`: take part in a study, in a window of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from archstudio.cli.windowed import StudyOrder, Windowed


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("run")(run)


def run(
    context: typer.Context,
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="The .study file.")],
    sessions: Annotated[Path | None, typer.Option("--sessions", help="Folder for the session's file.")] = None,
    full_screen: Annotated[bool, typer.Option("--full-screen", help="Use the whole screen.")] = False,
) -> None:
    """Take part in a study. Opened again, it goes on where it stopped. Nothing is sent over a network."""
    windowed = context.ensure_object(Windowed)
    raise typer.Exit(windowed.run_study(StudyOrder(study, sessions, full_screen)))
