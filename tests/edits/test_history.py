"""Undo and redo: one step an intent, and a mark for what was saved."""

from __future__ import annotations

import pytest

from archstudio.edits import ChangeNode, Edit, EditRefused, Move, RemoveNode, set_params
from archstudio.edits.compose import delete_nodes, rename
from archstudio.edits.history import History
from archstudio.graph import Graph, write_graph


@pytest.fixture
def history(cnn: Graph) -> History:
    return History(cnn)


def type_size(history: History, graph: Graph, value: int, key: str | None = "head:outFeatures") -> None:
    history.push(set_params(graph.node("head"), outFeatures=value), "Set outFeatures", key)


def test_deleting_a_middle_layer_is_one_step(cnn: Graph, history: History) -> None:
    before = write_graph(cnn)
    history.push(delete_nodes(cnn, ["act1"]), "Delete act1")
    assert history.labels == ["Delete act1"]
    history.undo()
    assert write_graph(cnn) == before
    assert history.can_redo


def test_typing_into_a_field_is_one_step(cnn: Graph, history: History) -> None:
    before = write_graph(cnn)
    for value in (1, 12, 128):
        type_size(history, cnn, value)
    assert history.labels == ["Set outFeatures"]
    history.undo()
    assert write_graph(cnn) == before
    history.redo()
    assert cnn.node("head").params["outFeatures"] == 128


def test_another_field_is_another_step(cnn: Graph, history: History) -> None:
    type_size(history, cnn, 1)
    history.push(set_params(cnn.node("head"), inFeatures=2), "Set inFeatures", "head:inFeatures")
    type_size(history, cnn, 3)
    assert len(history.labels) == 3


def test_edits_without_a_merge_key_never_merge(cnn: Graph, history: History) -> None:
    type_size(history, cnn, 1, None)
    type_size(history, cnn, 2, None)
    assert len(history.labels) == 2


def test_a_merged_step_is_called_what_its_last_edit_is_called(cnn: Graph, history: History) -> None:
    history.push(rename(cnn, "head", "a"), "Rename to a", "name")
    history.push(rename(cnn, "head", "ab"), "Rename to ab", "name")
    assert history.labels == ["Rename to ab"]


def test_saving_undoing_and_ending_a_gesture_each_end_a_merge(cnn: Graph, history: History) -> None:
    type_size(history, cnn, 1)
    history.mark_clean()
    type_size(history, cnn, 2)
    history.end_merge()
    type_size(history, cnn, 3)
    assert len(history.labels) == 3
    history.undo()
    history.redo()
    type_size(history, cnn, 4)
    assert len(history.labels) == 4
    history.undo()
    type_size(history, cnn, 5)
    assert len(history.labels) == 4
    history.undo()
    assert cnn.node("head").params["outFeatures"] == 3


def test_a_drag_of_thousands_of_moves_can_be_taken_back_and_recorded(cnn: Graph, history: History) -> None:
    told: list[Edit] = []
    for k in range(5000):
        history.push(Move({"head": (float(k), 0.0)}), "Move", "drag")
    history.watch(told.append)
    history.undo()
    assert "head" not in cnn.layout
    history.redo()
    assert cnn.layout["head"] == (4999.0, 0.0)
    assert [edit.to_json()["kind"] for edit in told] == ["batch", "batch"]


def test_history_has_no_end(cnn: Graph, history: History) -> None:
    before = write_graph(cnn)
    for value in range(3000):
        type_size(history, cnn, value, None)
    while history.can_undo:
        history.undo()
    assert write_graph(cnn) == before


def test_a_new_step_forgets_those_taken_back(cnn: Graph, history: History) -> None:
    type_size(history, cnn, 1, None)
    type_size(history, cnn, 2, None)
    history.undo()
    history.undo()
    history.push(rename(cnn, "head", "other"), "Rename", None)
    assert history.labels == ["Rename"]
    assert not history.can_redo


def test_a_refused_edit_leaves_history_and_what_can_be_redone(cnn: Graph, history: History) -> None:
    type_size(history, cnn, 1, None)
    type_size(history, cnn, 2, None)
    history.undo()
    before = write_graph(cnn)
    told: list[Edit] = []
    history.watch(told.append)
    with pytest.raises(EditRefused, match="'ghost'"):
        history.push(RemoveNode("ghost"), "Delete")
    assert (history.labels, history.position, told) == (["Set outFeatures"] * 2, 1, [])
    assert write_graph(cnn) == before
    assert history.can_redo


def test_the_saved_state_is_recognised_from_both_sides(cnn: Graph, history: History) -> None:
    assert history.is_clean
    type_size(history, cnn, 1, None)
    assert not history.is_clean
    history.mark_clean()
    type_size(history, cnn, 2, None)
    history.undo()
    assert history.is_clean
    history.undo()
    assert not history.is_clean
    history.redo()
    assert history.is_clean


def test_a_saved_state_that_was_forgotten_is_never_reached_again(cnn: Graph, history: History) -> None:
    type_size(history, cnn, 1, None)
    history.mark_clean()
    history.undo()
    type_size(history, cnn, 2, None)
    assert not history.is_clean
    history.undo()
    assert not history.is_clean


def test_typing_over_an_undone_save_is_not_clean(cnn: Graph, history: History) -> None:
    type_size(history, cnn, 1)
    type_size(history, cnn, 2)
    history.mark_clean()
    history.undo()
    type_size(history, cnn, 3)
    assert not history.is_clean


def test_nothing_to_undo_or_redo_is_no_error(cnn: Graph, history: History) -> None:
    told: list[Edit] = []
    history.watch(told.append)
    history.undo()
    history.redo()
    assert told == []


def test_a_listener_can_leave(cnn: Graph, history: History) -> None:
    told: list[Edit] = []
    stop = history.watch(told.append)
    type_size(history, cnn, 1)
    stop()
    type_size(history, cnn, 2)
    assert len(told) == 1
    assert isinstance(told[0], ChangeNode)
