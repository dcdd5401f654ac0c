"""No text leaves its node, whatever a file calls its layers; families differ without their colours."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QStaticText

from archstudio.app.node_box import NODE_WIDTH
from archstudio.app.zoo import zoo_entries, zoo_graph
from archstudio.edits import AddNode
from archstudio.graph import Graph, Node
from archstudio.layers.catalogue import FAMILIES
from archstudio.ui.canvas.ink import one_line
from archstudio.ui.canvas.node_item import NodeItem
from archstudio.ui.canvas.upkeep import Upkeep
from archstudio.ui.theme.family_marks import stripe_parts

HOSTILE = (
    "x" * 10_000,
    "two\nlines\tand\r\nmore",
    "\u202egnp.exe\u202c \u2066turned\u2069",
    "<b>bold</b><img src='file:///etc/passwd'>",
    "漢字" * 60,
    "👩‍👩‍👧‍👦" * 40,
    "W" * 40,
    "\x00\x07 bell",
)


def texts_of(item: NodeItem) -> list[tuple[QPointF, QStaticText]]:
    item._lay_out_texts()
    shown = [(item._name_at, item._name), (item._kind_at, item._kind), (item._shape_at, item._shape)]
    return [*shown, (item._count_at, item._count), (item._label_at, item._label)]


def assert_inside(item: NodeItem) -> None:
    body = QRectF(0, 0, NODE_WIDTH, item.height)
    boxes = [QRectF(at, text.size()) for at, text in texts_of(item) if text.text()]
    for box in boxes:
        assert body.contains(box), f"{item.face.name[:40]!r} leaves its node"
    for one, other in combinations(boxes, 2):
        overlap = one.intersected(other)
        assert overlap.width() < 1 or overlap.height() < 5, f"texts of {item.face.name[:40]!r} run into each other"


@pytest.mark.parametrize("name", [entry.name for entry in zoo_entries()])
def test_known_networks_fit_their_nodes(make_hand: Any, name: str) -> None:
    hand = make_hand(zoo_graph(name))
    hand.canvas.graph_scene.sync()
    for item in hand.canvas.graph_scene.nodes.values():
        assert_inside(item)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_types_and_sizes_fit_too(hand: Any, name: str) -> None:
    document = hand.canvas.document
    document.push(AddNode(Node("bad", name[:200], name, {"units": 10**80}), position=(0.0, 300.0)), "Add")
    wide = {"inFeatures": 10**40, "outFeatures": 10**40}
    document.push(AddNode(Node("wide", "linear", name + "2", wide), position=(300.0, 300.0)), "Add")
    hand.canvas.graph_scene.settle()
    for node in ("bad", "wide"):
        assert_inside(hand.canvas.graph_scene.nodes[node])
    hand.canvas.grab()


def test_a_text_is_one_line_of_what_can_be_printed() -> None:
    assert one_line("conv1") == "conv1"
    assert one_line("a\nb\u202ec") == "a\ufffdb\ufffdc"
    assert len(one_line("x" * 10_000)) < 1_000
    assert one_line("gélu → σ") == "gélu → σ"


def test_heat_and_badges_leave_the_texts_inside(hand: Any) -> None:
    hand.canvas.heat.set_kind("macs")
    for item in hand.canvas.graph_scene.nodes.values():
        assert_inside(item)


def test_every_family_has_a_stripe_of_its_own() -> None:
    stripe = QRectF(3, 9, 4, 56)
    drawn = {family: tuple((p.top(), p.height()) for p in stripe_parts(stripe, family)) for family in FAMILIES}
    assert len(set(drawn.values())) == len(FAMILIES)
    for family, parts in drawn.items():
        assert all(height >= 4 for _, height in parts), family
        assert stripe_parts(stripe, family)[0].top() == stripe.top()


def test_lines_are_as_wide_on_fine_screens(hand: Any) -> None:
    ink = hand.canvas.ink
    ink.set_zoom(1.0)
    before = ink.wire.widthF()
    ink.set_density(3.0)
    assert ink.wire.widthF() == 3 * before
    ink.set_zoom(0.2)
    assert ink.wire.widthF() == before


def test_places_that_no_canvas_reaches_are_drawn_near(make_hand: Any, residual: Graph) -> None:
    for node, place in (("a", (1e308, float("-inf"))), ("b", (float("nan"), 1e308))):
        residual.layout[node] = place
    hand = make_hand(residual)
    hand.canvas.fit()
    hand.canvas.grab()
    assert isinstance(hand.canvas.graph_scene._upkeep, Upkeep)
    assert all(abs(item.x()) < 1e5 for item in hand.canvas.graph_scene.nodes.values())
