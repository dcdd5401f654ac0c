"""The exact difference: few edits, whatever order or names did."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, permutations

import pytest

from archstudio.edits import Batch, MoveConnection, MoveNodeInOrder, SetFrame
from archstudio.edits.diff import diff
from archstudio.graph import Connection, Frame, Graph, Node, write_graph


def led(before: Graph, after: Graph) -> Batch:
    """The difference, checked to lead from one graph to the other."""
    edit = diff(before, after)
    assert isinstance(edit, Batch)
    done = before.copy()
    edit.apply(done)
    assert write_graph(done) == write_graph(after)
    return edit


def test_equal_graphs_have_no_difference(cnn: Graph) -> None:
    assert diff(cnn, cnn.copy()) is None


def test_names_that_change_hands_are_no_conflict(cnn: Graph) -> None:
    now = cnn.copy()
    for node, name in (("conv1", "tmp"), ("act1", "conv1"), ("conv1", "act1")):
        now.replace_node(replace(now.node(node), name=name))
    led(cnn, now)


def test_a_new_layer_may_take_a_name_that_an_old_one_gives_up(cnn: Graph) -> None:
    now = cnn.copy()
    now.replace_node(replace(now.node("head"), name="old head"))
    now.insert_node(Node("new", "linear", "head"), 0)
    led(cnn, now)


def test_one_layer_moved_to_the_end_is_one_edit(cnn: Graph) -> None:
    now = cnn.copy()
    now.move_node_in_order("input", 4)
    assert led(cnn, now).edits == (MoveNodeInOrder("input", 4),)


def test_one_wire_moved_to_the_front_is_one_edit(cnn: Graph) -> None:
    now = cnn.copy()
    now.move_connection("c3", 0)
    assert led(cnn, now).edits == (MoveConnection("c3", 0),)


def test_a_wire_whose_layer_was_replaced_is_drawn_anew(cnn: Graph) -> None:
    now = cnn.copy()
    for wire in ("c1", "c2"):
        now.remove_connection(wire)
    now.remove_node("act1")
    now.insert_node(Node("gelu", "gelu", "act1"), 2)
    now.insert_connection(Connection("c1", "conv1", "gelu"), 1)
    now.insert_connection(Connection("c2", "gelu", "head"), 2)
    led(cnn, now)


def test_numbers_that_are_equal_but_written_differently_are_a_difference(cnn: Graph) -> None:
    now = cnn.copy()
    now.replace_node(now.node("head").with_params(inFeatures=16.0))
    assert len(led(cnn, now).edits) == 1


def test_frames_get_the_order_they_have(cnn: Graph) -> None:
    for name in "abc":
        SetFrame(name, Frame(name, name, ("head",))).apply(cnn)
    now = cnn.copy()
    SetFrame("a", None).apply(now)
    SetFrame("a", Frame("a", "moved", ("head",))).apply(now)
    led(cnn, now)
    led(now, cnn)


@pytest.mark.parametrize("order", list(permutations("abcde")))
def test_as_few_layers_as_possible_are_moved(order: tuple[str, ...]) -> None:
    before, after = Graph(), Graph()
    for name in "abcde":
        before.insert_node(Node(name, "relu", name))
    for name in order:
        after.insert_node(Node(name, "relu", name))
    edit = diff(before, after)
    moved = 0 if edit is None else len(led(before, after).edits)
    kept = max(size for size in range(6) if any(tuple(sorted(c)) == c for c in combinations(order, size)))
    assert moved == 5 - kept
