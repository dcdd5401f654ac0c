"""Places for nodes that have none: a whole graph is laid out, a single new node goes next to what feeds it."""

from __future__ import annotations

from archstudio.app.layout import COLUMN_PITCH, NODE_GAP, ROW_GAP, USUAL_WIDTH, auto_layout, moved_to
from archstudio.app.node_box import NODE_HEIGHT, NODE_WIDTH, box_height
from archstudio.graph import Graph, Point

FEW = 8
"""Up to so many new nodes are placed one by one, beside their neighbours; more are laid out together."""

Box = tuple[float, float, float]
"""Left, top and height."""


def missing_positions(graph: Graph, *, width: float = USUAL_WIDTH) -> dict[str, Point]:
    """A top-left corner for each node without one; nodes that are placed stay where they are."""
    missing = [n for n in graph.node_ids if n not in graph.layout]
    if not missing:
        return {}
    if len(missing) == len(graph):
        return auto_layout(graph, width=width)
    if len(missing) > FEW:
        return moved_to(auto_layout(graph, only=set(missing), width=width), _below(graph.layout))
    placed = {n: graph.layout[n] for n in graph.node_ids if n in graph.layout}
    boxes = [(x, y, box_height(graph, n)) for n, (x, y) in placed.items()]
    found: dict[str, Point] = {}
    for node in missing:
        at = _near(graph, node, placed, boxes)
        found[node] = placed[node] = at
        boxes.append((*at, box_height(graph, node)))
    return found


def _near(graph: Graph, node: str, placed: dict[str, Point], boxes: list[Box]) -> Point:
    """Right of the first node that feeds it, else left of the first it feeds, else below everything."""
    height = box_height(graph, node)
    source = next((placed[c.source] for c in graph.incoming(node) if c.source in placed), None)
    if source is not None:
        return _free((source[0] + COLUMN_PITCH, source[1]), height, boxes)
    target = next((placed[c.target] for c in graph.outgoing(node) if c.target in placed), None)
    if target is not None:
        return _free((target[0] - COLUMN_PITCH, target[1]), height, boxes)
    return _below(placed)


def _free(at: Point, height: float, boxes: list[Box]) -> Point:
    """The first free place at or below a point."""
    x, y = at
    column = [(top, tall) for left, top, tall in boxes if abs(left - x) < NODE_WIDTH]
    while True:
        hit = [top + tall for top, tall in column if y < top + tall and top < y + height]
        if not hit:
            return (x, y)
        y = max(hit) + NODE_GAP


def _below(placed: dict[str, Point]) -> Point:
    return (min(x for x, _ in placed.values()), max(y for _, y in placed.values()) + NODE_HEIGHT + ROW_GAP)
