"""Lining nodes up and spreading them evenly."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal, TypeAlias

from archstudio.app.marking import is_locked
from archstudio.app.node_box import NODE_WIDTH, box_height
from archstudio.edits import Edit, EditRefused, Move
from archstudio.graph import Graph, Point

Edge: TypeAlias = Literal["left", "centre", "right", "top", "middle", "bottom"]
Axis: TypeAlias = Literal["across", "down"]

_SHARE = {"left": 0.0, "centre": 0.5, "right": 1.0, "top": 0.0, "middle": 0.5, "bottom": 1.0}


def align(graph: Graph, ids: Collection[str], edge: Edge) -> Edit:
    """Put an edge of all these nodes on one line: the outermost one's, or for middles their mean.

    EditRefused for fewer than two nodes with a place.
    """
    nodes = _placed(graph, ids, at_least=2)
    across = edge in ("left", "centre", "right")
    lines = {n: _line(graph, n, edge, across) for n in nodes}
    share = _SHARE[edge]
    goal = {0.0: min, 0.5: _mean, 1.0: max}[share](list(lines.values()))  # type: ignore[operator]
    return _shifted(graph, {n: goal - line for n, line in lines.items()}, across)


def distribute(graph: Graph, ids: Collection[str], axis: Axis) -> Edit:
    """Make the gaps between these nodes equal; the outermost two stay. EditRefused for fewer than three nodes."""
    nodes = _placed(graph, ids, at_least=3)
    across = axis == "across"
    size = {n: NODE_WIDTH if across else box_height(graph, n) for n in nodes}
    start = {n: graph.layout[n][0 if across else 1] for n in nodes}
    ordered = sorted(nodes, key=start.__getitem__)
    room = start[ordered[-1]] - start[ordered[0]] - sum(size[n] for n in ordered[:-1])
    gap, at, shifts = room / (len(ordered) - 1), start[ordered[0]], {}
    for n in ordered:
        shifts[n] = at - start[n]
        at += size[n] + gap
    return _shifted(graph, shifts, across)


def layout_edit(graph: Graph, found: Mapping[str, Point]) -> Edit | None:
    """The step that takes layers to the places a layout found; locked ones stay. None where all are there already."""
    moved: dict[str, Point | None] = {
        n: p for n, p in found.items() if n in graph and graph.layout.get(n) != p and not is_locked(graph.node(n))
    }
    return Move(moved) if moved else None


def _placed(graph: Graph, ids: Collection[str], *, at_least: int) -> list[str]:
    nodes = [n for n in graph.node_ids if n in ids and n in graph.layout]
    if len(nodes) < at_least:
        raise EditRefused(f"select at least {at_least} layers to line up")
    return nodes


def _line(graph: Graph, node: str, edge: Edge, across: bool) -> float:
    x, y = graph.layout[node]
    return x + _SHARE[edge] * NODE_WIDTH if across else y + _SHARE[edge] * box_height(graph, node)


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _shifted(graph: Graph, shifts: dict[str, float], across: bool) -> Edit:
    moved: dict[str, Point | None] = {}
    for n, by in shifts.items():
        x, y = graph.layout[n]
        moved[n] = (float(round(x + by)), y) if across else (x, float(round(y + by)))
    return Move(moved)
