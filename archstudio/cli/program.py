"""The command tree of `archstudio`, and how faults of the input become one clear line."""

from __future__ import annotations

import logging
import traceback
from importlib import import_module
from typing import Annotated

import typer

import archstudio
from archstudio.cli.output import EXPECTED, FAULT, INTERRUPTED, UNUSABLE, complain, one_line
from archstudio.cli.rooms import ROOMS
from archstudio.cli.windowed import Windowed
from archstudio.files.home import log_path
from archstudio.files.log import start_log


def program(command: str) -> typer.Typer:
    """The command tree: of one command if it is known, else of all, as `--help` needs them."""
    app = typer.Typer(
        name="archstudio",
        help="Design, repair and train neural-network architectures. Without a command: open the window.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        add_completion=False,
    )
    app.callback()(_options)
    named = ROOMS.get(command)
    for room in (named,) if named else dict.fromkeys(ROOMS.values()):
        import_module(f"archstudio.cli.{room}").register(app)
    return app


def _say_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"archstudio {archstudio.__version__}")
        raise typer.Exit


def _options(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and end.", is_eager=True, callback=_say_version)
    ] = False,
) -> None:
    pass


def main(arguments: list[str], windowed: Windowed) -> int:
    """Run one command; returns its exit code. An expected fault is one line on standard error, never a traceback."""
    debug = "--debug" in arguments
    arguments = [a for a in arguments if a != "--debug"] or ["--help"]  # it may stand anywhere
    try:
        result = program(arguments[0])(arguments, standalone_mode=False, obj=windowed)
    except typer.Exit as end:
        return end.exit_code
    except typer.TyperException as fault:
        complain(f"{fault.format_message()} See 'archstudio --help'.")
        return UNUSABLE
    except typer.Abort:
        return INTERRUPTED
    except EXPECTED as fault:
        if debug:
            traceback.print_exc()
        complain(one_line(fault))
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
    complain(f"{said}. The log {log_path()} has the details; --debug shows them.")
    return FAULT
