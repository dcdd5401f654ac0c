"""`archstudio conform`: compare with recorded cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from archstudio.bench.conform import conform_costs, conform_plans, conform_splits
from archstudio.cli.output import console, say_json
from archstudio.files.conform import ConformReport
from archstudio.verify.conform import conform_shapes


class Kind(StrEnum):
    """What a file of cases records."""

    PLANS = "plans"
    SPLITS = "splits"
    SHAPES = "shapes"
    COSTS = "costs"


KINDS: dict[Kind, Callable[[Iterable[str]], ConformReport]] = {
    Kind.PLANS: conform_plans,
    Kind.SPLITS: conform_splits,
    Kind.SHAPES: conform_shapes,
    Kind.COSTS: conform_costs,
}


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("conform")(conform)


def conform(
    kind: Annotated[Kind, typer.Argument(help="What the file records.")],
    file: Annotated[Path, typer.Argument(help="Recorded cases, one JSON object a line.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Compare with recorded cases. Exit 0 if all agree, 3 if only uncovered ones are left, else 1."""
    with file.open(encoding="utf-8") as lines:
        report = KINDS[kind](lines)
    if as_json:
        counts = {"agree": report.agree, "differ": report.differ, "uncovered": report.uncovered}
        say_json(
            "archstudio.conform/1", {"kind": kind, **counts, "differences": report.differences, "gaps": report.gaps}
        )
    else:
        for text in (*report.differences, *report.gaps):
            console.print(text, markup=False)
        console.print(report.summary)
    raise typer.Exit(report.exit_code)
