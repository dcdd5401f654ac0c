"""New nodes stand next to what feeds them, in a free place; what is placed already stays."""

from __future__ import annotations

from archstudio.app.layout import COLUMN_PITCH
from archstudio.app.node_box import NODE_HEIGHT, NODE_WIDTH
from archstudio.app.placing import missing_positions
from archstudio.graph import Connection, Graph, Node


def chain(count: int) -> Graph:
    graph = Graph()
    for k in range(count):
        graph.insert_node(Node(f"n{k}", "relu", f"n{k}"))
    for k in range(count - 1):
        graph.insert_connection(Connection(f"c{k}", f"n{k}", f"n{k + 1}"))
    return graph


def test_a_graph_without_places_is_laid_out_whole() -> None:
    graph = chain(4)
    assert set(missing_positions(graph)) == set(graph.node_ids)
    assert missing_positions(Graph()) == {}


def test_a_placed_graph_misses_nothing() -> None:
    graph = chain(2)
    graph.layout = {"n0": (0.0, 0.0), "n1": (9.0, 9.0)}
    assert missing_positions(graph) == {}


def test_a_new_node_stands_right_of_what_feeds_it() -> None:
    graph = chain(3)
    graph.layout = {"n0": (0.0, 0.0), "n1": (300.0, 50.0)}
    assert missing_positions(graph) == {"n2": (300.0 + COLUMN_PITCH, 50.0)}


def test_a_spliced_node_goes_below_where_its_place_is_taken() -> None:
    graph = chain(3)
    graph.layout = {"n0": (0.0, 0.0), "n2": (COLUMN_PITCH, 0.0)}
    (at,) = missing_positions(graph).values()
    assert at[0] == COLUMN_PITCH
    assert at[1] >= NODE_HEIGHT


def test_a_new_source_stands_left_of_what_it_feeds() -> None:
    graph = chain(2)
    graph.layout = {"n1": (500.0, 0.0)}
    (at,) = missing_positions(graph).values()
    assert at == (500.0 - COLUMN_PITCH, 0.0)


def test_a_loose_node_stands_below_everything() -> None:
    graph = chain(2)
    graph.layout = {"n0": (0.0, 0.0), "n1": (300.0, 400.0)}
    graph.insert_node(Node("alone", "relu", "alone"))
    (at,) = missing_positions(graph).values()
    assert at[1] > 400.0 + NODE_HEIGHT


def test_several_new_nodes_do_not_overlap() -> None:
    graph = chain(2)
    graph.layout = {"n0": (0.0, 0.0), "n1": (COLUMN_PITCH, 0.0)}
    for k in range(4):
        graph.insert_node(Node(f"b{k}", "relu", f"b{k}"))
        graph.insert_connection(Connection(f"d{k}", "n0", f"b{k}"))
    places = [*graph.layout.values(), *missing_positions(graph).values()]
    for k, (x, y) in enumerate(places):
        assert not any(abs(x - u) < NODE_WIDTH and abs(y - v) < NODE_HEIGHT for u, v in places[k + 1 :])
