"""Looks for short routes from the wires that are to the wires that are wanted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from archstudio.edits.plan_task import PlanTask
from archstudio.edits.wiring import (
    Add,
    Delete,
    Disconnect,
    Move,
    Wires,
    after_move,
    after_moves,
    contracted,
    distance,
    mending,
)

BEAM = 12
"""Half-finished routes kept at each step while few nodes are added; fewer for long lists."""
MANY = 24
"""From so many added nodes on, the beam is narrow."""
ORDERS = 3
"""Up to so many deletions are tried in every order."""


def routes(task: PlanTask) -> Iterator[list[Move]]:
    """Routes that lead there, none promised to be the shortest: nodes first deleted, first added, and plainly."""
    for deletions in _deletion_orders(task.deleted):
        yield _delete_then_add(task, deletions)
        yield _add_then_delete(task, deletions)
    yield _plain(task)


def _deletion_orders(deleted: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if len(deleted) <= ORDERS:
        yield from permutations(deleted)
    else:
        yield deleted
        yield deleted[::-1]


def _plain(task: PlanTask) -> list[Move]:
    """Cut and delete, add alone, then draw: long, but always right."""
    moves: list[Move] = [Disconnect(a, b) for a, b in task.wires if a in task.deleted or b in task.deleted]
    moves += [Delete(node) for node in task.deleted]
    moves += [Add(node) for node in task.added]
    return moves + mending(after_moves(task.wires, moves), task.wanted, task.types)


def _delete_then_add(task: PlanTask, deletions: tuple[str, ...]) -> list[Move]:
    goal = contracted(task.wanted, task.added[::-1])
    moves = _deletions(task, task.wires, deletions, goal)
    return _finish(task, moves, _additions(task, after_moves(task.wires, moves), ()))


def _add_then_delete(task: PlanTask, deletions: tuple[str, ...]) -> list[Move]:
    moves = _additions(task, task.wires, deletions)
    moves += _deletions(task, after_moves(task.wires, moves), deletions, task.wanted)
    return _finish(task, moves, [])


def _finish(task: PlanTask, first: list[Move], then: list[Move]) -> list[Move]:
    moves = first + then
    return moves + mending(after_moves(task.wires, moves), task.wanted, task.types)


def _deletions(task: PlanTask, wires: Wires, deletions: tuple[str, ...], goal: Wires) -> list[Move]:
    """Delete each node in the way that leaves the least to mend: healing, or cutting its inputs or outputs before."""
    moves: list[Move] = []
    left = list(deletions)
    for node in deletions:
        left.remove(node)
        best: tuple[int, list[Move], Wires] | None = None
        for cuts in _cuts(wires, node):
            tried = [*cuts, Delete(node)]
            after = after_moves(wires, tried)
            cost = len(tried) + distance(contracted(after, left), goal, task.types)
            if best is None or cost < best[0]:
                best = (cost, tried, after)
        assert best is not None
        moves += best[1]
        wires = best[2]
    return moves


def _cuts(wires: Wires, node: str) -> Iterator[list[Move]]:
    yield []
    incoming: list[Move] = [Disconnect(a, b) for a, b in wires if b == node]
    outgoing: list[Move] = [Disconnect(a, b) for a, b in wires if a == node]
    for cuts in (incoming, outgoing):
        if cuts:
            yield cuts
            if len(cuts) > 1:
                yield from ([cut] for cut in cuts)


def _additions(task: PlanTask, wires: Wires, doomed: tuple[str, ...]) -> list[Move]:
    """Add the nodes one by one, each alone or behind one of the nodes present, keeping the most promising routes."""
    beam: list[tuple[int, Wires, list[Move]]] = [(0, wires, [])]
    width = BEAM if len(task.added) <= MANY else 2
    for k, node in enumerate(task.added):
        goal = contracted(task.wanted, task.added[:k:-1])
        grown: dict[Wires, tuple[int, Wires, list[Move]]] = {}
        for _, before, moves in beam:
            for move in _ways_to_add(task, before, node, goal, doomed):
                after = after_move(before, move)
                if after in grown:
                    continue
                cost = len(moves) + 1 + distance(contracted(after, doomed), goal, task.types)
                grown[after] = (cost, after, [*moves, move])
        beam = sorted(grown.values(), key=lambda state: state[0])[:width]
    return beam[0][2]


def _ways_to_add(task: PlanTask, wires: Wires, node: str, goal: Wires, doomed: tuple[str, ...]) -> Iterator[Add]:
    yield Add(node)
    sources = [a for a, b in goal if b == node]
    behind = [d for d in doomed if any(a == d for a, _ in wires)]
    for after in dict.fromkeys([*sources, *behind]):
        yield Add(node, after)
