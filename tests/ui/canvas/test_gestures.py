"""Each gesture makes exactly one step, or none; cancelled, it leaves no trace."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt

from archstudio.edits import AddNode, ChangeNode
from archstudio.graph import Node

SHIFT = Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier
FAR = (900.0, 280.0)
"""A place on the canvas with nothing on it."""


def test_dragging_a_node_moves_it_in_one_step(hand: Any) -> None:
    before = hand.picture()
    hand.drag(hand.middle("act1"), hand.middle("act1") + QPointF(40, 150))
    assert hand.steps == ["Move act1"]
    assert hand.canvas.document.graph.layout["act1"] == pytest.approx((616, 150), abs=3)
    hand.canvas.document.undo()
    assert hand.picture() == before


def test_the_document_does_not_change_until_the_node_is_let_go(hand: Any) -> None:
    before = hand.picture()
    hand.hold(hand.middle("act1"), FAR)
    assert hand.picture() == before
    assert hand.canvas.graph_scene.nodes["act1"].y() > 100
    hand.key(Qt.Key.Key_Escape)
    assert hand.picture() == before
    assert hand.steps == []
    assert hand.canvas.graph_scene.nodes["act1"].y() == 0
    hand.release(FAR)
    assert hand.steps == []


def test_a_step_taken_back_during_a_drag_ends_the_drag(hand: Any) -> None:
    document = hand.canvas.document
    document.push(AddNode(Node("late", "relu", "late"), position=(0.0, 200.0)), "Add")
    hand.canvas.graph_scene.settle()
    hand.hold(hand.middle("late"), FAR)
    document.undo()
    hand.move((300.0, 300.0))
    hand.release((300.0, 300.0))
    assert document.history.position == 0
    assert "late" not in document.graph.layout
    assert not document.selection


def test_selected_nodes_move_together(hand: Any) -> None:
    hand.canvas.document.selection.set(["conv1", "act1"])
    hand.drag(hand.middle("conv1"), hand.middle("conv1") + QPointF(0, 200))
    assert hand.steps == ["Move 2 layers"]
    layout = hand.canvas.document.graph.layout
    assert layout["conv1"][1] == layout["act1"][1] != 0
    assert layout["head"][1] == 0


def test_locked_nodes_stay(hand: Any) -> None:
    document = hand.canvas.document
    document.push(ChangeNode(replace(document.graph.node("act1"), meta={"locked": True})), "Lock")
    hand.drag(hand.middle("act1"), FAR)
    assert hand.steps == ["Lock"]


def test_snapping_puts_nodes_on_the_grid(hand: Any) -> None:
    hand.canvas.set_snap(True)
    hand.drag(hand.middle("act1"), hand.middle("act1") + QPointF(61, 131))
    x, y = hand.canvas.document.graph.layout["act1"]
    assert (x % 12, y % 12) == (0, 0)


def test_a_node_dragged_nearly_level_with_another_aligns_with_it(hand: Any) -> None:
    hand.drag(hand.middle("act1"), hand.middle("act1") + QPointF(70, 4))
    assert hand.canvas.document.graph.layout["act1"][1] == 0


def test_a_click_selects_and_shift_adds(hand: Any) -> None:
    hand.click(hand.middle("conv1"))
    assert hand.canvas.document.selection.nodes == {"conv1"}
    hand.click(hand.middle("head"), SHIFT)
    assert hand.canvas.document.selection.nodes == {"conv1", "head"}
    hand.click(hand.middle("head"), SHIFT)
    assert hand.canvas.document.selection.nodes == {"conv1"}
    hand.click(FAR)
    assert not hand.canvas.document.selection
    assert hand.steps == []


def test_a_box_selects_what_it_touches(hand: Any) -> None:
    hand.drag((270.0, -60.0), (800.0, 120.0))
    assert hand.canvas.document.selection.nodes == {"conv1", "act1"}
    hand.drag((1_140.0, -60.0), (1_160.0, 120.0), SHIFT)
    assert hand.canvas.document.selection.nodes == {"conv1", "act1", "output"}


def test_a_cancelled_box_leaves_the_selection_as_it_was(hand: Any) -> None:
    hand.click(hand.middle("head"))
    hand.hold((270.0, -60.0), (800.0, 120.0))
    hand.key(Qt.Key.Key_Escape)
    assert hand.canvas.document.selection.nodes == {"head"}


def test_a_wire_pulled_to_another_port_connects(hand: Any) -> None:
    canvas = hand.canvas
    hand.drag(canvas.port_position("conv1"), canvas.port_position("output", output=False))
    assert hand.steps == ["Connect"]
    assert "conv1 -> output" in hand.wires()
    assert "head -> output" not in hand.wires()
    canvas.document.undo()
    assert hand.wires() == ["input -> conv1", "conv1 -> act1", "act1 -> head", "head -> output"]


def test_a_wire_dropped_on_a_node_takes_its_free_input(make_hand: Any, residual: Any) -> None:
    hand = make_hand(residual)
    hand.drag(hand.canvas.port_position("input"), hand.middle("sum"))
    assert hand.wires()[-1] == "input -> sum"


def test_a_wire_to_itself_or_twice_is_not_made(hand: Any, qtbot: Any) -> None:
    canvas = hand.canvas
    hand.drag(canvas.port_position("conv1"), hand.middle("conv1"))
    assert hand.steps == []
    with qtbot.waitSignal(canvas.refused):
        hand.drag(canvas.port_position("conv1"), hand.middle("act1"))
    assert hand.steps == []


def test_a_cancelled_wire_leaves_no_trace(hand: Any) -> None:
    before = hand.picture()
    hand.hold(hand.canvas.port_position("conv1"), hand.canvas.port_position("output", output=False))
    assert hand.canvas.graph_scene.nodes["output"].lit_port is not None
    hand.key(Qt.Key.Key_Escape)
    assert hand.picture() == before
    assert hand.canvas.graph_scene.nodes["output"].lit_port is None


def test_a_wire_dropped_on_nothing_asks_for_a_layer_and_wires_it(hand: Any) -> None:
    hand.drag(hand.canvas.port_position("conv1"), FAR)
    popup = hand.canvas.popup
    assert popup is not None
    assert hand.steps == []
    popup.field.setText("batchNorm2d")
    popup._take(popup.list.currentItem())
    assert hand.steps == ["Add batchNorm2d"]
    assert hand.wires()[-1] == "conv1 -> batchNorm2d"
    added = hand.canvas.document.graph.named("batchNorm2d")
    assert added.params["numFeatures"] == 16
    assert hand.canvas.document.selection.nodes == {added.id}
    hand.canvas.document.undo()
    assert len(hand.canvas.document.graph) == 5


def test_a_connected_wire_is_moved_by_its_end(hand: Any) -> None:
    canvas = hand.canvas
    hand.drag(canvas.port_position("head", output=False), canvas.port_position("output", output=False))
    assert hand.steps == ["Move wire"]
    assert hand.wires() == ["input -> conv1", "conv1 -> act1", "act1 -> output"]
    assert canvas.document.graph.connection("c2").target == "output"


def test_a_wire_moved_onto_its_twin_is_refused_with_the_reason(make_hand: Any, residual: Any, qtbot: Any) -> None:
    hand = make_hand(residual)
    canvas = hand.canvas
    before = hand.wires()
    with qtbot.waitSignal(canvas.refused) as told:
        hand.drag(canvas.port_position("b", output=False), canvas.port_position("a", output=False))
    assert told.args == ["input is already connected to a"]
    assert (hand.steps, hand.wires()) == ([], before)
    assert canvas.graph_scene.wires["c2"].isVisible()


def test_a_wire_end_dropped_on_nothing_is_removed(hand: Any) -> None:
    hand.drag(hand.canvas.port_position("head", output=False), FAR)
    assert hand.steps == ["Disconnect"]
    assert "act1 -> head" not in hand.wires()


def test_a_wire_put_back_where_it_was_is_no_step(hand: Any) -> None:
    place = hand.canvas.port_position("head", output=False)
    hand.hold(place, FAR)
    hand.move(place)
    hand.release(place)
    assert hand.steps == []
    assert hand.canvas.graph_scene.wires["c2"].isVisible()


def test_a_cancelled_wire_end_stays_connected_and_visible(hand: Any) -> None:
    before = hand.picture()
    hand.hold(hand.canvas.port_position("head", output=False), FAR)
    hand.key(Qt.Key.Key_Escape)
    assert hand.picture() == before
    assert hand.canvas.graph_scene.wires["c2"].isVisible()


def test_alt_drag_cuts_every_wire_it_crosses_in_one_step(hand: Any) -> None:
    hand.drag((242.0, -80.0), (530.0, 160.0), ALT)
    assert hand.steps == []
    hand.press((242.0, -80.0), ALT)
    for place in ((242.0, 100.0), (530.0, 100.0), (530.0, -80.0)):
        hand.move(place)
    hand.release((530.0, -80.0), ALT)
    assert hand.steps == ["Cut wires"]
    assert hand.wires() == ["act1 -> head", "head -> output"]
    hand.canvas.document.undo()
    assert len(hand.wires()) == 4


def test_the_middle_button_pans_and_edits_nothing(hand: Any) -> None:
    before = hand.canvas.camera.to_scene(QPointF(0, 0))
    hand.press(FAR, button=Qt.MouseButton.MiddleButton)
    hand.move((800.0, 200.0))
    hand.release((800.0, 200.0), button=Qt.MouseButton.MiddleButton)
    assert hand.canvas.camera.to_scene(QPointF(0, 0)) != before
    assert hand.steps == []


def test_a_double_click_on_a_wire_selects_the_path_through_it(make_hand: Any, residual: Any) -> None:
    hand = make_hand(residual)
    middle = hand.canvas.graph_scene.wires["c1"].path.pointAtPercent(0.5)
    hand.double_click(middle)
    assert hand.canvas.document.selection.nodes == {"input", "a", "sum", "output"}
    assert hand.canvas.document.selection.connections == {"c0", "c1", "c3"}


def test_a_double_click_on_a_node_asks_to_edit_it(hand: Any, qtbot: Any) -> None:
    with qtbot.waitSignal(hand.canvas.edit_asked):
        hand.double_click(hand.middle("head"))
    assert hand.canvas.document.selection.nodes == {"head"}


def test_the_wheel_zooms_at_the_pointer(hand: Any) -> None:
    canvas = hand.canvas
    place = QPointF(300, 200)
    anchor = canvas.camera.to_scene(place)
    canvas.camera.notches(2, place)
    assert canvas.camera.zoom == pytest.approx(0.8 * 1.2**2)
    assert canvas.camera.to_scene(place).x() == pytest.approx(anchor.x(), abs=1.5)
    assert canvas.camera.to_scene(place).y() == pytest.approx(anchor.y(), abs=1.5)


def test_a_loose_layer_dragged_onto_a_wire_is_put_into_it(hand: Any) -> None:
    document = hand.canvas.document
    norm = Node("norm", "batchNorm2d", "norm", {})
    document.push(AddNode(norm, position=(0.0, 300.0)), "Add")
    hand.canvas.graph_scene.settle()
    start, end = hand.canvas.graph_scene.wires["c1"].ends()
    hand.drag(hand.middle("norm"), (start + end) / 2)
    assert "conv1 -> norm" in hand.wires()
    assert "norm -> act1" in hand.wires()
    assert document.graph.node("norm").params["numFeatures"] == 16
    assert hand.steps == ["Add", "Insert norm"]
    document.undo()
    assert document.graph.layout["norm"] == (0.0, 300.0)
    assert not document.graph.incoming("norm")


def test_a_wired_layer_dragged_over_a_wire_only_moves(hand: Any) -> None:
    start, end = hand.canvas.graph_scene.wires["c1"].ends()
    wires = hand.wires()
    hand.drag(hand.middle("output"), (start + end) / 2)
    assert hand.wires() == wires
    assert hand.steps == ["Move output"]


def test_with_shift_a_fed_input_is_asked_for_what_fits_before_it(hand: Any) -> None:
    port = hand.canvas.port_position("act1", 0, output=False)
    hand.drag(port, (port[0] - 40, port[1] + 250), SHIFT)
    assert hand.canvas.popup is not None
    assert "conv2d" in hand.canvas.popup.shown_types
    hand.canvas.popup.close_popup()
    assert hand.steps == []
