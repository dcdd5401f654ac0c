"""Where an optional part is not installed, one line names the extra that brings it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("missing", "arguments", "extra"),
    [
        ("fastapi", ("serve",), "serve"),
        ("uvicorn", ("serve",), "serve"),
        ("mcp", ("mcp",), "mcp"),
        ("httpx", ("bench", "run", "--policy", "llm", "--model", "m", "--base-url", "http://127.0.0.1:9"), "llm"),
    ],
)
def test_a_missing_extra_is_named(tmp_path: Path, missing: str, arguments: tuple[str, ...], extra: str) -> None:
    code = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        f"sys.argv = ['archstudio', *{arguments!r}]\n"
        "from archstudio.main import console\nconsole()"
    )
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert ran.returncode == 2
    assert f"pip install archstudio[{extra}]" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1
