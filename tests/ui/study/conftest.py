"""A study's window on a small study, and a hand that leads it through pages and items."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

sys.path.insert(0, str(Path(__file__).parents[2] / "study"))  # the makers are shared by the tests of several rooms

from made_studies import ANSWERS, Study, baked, frozen, graph_protocol, question_protocol

from archstudio.study.session import ManualClock
from archstudio.ui.accessible import install_accessibility
from archstudio.ui.study.window import StudyWindow


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def graphs(tmp_path: Path) -> Callable[..., Study]:
    """Freezes a study of three graphs under some conditions."""
    return lambda *conditions, **changes: frozen(graph_protocol(*conditions, **changes), tmp_path)


@pytest.fixture
def questions(tmp_path: Path) -> Callable[..., Study]:
    """Freezes a study of some questions under some conditions."""
    return lambda *conditions, count=6, **changes: frozen(
        question_protocol(*conditions, **changes), tmp_path, baked(count)
    )


class Hand:
    """Takes a person's steps in a study's window."""

    def __init__(self, window: StudyWindow, clock: ManualClock, qtbot: Any) -> None:
        self.window, self.clock, self.qtbot = window, clock, qtbot

    @property
    def session(self) -> Any:
        return self.window.session

    def press(self, button: Any) -> None:
        """Press a button with the keyboard."""
        self.qtbot.keyClick(button, Qt.Key.Key_Space)

    def begin(self) -> Any:
        self.press(self.window.page.on_button)
        assert self.session is not None, self.window.page.problem.text()
        return self.session

    def agree(self) -> str:
        for box, _ in self.window.page.boxes.values():
            self.press(box)
        self.press(self.window.page.on_button)
        code = self.window.page.code.text()
        self.press(self.window.page.noted)
        self.press(self.window.page.on_button)
        return code

    def tell_about_oneself(self) -> None:
        for name, option in ANSWERS.items():
            self.window.page.fields[name].boxes[option].setChecked(True)
        self.press(self.window.page.on_button)

    def to_items(self) -> None:
        """From the first page to the first item, fully painted."""
        self.begin()
        self.agree()
        self.tell_about_oneself()
        self.press(self.window.page.on_button)
        self.wait_painted()

    def wait_painted(self) -> None:
        self.qtbot.waitUntil(lambda: self.session.state.current is not None and self.session.state.current.time.running)
        self.clock.advance(1)

    def do(self, name: str) -> None:
        """Run one of the study's actions."""
        assert self.window.actions_of[name].isEnabled(), name
        self.window.actions_of[name].trigger()

    def submit(self) -> None:
        """Submit through the dialog, and wait for what follows."""
        before = self.session.state.finished
        tried = len(self.session.state.current.tried)
        shown = self.session.state.current
        self.do("study.submit")
        self.press(self.window.dialog.send)
        self.qtbot.waitUntil(lambda: len(shown.tried) > tried)
        if self.session.state.finished > before:
            self.qtbot.waitUntil(lambda: self.window.page is not None or self.session.desk is not None)
            self.qtbot.wait(20)
            if self.session.stage == "items":
                self.wait_painted()

    def answer(self, number: int = 1) -> None:
        """Answer the question in front by its keys."""
        quiz = self.window.items.quiz
        shown = self.session.state.current
        self.qtbot.keyClick(quiz, str(number))
        self.qtbot.keyClick(quiz, Qt.Key.Key_Return)
        assert shown.answered is not None

    def next_painted(self) -> None:
        self.qtbot.wait(20)
        if self.session.stage == "items":
            self.wait_painted()


@pytest.fixture
def study_window(qtbot: Any, own_home: Path, tmp_path: Path, clock: ManualClock) -> Iterator[Callable[..., Hand]]:
    """Opens a study in a window of its own."""
    made: list[StudyWindow] = []
    install_accessibility()

    def open_window(study: Study, theme: str = "light") -> Hand:
        folder = tmp_path / "sessions"
        folder.mkdir(exist_ok=True)
        window = StudyWindow(study.pack, folder, theme, clock)
        window.set_theme(theme)
        made.append(window)
        window.show()
        qtbot.waitExposed(window)
        return Hand(window, clock, qtbot)

    yield open_window
    for window in made:
        window.close()
        window.deleteLater()
    qtbot.wait(1)
