"""Runs the program as a person does: in a process of its own, with its output and exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest


@dataclass(frozen=True)
class Ran:
    """What came of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.out)


@pytest.fixture
def archstudio(own_home: Path) -> Callable[..., Ran]:
    """`archstudio("check", path)` runs the command without a display."""

    def run(*arguments: object, display: bool = False) -> Ran:
        hidden = () if display else ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
        environment = {k: v for k, v in os.environ.items() if k not in hidden}
        environment |= {"PYTHONUTF8": "1", "COLUMNS": "120"}
        command = [sys.executable, "-m", "archstudio", *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300, check=False)
        return Ran(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def tiny_cnn(tmp_path: Path) -> Path:
    """The tiny CNN whose head is one axis off, as a file."""
    from archstudio.bench.tasks import start_model

    file = tmp_path / "tiny-cnn.json"
    file.write_text(json.dumps(start_model("tiny-cnn")), encoding="utf-8")
    return file
