"""The command tree: every name leads to its room, a command loads no other, and the program tells its version."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer

import archstudio
from archstudio.cli.program import main, program
from archstudio.cli.rooms import ROOMS
from archstudio.cli.windowed import Windowed


def unasked(*_: object) -> int:
    raise AssertionError("the window was asked for")


WINDOWED = Windowed(unasked, unasked, unasked, unasked)


def names(app: typer.Typer) -> set[str]:
    return {c.name or "" for c in app.registered_commands} | {g.name or "" for g in app.registered_groups}


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert names(program("--help")) == set(ROOMS)
    assert main(["--help"], WINDOWED) == 0
    listed = capsys.readouterr().out
    assert [name for name in ROOMS if f" {name} " not in listed] == []


@pytest.mark.parametrize("command", ROOMS)
def test_a_command_is_made_by_the_room_it_is_listed_for(command: str) -> None:
    made = names(program(command))
    assert command in made
    assert made == {name for name, room in ROOMS.items() if room == ROOMS[command]}
    assert import_module(f"archstudio.cli.{ROOMS[command]}").__doc__


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"], WINDOWED) == 0
    assert capsys.readouterr().out == f"archstudio {archstudio.__version__}\n"


def test_an_option_alone_shows_the_help_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--debug"], WINDOWED) == 0
    said = capsys.readouterr()
    assert "Usage" in said.out
    assert said.err == ""


def test_a_small_command_and_the_window_load_no_other_room() -> None:
    code = (
        "import sys; import archstudio.main; assert 'typer' not in sys.modules; from archstudio.cli.program import "
        "program; program('check'); print(*[m for m in sys.modules if m.startswith('archstudio.')], sep='\\n')"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "archstudio.cli.check" in loaded
    assert [m for m in loaded if m.startswith(("archstudio.intuition", "archstudio.training"))] == []


def test_what_the_system_refuses_names_the_file_and_no_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").write_text("a file where a folder should be")
    asked = ["iq", "create-dataset", "--family", "univariate_regression", "--data-dir", str(tmp_path / "data")]
    assert main(asked, WINDOWED) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"archstudio: {tmp_path / 'data'}")
    assert "Errno" not in said
