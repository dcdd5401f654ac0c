"""`archstudio bench run`: a policy or a command answers a suite of tasks."""

from __future__ import annotations

import hashlib
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from archstudio.bench.brief import AnyTask
from archstudio.bench.policies import POLICIES
from archstudio.bench.run import Answerer, BuiltIn, Command, OtherRun, RunFile, RunSettings, play
from archstudio.bench.run.record import result_line
from archstudio.bench.task_files import FiledTask, read_tasks
from archstudio.bench.tasks import curated_tasks
from archstudio.cli.output import FINE, PROBLEMS, Unusable, console, say_json
from archstudio.stats import wilson

CURATED = "curated"


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("run")(run_)


def run_(
    policy: Annotated[str, typer.Option(help=f"One of {', '.join(POLICIES)}, or a command line to be run.")],
    suite: Annotated[str, typer.Option(help="'curated', or a file of tasks.")] = CURATED,
    rounds: Annotated[int, typer.Option(min=1, max=16, help="Replies a task; from the second on with feedback.")] = 1,
    audits: Annotated[int, typer.Option(min=0, max=64, help="Dry runs a task, for replies with 'audit': true.")] = 0,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds a command may take for a reply.")] = 120.0,
    out: Annotated[Path | None, typer.Option(help="Keep rounds and results as JSON lines; goes on in it.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Let a policy answer tasks. Exit 1 if no task got any reply.

    A command is started for every reply. On its standard input it gets a JSON object: taskId, task (the brief),
    observation (the graph as text), round, rounds, feedback (what failed before), auditsLeft, and audit (what the dry
    run just asked for said, or null). On its standard output it prints its reply: any text that holds a JSON object
    with the list 'actions', and 'audit': true where it is only a dry run.
    """
    if not policy.strip():
        raise Unusable("--policy is empty; name a policy or a command.")
    settings = RunSettings(policy, _suite_name(suite), rounds, audits, timeout)
    try:
        kept = None if out is None else RunFile(out, settings)
    except OtherRun as other:
        raise Unusable(str(other)) from None
    results = list(_results(_tasks(suite), _answerer(policy, timeout), settings, kept, quiet=as_json))
    skipped = 0 if kept is None else len(kept.done)
    if as_json:
        say_json("archstudio.bench-run-summary/1", {**_summary(results), "before": skipped, "results": results})
    else:
        _show(results, skipped, out)
    failed = bool(results) and all(result["status"] == "ERROR" for result in results)
    raise typer.Exit(PROBLEMS if failed else FINE)


def _results(
    tasks: Iterator[AnyTask], answerer: Answerer, settings: RunSettings, kept: RunFile | None, quiet: bool
) -> Iterator[dict[str, Any]]:
    for task in tasks:
        if kept is not None and task.id in kept.done:
            continue
        episode = play(task, answerer, settings.rounds, settings.audits)
        result = result_line(episode) if kept is None else kept.keep(episode)
        if not quiet:
            why = "; ".join(result["failures"][:2])
            console.print(f"{task.id}  {result['status']}  {why}".rstrip(), markup=False)
        yield result


def _answerer(policy: str, timeout: float) -> Answerer:
    built_in = POLICIES.get(policy)
    if built_in is not None:
        return BuiltIn(built_in)
    try:
        arguments = shlex.split(policy)
    except ValueError as error:
        raise Unusable(f"--policy {policy!r} is no command line: {error}.") from None
    return Command(arguments, timeout)


def _suite_name(suite: str) -> str:
    """The name of a suite; a file's with the start of its digest, so that another content is another suite."""
    if suite == CURATED:
        return suite
    path = Path(suite)
    if not path.is_file():
        raise Unusable(f"There is no suite {suite!r}. Name a file of tasks, or 'curated'.")
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return f"{path.name} {digest[:12]}"


def _tasks(suite: str) -> Iterator[AnyTask]:
    if suite == CURATED:
        yield from curated_tasks()
        return
    for row in read_tasks(Path(suite)):
        if isinstance(row, FiledTask):
            yield row
        else:
            sys.stderr.write(f"{suite}, {row.place}: left out: {row.reason}\n")


def _summary(results: list[dict[str, Any]]) -> dict[str, Any]:
    passed = sum(result["status"] == "PASS" for result in results)
    return {
        "tasks": len(results),
        "passed": passed,
        "interval": list(wilson(passed, len(results))),
        "passedAtRound1": sum(result["passAtRound1"] for result in results),
        "passedAllThree": sum(result["passesAllThree"] for result in results),
        "errors": sum(result["status"] == "ERROR" for result in results),
    }


def _show(results: list[dict[str, Any]], skipped: int, out: Path | None) -> None:
    told = _summary(results)
    low, high = told["interval"]
    before = f" ({skipped} more were done before)" if skipped else ""
    console.print(
        f"\nRubric: {told['passed']} of {told['tasks']} pass, 95 % interval {100 * low:.0f}–{100 * high:.0f} %{before}"
    )
    console.print(f"All three verdicts: {told['passedAllThree']} of {told['tasks']}; without reply: {told['errors']}")
    if out is not None:
        console.print(f"Kept in {out}; 'archstudio bench results {out}' reads it.", markup=False)
