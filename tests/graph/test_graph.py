"""The graph itself: order, ids, names, and its watchers."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from archstudio.graph import Change, ChangeKind, Connection, Frame, Graph, Node, to_document


def test_inputs_come_in_the_order_of_the_connections(branches: Graph) -> None:
    assert [c.id for c in branches.incoming("j")] == ["c", "d"]
    branches.move_connection("d", 0)
    assert [c.id for c in branches.incoming("j")] == ["d", "c"]
    assert branches.connection_ids == ("d", "a", "b", "c", "e")


def test_a_wire_inserted_in_the_middle_takes_its_place_among_the_inputs(branches: Graph) -> None:
    branches.insert_connection(Connection("new", "i", "j"), branches.index_of_connection("d"))
    assert [c.id for c in branches.incoming("j")] == ["c", "new", "d"]
    assert [c.id for c in branches.outgoing("i")] == ["a", "b", "new"]


def test_a_moved_end_keeps_the_wire_in_its_place(branches: Graph) -> None:
    branches.replace_connection(replace(branches.connection("a"), target="j"))
    assert [c.id for c in branches.incoming("j")] == ["a", "c", "d"]
    assert branches.incoming("l") == []


def test_a_node_with_wires_cannot_be_removed(branches: Graph) -> None:
    with pytest.raises(ValueError, match="'join' still has connections"):
        branches.remove_node("j")


def test_ids_and_names_are_unique(branches: Graph) -> None:
    with pytest.raises(ValueError, match="id 'i' is taken"):
        branches.insert_node(Node("i", "relu", "other"))
    with pytest.raises(ValueError, match="name 'left' is taken"):
        branches.insert_node(Node("new", "relu", "left"))
    with pytest.raises(ValueError, match="name 'left' is taken"):
        branches.replace_node(replace(branches.node("r"), name="left"))
    with pytest.raises(ValueError, match="id 'a' is taken"):
        branches.insert_connection(Connection("a", "l", "o"))


def test_a_wire_needs_both_its_ends(branches: Graph) -> None:
    before = to_document(branches)
    with pytest.raises(ValueError, match="'ghost', which does not exist"):
        branches.insert_connection(Connection("new", "i", "ghost"))
    with pytest.raises(ValueError, match="'ghost', which does not exist"):
        branches.replace_connection(replace(branches.connection("a"), source="ghost"))
    assert to_document(branches) == before


@pytest.mark.parametrize(
    ("wanted", "given"),
    [("free", "free"), ("left", "left2"), ("conv1", "conv2"), ("conv2d", "conv2d2"), ("7", "72")],
)
def test_a_taken_name_gets_the_next_number(branches: Graph, wanted: str, given: str) -> None:
    for name in ("conv1", "conv2d", "7"):
        branches.insert_node(Node(name, "relu", name))
    assert branches.unique_name(wanted) == given


def test_a_fresh_id_is_used_by_no_part(branches: Graph) -> None:
    branches.insert_node(Node("x10", "relu", "ten"))
    branches.set_frame("x11", Frame("x11", "", ()))
    assert branches.fresh_id("x") == "x12"


def test_a_copy_goes_its_own_way(branches: Graph) -> None:
    before = to_document(branches)
    told: list[Change] = []
    branches.watch(told.append)
    twin = branches.copy()
    assert to_document(twin) == before
    twin.remove_connection("e")
    twin.remove_node("o")
    twin.replace_node(twin.node("l").with_params(outFeatures=9))
    twin.insert_connection(Connection("new", "i", "j"))
    twin.set_positions({"i": (5.0, 5.0), "j": None})
    twin.set_frame("f", None)
    twin.set_note("n", None)
    twin.set_meta("batch", 2)
    twin.rename("twin")
    assert to_document(branches) == before
    assert [c.id for c in branches.incoming("j")] == ["c", "d"]
    assert branches.named("output") is not None
    assert told == []


def test_watchers_hear_which_inputs_are_affected(branches: Graph) -> None:
    told: list[Change] = []
    stop = branches.watch(told.append)
    branches.replace_connection(replace(branches.connection("e"), target="j"))
    branches.remove_connection("a")
    stop()
    branches.rename("unheard")
    assert told == [
        Change(ChangeKind.CONNECTION_CHANGED, "e", ("o", "j")),
        Change(ChangeKind.CONNECTION_REMOVED, "a", ("l",)),
    ]


def test_a_frame_put_back_takes_its_old_place() -> None:
    graph = Graph()
    for name in "abc":
        graph.set_frame(name, Frame(name, "", ()))
    graph.set_frame("a", None)
    graph.set_frame("a", Frame("a", "back", ()), 0)
    graph.set_frame("c", Frame("c", "changed", ()), 0)
    assert list(graph.frames) == ["a", "b", "c"]


def test_a_parameter_may_have_any_name() -> None:
    assert Node("n", "relu", "n").with_params(self=1, node=2).params == {"self": 1, "node": 2}


@pytest.mark.parametrize("seed", range(4))
def test_inputs_stay_in_file_order_through_any_changes_of_the_wiring(seed: int) -> None:
    pick = Random(seed)
    graph = Graph()
    for k in range(6):
        graph.insert_node(Node(f"n{k}", "add", f"n{k}"))
    for step in range(400):
        ids = graph.connection_ids
        source, target = pick.sample(graph.node_ids, 2)
        what = pick.choice(("insert", "append", "remove", "replace", "move"))
        if what in ("insert", "append") or len(ids) < 3:
            graph.insert_connection(
                Connection(f"w{step}", source, target), pick.randrange(len(ids) + 1) if what == "insert" else None
            )
        elif what == "remove":
            graph.remove_connection(pick.choice(ids))
        elif what == "replace":
            graph.replace_connection(Connection(pick.choice(ids), source, target))
        else:
            graph.move_connection(pick.choice(ids), pick.randrange(len(ids)))
        for n in graph.node_ids:
            assert [c.id for c in graph.incoming(n)] == [c.id for c in graph.connections if c.target == n]
            assert [c.id for c in graph.outgoing(n)] == [c.id for c in graph.connections if c.source == n]


def test_very_many_wires_put_at_one_place_keep_their_order(branches: Graph) -> None:
    branches.move_connection("d", 0)
    for k in range(200):
        branches.insert_connection(Connection(f"w{k}", "i", "j"), 1)
    assert [c.id for c in branches.incoming("j")] == ["d", *(f"w{k}" for k in reversed(range(200))), "c"]
