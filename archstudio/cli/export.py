"""`archstudio export`: a graph as code that runs without this program."""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from archstudio.cli.output import FINE, PROBLEMS, complain, console
from archstudio.files.atomic import save_atomic
from archstudio.graph import Graph, read_graph
from archstudio.torchcode.program import GraphHasErrors
from archstudio.torchcode.source import source_of
from archstudio.verify import Verdict, check


class Target(StrEnum):
    """What a graph can become."""

    TORCH = "torch"


TARGETS: dict[Target, Callable[[Graph, Verdict], str]] = {Target.TORCH: source_of}


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("export")(export)


def export(
    file: Annotated[Path, typer.Argument(help="A graph file.")],
    to: Annotated[Target, typer.Option(help="What to write: torch is one PyTorch file.")] = Target.TORCH,
    out: Annotated[Path | None, typer.Option(help="The file to write; without it, print.")] = None,
) -> None:
    """Write a graph as code. Exit 0: written, 1: PyTorch would refuse it, 2: unusable."""
    graph = read_graph(file)
    try:
        text = TARGETS[to](graph, check(graph))
    except GraphHasErrors as refused:
        complain(f"{file.name}: {refused}. See 'archstudio check {file}'.")
        raise typer.Exit(PROBLEMS) from None
    if out is None:
        sys.stdout.write(text)
    else:
        save_atomic(out, text.encode("utf-8"))
        console.print(f"{out}: {len(text.splitlines()):,} lines", markup=False)
    raise typer.Exit(FINE)
