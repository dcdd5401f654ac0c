"""Walking over the graph with the arrow keys: along wires left and right, between neighbours up and down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from archstudio.graph import Graph, Point

Direction: TypeAlias = Literal["left", "right", "up", "down"]


def step(graph: Graph, positions: Mapping[str, Point], here: str | None, direction: Direction) -> str | None:
    """The node to go to; from nowhere it is the first node. None where there is nothing in that direction."""
    if here is None or here not in graph:
        return next(iter(graph.node_ids), None)
    if direction == "right":
        return _topmost(positions, [c.target for c in graph.outgoing(here) if c.target != here])
    if direction == "left":
        return _topmost(positions, [c.source for c in graph.incoming(here) if c.source != here])
    return _beside(positions, here, 1 if direction == "down" else -1)


def _topmost(positions: Mapping[str, Point], nodes: list[str]) -> str | None:
    return min(nodes, key=lambda n: positions[n][1], default=None)


def _beside(positions: Mapping[str, Point], here: str, sign: int) -> str | None:
    """The nearest node above or below, as a person would see it: distance down counts once, aside twice."""
    x, y = positions[here]
    others = [n for n, p in positions.items() if n != here and (p[1] - y) * sign > 1]
    return min(others, key=lambda n: abs(positions[n][1] - y) + 2 * abs(positions[n][0] - x), default=None)
