"""Heat, the path through the selected layer, and layers that glide to new places."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPointF

from archstudio.app.heat import heat
from archstudio.edits import Move, set_params
from archstudio.layers.catalogue import FAMILIES
from archstudio.study.visibility import EVERYTHING
from archstudio.ui.canvas.warmth import Warmths
from archstudio.ui.theme import Theme
from archstudio.ui.theme.contrast import contrast
from archstudio.ui.theme.theme import THEME_NAMES, ThemeName


def test_the_layer_with_most_parameters_is_hottest_and_a_legend_says_how_many(hand: Any) -> None:
    hand.canvas.document.push(set_params(hand.canvas.document.graph.node("head"), inFeatures=30), "Mend")
    hand.canvas.heat.set_kind("parameters")
    nodes = hand.canvas.graph_scene.nodes
    assert (nodes["conv1"].warmth.share, nodes["conv1"].warmth.text) == (1.0, "448")
    assert 0 < nodes["head"].warmth.share < 1
    assert nodes["act1"].warmth.share == 0
    assert hand.canvas.heat.legend.isVisible()
    assert "448" in hand.canvas.heat.legend.accessibleDescription()
    hand.canvas.heat.set_kind("off")
    assert nodes["conv1"].warmth is None
    assert not hand.canvas.heat.legend.isVisible()


def test_heat_follows_the_edits(hand: Any, qtbot: Any) -> None:
    document = hand.canvas.document
    hand.canvas.heat.set_kind("parameters")
    document.push(set_params(document.graph.node("conv1"), outChannels=32), "Widen")
    qtbot.waitUntil(lambda: hand.canvas.graph_scene.nodes["conv1"].warmth.text == "896")


@pytest.mark.parametrize("kind", ["macs", "memory"])
def test_work_and_memory_are_unknown_behind_an_error(hand: Any, kind: Any) -> None:
    hand.canvas.heat.set_kind(kind)
    nodes = hand.canvas.graph_scene.nodes
    assert nodes["conv1"].warmth.text
    assert nodes["head"].warmth.text == ""


def test_gradients_come_from_a_run_by_the_names_of_the_layers(hand: Any) -> None:
    found = heat(hand.canvas.document, "gradient", {"conv1": 4.0, "head": 1.0, "gone": 9.0, "act1": float("nan")})
    assert found is not None
    assert found.values == {"conv1": 4.0, "head": 1.0}
    assert found.share("head") == 0.5
    assert found.share("act1") is None


def test_where_counts_are_hidden_there_is_no_heat(make_hand: Any) -> None:
    hand = make_hand(visibility=EVERYTHING.without("counts"))
    hand.canvas.heat.set_kind("parameters")
    assert hand.canvas.graph_scene.nodes["conv1"].warmth is None


@pytest.mark.parametrize("name", THEME_NAMES)
def test_words_read_on_the_hottest_node(hand: Any, name: ThemeName) -> None:
    theme = Theme.named(name)
    found = heat(hand.canvas.document, "parameters")
    assert found is not None
    grounds = [Warmths(theme).of(found, n).ground.color() for n in found.values]
    assert all(contrast(theme.colour("text"), ground) >= 4.5 for ground in grounds)
    assert len(FAMILIES) == len({theme.family(f).name() for f in FAMILIES})


def test_wires_on_the_path_through_the_selected_layer_stand_out(make_hand: Any, residual: Any) -> None:
    hand = make_hand(residual)
    hand.canvas.set_path(True)
    hand.canvas.document.selection.set(["b"])
    lit = {w for w, item in hand.canvas.graph_scene.wires.items() if item.on_path}
    assert lit == {"c2"}
    hand.canvas.document.selection.set(["a"])
    lit = {w for w, item in hand.canvas.graph_scene.wires.items() if item.on_path}
    assert lit == {"c0", "c1", "c3"}
    hand.canvas.set_path(False)
    assert not any(item.on_path for item in hand.canvas.graph_scene.wires.values())


def test_in_a_line_of_layers_no_path_is_emphasised(hand: Any) -> None:
    hand.canvas.set_path(True)
    hand.canvas.document.selection.set(["act1"])
    assert not any(item.on_path for item in hand.canvas.graph_scene.wires.values())


def test_layers_glide_and_the_model_is_there_at_once(hand: Any, qtbot: Any) -> None:
    canvas = hand.canvas
    canvas.set_motion(True)
    canvas.push(Move({"act1": (576.0, 300.0), "head": (864.0, 300.0)}), "Lay out")
    assert hand.steps == ["Lay out"]
    assert canvas.glide.is_going
    assert canvas.graph_scene.nodes["act1"].y() < 300
    assert canvas.document.graph.layout["act1"] == (576.0, 300.0)
    qtbot.waitUntil(lambda: not canvas.glide.is_going)
    assert canvas.graph_scene.nodes["act1"].pos() == QPointF(576.0, 300.0)
    assert canvas.glide.duration() <= 200


def test_with_reduced_motion_layers_jump(hand: Any) -> None:
    hand.canvas.set_motion(False)
    hand.canvas.push(Move({"act1": (576.0, 300.0)}), "Lay out")
    assert not hand.canvas.glide.is_going
    assert hand.canvas.graph_scene.nodes["act1"].y() == 300


def test_a_press_ends_the_gliding(hand: Any) -> None:
    hand.canvas.set_motion(True)
    hand.canvas.push(Move({"act1": (576.0, 300.0)}), "Lay out")
    hand.press((0.0, 500.0))
    assert hand.canvas.graph_scene.nodes["act1"].y() == 300
    hand.release((0.0, 500.0))


def test_a_layer_deleted_on_its_way_is_gone(hand: Any, qtbot: Any) -> None:
    document = hand.canvas.document
    hand.canvas.set_motion(True)
    hand.canvas.push(Move({"act1": (576.0, 300.0), "head": (864.0, 300.0)}), "Lay out")
    document.undo()
    hand.canvas.graph_scene.settle()
    qtbot.waitUntil(lambda: not hand.canvas.glide.is_going)
    assert hand.canvas.graph_scene.nodes["act1"].y() == 0


@pytest.mark.parametrize("corner", ["top left", "bottom left", "top right", "everywhere"])
def test_the_legend_stands_where_it_hides_no_layer_or_is_seen_through(make_hand: Any, qtbot: Any, corner: str) -> None:
    hand = make_hand()
    canvas, layout = hand.canvas, {}
    seen = canvas.camera.seen()
    across = seen.left() if "left" in corner or corner == "everywhere" else seen.right() - 220
    for k, n in enumerate(canvas.document.graph.node_ids):
        layout[n] = (across, seen.top() + 10 + 90 * k if "top" in corner else seen.bottom() - 90 * (k + 1))
    if corner == "everywhere":
        places = [(x, y) for x in (seen.left(), seen.right() - 200) for y in (seen.top(), seen.bottom() - 80)]
        layout = dict(zip(layout, [*places, places[0]], strict=True))
    canvas.document.graph.set_positions(layout)
    canvas.graph_scene.settle()
    canvas.heat.set_kind("parameters")
    legend = canvas.heat.legend
    box = legend.geometry()
    bodies = [
        canvas.mapFromScene(item.body()).boundingRect().intersects(box) for item in canvas.graph_scene.nodes.values()
    ]
    assert legend.faint == any(bodies) == (corner == "everywhere")
    assert canvas.rect().contains(box)


def test_the_legend_makes_way_when_the_view_is_moved(hand: Any, qtbot: Any) -> None:
    hand.canvas.heat.set_kind("parameters")
    legend, act = hand.canvas.heat.legend, hand.canvas.graph_scene.nodes["act1"]
    at = hand.canvas.mapFromScene(act.body()).boundingRect().center() - legend.geometry().center()
    hand.canvas.camera.scroll_by(at.x(), at.y())
    free = lambda: not hand.canvas.mapFromScene(act.body()).boundingRect().intersects(legend.geometry())  # noqa: E731
    assert not free()
    qtbot.waitUntil(free)
