"""What commands ask of the canvas: each change is one step, and everything works from the keyboard."""

from __future__ import annotations

import json
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication

from archstudio.app.document import Document
from archstudio.graph import Graph
from archstudio.ui.canvas import CanvasView
from archstudio.ui.canvas.ink import Level
from archstudio.ui.theme import Theme


def test_deleting_a_middle_layer_heals_the_chain(hand: Any) -> None:
    hand.canvas.document.selection.set(["act1"])
    hand.canvas.delete_selection()
    assert hand.steps == ["Delete act1"]
    assert hand.wires() == ["input -> conv1", "head -> output", "conv1 -> head"]
    assert hand.canvas.document.selection.nodes == {"conv1"}
    hand.canvas.document.undo()
    assert "act1 -> head" in hand.wires()
    hand.canvas.graph_scene.settle()
    assert set(hand.canvas.graph_scene.wires) == set(hand.canvas.document.graph.connection_ids)


def test_deleting_without_healing_leaves_a_gap(hand: Any) -> None:
    hand.canvas.document.selection.set(["act1"])
    hand.canvas.delete_selection(heal=False)
    assert hand.wires() == ["input -> conv1", "head -> output"]


def test_deleting_a_wire_is_one_step(hand: Any) -> None:
    hand.canvas.document.selection.set((), ["c1", "c2"])
    hand.canvas.delete_selection()
    assert hand.steps == ["Delete 2 wires"]


def test_deleting_nothing_is_no_step(hand: Any) -> None:
    hand.canvas.delete_selection()
    assert hand.steps == []


def test_copy_and_paste_go_through_readable_text(hand: Any) -> None:
    hand.canvas.document.selection.set(["conv1", "act1"])
    hand.canvas.copy()
    assert {c["name"] for c in json.loads(QGuiApplication.clipboard().text())["components"]} == {"conv1", "act1"}
    hand.canvas.paste((100.0, 400.0))
    assert hand.steps == ["Paste"]
    graph = hand.canvas.document.graph
    pasted = [graph.node(n) for n in hand.canvas.document.selection.nodes]
    assert sorted(n.type for n in pasted) == ["conv2d", "relu"]
    assert min(graph.layout[n.id] for n in pasted) == (100.0, 400.0)


def test_cut_is_copy_and_heal(hand: Any) -> None:
    hand.canvas.document.selection.set(["act1"])
    hand.canvas.cut()
    assert hand.steps == ["Delete act1"]
    hand.canvas.paste((0.0, 300.0))
    assert hand.canvas.document.graph.named("act1") is not None


def test_pasting_something_else_is_refused_with_a_reason(hand: Any, qtbot: Any) -> None:
    QGuiApplication.clipboard().setText("not a graph")
    with qtbot.waitSignal(hand.canvas.refused) as refusal:
        hand.canvas.paste()
    assert "clipboard" in refusal.args[0]
    assert hand.steps == []


def test_duplicate_makes_copies_beside_the_originals(hand: Any) -> None:
    hand.canvas.document.selection.set(["act1"])
    hand.canvas.duplicate()
    assert hand.steps == ["Duplicate"]
    (copy,) = hand.canvas.document.selection.nodes
    assert hand.canvas.document.graph.layout[copy] == (608.0, 32.0)


def test_bypass_is_drawn_and_undone(hand: Any) -> None:
    hand.canvas.document.selection.set(["act1"])
    hand.canvas.toggle_bypass()
    assert hand.canvas.graph_scene.nodes["act1"].face.bypassed
    hand.canvas.toggle_bypass()
    assert not hand.canvas.graph_scene.nodes["act1"].face.bypassed
    assert hand.steps == ["Bypass", "Stop bypassing"]


def test_layout_is_one_step_and_can_be_taken_back(hand: Any) -> None:
    graph = hand.canvas.document.graph
    graph.set_positions({n: (17.0 * k, 500.0 - 90 * k) for k, n in enumerate(graph.node_ids)})
    before = dict(graph.layout)
    hand.canvas.auto_layout()
    assert hand.steps == ["Lay out"]
    hand.canvas.document.undo()
    assert hand.canvas.document.graph.layout == before


def test_inputs_are_reordered_by_a_selected_wire(make_hand: Any, residual: Graph) -> None:
    hand = make_hand(residual)
    hand.drag(hand.canvas.port_position("b"), hand.middle("sum"))
    graph = hand.canvas.document.graph
    first, second = (c.id for c in graph.incoming("sum"))
    hand.canvas.document.selection.set((), [second])
    hand.canvas.reorder_inputs(-1)
    assert [c.id for c in graph.incoming("sum")] == [second, first]
    assert hand.steps[-1] == "Reorder inputs of sum"
    hand.canvas.reorder_inputs(-1)
    assert len(hand.steps) == 2


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


@pytest.mark.parametrize(("key", "signal"), [(Qt.Key.Key_Return, "edit_asked"), (Qt.Key.Key_F2, "rename_asked")])
def test_enter_edits_and_f2_renames(hand: Any, qtbot: Any, key: Qt.Key, signal: str) -> None:
    with qtbot.waitSignal(getattr(hand.canvas, signal)):
        hand.key(key)


@pytest.mark.parametrize("key", [Qt.Key.Key_Tab, Qt.Key.Key_Space])
def test_tab_and_space_open_the_search_and_escape_closes_it(hand: Any, key: Qt.Key) -> None:
    hand.key(key)
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
