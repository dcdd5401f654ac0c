"""Commands: each is a complete row, and each change is one step that can be taken back."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from archstudio.app.commands import UnknownCommand, all_commands, command
from archstudio.files import atomic
from archstudio.graph import read_graph, to_document

MENUS = ("File", "Edit", "View", "Graph", "Task", "Train", "Questions", "Study", "Help")


@pytest.mark.parametrize("row", all_commands(), ids=lambda row: row.id)
def test_every_command_says_what_it_is(row) -> None:
    assert row.title
    assert row.help.endswith(".")
    assert row.menu.split("/")[0] in MENUS


def test_ids_and_titles_within_a_menu_are_unique() -> None:
    assert max(Counter(row.id for row in all_commands()).values()) == 1
    assert max(Counter((row.menu, row.title) for row in all_commands()).values()) == 1


def test_no_shortcut_means_two_things() -> None:
    """A canvas shortcut would be ambiguous with a window-wide one of the same keys, so all share one scope here."""
    used = Counter(keys for row in all_commands() for keys in row.shortcut.split("; ") if keys)
    assert [keys for keys, count in used.items() if count > 1] == []


def test_plain_keys_work_on_the_canvas_only() -> None:
    """Elsewhere letters are typed, Delete deletes text and Tab moves on."""
    for row in all_commands():
        for keys in row.shortcut.split("; "):
            if keys in ("Tab", "Del", "Backspace", "Return", "Enter", "Space") or len(keys) == 1:
                assert row.canvas, f"{row.id} takes {keys} everywhere"


@pytest.mark.parametrize("row", all_commands(), ids=lambda row: row.id)
def test_asking_whether_a_command_can_run_never_fails(row, desk, empty_desk) -> None:
    for there in (desk, empty_desk):
        row.when(there.context)
        if row.checked is not None:
            row.checked(there.context)
    desk.document.selection.set(desk.graph.node_ids, desk.graph.connection_ids)
    row.when(desk.context)


def test_a_command_that_cannot_run_does_nothing(empty_desk) -> None:
    assert not empty_desk.run("edit.delete")
    with pytest.raises(UnknownCommand):
        command("edit.fly")


def test_deleting_a_middle_layer_heals_the_chain_and_selects_what_fed_it(desk) -> None:
    before = to_document(desk.graph)
    desk.select("act1")
    desk.run("edit.delete")
    assert desk.steps == ["Delete act1"]
    assert desk.wires() == ["input>conv1", "head>output", "conv1>head"]
    assert desk.selected() == {"conv1"}
    desk.run("edit.undo")
    assert to_document(desk.graph) == before


def test_deleting_without_healing_leaves_a_gap(desk) -> None:
    desk.select("act1")
    desk.run("edit.deleteCut")
    assert desk.wires() == ["input>conv1", "head>output"]


def test_wires_are_deleted_together_with_layers_as_one_step(merging) -> None:
    merging.select("a", wires=("input>b",))
    merging.run("edit.delete")
    assert merging.steps == ["Delete a"]
    assert merging.wires() == ["b>sum", "sum>output", "input>sum"]


def test_deleting_wires_alone_counts_them(desk) -> None:
    desk.select(wires=("input>conv1", "conv1>act1"))
    desk.run("edit.delete")
    assert desk.steps == ["Delete 2 wires"]
    desk.select(wires=("act1>head",))
    desk.run("edit.delete")
    assert desk.steps[-1] == "Delete wire"


def test_an_empty_clipboard_is_called_empty(desk) -> None:
    desk.run("edit.paste")
    assert desk.view.told == ["Nothing to paste: The clipboard is empty. Select layers and copy them first."]


def test_copies_are_readable_text_and_paste_at_the_pointer(desk) -> None:
    desk.select("conv1", "act1")
    desk.run("edit.copy")
    assert {c["name"] for c in json.loads(desk.view.clipboard)["components"]} == {"conv1", "act1"}
    desk.view.at = (100.0, 400.0)
    desk.run("edit.paste")
    assert desk.steps == ["Paste"]
    pasted = [desk.graph.node(n) for n in desk.document.selection.nodes]
    assert sorted(n.type for n in pasted) == ["conv2d", "relu"]
    assert min(desk.graph.layout[n.id] for n in pasted) == (100.0, 400.0)


def test_cut_is_copy_and_heal(desk) -> None:
    desk.select("act1")
    desk.run("edit.cut")
    assert desk.wires() == ["input>conv1", "head>output", "conv1>head"]
    desk.run("edit.paste")
    assert desk.graph.named("act1") is not None


def test_pasting_something_else_is_refused_with_a_reason(desk) -> None:
    desk.view.clipboard = "not a graph"
    desk.run("edit.paste")
    assert "clipboard" in desk.view.told[0]
    assert desk.steps == []


def test_duplicates_stand_beside_their_originals(desk) -> None:
    desk.select("act1")
    desk.run("edit.duplicate")
    assert desk.steps == ["Duplicate act1"]
    (copy,) = desk.document.selection.nodes
    assert desk.graph.layout[copy] == (608.0, 32.0)


def test_bypass_goes_on_and_off(desk) -> None:
    desk.select("act1")
    desk.run("edit.bypass")
    assert command("edit.bypass").checked(desk.context)
    desk.run("edit.bypass")
    assert desk.steps == ["Bypass act1", "Stop bypassing act1"]
    assert not command("edit.bypass").checked(desk.context)


def test_layout_is_one_step_that_can_be_taken_back(desk) -> None:
    desk.graph.set_positions({n: (17.0 * k, 500.0 - 90 * k) for k, n in enumerate(desk.graph.node_ids)})
    before = dict(desk.graph.layout)
    desk.run("graph.layout")
    assert desk.steps == ["Lay out"]
    assert "fit" in desk.view.calls
    desk.run("edit.undo")
    assert desk.graph.layout == before


def test_laying_out_what_is_laid_out_is_no_step(desk) -> None:
    desk.run("graph.layout")
    steps = list(desk.steps)
    desk.run("graph.layout")
    assert desk.steps == steps


def test_a_selected_wire_moves_among_the_inputs_and_stays_at_the_end(merging) -> None:
    def order() -> list[str]:
        return [merging.graph.node(c.source).name for c in merging.graph.incoming(merging.graph.named("sum").id)]

    merging.select(wires=("b>sum",))
    merging.run("graph.inputsUp")
    assert order() == ["b", "a"]
    merging.run("graph.inputsUp")
    assert merging.steps == ["Reorder inputs of sum"]
    merging.run("graph.inputsDown")
    assert order() == ["a", "b"]


def test_with_a_layer_selected_its_inputs_go_round(merging) -> None:
    merging.select("sum")
    merging.run("graph.inputsDown")
    assert [w for w in merging.wires() if w.endswith("sum")] == ["b>sum", "a>sum"]


def test_a_layer_with_one_input_has_nothing_to_order(desk) -> None:
    desk.select("act1")
    assert not desk.run("graph.inputsUp")


def test_a_replaced_type_keeps_name_wires_and_what_both_types_know(desk) -> None:
    wires = desk.wires()
    desk.select("conv1")
    desk.view.type = "depthwiseConv2d"
    desk.run("graph.replaceType")
    made = desk.graph.named("conv1")
    assert made.type == "depthwiseConv2d"
    assert made.params["kernelSize"] == 3
    assert desk.wires() == wires
    assert desk.steps == ["Make conv1 depthwiseConv2d"]
    desk.view.type = None
    desk.run("graph.replaceType")
    assert len(desk.steps) == 1


def test_layers_are_aligned_and_spread(desk) -> None:
    for k, node in enumerate(desk.graph.node_ids):
        desk.graph.set_positions({node: (k * k * 60.0, k * 10.0)})
    desk.run("edit.selectAll")
    desk.run("graph.align.top")
    assert {y for _, y in desk.graph.layout.values()} == {0.0}
    desk.run("graph.distribute.across")
    xs = [desk.graph.layout[n][0] for n in desk.graph.node_ids]
    assert {b - a for a, b in pairwise(xs)} == {240.0}


def test_a_frame_is_put_around_layers_and_removed(desk) -> None:
    desk.select("conv1", "act1")
    desk.run("edit.frame")
    assert len(desk.graph.frames) == 1
    desk.run("edit.unframe")
    assert desk.graph.frames == {}
    desk.run("edit.unframe")
    assert desk.view.told == ["no frame is around the selected layers"]


def test_starting_over_is_one_step_back_to_the_task(empty_desk) -> None:
    document = empty_desk.application.open_task("deepen-resnet")
    before = to_document(document.graph)
    document.selection.set(document.graph.node_ids)
    empty_desk.run("edit.delete")
    assert len(document.graph) == 0
    empty_desk.run("task.startOver")
    assert empty_desk.steps[-1] == "Start over"
    assert to_document(document.graph)["components"] == before["components"]


# ------------------------------------------------------------------ saving and closing


def test_saving_asks_where_once_and_then_knows(desk, tmp_path: Path) -> None:
    desk.select("act1")
    desk.run("edit.delete")
    desk.view.save_to = tmp_path / "mine"
    desk.run("file.save")
    assert read_graph(tmp_path / "mine.arch.json").named("act1") is None
    assert not desk.document.modified
    desk.view.save_to = None
    desk.run("edit.undo")
    desk.run("file.save")
    assert read_graph(tmp_path / "mine.arch.json").named("act1") is not None


@pytest.mark.parametrize("answer", ["save", "discard", "cancel"])
def test_closing_with_unsaved_edits_asks(desk, tmp_path: Path, answer: str) -> None:
    desk.select("act1")
    desk.run("edit.delete")
    desk.view.answer = answer
    desk.view.save_to = tmp_path / "saved.arch.json"
    desk.run("file.close")
    assert desk.view.calls == ["ask_unsaved test"]
    assert (desk.application.documents == []) == (answer != "cancel")
    assert (tmp_path / "saved.arch.json").exists() == (answer == "save")


def test_closing_what_is_saved_does_not_ask(desk) -> None:
    desk.run("file.close")
    assert desk.view.calls == []
    assert desk.application.documents == []


def test_a_disk_that_is_full_is_told_and_loses_nothing(desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "mine.arch.json"
    desk.view.save_to = target
    desk.run("file.save")
    kept = target.read_bytes()
    desk.select("act1")
    desk.run("edit.delete")

    def full(descriptor: int, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(atomic, "write_all", full)
    desk.run("file.save")
    assert "disk is full" in desk.view.told[-1]
    assert "Your edits are kept" in desk.view.told[-1]
    assert target.read_bytes() == kept
    assert desk.document.modified
    assert desk.graph.named("act1") is None
    monkeypatch.undo()
    desk.run("file.save")
    assert read_graph(target).named("act1") is None


def test_closing_is_off_if_saving_fails(desk, tmp_path: Path) -> None:
    desk.select("act1")
    desk.run("edit.delete")
    desk.view.answer = "save"
    desk.view.save_to = tmp_path / "no such folder" / "mine.arch.json"
    desk.run("file.close")
    assert "folder is gone" in desk.view.told[-1]
    assert len(desk.application.documents) == 1
