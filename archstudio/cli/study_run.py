"""`archstudio study run`: take part in a study, in a window of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer


@dataclass(frozen=True, slots=True)
class StudyOrder:
    """Which study to open, where its sessions lie (None: the usual folder), and how."""

    study: Path
    sessions: Path | None = None
    full_screen: bool = False


def register(app: typer.Typer, run_study: Callable[[StudyOrder], int]) -> None:
    """Add the command; the window is given by whoever knows it."""

    @app.command("run")
    def run(
        study: Annotated[Path, typer.Argument(metavar="STUDY", help="The .study file.")],
        sessions: Annotated[Path | None, typer.Option("--sessions", help="Folder for the session's file.")] = None,
        full_screen: Annotated[bool, typer.Option("--full-screen", help="Use the whole screen.")] = False,
    ) -> None:
        """Take part in a study. Opened again, it goes on where it stopped. Nothing is sent over a network."""
        raise typer.Exit(run_study(StudyOrder(study, sessions, full_screen)))
