"""`archstudio bench arena`: two answer the same tasks, and the better answer of each wins."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from archstudio.bench.policies import POLICIES
from archstudio.bench.results.runs import is_run
from archstudio.bench.run.arena import Arena, Bout, Corner, fight, meet_files
from archstudio.cli.bench_run import CURATED, MODEL, answering_of, suite_name, tasks_of
from archstudio.cli.output import FINE, Unusable, console, say_json
from archstudio.stats import wilson

_WHO = f"One of {', '.join(POLICIES)}, a command line, or the file of a run."


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("arena")(arena)


def arena(
    a: Annotated[str, typer.Option("--a", help=_WHO)],
    b: Annotated[str, typer.Option("--b", help=_WHO)],
    suite: Annotated[str, typer.Option(help="'curated', or a file of tasks; runs bring their own.")] = CURATED,
    rounds: Annotated[int, typer.Option(min=1, max=16, help="Replies a task; from the second on with feedback.")] = 1,
    audits: Annotated[int, typer.Option(min=0, max=64, help="Dry runs a task, for replies with 'audit': true.")] = 0,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds a command may be silent.")] = 120.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Let two answer the same tasks: a pass beats a failure, then the higher score, then fewer tokens.

    Two files of 'archstudio bench run --out FILE' are compared as they are; so language models meet here too.
    """
    files = [is_run(Path(who)) for who in (a, b)]
    if any(files) and not all(files):
        raise Unusable("compare two files of runs, or two that answer now; not one of each.")
    made = _met(a, b) if all(files) else _fought(a, b, suite, rounds, audits, timeout)
    if as_json:
        say_json("archstudio.bench-arena/1", _record(a, b, made))
    else:
        _show(a, b, made)
    raise typer.Exit(FINE)


def _met(a: str, b: str) -> Arena:
    try:
        return meet_files(Path(a), Path(b))
    except ValueError as fault:
        raise Unusable(f"{fault}.") from None


def _fought(a: str, b: str, suite: str, rounds: int, audits: int, timeout: float) -> Arena:
    for who in (a, b):
        if not who.strip() or who == MODEL:
            raise Unusable("name a policy or a command; a language model is run first, with 'archstudio bench run'.")
    suite_name(suite)  # says so if there is none
    left, right = answering_of(a, timeout)(1), answering_of(b, timeout)(1)
    return Arena(list(fight(tasks_of(suite), left, right, rounds, audits)))


def _record(a: str, b: str, made: Arena) -> dict[str, Any]:
    wins = {"winsA": made.wins("a"), "winsB": made.wins("b"), "draws": made.wins("draw")}
    decided = wins["winsA"] + wins["winsB"]
    share = list(wilson(wins["winsA"], decided))
    rows = [_row(bout) for bout in made.bouts]
    return {"a": a, "b": b, **wins, "shareOfA": share, "unmatched": made.unmatched, "rows": rows}


def _row(bout: Bout) -> dict[str, Any]:
    return {"taskId": bout.task_id, "winner": bout.winner, "a": _corner(bout.a), "b": _corner(bout.b)}


def _corner(corner: Corner) -> dict[str, Any]:
    return {
        "pass": corner.passed,
        "score": corner.score,
        "tokens": corner.tokens,
        "passesAllThree": corner.passes_all,
    }


def _show(a: str, b: str, made: Arena) -> None:
    for bout in made.bouts:
        left, right = (f"{'PASS' if each.passed else 'FAIL'} {each.score:g}" for each in (bout.a, bout.b))
        console.print(f"{bout.task_id}  {left} : {right}  {bout.winner}", markup=False)
    told = _record(a, b, made)
    low, high = told["shareOfA"]
    console.print(f"\na: {a}\nb: {b}", markup=False)
    console.print(f"a wins {told['winsA']}, b wins {told['winsB']}, drawn {told['draws']}", markup=False)
    if told["winsA"] + told["winsB"]:
        console.print(f"a's share of decided bouts, 95 % interval: {100 * low:.0f}–{100 * high:.0f} %", markup=False)
    if made.unmatched:
        console.print(f"{made.unmatched} tasks have an answer of one of them only", markup=False)
