"""The window with its Tasks dock in front, and short ways to what tests of it do over and over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtGui import QAction

from archstudio.app.document import Document
from archstudio.app.task_report import task_report
from archstudio.edits import set_params
from archstudio.ui.window import MainWindow

FIX = "fix-broken-attention"


@pytest.fixture
def act(window: MainWindow) -> Callable[[str], None]:
    """Triggers a command's action by its name, as menus and shortcuts do; fails if it is greyed out."""

    def trigger(name: str) -> None:
        window.commands.update()
        action = window.findChild(QAction, name)
        assert action is not None, f"there is no action {name}"
        assert action.isEnabled(), f"{name} is greyed out"
        action.trigger()

    return trigger


@pytest.fixture
def solved(window: MainWindow, qtbot: Any) -> Document:
    """fix-broken-attention, mended and submitted."""
    window.open_task(FIX)
    document = window.application.current
    assert document is not None
    document.push(set_params(document.graph.named("attn"), numHeads=5), "Heads")
    _submit(window)
    qtbot.wait(10)
    return document


@pytest.fixture
def submit() -> Callable[[MainWindow], None]:
    """Keeps what would be submitted of the open graph now, without the dialog."""
    return _submit


def _submit(window: MainWindow) -> None:
    document = window.application.current
    assert document is not None
    report = task_report(document)
    assert report is not None
    window.view.bench.keep_attempt(document, report)
