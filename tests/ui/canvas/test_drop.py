"""A layer dragged from the palette lands where it is dropped, or in the wire it is dropped on."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QByteArray, QMimeData, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent

from archstudio.study.visibility import SINGLE_SHOT
from archstudio.ui.canvas.mime import LAYER_MIME

COPY = Qt.DropAction.CopyAction
LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier


class Drag:
    """A drag of one layer over a canvas."""

    def __init__(self, hand: Any, kind: str, mime: str = LAYER_MIME) -> None:
        self.hand, self.canvas = hand, hand.canvas
        self.data = QMimeData()
        self.data.setData(mime, QByteArray(kind.encode()))

    def enter(self, scene: Any) -> bool:
        event = QDragEnterEvent(self.hand.at(scene), COPY, self.data, LEFT, NONE)
        self.canvas.dragEnterEvent(event)
        return event.isAccepted()

    def over(self, scene: Any) -> None:
        self.canvas.dragMoveEvent(QDragMoveEvent(self.hand.at(scene), COPY, self.data, LEFT, NONE))

    def drop(self, scene: Any) -> None:
        self.enter(scene)
        self.over(scene)
        self.canvas.dropEvent(QDropEvent(QPointF(self.hand.at(scene)), COPY, self.data, LEFT, NONE))


def wire_middle(hand: Any, wire: str) -> QPointF:
    return hand.canvas.graph_scene.wires[wire].path.pointAtPercent(0.5)


def test_dropped_on_empty_canvas_a_layer_stands_alone(hand: Any) -> None:
    Drag(hand, "relu").drop((600.0, 250.0))
    assert hand.steps == ["Add relu"]
    added = hand.canvas.document.graph.named("relu")
    assert hand.canvas.document.graph.layout[added.id] == pytest.approx((502, 213), abs=2)
    assert hand.canvas.document.selection.nodes == {added.id}
    hand.canvas.begin_search((0.0, 300.0))
    assert hand.canvas.popup.shown_types[0] == "relu"
    hand.canvas.popup.close_popup()


def test_dropped_on_a_wire_a_layer_is_spliced_in_with_its_sizes(hand: Any) -> None:
    drag = Drag(hand, "batchNorm2d")
    drag.enter((600.0, 250.0))
    drag.over(wire_middle(hand, "c1"))
    assert hand.canvas.graph_scene.wires["c1"].hovered
    drag.drop(wire_middle(hand, "c1"))
    assert hand.steps == ["Insert batchNorm2d"]
    assert "conv1 -> batchNorm2d" in hand.wires()
    assert "batchNorm2d -> act1" in hand.wires()
    assert hand.canvas.document.graph.named("batchNorm2d").params["numFeatures"] == 16
    hand.canvas.document.undo()
    assert hand.wires() == ["input -> conv1", "conv1 -> act1", "act1 -> head", "head -> output"]


def test_where_sizes_may_not_be_shown_none_are_written(make_hand: Any) -> None:
    hand = make_hand(visibility=SINGLE_SHOT)
    Drag(hand, "batchNorm2d").drop(wire_middle(hand, "c1"))
    assert "numFeatures" not in hand.canvas.document.graph.named("batchNorm2d").params


def test_leaving_the_canvas_adds_nothing(hand: Any) -> None:
    drag = Drag(hand, "relu")
    assert drag.enter(wire_middle(hand, "c1"))
    hand.canvas.dragLeaveEvent(QDragLeaveEvent())
    assert hand.steps == []
    assert not hand.canvas.graph_scene.wires["c1"].hovered


def test_files_are_left_to_the_window(hand: Any) -> None:
    assert not Drag(hand, "x", "text/uri-list").enter((600.0, 250.0))
