"""Which column each node stands in and in which order, so that wires run forward and cross little."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

MAX_SPAN = 24
"""A wire over more columns than this is not given places to pass through; it may cross what it likes."""

_SWEEPS = 4

Edge = tuple[int, int]


@dataclass
class Layering:
    """Columns of places. Places below `count` are nodes; the others are bends of long wires.

    `before` and `after` are the neighbours of each place in the columns left and right of it.
    """

    count: int
    columns: list[list[int]]
    before: list[list[int]] = field(default_factory=list)
    after: list[list[int]] = field(default_factory=list)

    @cached_property
    def is_chain(self) -> bool:
        """Whether every column holds one node and nothing passes it."""
        return all(len(column) == 1 for column in self.columns)


def layering(count: int, edges: Sequence[Edge]) -> Layering:
    """Columns for nodes 0 … count-1 by longest path, ordered by barycentre sweeps; the same for the same input.

    [Sugiyama, Tagawa, Toda: Methods for visual understanding of hierarchical system structures, 1981]
    """
    forward = _without_loops(count, edges)
    level = _levels(count, forward)
    made = _with_bends(count, forward, level)
    _sweep(made)
    return made


def _without_loops(count: int, edges: Iterable[Edge]) -> list[Edge]:
    """The edges, once each, without those that close a loop (found depth first, in order)."""
    kept = list(dict.fromkeys((a, b) for a, b in edges if a != b))
    after: list[list[int]] = [[] for _ in range(count)]
    for a, b in kept:
        after[a].append(b)
    state = bytearray(count)  # 0 new, 1 on the path, 2 done
    closing: set[Edge] = set()
    for root in range(count):
        if state[root]:
            continue
        state[root] = 1
        path = [(root, iter(after[root]))]
        while path:
            here, rest = path[-1]
            for there in rest:
                if state[there] == 0:
                    state[there] = 1
                    path.append((there, iter(after[there])))
                    break
                if state[there] == 1:
                    closing.add((here, there))
            else:
                state[here] = 2
                path.pop()
    return [e for e in kept if e not in closing] if closing else kept


def _levels(count: int, edges: list[Edge]) -> list[int]:
    """Longest path from a source; sources are then pulled right, next to the first node they feed."""
    after: list[list[int]] = [[] for _ in range(count)]
    waiting = [0] * count
    for a, b in edges:
        after[a].append(b)
        waiting[b] += 1
    sources = [n for n in range(count) if not waiting[n]]
    level = [0] * count
    ready = list(sources)
    for here in ready:  # grows while it is walked
        below = level[here] + 1
        for there in after[here]:
            level[there] = max(level[there], below)
            waiting[there] -= 1
            if not waiting[there]:
                ready.append(there)
    for source in sources:
        if after[source]:
            level[source] = min(level[n] for n in after[source]) - 1
    return level


def _with_bends(count: int, edges: list[Edge], level: list[int]) -> Layering:
    made = Layering(count, [[] for _ in range(max(level, default=0) + 1)])
    for node in range(count):
        made.columns[level[node]].append(node)
    made.before = [[] for _ in range(count)]
    made.after = [[] for _ in range(count)]
    budget = 2 * count
    for a, b in edges:
        span = level[b] - level[a]
        if span > MAX_SPAN or span - 1 > budget:
            continue
        here = a
        for column in range(level[a] + 1, level[b]):
            bend = len(made.before)
            made.before.append([here])
            made.after.append([])
            made.after[here].append(bend)
            made.columns[column].append(bend)
            here = bend
            budget -= 1
        made.after[here].append(b)
        made.before[b].append(here)
    return made


def _sweep(made: Layering) -> None:
    """Sort each column by the mean place of its neighbours, forth and back."""
    place = [0.0] * len(made.before)
    for column in made.columns:
        _number(column, place)
    if made.is_chain:
        return
    for k in range(_SWEEPS):
        backwards = k % 2 == 1
        neighbours = made.after if backwards else made.before
        for column in reversed(made.columns) if backwards else made.columns:
            if len(column) < 2:
                continue
            key = {}
            for n in column:
                near = neighbours[n]
                if len(near) == 1:
                    key[n] = place[near[0]]
                else:
                    key[n] = sum([place[m] for m in near]) / len(near) if near else place[n]
            column.sort(key=key.__getitem__)
            _number(column, place)


def _number(column: list[int], place: list[float]) -> None:
    """Write the places of a column, as fractions around its middle, so that columns of any length compare."""
    middle = (len(column) - 1) / 2
    for k, n in enumerate(column):
        place[n] = k - middle
