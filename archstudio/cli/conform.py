"""`archstudio conform`: compare with recorded cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated

import click
import typer

from archstudio.bench.conform import conform_costs, conform_plans, conform_splits
from archstudio.cli.output import console, say_json
from archstudio.files.conform import ConformReport
from archstudio.verify.conform import conform_shapes

KINDS: dict[str, Callable[[Iterable[str]], ConformReport]] = {
    "plans": conform_plans,
    "splits": conform_splits,
    "shapes": conform_shapes,
    "costs": conform_costs,
}
SHOWN = 20


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("conform")(conform)


def conform(
    kind: Annotated[str, typer.Argument(click_type=click.Choice(list(KINDS)), help="What the file records.")],
    file: Annotated[Path, typer.Argument(help="Recorded cases, one JSON object a line.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Compare with recorded cases. Exit 0 if all agree, 3 if only uncovered ones are left, else 1."""
    with file.open(encoding="utf-8") as lines:
        report = KINDS[kind](lines)
    if as_json:
        content = {"agree": report.agree, "differ": report.differ, "uncovered": report.uncovered}
        say_json("archstudio.conform/1", {"kind": kind, **content, "differences": list(report.differences)})
    else:
        for text in report.differences[:SHOWN]:
            console.print(text, markup=False)
        if len(report.differences) > SHOWN:
            console.print(f"… and {len(report.differences) - SHOWN} more (see --json)")
        rest = f", {report.uncovered} uncovered" if report.uncovered else ""
        console.print(f"{report.agree} agree, {report.differ} differ{rest}")
    raise typer.Exit(report.exit_code)
