"""`archstudio picture`: a graph as SVG, PDF or PNG, without a window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Words(StrEnum):
    """How an SVG holds its text."""

    FONT = "font"
    OUTLINES = "outlines"


@dataclass(frozen=True)
class PictureOrder:
    """What to draw, and where to."""

    file: Path
    out: tuple[Path, ...]
    scale: float
    words: str


def register(app: typer.Typer, draw: Callable[[PictureOrder], int]) -> None:
    """Add the command of this module; `draw` needs Qt, so whoever knows it gives it."""

    @app.command("picture")
    def picture(
        file: Annotated[Path, typer.Argument(help="A graph file, or a picture that carries a graph.")],
        out: Annotated[list[Path], typer.Option(help="The file to write: .svg, .pdf or .png. May be given again.")],
        scale: Annotated[float, typer.Option(min=0.5, max=8, help="Pixels of a PNG per canvas unit.")] = 2.0,
        words: Annotated[Words, typer.Option(help="Text of an SVG: in a named font, or as outlines.")] = Words.FONT,
    ) -> None:
        """Draw a graph for a paper or a slide; the picture carries the graph and opens in the window again."""
        raise typer.Exit(draw(PictureOrder(file, tuple(out), scale, words.value)))
