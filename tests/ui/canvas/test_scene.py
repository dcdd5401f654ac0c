"""The canvas shows what the document says: through edits, undo and whatever a person may see."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QGraphicsScene

from archstudio.design.fixes import fixes_for
from archstudio.edits import ChangeNode, Move, SetFrame, SetNote, set_params
from archstudio.edits.compose import connect, delete_nodes, new_node, rename
from archstudio.edits.primitives import AddNode
from archstudio.graph import Connection, Frame, Graph, Node, Note
from archstudio.layers import Severity
from archstudio.study.visibility import EVERYTHING, SINGLE_SHOT
from archstudio.ui.canvas.faces import MOST_MARKED, node_face
from archstudio.ui.canvas.hits import node_at, nodes_in, port_at, wire_at, wires_across


def face(hand: Any, node: str) -> Any:
    hand.canvas.graph_scene.settle()
    return hand.canvas.graph_scene.nodes[node].face


def wire(hand: Any, connection: str) -> Any:
    hand.canvas.graph_scene.settle()
    return hand.canvas.graph_scene.wires[connection].face


def test_a_node_tells_name_type_parameters_shape_and_count(hand: Any) -> None:
    shown = face(hand, "conv1")
    assert (shown.name, shown.type, shown.family) == ("conv1", "conv2d", "conv")
    assert (shown.label, shown.output, shown.count) == ("3→16 k3", "B×16×30×30", "448")


def test_a_refused_layer_has_a_badge_and_those_behind_it_wait(hand: Any) -> None:
    assert face(hand, "head").badge is Severity.ERROR
    assert face(hand, "head").faulty_inputs == {0}
    assert face(hand, "head").output == "unknown"
    assert face(hand, "output").waiting
    assert face(hand, "output").output == "waiting for head"
    assert face(hand, "output").badge is None


def test_a_wrong_wire_tells_both_sizes_and_others_the_shape(hand: Any) -> None:
    assert wire(hand, "c2").fault == "carries 30 · needs 16"
    assert wire(hand, "c0").shape == "B×3×32×32"
    assert wire(hand, "c3").shape == "?"


def test_a_mended_graph_is_drawn_without_faults(hand: Any) -> None:
    document = hand.canvas.document
    document.push(set_params(document.graph.node("head"), inFeatures=30), "Mend")
    assert face(hand, "head").badge is None
    assert not wire(hand, "c2").faulty
    assert face(hand, "output").output == "B×16×30×10"


def test_sizes_nobody_typed_are_in_italics(hand: Any) -> None:
    document = hand.canvas.document
    assert not face(hand, "conv1").label_inferred
    node = replace(document.graph.node("conv1"), meta={"inferred": ["inChannels"]})
    document.push(ChangeNode(node), "Follow")
    assert face(hand, "conv1").label_inferred


def test_a_new_name_is_told_by_those_who_wait_for_it(hand: Any) -> None:
    document = hand.canvas.document
    document.push(rename(document.graph, "head", "classifier"), "Rename")
    assert face(hand, "output").output == "waiting for classifier"


def test_a_hundred_changes_are_drawn_once(hand: Any, qtbot: Any) -> None:
    drawn = []
    hand.canvas.graph_scene.drawn.connect(lambda: drawn.append(1))
    document = hand.canvas.document
    for k in range(100):
        document.push(set_params(document.graph.node("conv1"), outChannels=k + 1), "Widen")
    assert not drawn
    qtbot.waitUntil(lambda: bool(drawn))
    assert len(drawn) == 1
    assert face(hand, "conv1").label == "3→100 k3"


def test_without_the_verdict_nothing_tells_whether_the_graph_is_valid(make_hand: Any) -> None:
    hand = make_hand(visibility=SINGLE_SHOT)
    for node in hand.canvas.graph_scene.nodes.values():
        shown = node.face
        assert (shown.output, shown.count, shown.badge, shown.waiting) == ("", "", None, False)
        assert not shown.faulty_inputs
    for item in hand.canvas.graph_scene.wires.values():
        assert (item.face.shape, item.face.fault, item.face.faulty, item.face.tip) == ("", "", False, "")
    assert face(hand, "conv1").label == "3→16 k3"
    assert hand.canvas.tip_at(hand.middle("head")) == ""


@pytest.mark.parametrize("hidden", ["shapes", "counts", "exact_verdict"])
def test_each_part_can_be_hidden_by_itself(make_hand: Any, hidden: str) -> None:
    hand = make_hand(visibility=EVERYTHING.without(hidden))
    assert (face(hand, "conv1").output == "") == (hidden == "shapes")
    assert (face(hand, "conv1").count == "") == (hidden == "counts")
    assert (face(hand, "head").badge is None) == (hidden == "exact_verdict")
    assert wire(hand, "c2").faulty == (hidden != "exact_verdict")


def test_layers_with_several_outputs_and_inputs_show_all_their_ports(hand: Any) -> None:
    document = hand.canvas.document
    lstm = new_node(document.graph, "lstm", {"inputSize": 8, "hiddenSize": 8})
    document.push(AddNode(lstm, position=(0.0, 300.0)), "Add lstm")
    assert len(face(hand, lstm.id).outputs) == 3
    ports = [hand.canvas.port_position(lstm.id, k) for k in range(3)]
    assert len({y for _, y in ports}) == 3
    assert face(hand, "input").inputs == ()


def test_a_node_grows_with_the_wires_it_takes(hand: Any) -> None:
    document = hand.canvas.document
    concat = new_node(document.graph, "concatenate")
    document.push(AddNode(concat, position=(0.0, 300.0)), "Add")
    height = face(hand, concat.id).height
    for source in ("input", "conv1", "act1", "head", "input"):
        if not document.graph.between(source, concat.id):
            document.push(connect(document.graph, source, concat.id), "Connect")
    assert len(face(hand, concat.id).inputs) == 4
    assert face(hand, concat.id).height > height


def test_an_unknown_type_is_drawn_too(hand: Any) -> None:
    document = hand.canvas.document
    document.push(AddNode(new_node(document.graph, "warp"), position=(0.0, 300.0)), "Add warp")
    assert face(hand, document.graph.named("warp").id).badge is Severity.ERROR


def test_nodes_added_without_a_place_get_one_that_is_no_step(hand: Any) -> None:
    document = hand.canvas.document
    node = new_node(document.graph, "relu")
    document.push(AddNode(node), "Add relu")
    hand.canvas.graph_scene.settle()
    assert node.id in document.graph.layout
    assert hand.steps == ["Add relu"]


def test_places_from_a_file_that_no_canvas_reaches_are_brought_near(make_hand: Any, residual: Graph) -> None:
    residual.layout["a"] = (1e300, -1e300)
    hand = make_hand(residual)
    hand.canvas.fit()
    assert hand.canvas.graph_scene.sceneRect().contains(hand.canvas.graph_scene.nodes["a"].body())


steps = st.lists(
    st.tuples(st.sampled_from(["add", "delete", "connect", "undo", "redo"]), st.integers(0, 99)), max_size=30
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps)
def test_after_any_edits_the_items_are_the_graph(make_hand: Any, drawn: list[tuple[str, int]]) -> None:
    hand = make_hand()
    document, scene = hand.canvas.document, hand.canvas.graph_scene
    for what, k in drawn:
        graph = document.graph
        ids = graph.node_ids
        if what == "add":
            document.push(AddNode(new_node(graph, "relu")), "Add")
        elif what == "delete" and ids:
            document.push(delete_nodes(graph, [ids[k % len(ids)]]), "Delete")
        elif what == "connect" and len(ids) > 1:
            a, b = ids[k % len(ids)], ids[(k * 7 + 1) % len(ids)]
            if not graph.between(a, b):
                document.push(connect(graph, a, b), "Connect")
        elif what == "undo":
            document.undo()
        elif what == "redo":
            document.redo()
        if k % 3 == 0:
            scene.settle()
    scene.sync()
    assert set(scene.nodes) == set(document.graph.node_ids)
    assert set(scene.wires) == set(document.graph.connection_ids)
    for node in document.graph.nodes:
        assert scene.nodes[node.id].face.name == node.name
    for connection in document.graph.connections:
        start, end = scene.wires[connection.id].ends()
        assert start == scene.nodes[connection.source].port_position(0, output=True)
        assert end.x() == scene.nodes[connection.target].x()
    hand.canvas.dispose()


def framed(hand: Any, *nodes: str, collapsed: bool = False) -> Any:
    document = hand.canvas.document
    document.push(SetFrame("f", Frame("f", "Stage", nodes, "conv", collapsed)), "Frame")
    hand.canvas.graph_scene.settle()
    return hand.canvas.graph_scene.decorations.frames["f"]


def test_a_frame_stands_around_its_nodes_and_moves_with_them(hand: Any) -> None:
    item = framed(hand, "conv1", "act1")
    nodes = hand.canvas.graph_scene.nodes
    assert item.box.contains(nodes["conv1"].body())
    assert not item.box.contains(nodes["head"].body())
    hand.drag(item.handle.center(), item.handle.center() + QPointF(0, 160))
    assert hand.steps == ["Frame", "Move 2 layers"]
    assert item.box.contains(nodes["act1"].body())


def test_a_double_click_folds_a_frame_into_one_node_and_opens_it_again(hand: Any) -> None:
    item = framed(hand, "conv1", "act1")
    scene = hand.canvas.graph_scene
    hand.double_click(item.handle.center())
    assert hand.steps == ["Frame", "Collapse Stage"]
    assert not scene.nodes["conv1"].isVisible()
    assert not scene.wires["c1"].isVisible()
    assert scene.wires["c0"].ends()[1] == item.port_position(("conv1", 0), output=False)
    assert scene.wires["c2"].ends()[0] == item.port_position(("act1", 0), output=True)
    hand.double_click(item.handle.center())
    assert scene.nodes["conv1"].isVisible()
    assert scene.wires["c0"].ends()[1] == scene.nodes["conv1"].port_position(0, output=False)
    hand.canvas.document.undo()
    scene.settle()
    assert not scene.nodes["conv1"].isVisible()


def test_a_frame_that_is_removed_shows_its_nodes(hand: Any) -> None:
    framed(hand, "conv1", "act1", collapsed=True)
    hand.canvas.document.push(SetFrame("f", None), "Remove frame")
    hand.canvas.graph_scene.settle()
    assert hand.canvas.graph_scene.nodes["conv1"].isVisible()
    assert not hand.canvas.graph_scene.decorations.frames


def test_a_note_is_drawn(hand: Any) -> None:
    hand.canvas.document.push(SetNote("n", Note("n", "Look here", (0.0, 200.0))), "Comment")
    hand.canvas.graph_scene.settle()
    assert set(hand.canvas.graph_scene.decorations.notes) == {"n"}
    hand.canvas.document.undo()
    hand.canvas.graph_scene.settle()
    assert not hand.canvas.graph_scene.decorations.notes


def test_what_nobody_sees_is_brought_up_to_date_a_little_later(make_hand: Any, deep: Graph, qtbot: Any) -> None:
    hand = make_hand(deep)
    scene, document = hand.canvas.graph_scene, hand.canvas.document
    hand.canvas.center_on("l1")
    document.push(set_params(document.graph.node("l0"), outFeatures=63), "Break")
    scene.settle()
    assert scene.nodes["l1"].face.badge is Severity.ERROR
    assert scene.nodes["l2"].face.waiting
    assert not scene.nodes["l299"].face.waiting
    hand.canvas.center_on("l299")
    assert scene.nodes["l299"].face.waiting
    qtbot.waitUntil(lambda: all(scene.nodes[f"l{k}"].face.waiting for k in range(2, 300)))
    qtbot.waitUntil(lambda: all(scene.wires[f"c{k}"].face.shape == "?" for k in range(2, 300)))


def test_an_error_while_drawing_leaves_a_whole_canvas_and_is_told(
    hand: Any, qtbot: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    scene, document = hand.canvas.graph_scene, hand.canvas.document
    calls = []

    def fails_once(*args: Any, **kwargs: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:
            raise ZeroDivisionError("while drawing")
        return node_face(*args, **kwargs)

    monkeypatch.setattr("archstudio.ui.canvas.upkeep.node_face", fails_once)
    document.push(AddNode(new_node(document.graph, "relu"), position=(0.0, 300.0)), "Add")
    with qtbot.waitSignal(scene.mended) as told:
        document.push(set_params(document.graph.node("head"), inFeatures=30), "Mend")
    assert "while drawing" in told.args[0]
    assert set(scene.nodes) == set(document.graph.node_ids)
    assert set(scene.wires) == set(document.graph.connection_ids)
    assert len(scene.items()) == len(scene.nodes) + len(scene.wires)
    assert face(hand, "output").output == "B×16×30×10"
    assert "drawn anew" in caplog.text


def test_of_very_many_wires_into_one_layer_none_is_marked_and_no_fix_is_tried(make_hand: Any) -> None:
    """Each wire would ask for all of them, and each fix would be tried on all of them."""
    graph = Graph("many")
    graph.insert_node(Node("input", "input", "input", {"shape": [1, 3, 8, 8]}))
    graph.insert_node(Node("conv1", "conv2d", "conv1", {"inChannels": 3, "outChannels": 4, "kernelSize": 3}))
    for k in range(MOST_MARKED + 1):
        graph.insert_connection(Connection(f"c{k}", "input", "conv1"))
    hand = make_hand(graph)
    document, scene = hand.canvas.document, hand.canvas.graph_scene
    (problem,) = [p for p in document.verdict.errors if p.node == "conv1"]
    assert fixes_for(document.graph, problem, document.verdict) == []
    assert scene.nodes["conv1"].face.badge is not None
    assert not any(wire.face.faulty for wire in scene.wires.values())


def test_a_layer_that_goes_while_it_glides_stops_nothing(hand: Any) -> None:
    document, canvas = hand.canvas.document, hand.canvas
    document.push(AddNode(Node("late", "relu", "late"), position=(0.0, 200.0)), "Add")
    canvas.graph_scene.settle()
    canvas.set_motion(True)
    document.push(Move({"late": (300.0, 300.0)}), "Move")
    canvas.graph_scene.settle()
    assert canvas.glide.is_going
    document.undo()
    document.undo()
    canvas.glide.setCurrentTime(90)  # a frame of the glide comes before the scene has followed the graph
    canvas.graph_scene.settle()
    assert "late" not in canvas.graph_scene.nodes
    assert not canvas.glide.is_going


def test_what_is_under_the_pointer_is_the_same_with_and_without_an_index(make_hand: Any, monkeypatch: Any) -> None:
    def found(hand: Any) -> list[tuple[object, ...]]:
        scene, seen = hand.canvas.graph_scene, []
        for x in range(-40, 1_500, 23):
            for y in range(-60, 140, 17):
                at = QPointF(x, y)
                node, wire, port = node_at(scene, at), wire_at(scene, at), port_at(scene, at)
                seen.append((node and node.node_id, wire and wire.connection_id, port))
        box = QRectF(250, -20, 500, 60)
        crossed = wires_across(scene, [QPointF(240, -50), QPointF(260, 90)])
        return [*seen, tuple(sorted(n.node_id for n in nodes_in(scene, box))), tuple(w.connection_id for w in crossed)]

    indexed = found(make_hand())
    monkeypatch.setattr("archstudio.ui.canvas.scene.MOST_INDEXED", 0)
    plain = make_hand()
    assert plain.canvas.graph_scene.itemIndexMethod() == QGraphicsScene.ItemIndexMethod.NoIndex
    assert found(plain) == indexed
    assert {wire for _, wire, _ in indexed[:-2]} >= {"c0", "c1", "c2", "c3"}


@pytest.mark.parametrize("zoom", [0.3, 0.4, 0.8, 1.0, 3.0])
@pytest.mark.parametrize("above", [True, False])
def test_a_level_wire_is_as_easily_hit_at_any_zoom_from_either_side(hand: Any, zoom: float, above: bool) -> None:
    hand.canvas.camera.zoom_to(zoom)
    hand.canvas.center_on("act1")
    middle = hand.canvas.graph_scene.wires["c1"].path.pointAtPercent(0.5)
    beside = QPointF(middle.x(), middle.y() + (-4 if above else 4) / zoom)
    found = wire_at(hand.canvas.graph_scene, beside)
    assert found is not None
    assert found.connection_id == "c1"
