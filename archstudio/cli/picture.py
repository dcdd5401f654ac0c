"""`archstudio picture`: a graph as SVG, PDF or PNG, without a window."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from archstudio.cli.windowed import PictureOrder, Windowed


class Words(StrEnum):
    """How an SVG holds its text."""

    FONT = "font"
    OUTLINES = "outlines"


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("picture")(picture)


def picture(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="A graph file, or a picture that carries a graph.")],
    out: Annotated[list[Path], typer.Option(help="The file to write: .svg, .pdf or .png. May be given again.")],
    scale: Annotated[float, typer.Option(min=0.5, max=8, help="Pixels of a PNG per canvas unit.")] = 2.0,
    words: Annotated[Words, typer.Option(help="Text of an SVG: in a named font, or as outlines.")] = Words.FONT,
) -> None:
    """Draw a graph for a paper or a slide; the picture carries the graph and opens in the window again."""
    windowed = context.ensure_object(Windowed)
    raise typer.Exit(windowed.draw_picture(PictureOrder(file, tuple(out), scale, words.value)))
