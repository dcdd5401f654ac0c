"""The wires of a graph as each node's ordered sources, and what each action does to them: the plan's scratch paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Pair: TypeAlias = tuple[str, str]
Sources: TypeAlias = tuple[str, ...]

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
Undo: TypeAlias = dict[str, Sources]
"""The sources that changed nodes had before."""


class Wiring:
    """Who feeds whom. The order of one node's sources is all that actions, healing included, ever look at."""

    def __init__(self, sources: Mapping[str, Sources]) -> None:
        self.sources: dict[str, Sources] = dict(sources)
        self.targets: dict[str, Sources] = {}
        for target, feeding in self.sources.items():
            for source in dict.fromkeys(feeding):
                self.targets[source] = (*self.targets.get(source, ()), target)

    def copy(self) -> Wiring:
        """Another wiring of the same wires; lists are immutable, so this is cheap."""
        twin = Wiring({})
        twin.sources, twin.targets = dict(self.sources), dict(self.targets)
        return twin

    def make(self, move: Move) -> Undo:
        """Do what the benchmark's engine does to the wires; returns what takes it back."""
        undo: Undo = {}
        match move:
            case Add(node, after):
                for target in () if after is None else self.targets.get(after, ()):
                    self._put(target, tuple(node if s == after else s for s in self.sources[target]), undo)
                self._put(node, () if after is None else (after,), undo)
            case Delete(node):
                feeding = self.sources.get(node, ())
                for target in self.targets.get(node, ()):
                    if target != node:
                        self._put(target, healed(self.sources[target], target, node, feeding), undo)
                self._put(node, (), undo)
            case Connect(source, target):
                if source not in self.sources.get(target, ()):
                    self._put(target, (*self.sources.get(target, ()), source), undo)
            case Disconnect(source, target):
                self._put(target, tuple(s for s in self.sources.get(target, ()) if s != source), undo)
        return undo

    def take_back(self, undo: Undo) -> None:
        """Undo the last move made."""
        for target, before in reversed(undo.items()):
            self._put(target, before, {})

    def _put(self, target: str, now: Sources, undo: Undo) -> None:
        before = self.sources.get(target, ())
        undo.setdefault(target, before)
        self.sources[target] = now
        for source in set(before).difference(now):
            self.targets[source] = tuple(t for t in self.targets[source] if t != target)
        for source in set(now).difference(before):
            self.targets[source] = (*self.targets.get(source, ()), target)


def sources_of(wires: Iterable[Pair]) -> dict[str, Sources]:
    """Each target's sources, in order."""
    found: dict[str, list[str]] = {}
    for source, target in wires:
        found.setdefault(target, []).append(source)
    return {target: tuple(feeding) for target, feeding in found.items()}


def healed(sources: Sources, target: str, gone: str, feeding: Sources) -> Sources:
    """A target's sources after one of them was deleted: what fed that one comes last, where it is new."""
    kept = [s for s in sources if s != gone]
    for source in feeding:
        if source not in (gone, target) and source not in kept:
            kept.append(source)
    return tuple(kept)


def mending(now: Sources, goal: Sources, any_order: bool) -> tuple[list[str], list[str]]:
    """The fewest sources of one node to disconnect, and to connect after that, until they are the wanted ones."""
    if now == goal:
        return [], []
    kept = _kept(now, goal, any_order)
    taken = [s for s in dict.fromkeys(now) if s not in kept]
    return taken, [s for s in dict.fromkeys(goal) if s not in kept]


def _kept(now: Sequence[str], goal: Sequence[str], any_order: bool) -> set[str]:
    """Sources that may stay: new wires come last, so what stays must be how the wanted list begins.

    A source that is connected twice stays only if that is wanted: actions take away all such wires, and draw one.
    """
    as_often = set(now).intersection(goal)
    if len(now) > len(set(now)) or len(goal) > len(set(goal)):
        have, want = Counter(now), Counter(goal)
        as_often = {s for s in as_often if have[s] == want[s]}
    if any_order:
        return as_often
    prefix = len(goal)
    while True:
        kept = as_often.intersection(goal[:prefix])
        if [s for s in now if s in kept] == list(goal[:prefix]):
            return kept
        prefix -= 1
