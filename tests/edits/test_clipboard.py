"""Copying and pasting: readable text, wires inside kept, ids and names fresh."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from archstudio.edits import EditRefused, SetFrame
from archstudio.edits.clipboard import copy_text, extract, paste, paste_text
from archstudio.edits.compose import new_node
from archstudio.graph import Connection, Frame, Graph, Note, write_graph

Wires = Callable[[Graph], list[str]]


def test_copied_text_is_a_graph_file_people_can_read(cnn: Graph) -> None:
    text = copy_text(cnn, ["conv1", "act1"])
    copied = json.loads(text)
    assert [c["name"] for c in copied["components"]] == ["conv1", "act1"]
    assert [(c["from"], c["to"]) for c in copied["connections"]] == [("conv1", "act1")]
    assert copied["layout"] == {"conv1": [0, 80], "act1": [0, 160]}
    assert "\n" in text


def test_pasting_keeps_inner_wires_and_makes_names_unique(cnn: Graph, wires_of: Wires) -> None:
    before = wires_of(cnn)
    edit, ids = paste_text(cnn, copy_text(cnn, ["conv1", "act1"]))
    edit.apply(cnn)
    assert [cnn.node(n).name for n in ids] == ["conv2", "act2"]
    assert wires_of(cnn) == [*before, "conv2 -> act2"]
    assert dict(cnn.node(ids[0]).params) == dict(cnn.node("conv1").params)


def test_pasting_is_one_step_back(cnn: Graph) -> None:
    before = write_graph(cnn)
    edit, _ = paste(cnn, extract(cnn, cnn.node_ids))
    edit.apply(cnn).apply(cnn)
    assert write_graph(cnn) == before


def test_pasting_twice_and_into_another_graph_works(cnn: Graph) -> None:
    text = copy_text(cnn, cnn.node_ids)
    other = Graph()
    for _ in range(3):
        paste_text(other, text)[0].apply(other)
    assert len(other) == 3 * len(cnn)
    assert len(set(other.connection_ids)) == 12


def test_a_place_is_where_the_top_left_corner_goes(cnn: Graph) -> None:
    edit, ids = paste_text(cnn, copy_text(cnn, ["conv1", "act1", "head"]), at=(500.0, 500.0))
    edit.apply(cnn)
    assert [cnn.layout.get(n) for n in ids] == [(500.0, 500.0), (500.0, 580.0), None]


def test_without_a_place_copies_do_not_hide_the_originals(cnn: Graph) -> None:
    edit, ids = paste(cnn, extract(cnn, ["conv1"]))
    edit.apply(cnn)
    assert cnn.layout[ids[0]] == (32.0, 112.0)


def test_ports_and_unknown_keys_of_wires_are_pasted(cnn: Graph) -> None:
    cnn.insert_connection(Connection("x", "conv1", "act1", "hidden", "query", {"weight": 2}))
    edit, ids = paste(cnn, extract(cnn, ["conv1", "act1"]))
    edit.apply(cnn)
    wire = cnn.between(*ids)[1]
    assert (wire.source_port, wire.target_port, wire.extra) == ("hidden", "query", {"weight": 2})


def test_a_frame_comes_along_if_all_of_it_is_copied(cnn: Graph) -> None:
    SetFrame("f", Frame("f", "Stage", ("conv1", "act1"), "red")).apply(cnn)
    assert extract(cnn, ["conv1", "head"]).frames == {}
    edit, ids = paste(cnn, extract(cnn, ["conv1", "act1", "head"]))
    edit.apply(cnn)
    assert [(f.title, f.nodes, f.colour) for f in cnn.frames.values()] == [
        ("Stage", ("conv1", "act1"), "red"),
        ("Stage", ids[:2], "red"),
    ]


@pytest.mark.parametrize(
    "text", ["", "import torch", "[1, 2]", '{"components": [], "connections": []}', '{"components": [{"id": 1}]}']
)
def test_text_that_is_no_graph_is_refused_with_a_reason(cnn: Graph, text: str) -> None:
    with pytest.raises(EditRefused, match="clipboard"):
        paste_text(cnn, text)


def test_what_fed_the_copied_layers_feeds_the_pasted_ones_if_asked(cnn: Graph, wires_of: Wires) -> None:
    text = copy_text(cnn, [cnn.named("conv1").id])
    edit, (pasted,) = paste_text(cnn, text, keep_incoming=True)
    before = wires_of(cnn)
    inverse = edit.apply(cnn)
    assert [cnn.node(c.source).name for c in cnn.incoming(pasted)] == ["input"]
    inverse.apply(cnn)
    assert wires_of(cnn) == before
    edit, (pasted,) = paste_text(cnn, text)
    edit.apply(cnn)
    assert not cnn.incoming(pasted)


def test_wires_from_outside_keep_their_places_among_the_inputs(cnn: Graph) -> None:
    total, left, right = new_node(cnn, "add"), cnn.named("input").id, cnn.named("act1").id
    cnn.insert_node(total)
    for k, source in enumerate((left, right)):
        cnn.insert_connection(Connection(f"w{k}", source, total.id))
    edit, made = paste_text(cnn, copy_text(cnn, [total.id, right]), keep_incoming=True)
    edit.apply(cnn)
    copied = next(n for n in made if cnn.node(n).type == "add")
    assert [cnn.node(c.source).name for c in cnn.incoming(copied)] == ["input", "act2"]


def test_records_of_outside_wires_that_make_no_sense_are_left_out(cnn: Graph) -> None:
    part = extract(cnn, [cnn.named("conv1").id])
    edit, (pasted,) = paste(cnn, part, fed=[1, {}, {"from": "nobody", "to": "x", "place": 0}, {"from": "input"}])
    edit.apply(cnn)
    assert not cnn.incoming(pasted)


def test_comments_are_copied_too(cnn: Graph) -> None:
    cnn.notes["t9"] = Note("t9", "why", (10.0, 20.0))
    edit, made = paste_text(cnn, copy_text(cnn, [], ["t9"]), (100.0, 100.0))
    edit.apply(cnn)
    assert made == ()
    assert [(n.text, n.position) for n in cnn.notes.values()] == [("why", (10.0, 20.0)), ("why", (100.0, 100.0))]
