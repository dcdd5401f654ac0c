"""Marks, comments, wires and moves by command: each is one step, refused with a word, or nothing."""

from __future__ import annotations

import pytest

from archstudio.app.heat import HEAT_TITLES
from archstudio.app.layout import LONG_FROM, takes_long
from archstudio.app.recent_layers import KEPT, RecentLayers
from archstudio.edits import AddNode
from archstudio.files.settings import SettingsFile
from archstudio.graph import Graph, Node


def test_lock_goes_on_and_off_and_locked_layers_are_not_laid_out(desk) -> None:
    desk.select("act1", "conv1")
    assert desk.run("edit.lock")
    assert desk.graph.named("act1").meta["locked"]
    desk.graph.layout[desk.graph.named("act1").id] = (5.0, 500.0)
    desk.select()
    desk.run("graph.layout")
    assert desk.graph.layout[desk.graph.named("act1").id] == (5.0, 500.0)
    desk.select("act1", "conv1")
    desk.run("edit.lock")
    assert "locked" not in desk.graph.named("act1").meta
    assert desk.steps == ["Lock 2 layers", "Lay out", "Unlock 2 layers"]


def test_layers_get_the_colour_that_is_picked_and_give_it_back(desk) -> None:
    desk.select("conv1")
    desk.view.colour = "merge"
    desk.run("edit.colour")
    assert desk.graph.named("conv1").meta["colour"] == "merge"
    desk.view.colour = ""
    desk.run("edit.colour")
    assert "colour" not in desk.graph.named("conv1").meta
    desk.view.colour = None
    desk.run("edit.colour")
    assert desk.steps == ["Colour conv1", "Colour conv1"]


def test_a_frame_is_titled_when_made_coloured_and_collapsed(desk) -> None:
    desk.select("conv1", "act1")
    desk.run("edit.frame")
    assert desk.view.calls == ["rename_frame"]
    desk.view.colour = "conv"
    desk.run("edit.frameColour")
    desk.run("edit.fold")
    (frame,) = desk.graph.frames.values()
    assert (frame.colour, frame.collapsed) == ("conv", True)
    desk.run("edit.fold")
    assert desk.steps == ["Frame", "Colour Group", "Collapse Group", "Open Group"]
    desk.select("head")
    assert not desk.run("edit.fold")


def test_a_comment_is_put_selected_and_begun(desk) -> None:
    assert desk.run("edit.comment")
    ((note_id, note),) = desk.graph.notes.items()
    assert (note.position, note.text) == ((40.0, 50.0), "")
    assert desk.document.selection.notes == {note_id}
    assert desk.view.calls == ["rename_selected"]
    desk.run("edit.copy")
    desk.run("edit.paste")
    assert len(desk.graph.notes) == 2
    desk.document.selection.set(notes=desk.graph.notes)
    assert desk.run("edit.delete")
    assert not desk.graph.notes
    assert desk.steps == ["Comment", "Paste", "Delete 2 comments"]


def test_arrow_keys_move_by_the_grid_and_presses_in_a_row_are_one_step(desk) -> None:
    desk.select("act1", "head")
    before = dict(desk.graph.layout)
    for _ in range(3):
        desk.run("edit.nudgeRight")
    desk.run("edit.nudgeUp")
    act = desk.graph.named("act1").id
    assert desk.graph.layout[act] == (before[act][0] + 36, before[act][1] - 12)
    assert desk.steps == ["Move 2 layers"]
    desk.document.undo()
    assert desk.graph.layout == before


def test_locked_layers_are_not_moved_by_keys(desk) -> None:
    desk.select("act1")
    desk.run("edit.lock")
    assert desk.run("edit.nudgeLeft")
    assert desk.steps == ["Lock act1"]


def test_a_paste_can_keep_what_fed_the_copied_layers(desk) -> None:
    desk.select("act1")
    desk.run("edit.copy")
    desk.run("edit.pasteWired")
    assert "conv1>relu" in desk.wires() or "conv1>act2" in desk.wires()


def test_wires_are_walked_to_round_a_layer(merging) -> None:
    merging.select("sum")
    graph = merging.graph
    found = []
    for _ in range(4):
        merging.run("graph.nextWire")
        (wire,) = merging.document.selection.connections
        found.append((graph.node(graph.connection(wire).source).name, graph.node(graph.connection(wire).target).name))
    assert found == [("a", "sum"), ("b", "sum"), ("sum", "output"), ("sum", "output")]
    merging.select("sum")
    merging.run("graph.nextWire")
    first = merging.document.selection.connections
    merging.run("graph.nextWire")
    merging.run("graph.nextWire")
    merging.run("graph.previousWire")
    merging.run("graph.previousWire")
    assert merging.document.selection.connections != first  # `b` has no more than the wire it gives and those it takes
    assert len(merging.document.selection.connections) == 1


def test_going_on_and_back_along_a_line_of_layers_ends_where_it_began(desk) -> None:
    desk.select("conv1")
    desk.run("graph.nextWire")
    there = []
    for _ in range(3):
        there.append(desk.document.selection.connections)
        desk.run("graph.nextWire")
    for expected in reversed(there):
        desk.run("graph.previousWire")
        assert desk.document.selection.connections == expected


def test_a_wire_is_drawn_to_the_port_that_is_picked_and_takes_the_place_of_what_is_there(desk) -> None:
    desk.document.push(AddNode(Node("attn", "multiHeadAttention", "attn", {"embedDim": 8, "numHeads": 2})), "Add")
    desk.view.layer = "attn"
    for source, port in (("input", "query"), ("conv1", "key"), ("act1", "value"), ("act1", "key")):
        desk.select(source)
        desk.view.port = port
        desk.run("graph.connect")
    into = [(desk.graph.node(c.source).name, c.target_port) for c in desk.graph.incoming("attn")]
    assert into == [("input", "query"), ("act1", "value"), ("act1", "key")]
    before = desk.steps
    desk.view.port = None
    desk.run("graph.connect")
    assert desk.steps == before


def test_inputs_with_names_change_places_by_their_names(desk) -> None:
    desk.document.push(AddNode(Node("attn", "multiHeadAttention", "attn", {"embedDim": 8, "numHeads": 2})), "Add")
    desk.view.layer = "attn"
    for source, port in (("input", "query"), ("conv1", "key"), ("act1", "value")):
        desk.select(source)
        desk.view.port = port
        desk.run("graph.connect")

    def fed() -> dict[str, str]:
        return {c.target_port: desk.graph.node(c.source).name for c in desk.graph.incoming("attn")}

    query = desk.graph.incoming("attn")[0].id
    desk.document.selection.set((), [query])
    desk.run("graph.inputsUp")
    assert fed() == {"query": "input", "key": "conv1", "value": "act1"}
    desk.run("graph.inputsDown")
    assert fed() == {"query": "conv1", "key": "input", "value": "act1"}
    desk.select("attn")
    desk.run("graph.inputsDown")
    assert fed() == {"query": "act1", "key": "conv1", "value": "input"}
    desk.document.undo()
    desk.document.undo()
    assert fed() == {"query": "input", "key": "conv1", "value": "act1"}


def test_a_wire_is_moved_to_another_port_of_its_own_layer(desk) -> None:
    desk.document.push(AddNode(Node("attn", "multiHeadAttention", "attn", {"embedDim": 8, "numHeads": 2})), "Add")
    desk.view.layer, desk.view.port = "attn", "query"
    desk.select("input")
    desk.run("graph.connect")
    desk.document.selection.set((), [desk.graph.incoming("attn")[0].id])
    desk.view.port = "value"
    desk.run("graph.moveWire")
    assert [c.target_port for c in desk.graph.incoming("attn")] == ["value"]
    desk.run("graph.moveWire")
    assert desk.steps[-1] == "Move wire"
    assert len(desk.steps) == 3


def test_a_wire_drawn_from_a_list_replaces_what_a_layer_with_one_input_had(desk) -> None:
    desk.select("conv1")
    desk.view.layer = desk.graph.named("head").id
    desk.run("graph.connect")
    assert "conv1>head" in desk.wires()
    assert "act1>head" not in desk.wires()


def test_a_wire_is_drawn_to_the_layer_that_is_picked(desk) -> None:
    desk.select("conv1")
    desk.view.layer = desk.graph.named("output").id
    desk.run("graph.connect")
    assert "conv1>output" in desk.wires()
    desk.run("graph.connect")
    assert desk.steps == ["Connect conv1 to output"]
    assert "already connected" in desk.view.told[-1]


def test_a_wire_is_moved_to_the_layer_that_is_picked_and_taken_away(desk) -> None:
    desk.select(wires=("act1>head",))
    desk.view.layer = desk.graph.named("output").id
    desk.run("graph.moveWire")
    assert "act1>output" in desk.wires()
    desk.select(wires=("act1>output",))
    desk.run("graph.disconnect")
    assert "act1>output" not in desk.wires()
    assert desk.steps == ["Move wire", "Disconnect wire"]


def test_all_wires_of_a_layer_are_taken_away_in_one_step(merging) -> None:
    merging.select("sum")
    merging.run("graph.disconnect")
    assert merging.wires() == ["input>a", "input>b"]
    assert merging.steps == ["Disconnect sum"]


def test_the_path_through_a_layer_is_selected(merging) -> None:
    merging.select("a")
    merging.run("graph.selectPath")
    assert merging.selected() == {"input", "a", "sum", "output"}
    assert len(merging.document.selection.connections) == 3


@pytest.mark.parametrize("kind", HEAT_TITLES)
def test_heat_is_asked_of_the_window_and_gradients_only_when_there_are_any(desk, kind: str) -> None:
    assert desk.run(f"view.heat.{kind}") == (kind != "gradient")
    desk.view.norms = {"conv1": 1.0}
    assert desk.run(f"view.heat.{kind}")
    assert "set_heat" in desk.view.calls


def test_what_takes_long_is_laid_out_apart(desk) -> None:
    graph = Graph()
    for k in range(LONG_FROM + 1):
        graph.insert_node(Node(f"n{k}", "relu", f"n{k}"))
    assert takes_long(graph)
    assert not takes_long(graph, {"n1", "n2"})
    assert not takes_long(desk.graph)


def test_layers_used_lately_are_remembered_across_graphs_and_starts(tmp_path) -> None:
    settings = SettingsFile(tmp_path / "settings.json")
    recent = RecentLayers(settings)
    for k in range(KEPT + 2):
        recent.add(f"type{k}")
    recent.add("type5")
    assert RecentLayers(settings).types == recent.types
    assert recent.types[:3] == ("type5", "type9", "type8")
    assert len(recent.types) == KEPT
    settings.update({"recentLayers": "broken"})
    assert RecentLayers(settings).types == ()
