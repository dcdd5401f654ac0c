"""Graphs nobody has placed are laid out left to right, without overlaps, the same every time."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from archstudio.app.layout import COLUMN_PITCH, auto_layout
from archstudio.app.node_box import NODE_WIDTH, box_height
from archstudio.graph import Connection, Frame, Graph, Node


def wired(count: int, *edges: tuple[int, int]) -> Graph:
    graph = Graph()
    for k in range(count):
        graph.insert_node(Node(f"n{k}", "relu", f"n{k}"))
    for k, (a, b) in enumerate(edges):
        graph.insert_connection(Connection(f"c{k}", f"n{a}", f"n{b}"))
    return graph


def chain(count: int) -> Graph:
    return wired(count, *((k, k + 1) for k in range(count - 1)))


def overlapping(graph: Graph, positions: dict[str, tuple[float, float]]) -> list[tuple[str, str]]:
    boxes = [(n, x, y, box_height(graph, n)) for n, (x, y) in positions.items()]
    return [
        (a, b)
        for k, (a, ax, ay, ah) in enumerate(boxes)
        for b, bx, by, bh in boxes[k + 1 :]
        if abs(ax - bx) < NODE_WIDTH and ay < by + bh and by < ay + ah
    ]


def test_a_chain_reads_like_a_text_with_later_rows_indented() -> None:
    placed = auto_layout(chain(7), width=980)
    columns = [round(x / COLUMN_PITCH) for x, _ in placed.values()]
    assert columns == [0, 1, 2, 1, 2, 1, 2]
    rows = [y for _, y in placed.values()]
    assert rows == sorted(rows)
    assert len(set(rows)) == 3


def test_a_wider_room_holds_more_of_a_chain() -> None:
    narrow, wide = auto_layout(chain(12), width=900), auto_layout(chain(12), width=1_500)
    assert len({y for _, y in wide.values()}) < len({y for _, y in narrow.values()})


def test_a_short_chain_stays_on_one_row() -> None:
    assert len({y for _, y in auto_layout(chain(3), width=600).values()}) == 1


def test_wires_of_a_branching_graph_run_forward() -> None:
    graph = wired(6, (0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (0, 4), (4, 5))
    placed = auto_layout(graph, width=4_000)
    assert all(placed[c.source][0] < placed[c.target][0] for c in graph.connections)


def test_branches_in_straight_lines_do_not_cross() -> None:
    graph = wired(8, (0, 1), (0, 2), (1, 3), (2, 4), (3, 5), (4, 6), (5, 7), (6, 7))
    placed = auto_layout(graph, width=4_000)
    assert placed["n1"][1] == placed["n3"][1] == placed["n5"][1]
    assert placed["n2"][1] == placed["n4"][1] == placed["n6"][1]


def test_a_second_input_stands_next_to_what_it_feeds() -> None:
    graph = wired(5, (0, 1), (1, 2), (2, 3), (4, 3))
    placed = auto_layout(graph)
    assert placed["n4"][0] == placed["n2"][0]


def test_a_long_branching_graph_is_cut_into_rows_where_few_wires_are_cut() -> None:
    skips = [(k, k + 2) for k in (0, 3, 6, 10, 13, 16)]
    graph = wired(20, *((k, k + 1) for k in range(19)), *skips)
    placed = auto_layout(graph, width=1_000)
    back = [c for c in graph.connections if placed[c.source][0] >= placed[c.target][0]]
    rows = max(x for x, _ in placed.values()) / COLUMN_PITCH + 1
    assert 1 <= len(back) <= 2 * rows
    assert max(x for x, _ in placed.values()) < 8 * COLUMN_PITCH


def test_loops_and_loose_nodes_are_placed_too() -> None:
    graph = wired(5, (0, 1), (1, 2), (2, 1))
    placed = auto_layout(graph)
    assert set(placed) == set(graph.node_ids)
    assert not overlapping(graph, placed)


def test_an_empty_graph_has_no_layout() -> None:
    assert auto_layout(Graph()) == {}


def test_laying_out_a_selection_keeps_its_corner() -> None:
    graph = chain(6)
    graph.layout = {f"n{k}": (500.0 + 10 * k, 300.0 + 10 * k) for k in range(6)}
    placed = auto_layout(graph, only={"n2", "n3"})
    assert set(placed) == {"n2", "n3"}
    assert (min(x for x, _ in placed.values()), min(y for _, y in placed.values())) == (520.0, 320.0)


edges = st.lists(st.tuples(st.integers(0, 24), st.integers(0, 24)), max_size=60)


@settings(max_examples=60, deadline=None)
@given(edges)
def test_no_graph_is_laid_out_with_overlaps_and_the_result_is_always_the_same(drawn: list[tuple[int, int]]) -> None:
    graph = wired(25, *dict.fromkeys((a, b) for a, b in drawn if a != b))
    placed = auto_layout(graph)
    assert set(placed) == set(graph.node_ids)
    assert not overlapping(graph, placed)
    assert auto_layout(graph) == placed


def test_rows_end_where_frames_end() -> None:
    graph = chain(12)
    for k, nodes in enumerate((("n0", "n1", "n2"), ("n3", "n4", "n5"), ("n6", "n7", "n8"))):
        graph.frames[f"f{k}"] = Frame(f"f{k}", f"block {k}", nodes)
    placed = auto_layout(graph, width=1_500)
    for frame in graph.frames.values():
        assert len({placed[n][1] for n in frame.nodes}) == 1, frame.title


def test_a_small_edit_moves_little() -> None:
    edges = [*((k, k + 1) for k in range(199)), *((k, k + 4) for k in range(0, 196, 4))]
    before = auto_layout(wired(201, *edges))
    after = auto_layout(wired(201, *edges, (120, 126)))
    moved = [n for n in before if abs(before[n][0] - after[n][0]) > 1 or abs(before[n][1] - after[n][1]) > 40]
    assert len(moved) < len(before) / 4
