"""A collapsed frame is a node: it has ports, is wired, selected, dragged and walked to like one."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication

from archstudio.app.frame_ports import frame_inputs, frame_outputs
from archstudio.app.marking import fold_frame
from archstudio.edits import SetFrame
from archstudio.graph import Connection, Frame, Graph, Node
from tests.ui.canvas.conftest import network


def attention() -> Graph:
    """x → q, k, v → attn → norm → out; `QKV` is a collapsed frame around q, k and v."""
    graph = network(
        ("x", "input", {"shape": [2, 16, 64]}),
        ("q", "linear", {"inFeatures": 64, "outFeatures": 64}),
        ("k", "linear", {"inFeatures": 64, "outFeatures": 64}),
        ("v", "linear", {"inFeatures": 64, "outFeatures": 64}),
        ("attn", "multiHeadAttention", {"embedDim": 64, "numHeads": 4}),
        ("norm", "layerNorm", {"normalizedShape": 64}),
        ("out", "output", {}),
        wires="x>q x>k x>v",
    )
    for k, (source, target, port) in enumerate(
        (("q", "attn", "query"), ("k", "attn", "key"), ("v", "attn", "value"), ("attn", "norm", None))
    ):
        graph.insert_connection(Connection(f"d{k}", source, target, None, port))
    graph.insert_connection(Connection("last", "norm", "out"))
    graph.layout.update(x=(0, 150), q=(288, 0), k=(288, 150), v=(288, 300), attn=(576, 150), norm=(864, 150))
    graph.layout["out"] = (1152.0, 150.0)
    graph.set_frame("f", Frame("f", "QKV", ("q", "k", "v"), collapsed=True))
    return graph


@pytest.fixture
def hand(make_hand: Any) -> Any:
    return make_hand(attention())


def frame(hand: Any) -> Any:
    return hand.canvas.graph_scene.decorations.frames["f"]


def test_a_collapsed_frame_has_the_ports_of_its_layers_that_lead_outside() -> None:
    graph = attention()
    assert frame_inputs(graph, ("q", "k", "v")) == [("q", 0), ("k", 0), ("v", 0)]
    assert frame_outputs(graph, ("q", "k", "v")) == [("q", 0), ("k", 0), ("v", 0)]
    assert frame_inputs(graph, ("q", "attn")) == [("q", 0), ("attn", 1), ("attn", 2)]
    assert frame_outputs(graph, ("q", "attn")) == [("attn", 0)]


def test_what_nobody_feeds_or_reads_is_a_port_of_the_frame_too() -> None:
    graph = attention()
    graph.insert_node(Node("new", "relu", "new"))
    assert frame_inputs(graph, ("new", "gone")) == [("new", 0)]
    assert frame_outputs(graph, ("new", "gone")) == [("new", 0)]


def test_its_wires_end_at_its_ports(hand: Any) -> None:
    scene, item = hand.canvas.graph_scene, frame(hand)
    ends = [scene.wires[w].ends()[1] for w in ("c0", "c1", "c2")]
    assert ends == [item.port_position((n, 0), output=False) for n in "qkv"]
    assert len({end.y() for end in ends}) == 3
    assert all(item.box.left() == end.x() for end in ends)


@pytest.mark.parametrize(("zoom", "inner"), [(0.4, "q"), (0.8, "v"), (3.0, "q")])
def test_a_wire_is_drawn_from_its_port(hand: Any, zoom: float, inner: str) -> None:
    hand.canvas.camera.zoom_to(zoom)
    hand.canvas.center_on("attn")
    start = frame(hand).port_position((inner, 0), output=True)
    hand.canvas.camera.center_on(start)
    hand.canvas.document.push(SetFrame("f", frame(hand).frame), "Same")
    near = hand.canvas.port_position("attn", 1, output=False)
    hand.drag(start, QPointF(*near))
    assert f"{inner} -> attn" in hand.wires()
    assert hand.canvas.document.graph.incoming("attn")[-1].target_port == "key"


def test_a_wire_dropped_on_it_goes_to_a_port_and_opens_no_search(hand: Any) -> None:
    before = hand.picture()
    hand.drag(hand.canvas.port_position("norm"), frame(hand).box.center())
    assert hand.canvas.popup is None
    assert len(hand.steps) == 1
    assert any(f"norm -> {n}" in hand.wires() for n in "qkv")
    hand.canvas.document.undo()
    assert hand.picture() == before


def test_a_wire_held_over_it_lights_a_port_until_it_is_let_go(hand: Any) -> None:
    hand.hold(hand.canvas.port_position("norm"), frame(hand).box.center())
    assert frame(hand)._lit is not None
    hand.key(Qt.Key.Key_Escape)
    assert frame(hand)._lit is None
    assert hand.steps == []


def test_a_box_over_it_selects_what_it_holds_and_it_looks_selected(hand: Any) -> None:
    box = frame(hand).box
    hand.drag(box.topLeft() - QPointF(30, 60), box.bottomLeft() + QPointF(40, 60))
    assert hand.canvas.document.selection.nodes == {"q", "k", "v"}
    assert frame(hand).chosen
    hand.click((900.0, 500.0))
    assert not frame(hand).chosen


def test_the_arrow_keys_walk_to_it_and_on(hand: Any) -> None:
    hand.canvas.document.selection.set(["x"])
    hand.key(Qt.Key.Key_Right)
    assert hand.canvas.document.selection.nodes == {"q", "k", "v"}
    hand.key(Qt.Key.Key_Right)
    assert hand.canvas.document.selection.nodes == {"attn"}


def test_a_right_click_on_a_frame_selects_what_it_holds(hand: Any) -> None:
    canvas = hand.canvas
    for _ in range(2):
        canvas.document.selection.set()
        at = hand.at(frame(hand).handle.center())
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, hand.viewport.mapToGlobal(at))
        QApplication.sendEvent(hand.viewport, event)
        assert canvas.document.selection.nodes == {"q", "k", "v"}
        canvas.document.push(fold_frame(canvas.document.graph.frames["f"]), "Open")
        canvas.graph_scene.settle()


def test_it_shows_the_worst_problem_of_the_layers_it_hides(make_hand: Any) -> None:
    graph = attention()
    assert frame(make_hand(attention())).badge is None
    graph.replace_node(Node("k", "linear", "k", {"inFeatures": 63, "outFeatures": 64}))
    assert frame(make_hand(graph)).badge is not None


@pytest.mark.parametrize("esc", [False, True])
def test_a_wire_moved_onto_a_port_that_is_taken_takes_its_place(make_hand: Any, esc: bool) -> None:
    graph = attention()
    graph.set_frame("f", None)
    hand = make_hand(graph)
    before = hand.picture()
    value, key = (hand.canvas.port_position("attn", k, output=False) for k in (2, 1))
    hand.hold(QPointF(*value), QPointF(*key))
    if esc:
        hand.key(Qt.Key.Key_Escape)
    hand.release(QPointF(*key))
    if esc:
        assert hand.picture() == before
        return
    into = [(c.source, c.target_port) for c in hand.canvas.document.graph.incoming("attn")]
    assert into == [("q", "query"), ("v", "key")]
    assert hand.steps == ["Move wire"]
    hand.canvas.document.undo()
    assert hand.picture() == before


def test_a_port_is_lit_for_a_moved_wire_and_red_where_it_would_refuse(make_hand: Any) -> None:
    graph = network(
        ("x", "input", {"shape": [2, 16]}),
        ("good", "linear", {"inFeatures": 16, "outFeatures": 4}),
        ("bad", "linear", {"inFeatures": 5, "outFeatures": 4}),
        wires="x>good",
    )
    graph.layout["bad"] = (288.0, 200.0)
    hand = make_hand(graph)
    nodes = hand.canvas.graph_scene.nodes
    hand.hold(hand.canvas.port_position("good", output=False), hand.canvas.port_position("bad", output=False))
    assert nodes["bad"].lit_port == (0, False)
    assert not nodes["bad"]._lit_fits
    hand.move(hand.canvas.port_position("good", output=False))
    assert (nodes["good"].lit_port, nodes["bad"].lit_port) == ((0, False), None)
    assert nodes["good"]._lit_fits
    hand.key(Qt.Key.Key_Escape)
    assert nodes["good"].lit_port is None
    assert hand.wires() == ["x -> good"]
