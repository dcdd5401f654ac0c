"""Two sides: what either shows, which one commands act on, and moving both together."""

from __future__ import annotations

import pytest

from archstudio.app.commands import run_command
from archstudio.ui.window import MainWindow


@pytest.fixture
def two(window: MainWindow) -> MainWindow:
    """Two graphs are open, the second in front."""
    window.open_task("deepen-resnet")
    window.application.new_document()
    window.activateWindow()
    return window


def titles(window: MainWindow) -> list[str | None]:
    return [None if pane.document is None else pane.document.title for pane in window.central.panes]


def test_the_second_side_shows_the_next_graph(two, qtbot) -> None:
    run_command("view.split", two.context)
    assert titles(two) == ["untitled", "deepen-resnet"]
    assert all(pane.isVisible() for pane in two.central.panes)
    assert [pane.heading.text() for pane in two.central.panes] == ["untitled", "deepen-resnet"]
    run_command("view.split", two.context)
    assert not two.central.panes[1].isVisible()
    assert not two.central.panes[0].heading.isVisible()


def test_commands_act_on_the_side_that_has_the_keyboard(two, qtbot) -> None:
    run_command("view.split", two.context)
    two.central.panes[0].canvas.setFocus()
    run_command("view.otherSide", two.context)
    qtbot.waitUntil(lambda: two.application.current.title == "deepen-resnet")
    assert two.canvas is two.central.panes[1].canvas
    assert titles(two) == ["untitled", "deepen-resnet"], "the other side keeps what it showed"
    run_command("edit.selectAll", two.context)
    assert two.application.documents[0].selection
    assert not two.application.documents[1].selection
    run_command("view.otherSide", two.context)
    qtbot.waitUntil(lambda: two.application.current.title == "untitled")


def test_a_tab_is_shown_on_the_active_side_and_one_graph_may_be_on_both(two, qtbot) -> None:
    run_command("view.split", two.context)
    two.central.tabs.setCurrentIndex(0)
    assert titles(two) == ["deepen-resnet", "deepen-resnet"]
    one, other = (pane.canvas for pane in two.central.panes)
    assert one is not other
    document = two.application.current
    document.selection.set([document.graph.named("act1").id])
    run_command("edit.delete", two.context)
    for canvas in (one, other):
        canvas.graph_scene.settle()
        assert len(canvas.graph_scene.nodes) == len(document.graph)


def test_closing_a_graph_clears_it_from_both_sides(two) -> None:
    run_command("view.split", two.context)
    two.application.close(two.application.documents[0])
    assert titles(two) == ["untitled", "untitled"]
    two.application.close(two.application.documents[0])
    assert titles(two) == [None, None]
    assert two.central.welcome.isVisible()
    assert not two.central.panes[1].isVisible()


def test_linked_sides_move_and_zoom_together(two, qtbot) -> None:
    run_command("view.split", two.context)
    run_command("view.linked", two.context)
    one, other = (pane.canvas for pane in two.central.panes)
    one.zoom_by(0.5)
    assert other.camera.zoom == pytest.approx(one.camera.zoom)
    one.camera.scroll_by(120, 60)
    here, there = one.camera.seen().center(), other.camera.seen().center()
    assert (there - here).manhattanLength() < 8
    run_command("view.linked", two.context)
    before = one.camera.zoom
    other.zoom_by(1.7)
    assert one.camera.zoom == before


def test_two_sides_come_back_at_the_next_start(two, own_home) -> None:
    from archstudio.ui.start import make_window

    run_command("view.split", two.context)
    again = make_window()
    assert again.central.is_split
    again.close()
    again.deleteLater()
