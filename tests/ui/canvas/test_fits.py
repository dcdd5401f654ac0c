"""Before a wire is let go, its colour tells whether the layer would take it; the search lists what fits."""

from __future__ import annotations

from typing import Any

from archstudio.layers import Wire
from archstudio.layers.dim import batch
from archstudio.study.visibility import SINGLE_SHOT
from archstudio.ui.canvas.fits import layers_taking, would_take

IMAGES = Wire.of([batch(1), 3, 32, 32])


def test_layers_for_images_are_offered_for_images(hand: Any) -> None:
    offered = [entry.type for entry in layers_taking(IMAGES)]
    assert {"conv2d", "relu", "maxPool2d", "batchNorm2d", "flatten"} <= set(offered)
    assert not {"conv1d", "embedding", "input"} & set(offered)
    assert offered.index("conv2d") < offered.index("relu") < offered.index("conv3d") < offered.index("output")
    assert offered.index("output") < offered.index("add")


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
    assert "conv2d" in hand.canvas.popup.shown_types
    assert "conv1d" not in hand.canvas.popup.shown_types


def test_where_shapes_may_not_help_everything_is_listed(make_hand: Any) -> None:
    hand = make_hand(visibility=SINGLE_SHOT)
    hand.drag(hand.canvas.port_position("conv1"), (900.0, 280.0))
    assert "conv1d" in hand.canvas.popup.shown_types
    hand.canvas.popup.close_popup()
    hand.hold(hand.canvas.port_position("act1"), hand.canvas.port_position("conv1", output=False))
    assert hand.canvas.graph_scene.nodes["conv1"]._lit_fits
