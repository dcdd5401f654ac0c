"""Order, reachability and cycles."""

from __future__ import annotations

from random import Random

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from archstudio.graph import Connection, Graph, Node
from archstudio.graph.walks import as_networkx, cycles, on_path, reachable, topological_order


def wired(count: int, pairs: list[tuple[int, int]]) -> Graph:
    graph = Graph()
    for k in range(count):
        graph.insert_node(Node(f"n{k}", "relu", f"layer{k}"))
    for k, (a, b) in enumerate(pairs):
        graph.insert_connection(Connection(f"w{k}", f"n{a % count}", f"n{b % count}"))
    return graph


graphs = st.builds(wired, st.integers(1, 8), st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=14))


@given(graphs)
def test_every_node_follows_its_sources_or_is_on_or_behind_a_loop(graph: Graph) -> None:
    order, left = topological_order(graph)
    assert sorted([*order, *left]) == sorted(graph.node_ids)
    place = {n: k for k, n in enumerate(order)}
    assert all(place[c.source] < place[c.target] for c in graph.connections if c.target in place)
    assert left == reachable(graph, [n for group in cycles(graph) for n in group])


@given(graphs, st.integers(0, 7))
def test_reachability_agrees_with_networkx(graph: Graph, start: int) -> None:
    node = f"n{start % len(graph)}"
    wiring = as_networkx(graph)
    assert reachable(graph, [node]) == {node} | nx.descendants(wiring, node)
    assert reachable(graph, [node], backwards=True) == {node} | nx.ancestors(wiring, node)


def test_the_order_is_that_of_the_file_where_wires_leave_it_open() -> None:
    assert topological_order(wired(5, [(4, 0), (2, 0)]))[0] == ["n1", "n2", "n3", "n4", "n0"]


def test_loops_are_listed_in_file_order() -> None:
    assert cycles(wired(6, [(5, 4), (4, 5), (2, 1), (1, 2), (3, 3), (0, 1)])) == [["n1", "n2"], ["n3"], ["n4", "n5"]]


def test_a_long_chain_needs_no_deep_recursion() -> None:
    count = 5000
    chain = wired(count, [(k, k + 1) for k in range(count - 1)])
    assert topological_order(chain)[0] == list(chain.node_ids)
    assert len(reachable(chain, ["n0"])) == count
    assert cycles(chain) == []


def test_dead_ends_are_not_on_the_path(branches: Graph) -> None:
    branches.insert_node(Node("dead", "relu", "dead"))
    branches.insert_connection(Connection("x", "l", "dead"))
    branches.insert_node(Node("loose", "relu", "loose"))
    branches.insert_connection(Connection("y", "loose", "j"))
    assert on_path(branches) == {"i", "l", "r", "j", "o"}


def test_parallel_wires_are_kept_apart_by_their_ids() -> None:
    assert sorted(k for _, _, k in as_networkx(wired(2, [(0, 1), (0, 1)])).edges(keys=True)) == ["w0", "w1"]


def test_shuffled_wires_do_not_change_what_is_reachable() -> None:
    pairs = [(0, 1), (1, 2), (2, 0), (3, 4)]
    Random(1).shuffle(pairs)
    assert reachable(wired(5, pairs), ["n0"]) == {"n0", "n1", "n2"}
