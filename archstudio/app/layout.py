"""Where nodes go when nobody has placed them: left to right by layers, long chains in rows like a text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from math import ceil, sqrt
from typing import TypeAlias

from archstudio.app.collecting import collection_put_off
from archstudio.app.layering import Layering, layering
from archstudio.app.node_box import NODE_HEIGHT, NODE_WIDTH, box_height
from archstudio.graph import Graph, Point

COLUMN_PITCH = 288.0
ROW_GAP = 70.0
"""Between rows of a wrapped graph: room for the wire that goes back to the left."""
NODE_GAP = 28.0
"""Between nodes of one column."""
BEND_GAP = 12.0
"""Room for a wire that passes a column."""
USUAL_WIDTH = 1000.0
ASPECT = 0.62
"""Height of the room for a graph, as a share of its width."""
WORTH_A_ROW = 1.3
"""A graph that is no chain gets another row only where all of it is then seen this much larger."""

LONG_FROM = 6_000
"""More nodes than this are laid out apart from the window: they take more than a tenth of a second."""

CUT_FRAME = 4
"""A frame that two rows share is as bad as so many wires that go back: frames that span rows cover each other."""

Groups: TypeAlias = Sequence[frozenset[str]]
Span: TypeAlias = tuple[int, int]


def auto_layout(graph: Graph, *, only: Collection[str] | None = None, width: float = USUAL_WIDTH) -> dict[str, Point]:
    """A top-left corner for every node (or those of `only`, whose old corner stays), the same for the same graph.

    `width` is the room there is, in canvas units: a chain gets as many nodes a row as fit.
    """
    with collection_put_off(len(graph)):
        return _laid_out(graph, only, width)


def _laid_out(graph: Graph, only: Collection[str] | None, width: float) -> dict[str, Point]:
    chosen = [n for n in graph.node_ids if only is None or n in only]
    groups = [frozenset(frame.nodes) for frame in graph.frames.values()]
    placed: dict[str, Point] = {}
    top = 0.0
    for part in _components(graph, chosen):
        positions, bottom = _place(graph, part, width, groups)
        placed.update((n, (x, y + top)) for n, (x, y) in positions.items())
        top += bottom + ROW_GAP
    return placed if only is None else moved_to(placed, _corner(graph, chosen))


def takes_long(graph: Graph, only: Collection[str] | None = None) -> bool:
    """Whether laying out would hold the window up long enough to be noticed."""
    return (len(graph) if only is None else len(only)) > LONG_FROM


def _components(graph: Graph, chosen: Sequence[str]) -> list[list[str]]:
    """Groups of nodes that hang together, each in file order, by their first node."""
    inside = set(chosen)
    root = {n: n for n in chosen}

    def find(n: str) -> str:
        while root[n] != n:
            root[n] = root[root[n]]
            n = root[n]
        return n

    for c in graph.connections:
        if c.source in inside and c.target in inside:
            root[find(c.target)] = find(c.source)
    groups: dict[str, list[str]] = {}
    for n in chosen:
        groups.setdefault(find(n), []).append(n)
    return _with_loners_together(list(groups.values()))


def _with_loners_together(groups: list[list[str]]) -> list[list[str]]:
    """Nodes without any wire share one row at the end instead of one row each."""
    joined = [g for g in groups if len(g) > 1]
    loners = [g[0] for g in groups if len(g) == 1]
    return [*joined, loners] if loners else joined


def _place(graph: Graph, part: list[str], width: float, groups: Groups) -> tuple[dict[str, Point], float]:
    """Positions of one group from (0, 0), and its height."""
    index = {n: k for k, n in enumerate(part)}
    edges = [(index[c.source], index[c.target]) for n in part for c in graph.outgoing(n) if c.target in index]
    heights = [box_height(graph, n) for n in part]
    per_row = max(int((width + COLUMN_PITCH - NODE_WIDTH) // COLUMN_PITCH), 1)
    if not edges and len(part) > 1:
        columns = Layering(len(part), [[k] for k in range(len(part))])
        columns.before = columns.after = [[] for _ in part]
        return _rows(part, columns, heights, [NODE_HEIGHT / 2] * len(part), max(per_row, 3), 0, [])
    made = layering(len(part), edges)
    middles, spans = _middles(made, heights), _spans(made, part, groups)
    if made.is_chain:
        per_row = min(max(per_row, 3), 5) if len(part) > 3 else len(part)
        return _rows(part, made, heights, middles, per_row, 1 if per_row >= 3 else 0, spans)
    return _rows(part, made, heights, middles, _columns_a_row(made, middles, width), 0, spans)


def _spans(made: Layering, part: Sequence[str], groups: Groups) -> list[Span]:
    """The first and last column of each frame's nodes, of frames that have more than one."""
    if not groups:
        return []
    column_of = {part[n]: k for k, column in enumerate(made.columns) for n in column if n < made.count}
    held = ([column_of[n] for n in group if n in column_of] for group in groups)
    return [(min(columns), max(columns)) for columns in held if columns and min(columns) < max(columns)]


def _columns_a_row(made: Layering, middles: Sequence[float], width: float) -> int:
    """Columns in one row of a graph that is no chain: as few rows as show it reasonably large."""
    columns = len(made.columns)
    tall = max(middles) - min(middles) + NODE_HEIGHT + ROW_GAP
    best, best_zoom = columns, _zoom(columns, 1, tall, width)
    for rows in range(2, int(sqrt(columns)) + 2):
        a_row = ceil(columns / rows)
        zoom = _zoom(a_row, rows, tall, width)
        if zoom > best_zoom * WORTH_A_ROW:
            best, best_zoom = a_row, zoom
    return best


def _zoom(a_row: int, rows: int, tall: float, width: float) -> float:
    """How large a graph of so many rows is seen when it is shown whole; 1 is real size."""
    return min(1.0, width / (a_row * COLUMN_PITCH), width * ASPECT / (rows * tall))


def _rows(
    part: list[str],
    made: Layering,
    heights: list[float],
    middles: Sequence[float],
    per_row: int,
    indent: int,
    spans: Sequence[Span],
) -> tuple[dict[str, Point], float]:
    """Cut the columns into rows; all rows after the first are indented by so many columns."""
    placed: dict[str, Point] = {}
    top, at = 0.0, 0
    while at < len(made.columns):
        left = indent if at else 0
        row = made.columns[at : _cut(made, at, per_row - left, spans)]
        nodes = [n for column in row for n in column if n < made.count]
        highest = min((middles[n] - heights[n] / 2 for n in nodes), default=0.0)
        lowest = max((middles[n] + heights[n] / 2 for n in nodes), default=0.0)
        for k, column in enumerate(row):
            for n in column:
                if n < made.count:
                    y = middles[n] - heights[n] / 2 - highest + top
                    placed[part[n]] = ((k + left) * COLUMN_PITCH, float(round(y)))
        top += lowest - highest + ROW_GAP
        at += len(row)
    return placed, top - ROW_GAP


def _cut(made: Layering, at: int, room: int, spans: Sequence[Span]) -> int:
    """Where the row from column `at` ends: where it is full, or before, where fewer frames and wires are cut."""
    full = at + room
    if full >= len(made.columns) or ((made.is_chain or not any(made.after)) and not spans):
        return full
    back = room // 2 if spans else room // 4
    places = range(full, max(full - back, at + 1) - 1, -1)

    def cost(k: int) -> int:
        frames = sum(first < k <= last for first, last in spans)
        return CUT_FRAME * frames + sum(len(made.after[n]) for n in made.columns[k - 1])

    return min(places, key=cost)


def _middles(made: Layering, heights: list[float]) -> list[float]:
    """The y of each place's middle: near its neighbours, in order, with the gaps kept."""
    y = [0.0] * len(made.before)
    if made.is_chain:
        return y
    size = [*heights, *([0.0] * (len(y) - len(heights)))]
    packed = [_offsets(column, size, made.count) for column in made.columns]
    forth = list(zip(made.columns, packed, strict=True))
    for column, offsets in forth:
        for n, offset in zip(column, offsets, strict=True):
            y[n] = offset
    for neighbours, columns in ((made.before, forth), (made.after, forth[::-1]), (made.before, forth)):
        for column, offsets in columns:
            wanted = [_mean([y[m] for m in neighbours[n]], y[n]) for n in column]
            for n, middle in zip(column, _fitted(wanted, offsets), strict=True):
                y[n] = middle
    return y


def _mean(values: list[float], otherwise: float) -> float:
    if len(values) < 2:
        return values[0] if values else otherwise
    return sum(values) / len(values)


def _offsets(column: list[int], size: list[float], count: int) -> list[float]:
    """Middles of a column that is packed as tightly as allowed, around 0."""
    if len(column) == 1:
        return [0.0]
    offsets, at = [], 0.0
    for k, n in enumerate(column):
        if k:
            before = column[k - 1]
            gap = NODE_GAP if n < count and before < count else BEND_GAP
            at += (size[before] + size[n]) / 2 + gap
        offsets.append(at)
    middle = at / 2
    return [o - middle for o in offsets]


def _fitted(wanted: list[float], offsets: list[float]) -> list[float]:
    """The nearest values (least squares) to those wanted that keep at least the packed distances.

    Pool adjacent violators on wanted - offset, which must not decrease.    [Ayer et al., 1955]
    """
    if len(wanted) == 1:
        return wanted
    blocks: list[tuple[float, int]] = []  # mean, how many
    for w, o in zip(wanted, offsets, strict=True):
        mean, many = w - o, 1
        while blocks and blocks[-1][0] > mean:
            other, count = blocks.pop()
            mean, many = (mean * many + other * count) / (many + count), many + count
        blocks.append((mean, many))
    shifts = [mean for mean, many in blocks for _ in range(many)]
    return [s + o for s, o in zip(shifts, offsets, strict=True)]


def _corner(graph: Graph, nodes: Iterable[str]) -> Point:
    placed = [graph.layout[n] for n in nodes if n in graph.layout]
    if not placed:
        return (0.0, 0.0)
    return (min(x for x, _ in placed), min(y for _, y in placed))


def moved_to(placed: dict[str, Point], corner: Point) -> dict[str, Point]:
    """The same picture with its top-left corner elsewhere."""
    if not placed:
        return placed
    dx = corner[0] - min(x for x, _ in placed.values())
    dy = corner[1] - min(y for _, y in placed.values())
    return {n: (x + dx, y + dy) for n, (x, y) in placed.items()}
