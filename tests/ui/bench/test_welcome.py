"""The welcome page leads to a repair, a design, practice, a file, and to known networks as templates."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from archstudio.app.zoo import zoo_entries
from archstudio.study.visibility import SINGLE_SHOT
from archstudio.ui.window import MainWindow


def press(qtbot, window: MainWindow, name: str) -> None:
    button = window.central.welcome.findChild(QPushButton, name)
    assert button is not None, name
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_every_known_network_has_a_button_that_says_how_large_it_is(window: MainWindow) -> None:
    for entry in zoo_entries():
        button = window.central.welcome.findChild(QPushButton, f"network-{entry.name}")
        assert button.text() == entry.title
        assert "parameters" in button.toolTip()
        assert button.accessibleDescription() == button.toolTip()


@pytest.mark.parametrize("name", ["lenet-5", "gpt-2-small"])
def test_a_known_network_opens_as_an_untitled_graph_that_runs(window: MainWindow, qtbot, name: str) -> None:
    press(qtbot, window, f"network-{name}")
    document = window.application.current
    assert document.path is None
    assert document.task_id is None
    assert not document.modified
    assert document.verdict.runs


def test_practice_leads_to_the_broken_graphs(window: MainWindow, qtbot) -> None:
    press(qtbot, window, "card-practice")
    assert window.docks.tasks.suite == "practice"
    qtbot.waitUntil(lambda: len(window.docks.tasks.model.entries) == 61)


def test_the_page_scrolls_where_the_window_is_small(window: MainWindow, qtbot) -> None:
    window.resize(900, 560)
    qtbot.wait(20)
    button = window.central.welcome.findChild(QPushButton, "network-bst")
    button.setFocus()
    assert button.isVisible()


def test_networks_keep_to_what_may_be_seen(window: MainWindow) -> None:
    window.application.visibility = SINGLE_SHOT
    window.open_network("lenet-5")
    assert window.application.current.visibility is SINGLE_SHOT
