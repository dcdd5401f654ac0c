"""How commands speak: one JSON document, or text by rich; errors in one line on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from archstudio.bench.tasks import UnknownName
from archstudio.files.atomic import SaveFailed
from archstudio.files.printable import printable
from archstudio.files.strict_json import read_json
from archstudio.files.unusable import UnusableFile
from archstudio.graph import GraphError

FINE, PROBLEMS, UNUSABLE, UNCOVERED = 0, 1, 2, 3
"""Exit codes: all is well · something was found wrong · the input cannot be used · only uncovered cases are left."""

FAULT = 70
"""Exit code of an error in the program itself (EX_SOFTWARE of sysexits.h)."""
INTERRUPTED = 130
"""Exit code after Ctrl+C, as shells use it."""

EXPECTED = (UnusableFile, GraphError, UnknownName, SaveFailed, OSError)
"""Faults of the input, which are told in one line."""


class _Console(Console):
    """A console on which what a file says cannot command the terminal."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            if segment.control or segment.text == "\n":
                yield segment
            else:
                yield Segment("\n".join(map(printable, segment.text.split("\n"))), segment.style)


console = _Console(highlight=False, soft_wrap=True)


def console_of(width: int) -> Console:
    """A console that is at least so wide, for tables whose rows should not break."""
    return _Console(width=max(console.width, width), highlight=False, soft_wrap=True)


def one_line(fault: Exception) -> str:
    """What a fault of the input says; what the system says of a file names the file first, and no number."""
    if isinstance(fault, OSError) and fault.filename is not None and fault.strerror:
        return f"{fault.filename}: {fault.strerror}. Check the name, the folder and the rights to it."
    return str(fault)


def plain(text: str) -> str:
    """Text of a file for a console: a layer called [red] is only a name, and a line break in one is no line."""
    return printable(text).replace("[", "\\[")


def complain(text: str) -> None:
    """Write one line to standard error, in the program's name."""
    sys.stderr.write(f"archstudio: {printable(text)}\n")


class Unusable(typer.Exit):
    """End with exit code 2 after one line on standard error."""

    def __init__(self, text: str) -> None:
        super().__init__(UNUSABLE)
        complain(text)


def say_json(schema: str, content: dict[str, Any]) -> None:
    """Print one JSON document whose first field says what it is; non-finite numbers become null."""
    sys.stdout.write(json.dumps(_finite({"schema": schema, **content}), ensure_ascii=False, indent=2) + "\n")


def _finite(value: Any) -> Any:
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    if isinstance(value, dict):
        return {k: _finite(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(v) for v in value]
    return value


def read_object(path: Path, what: str) -> dict[str, Any]:
    """A JSON object from a file; UnusableFile if it is something else."""
    value = read_json(path)
    if not isinstance(value, dict):
        raise UnusableFile(path.name, problem=f"is not {what}", remedy="It must be a JSON object.")
    return value


def read_actions(path: Path) -> list[Any]:
    """A list of actions from a file: the list itself, or an object with `actions`."""
    value = read_json(path)
    listed = value.get("actions") if isinstance(value, dict) else value
    if not isinstance(listed, list):
        remedy = "It must be a JSON list of actions, or an object with the list 'actions'."
        raise UnusableFile(path.name, problem="holds no list of actions", remedy=remedy)
    return listed
