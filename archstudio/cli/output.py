"""How commands speak: one JSON document, or text by rich; errors in one line on standard error."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import typer
from rich.console import Console

from archstudio.bench.tasks import UnknownName
from archstudio.files.atomic import SaveFailed
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

console = Console(highlight=False, soft_wrap=True)


class Unusable(typer.Exit):
    """End with exit code 2 after one line on standard error."""

    def __init__(self, text: str) -> None:
        super().__init__(UNUSABLE)
        sys.stderr.write(f"archstudio: {text}\n")


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
