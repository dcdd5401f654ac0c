"""What commands ask of the canvas, and what it does by itself."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest

from archstudio.app.document import Document
from archstudio.graph import Graph
from archstudio.ui.canvas import CanvasView
from archstudio.ui.canvas.ink import Level
from archstudio.ui.theme import Theme


def test_arrow_keys_walk_along_wires(hand: Any) -> None:
    for expected in ("input", "conv1", "act1"):
        hand.key(Qt.Key.Key_Right)
        assert hand.canvas.document.selection.single == expected
    hand.key(Qt.Key.Key_Left)
    assert hand.canvas.document.selection.single == "conv1"


def test_arrow_keys_go_between_branches(make_hand: Any, residual: Graph) -> None:
    hand = make_hand(residual)
    hand.canvas.document.selection.set(["a"])
    hand.key(Qt.Key.Key_Down)
    assert hand.canvas.document.selection.single == "b"
    hand.key(Qt.Key.Key_Up)
    assert hand.canvas.document.selection.single == "a"


def test_space_opens_the_search_and_it_can_be_left(hand: Any) -> None:
    hand.key(Qt.Key.Key_Space)
    popup = hand.canvas.popup
    assert popup is not None
    popup.close_popup()
    assert hand.canvas.popup is None
    assert hand.steps == []


def test_the_search_adds_the_marked_layer_where_it_was_opened(hand: Any, qtbot: Any) -> None:
    hand.canvas.begin_search((600.0, 300.0))
    popup = hand.canvas.popup
    qtbot.keyClicks(popup.field, "fc")
    assert popup.shown_types[0] == "linear"
    qtbot.keyClick(popup.field, Qt.Key.Key_Return)
    assert hand.steps == ["Add linear"]
    (added,) = hand.canvas.document.selection.nodes
    assert hand.canvas.document.graph.layout[added] == (502.0, 263.0)


def test_what_was_added_last_is_offered_first(hand: Any) -> None:
    for kind in ("tanh", "dropout"):
        hand.canvas._add(kind, (600.0, 300.0), None)
    hand.canvas.begin_search()
    assert hand.canvas.popup.shown_types[:2] == ["dropout", "tanh"]


def test_with_a_wire_selected_the_search_splices(hand: Any) -> None:
    hand.canvas.document.selection.set((), ["c1"])
    hand.canvas._add("dropout", (600.0, 300.0), None)
    assert "conv1 -> dropout" in hand.wires()
    assert "dropout -> act1" in hand.wires()


def test_fit_shows_everything_and_zoom_100_is_real_size(hand: Any) -> None:
    hand.canvas.fit()
    assert hand.canvas.camera.seen().contains(hand.canvas.graph_scene.bounds())
    hand.canvas.zoom_100()
    assert hand.canvas.camera.zoom == 1
    hand.canvas.zoom_by(2)
    assert hand.canvas.camera.zoom == 2
    hand.canvas.document.selection.set(["output"])
    hand.canvas.fit_selection()
    assert hand.canvas.camera.seen().contains(hand.canvas.graph_scene.nodes["output"].body())
    hand.canvas.center_on("input")
    middle = hand.canvas.camera.seen().center()
    assert hand.canvas.graph_scene.nodes["input"].body().contains(middle)
    hand.canvas.center_on("nobody")


def test_the_zoom_is_told_and_kept_within_bounds(hand: Any, qtbot: Any) -> None:
    with qtbot.waitSignal(hand.canvas.zoom_changed) as told:
        hand.canvas.zoom_by(1_000)
    assert told.args == [4.0]


def test_the_selection_is_told_to_those_who_hear_it(hand: Any) -> None:
    assert hand.canvas.accessibleName() == "Canvas"
    assert hand.canvas.accessibleDescription() == "Nothing selected"
    hand.canvas.document.selection.set(["conv1"])
    assert hand.canvas.accessibleDescription().startswith("conv1, conv2d, 3→16 k3, B×16×30×30, 448 parameters")


def test_tips_tell_dtype_and_bytes_of_a_wire_and_problems_of_a_node(hand: Any) -> None:
    wire = hand.canvas.graph_scene.wires["c1"].path.pointAtPercent(0.5)
    assert hand.canvas.tip_at(wire) == "B×16×30×30 · float32 · 56.2 KiB"
    assert "30" in hand.canvas.tip_at(hand.middle("head"))
    assert hand.canvas.tip_at(QPointF(5_000, 5_000)) == ""


@pytest.mark.parametrize("theme", ["light", "dark", "high-contrast"])
@pytest.mark.parametrize("zoom", [0.05, 0.3, 0.6, 1.0, 3.0])
def test_every_theme_and_zoom_is_drawn(make_hand: Any, theme: Any, zoom: float) -> None:
    hand = make_hand(zoom=zoom)
    hand.canvas.set_theme(Theme.named(theme))
    image = hand.canvas.grab().toImage()
    colours = {image.pixelColor(x, y).name() for x in range(0, 1400, 3) for y in range(0, 700, 3)}
    assert Theme.named(theme).colour("canvas").name() in colours
    assert len(colours) > 3


def test_far_away_the_graph_is_drawn_as_an_overview(make_hand: Any) -> None:
    hand = make_hand(zoom=0.1)
    assert hand.canvas.ink.level is Level.OVERVIEW
    at = hand.at(hand.middle("conv1"))
    colour = hand.canvas.grab().toImage().pixelColor(at)
    assert colour == Theme.named("light").family("conv")


def test_an_empty_canvas_says_what_to_do(make_hand: Any) -> None:
    canvas = make_hand(Graph()).canvas
    image = canvas.grab().toImage()
    middle = canvas.rect().center()
    ink = Theme.named("light").colour("text").name()
    written = [
        (x, y)
        for x in range(middle.x() - 120, middle.x() + 120)
        for y in range(middle.y() - 30, middle.y() + 30)
        if image.pixelColor(x, y).name() == ink
    ]
    assert len(written) > 50


def test_the_minimap_moves_the_view_and_can_be_hidden(hand: Any, qtbot: Any) -> None:
    minimap = hand.canvas.minimap
    assert minimap.isVisible()
    before = hand.canvas.camera.seen().center()
    qtbot.mouseClick(minimap, Qt.MouseButton.LeftButton, pos=minimap.rect().center() * 0.2)
    assert hand.canvas.camera.seen().center() != before
    hand.canvas.set_minimap(False)
    assert not minimap.isVisible()


def test_a_right_click_selects_what_is_under_it_and_asks_for_the_menu(hand: Any, qtbot: Any) -> None:
    at = hand.at(hand.middle("act1"))
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, hand.viewport.mapToGlobal(at))
    with qtbot.waitSignal(hand.canvas.menu_asked):
        hand.canvas.contextMenuEvent(event)
    assert hand.canvas.document.selection.nodes == {"act1"}


def test_a_canvas_that_was_closed_follows_nothing(qtbot: Any, make_hand: Any) -> None:
    document: Document = make_hand().canvas.document
    graph_watchers = len(document.graph._watchers)
    canvas = CanvasView(document, Theme.named("light"))
    qtbot.addWidget(canvas)
    assert len(document.graph._watchers) > graph_watchers
    canvas.dispose()
    canvas.dispose()
    assert len(document.graph._watchers) == graph_watchers
    document.selection.set(["act1"])


def test_the_doc_beside_the_search_reads_like_prose(hand: Any) -> None:
    hand.canvas.begin_search((0.0, 0.0))
    popup = hand.canvas.popup
    QTest.keyClicks(popup.field, "input")
    told = popup._doc.text()
    assert "`" not in told
    assert "if given, the sequence, whose length" in told
    popup.field.clear()
    QTest.keyClicks(popup.field, "conv2d")
    assert "is accepted.\nH' = " in popup._doc.text()
