"""The command tree of `archstudio`, and how faults of the input become one clear line."""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

import archstudio
from archstudio.cli import (
    bench,
    check,
    conform,
    explain,
    export,
    grade,
    iq,
    iq_reproduce,
    mcp,
    picture,
    plans,
    predict,
    runs,
    serve,
    study,
    study_run,
    summary,
    tasks,
    train,
    zoo,
)
from archstudio.cli.output import EXPECTED, FAULT, INTERRUPTED, UNUSABLE
from archstudio.files.home import log_path
from archstudio.files.log import start_log


@dataclass(frozen=True)
class Windowed:
    """What needs the window, given by whoever knows it."""

    open_window: Callable[[list[Path], str | None], int]
    run_demo: Callable[[Path, int], int]
    draw_picture: Callable[[picture.PictureOrder], int]
    run_study: Callable[[study_run.StudyOrder], int]


app = typer.Typer(
    name="archstudio",
    help="Design, repair and train neural-network architectures. Without a command: open the window.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
for room in (check, explain, summary, export, grade, plans, train, conform, serve, mcp):
    room.register(app)
app.add_typer(bench.app, name="bench")
iq_reproduce.register(iq.app)
app.add_typer(iq.app, name="iq")
app.add_typer(runs.app, name="runs")
predict.register(app)
app.add_typer(study.app, name="study")
app.add_typer(tasks.app, name="tasks")
app.add_typer(zoo.app, name="zoo")

_windowed: Windowed | None = None


def _draw(order: picture.PictureOrder) -> int:
    assert _windowed is not None
    return _windowed.draw_picture(order)


picture.register(app, _draw)


def _take_part(order: study_run.StudyOrder) -> int:
    assert _windowed is not None
    return _windowed.run_study(order)


study_run.register(study.app, _take_part)


@app.callback()
def _options(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[bool, typer.Option("--version", help="Print the version and end.", is_eager=True)] = False,
) -> None:
    if version:
        typer.echo(f"archstudio {archstudio.__version__}")
        raise typer.Exit


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Folder for pictures, graph, curve and report.")] = Path("demo-out"),
    samples: Annotated[int, typer.Option(min=64, help="Samples to train on.")] = 8_000,
) -> None:
    """Do the main job off-screen: open a broken model, mend it, grade it, train it, and leave a report."""
    assert _windowed is not None
    raise typer.Exit(_windowed.run_demo(out, samples))


@app.command("open")
def open_(
    files: Annotated[list[Path] | None, typer.Argument(help="Graph files.")] = None,
    task: Annotated[str | None, typer.Option(help="Open this task.")] = None,
) -> None:
    """Open the window, on files or on a task."""
    assert _windowed is not None
    raise typer.Exit(_windowed.open_window(files or [], task))


COMMANDS = frozenset(
    {
        *("check", "explain", "summary", "export", "grade", "apply", "plan", "tasks", "bench"),
        *("train", "predict", "runs", "conform", "iq", "study", "zoo", "demo", "open", "picture", "serve", "mcp"),
    }
)
"""Names that are commands, not files."""


def main(arguments: list[str], windowed: Windowed) -> int:
    """Run one command; returns its exit code. An expected fault is one line on standard error, never a traceback."""
    global _windowed
    _windowed = windowed
    debug = "--debug" in arguments
    arguments = [a for a in arguments if a != "--debug"]  # it may stand anywhere
    try:
        result = app(arguments, standalone_mode=False)
    except typer.Exit as end:
        return end.exit_code
    except typer.TyperException as fault:
        sys.stderr.write(f"archstudio: {fault.format_message()} See 'archstudio --help'.\n")
        return UNUSABLE
    except typer.Abort:
        return INTERRUPTED
    except EXPECTED as fault:
        if debug:
            traceback.print_exc()
        sys.stderr.write(f"archstudio: {fault}\n")
        return UNUSABLE
    except Exception as fault:
        return _told(fault, debug)
    return result if isinstance(result, int) else 0


def _told(fault: Exception, debug: bool) -> int:
    """A fault of the program itself: one line, and the whole story in the log."""
    if debug:
        traceback.print_exc()
    start_log(log_path())
    logging.getLogger("archstudio").error("command failed", exc_info=fault)
    said = f"an error of the program itself: {type(fault).__name__}: {fault}"
    sys.stderr.write(f"archstudio: {said}. The log {log_path()} has the details; --debug shows them.\n")
    return FAULT
