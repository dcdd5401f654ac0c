"""The wires of a graph as bare pairs, and what each action does to them: the plan's scratch paper."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Pair: TypeAlias = tuple[str, str]
Wires: TypeAlias = tuple[Pair, ...]

COMMUTATIVE = frozenset({"add", "residual", "multiply", "mul"})
"""Types whose inputs may come in any order."""


@dataclass(frozen=True, slots=True)
class Add:
    """Add a node: alone, or behind another whose wires it takes over."""

    node: str
    after: str | None = None


@dataclass(frozen=True, slots=True)
class Delete:
    """Delete a node; the wiring closes over it."""

    node: str


@dataclass(frozen=True, slots=True)
class Connect:
    """Draw a wire as the last one."""

    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Disconnect:
    """Take a wire away."""

    source: str
    target: str


Move: TypeAlias = Add | Delete | Connect | Disconnect


def after_move(wires: Wires, move: Move) -> Wires:
    """The wires after one action, as the benchmark's engine has them."""
    match move:
        case Add(node, after):
            if after is None:
                return wires
            return (*((node, b) if a == after else (a, b) for a, b in wires), (after, node))
        case Delete(node):
            return _healed(wires, node)
        case Connect(source, target):
            return wires if (source, target) in wires else (*wires, (source, target))
        case Disconnect(source, target):
            return tuple(w for w in wires if w != (source, target))


def _healed(wires: Wires, node: str) -> Wires:
    sources = [a for a, b in wires if b == node and a != node]
    targets = [b for a, b in wires if a == node and b != node]
    kept = [w for w in wires if node not in w]
    for a in sources:
        for b in targets:
            if a != b and (a, b) not in kept:
                kept.append((a, b))
    return tuple(kept)


def after_moves(wires: Wires, moves: Iterable[Move]) -> Wires:
    """The wires after several actions."""
    for move in moves:
        wires = after_move(wires, move)
    return wires


def contracted(wires: Wires, gone: Collection[str]) -> Wires:
    """The wires with some nodes closed over, as if they were deleted one by one."""
    for node in gone:
        wires = _healed(wires, node)
    return wires


def parents(wires: Iterable[Pair]) -> dict[str, list[str]]:
    """Each target's sources, in order."""
    found: dict[str, list[str]] = {}
    for a, b in wires:
        found.setdefault(b, []).append(a)
    return found


def mending(wires: Wires, wanted: Wires, types: Mapping[str, str]) -> list[Move]:
    """The fewest wires to take and draw, node by node, until every node has the wanted sources in order."""
    have, want = parents(wires), parents(wanted)
    taken: list[Move] = []
    drawn: list[Move] = []
    for node in dict.fromkeys([*have, *want]):
        now, goal = have.get(node, []), want.get(node, [])
        kept = _kept(now, goal, types.get(node) in COMMUTATIVE)
        taken += [Disconnect(a, node) for a in now if a not in kept]
        drawn += [Connect(a, node) for a in goal if a not in kept]
    return taken + drawn


def _kept(now: Sequence[str], goal: Sequence[str], any_order: bool) -> set[str]:
    """Sources that may stay: new wires come last, so what stays must be how the wanted list begins."""
    if any_order:
        return set(now) & set(goal)
    kept: set[str] = set()
    place = 0
    for source in goal:
        while place < len(now) and now[place] != source:
            place += 1
        if place == len(now):
            break
        kept.add(source)
        place += 1
    return kept


def distance(wires: Wires, wanted: Wires, types: Mapping[str, str]) -> int:
    """How many wires must be taken and drawn."""
    return len(mending(wires, wanted, types))
