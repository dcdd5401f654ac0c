"""A study named on the command line opens in its own window."""

from __future__ import annotations

from pathlib import Path

import pytest

import archstudio.main as program
from archstudio.cli.program import main
from archstudio.cli.windowed import StudyOrder, Windowed


@pytest.fixture
def orders(monkeypatch: pytest.MonkeyPatch) -> list[StudyOrder]:
    taken: list[StudyOrder] = []
    monkeypatch.setattr(program, "_study", lambda order: taken.append(order) or 0)
    return taken


def test_study_run_opens_the_study(orders: list[StudyOrder]) -> None:
    windowed = Windowed(program._window, program._demo, program._picture, program._study)
    assert main(["study", "run", "a.study", "--sessions", "kept", "--full-screen"], windowed) == 0
    assert orders == [StudyOrder(Path("a.study"), Path("kept"), True)]


def test_a_study_as_the_only_file_opens_without_the_other_window(orders: list[StudyOrder], tmp_path: Path) -> None:
    file = tmp_path / "a.study"
    file.write_bytes(b"")
    assert program._window([file]) == 0
    assert orders == [StudyOrder(file)]
