"""Nodes line up on an edge or a middle, and gaps become equal."""

from __future__ import annotations

import pytest

from archstudio.app.arrange import Edge, align, distribute
from archstudio.edits import EditRefused
from archstudio.graph import Graph, Node


@pytest.fixture
def three() -> Graph:
    graph = Graph()
    for k, place in enumerate([(0.0, 0.0), (230.0, 110.0), (900.0, 40.0)]):
        graph.insert_node(Node(f"n{k}", "relu", f"n{k}"))
        graph.layout[f"n{k}"] = place
    return graph


@pytest.mark.parametrize(
    ("edge", "axis", "line"),
    [("left", 0, 0.0), ("right", 0, 900.0), ("top", 1, 0.0), ("bottom", 1, 110.0), ("middle", 1, 50.0)],
)
def test_aligned_nodes_share_a_line(three: Graph, edge: Edge, axis: int, line: float) -> None:
    before = dict(three.layout)
    inverse = align(three, three.node_ids, edge).apply(three)
    assert [p[axis] for p in three.layout.values()] == [line] * 3
    assert [p[1 - axis] for p in three.layout.values()] == [p[1 - axis] for p in before.values()]
    inverse.apply(three)
    assert three.layout == before


def test_distributed_nodes_have_equal_gaps_and_the_outermost_stay(three: Graph) -> None:
    distribute(three, three.node_ids, "across").apply(three)
    assert [x for x, _ in three.layout.values()] == [0.0, 450.0, 900.0]
    distribute(three, three.node_ids, "down").apply(three)
    assert sorted(y for _, y in three.layout.values()) == [0.0, 55.0, 110.0]


def test_too_few_nodes_are_refused(three: Graph) -> None:
    with pytest.raises(EditRefused, match="at least 2"):
        align(three, ["n0"], "left")
    with pytest.raises(EditRefused, match="at least 3"):
        distribute(three, ["n0", "n1"], "across")
