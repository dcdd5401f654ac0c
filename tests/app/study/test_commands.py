"""The commands about studies, and opening a study as any other file."""

from __future__ import annotations

from pathlib import Path

import pytest

from archstudio.app.application import Application
from archstudio.app.commands import Context, all_commands, run_command
from archstudio.app.commands.file import open_path


class Studies:
    def __init__(self, path: Path | None) -> None:
        self.path, self.calls = path, []

    def ask_study(self) -> Path | None:
        return self.path

    def __getattr__(self, name: str):
        return lambda *given: self.calls.append((name, *given))


class View:
    def __init__(self, path: Path | None = None) -> None:
        self.studies = Studies(path)


@pytest.fixture
def context(own_home: Path) -> Context:
    return Context(Application(), View(Path("a.study")))


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("study.open", ("take_part", Path("a.study"))),
        ("study.new", ("new_study",)),
        ("study.collect", ("collect",)),
        ("study.replay", ("replay",)),
    ],
)
def test_each_command_opens_its_window(context: Context, name: str, asked: tuple[object, ...]) -> None:
    assert run_command(name, context)
    assert context.view.studies.calls == [asked]


def test_choosing_no_study_opens_nothing(context: Context) -> None:
    context.view.studies.path = None
    run_command("study.open", context)
    assert context.view.studies.calls == []


def test_a_study_is_opened_like_any_other_file(context: Context, tmp_path: Path) -> None:
    assert open_path(context, tmp_path / "pilot.study") is None
    assert context.view.studies.calls == [("take_part", tmp_path / "pilot.study")]


def test_all_of_them_stand_in_the_study_menu() -> None:
    assert [row.id for row in all_commands() if row.menu == "Study"] == [
        "study.open", "study.new", "study.collect", "study.replay",
    ]  # fmt: skip
