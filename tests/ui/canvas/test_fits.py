"""Before a wire is let go, its colour tells whether the layer would take it; the search lists what fits."""

from __future__ import annotations

from typing import Any

from archstudio.edits import AddNode
from archstudio.graph import Node
from archstudio.study.visibility import SINGLE_SHOT
from archstudio.ui.canvas.fits import would_take
from archstudio.ui.canvas.layer_row import SUMMARY_ROLE, TYPE_ROLE


def test_a_node_takes_what_its_rule_takes(hand: Any) -> None:
    document = hand.canvas.document
    assert would_take(document, "input", None, "conv1", 0) is True
    assert would_take(document, "act1", None, "conv1", 0) is False
    assert would_take(document, "head", None, "output", 0) is None


def test_a_port_that_would_refuse_the_wire_is_lit_as_wrong(hand: Any) -> None:
    nodes = hand.canvas.graph_scene.nodes
    hand.hold(hand.canvas.port_position("act1"), hand.canvas.port_position("conv1", output=False))
    assert nodes["conv1"].lit_port == (0, False)
    assert not nodes["conv1"]._lit_fits
    hand.canvas.cancel_gesture()
    hand.hold(hand.canvas.port_position("act1"), hand.canvas.port_position("output", output=False))
    assert nodes["output"]._lit_fits


def test_the_search_from_a_port_lists_what_fits(hand: Any) -> None:
    hand.drag(hand.canvas.port_position("conv1"), (900.0, 280.0))
    popup = hand.canvas.popup
    assert {"conv2d", "relu", "batchNorm2d"} <= set(popup.shown_types)
    assert "conv1d" not in popup.shown_types
    rows = [popup.list.item(k) for k in range(popup.list.count())]
    beside = {row.data(TYPE_ROLE): row.data(SUMMARY_ROLE) for row in rows}
    assert beside["relu"] == "gives B×16×30×30"


def test_the_search_backwards_lists_what_may_stand_before(hand: Any) -> None:
    document = hand.canvas.document
    document.push(AddNode(Node("late", "linear", "late", {"outFeatures": 4}), position=(600.0, 260.0)), "Add")
    hand.canvas.graph_scene.settle()
    hand.drag(hand.canvas.port_position("late", output=False), (300.0, 300.0))
    assert "linear" in hand.canvas.popup.shown_types
    assert "output" not in hand.canvas.popup.shown_types
    hand.canvas.popup._take(hand.canvas.popup.list.item(0))
    assert hand.wires()[-1].endswith("-> late")


def test_where_shapes_may_not_help_everything_is_listed(make_hand: Any) -> None:
    hand = make_hand(visibility=SINGLE_SHOT)
    hand.drag(hand.canvas.port_position("conv1"), (900.0, 280.0))
    assert "conv1d" in hand.canvas.popup.shown_types
    hand.canvas.popup.close_popup()
    hand.hold(hand.canvas.port_position("act1"), hand.canvas.port_position("conv1", output=False))
    assert hand.canvas.graph_scene.nodes["conv1"]._lit_fits
