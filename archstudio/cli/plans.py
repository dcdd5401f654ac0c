"""`archstudio apply` and `archstudio plan`: between graphs and lists of actions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from archstudio.app.action_text import action_text
from archstudio.cli.output import FINE, PROBLEMS, console, read_actions, read_object, say_json
from archstudio.edits.actions import apply, hydrate
from archstudio.edits.plan import plan
from archstudio.graph import read_graph


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("apply")(apply_)
    app.command("plan")(plan_)


def apply_(
    start: Annotated[Path, typer.Argument(help="A graph file.")],
    actions: Annotated[Path, typer.Argument(help="A JSON list of actions.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Apply Arch-Bench actions to a graph, exactly as the benchmark does."""
    model = hydrate(read_object(start, "a graph"))
    done = apply(model, read_actions(actions))
    if as_json:
        say_json(
            "archstudio.apply/1",
            {
                "applied": done.applied,
                "errors": [str(e.text) for e in done.errors],
                "skipped": list(done.skipped),
                "model": done.model,
            },
        )
    else:
        console.print(f"{done.applied} applied, {len(done.errors)} errors, {len(done.skipped)} skipped")
        for error in done.errors:
            console.print(f"  {error.text}", markup=False)
    raise typer.Exit(PROBLEMS if done.errors else FINE)


def plan_(
    start: Annotated[Path, typer.Argument(help="The graph to start from.")],
    now: Annotated[Path, typer.Argument(help="The graph to reach.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Find the cheapest list of surgical actions from one graph to another."""
    found = plan(read_graph(start), read_graph(now))
    if as_json:
        say_json("archstudio.plan/1", {"actions": found.actions, "inexpressible": list(found.inexpressible)})
    else:
        for k, action in enumerate(found.actions, 1):
            console.print(f"{k}. {action_text(action)}", markup=False)
        for text in found.inexpressible:
            console.print(f"cannot be expressed: {text}", markup=False)
    raise typer.Exit(PROBLEMS if found.inexpressible else FINE)
