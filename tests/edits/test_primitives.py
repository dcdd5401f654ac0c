"""The smallest edits: what they refuse, and their recorded form."""

from __future__ import annotations

from typing import Any

import pytest

from archstudio.edits import (
    AddConnection,
    AddNode,
    Batch,
    ChangeConnection,
    ChangeNode,
    Edit,
    EditRefused,
    MoveConnection,
    MoveNodeInOrder,
    RemoveConnection,
    RemoveNode,
    SetFrame,
    SetMeta,
    SetNote,
    batch,
    edit_from_json,
    set_params,
)
from archstudio.graph import Connection, Frame, Graph, Node, Note, write_graph


@pytest.mark.parametrize(
    "edit",
    [
        AddNode(Node("head", "relu", "new")),
        AddNode(Node("new", "relu", "head")),
        RemoveNode("ghost"),
        RemoveNode("head"),
        ChangeNode(Node("ghost", "relu", "ghost")),
        ChangeNode(Node("head", "relu", "act1")),
        MoveNodeInOrder("ghost", 0),
        AddConnection(Connection("c0", "head", "output")),
        AddConnection(Connection("new", "head", "ghost")),
        RemoveConnection("ghost"),
        ChangeConnection(Connection("ghost", "head", "output")),
        ChangeConnection(Connection("c0", "head", "ghost")),
        MoveConnection("ghost", 0),
    ],
)
def test_what_cannot_be_made_is_refused_and_changes_nothing(cnn: Graph, edit: Edit) -> None:
    before = write_graph(cnn)
    with pytest.raises(EditRefused):
        edit.apply(cnn)
    with pytest.raises(EditRefused):
        batch([RemoveConnection("c1"), SetMeta("batch", 3), edit]).apply(cnn)
    assert write_graph(cnn) == before


def test_a_removed_layer_comes_back_to_its_place_in_the_file_and_on_the_canvas(cnn: Graph) -> None:
    before = write_graph(cnn)
    inverse = Batch((RemoveConnection("c1"), RemoveConnection("c2"), RemoveNode("act1"))).apply(cnn)
    assert "act1" not in cnn.layout
    inverse.apply(cnn)
    assert write_graph(cnn) == before


def test_what_is_removed_from_the_middle_comes_back_to_the_middle(cnn: Graph) -> None:
    for name in "abc":
        SetFrame(name, Frame(name, name, ("head",))).apply(cnn)
        SetNote(name, Note(name, name, (0.0, 0.0))).apply(cnn)
        SetMeta(name, name).apply(cnn)
    before = write_graph(cnn)
    for edit in (SetFrame("b", None), SetNote("b", None), SetMeta("b", None)):
        edit.apply(cnn).apply(cnn)
    assert write_graph(cnn) == before


@pytest.mark.parametrize("name", ["node", "self", "graph", "changes", "for", "with space"])
def test_a_parameter_may_have_any_name(cnn: Graph, name: str) -> None:
    set_params(cnn.node("head"), **{name: 3}).apply(cnn)
    assert cnn.node("head").params[name] == 3


@pytest.mark.parametrize(
    "record",
    [
        {},
        None,
        ["batch"],
        {"kind": None},
        {"kind": []},
        {"kind": "made-up", "id": "x"},
        {"kind": "remove-node"},
        {"kind": "add-node", "node": {"id": "x"}, "index": None, "position": None},
        {"kind": "add-connection", "connection": {"id": "x", "future": 1}, "index": None},
        {"kind": "set-note", "id": "n", "note": {"text": "x"}},
        {"kind": "move", "positions": {"head": [1]}},
        {"kind": "batch", "edits": [{"kind": "made-up"}]},
    ],
)
def test_a_record_that_cannot_be_read_is_refused(record: Any) -> None:
    with pytest.raises(EditRefused):
        edit_from_json(record)


def test_records_of_frames_and_comments_from_before_they_had_places_are_read() -> None:
    frame = {"title": "Stage", "nodes": ["a"], "colour": None, "collapsed": False}
    assert edit_from_json({"kind": "set-frame", "id": "f", "frame": frame}) == SetFrame(
        "f", Frame("f", "Stage", ("a",))
    )
    note = {"text": "Why?", "position": [1.0, 2.0], "size": [3.0, 4.0]}
    assert edit_from_json({"kind": "set-note", "id": "n", "note": note}) == SetNote(
        "n", Note("n", "Why?", (1.0, 2.0), (3.0, 4.0))
    )
    assert edit_from_json({"kind": "set-meta", "key": "batch", "value": 4}) == SetMeta("batch", 4)
