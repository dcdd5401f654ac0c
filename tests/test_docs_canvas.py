"""The table of gestures in the documentation is true: its commands exist and have these keys, its tests are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from archstudio.app.commands import command

ROOT = Path(__file__).parents[1]
ROWS = [
    [cell.strip() for cell in line.strip()[1:-1].split("|")]
    for line in (ROOT / "docs" / "canvas.md").read_text(encoding="utf-8").splitlines()
    if re.search(r"\| `test_\w+` \|$", line)
]
THE_CANVAS_ITSELF = ("", "arrows", "Shift+arrows")
"""Keys that the canvas takes without a command; W in the table begins a sequence."""


def names_of_tests() -> set[str]:
    return {
        name
        for file in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    }


def test_the_table_has_its_rows() -> None:
    assert len(ROWS) > 35


@pytest.mark.parametrize("cells", ROWS, ids=lambda cells: cells[2].strip("`"))
def test_a_row_names_a_command_its_keys_and_a_test(cells: list[str]) -> None:
    _, keys, named, what, test = cells
    row = command(named.strip("`"))
    first = keys.split(",")[0].strip()
    if first in (*THE_CANVAS_ITSELF, "W"):
        assert what
    elif first == "Alt+arrows":
        assert row.shortcut.startswith("Alt+")
    else:
        assert first in row.shortcut.split("; "), f"{row.id} has {row.shortcut}, not {first}"
    assert test.strip("`") in names_of_tests()
