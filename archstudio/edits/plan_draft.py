"""A plan half made: the wires so far, and at each node how much is still to be mended."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from archstudio.edits.wiring import COMMUTATIVE, Connect, Disconnect, Move, Sources, Undo, Wiring, healed, mending


@dataclass(frozen=True)
class Mark:
    """What taking back the last trial needs."""

    undone: tuple[Undo, ...]
    costs: Mapping[str, int]
    due: frozenset[str]


class Draft:
    """Wires on their way to a goal: each node's wanted sources. Nodes `due` for deletion count as closed over."""

    def __init__(
        self, wiring: Wiring, goal: Mapping[str, Sources], types: Mapping[str, str], due: Sequence[str]
    ) -> None:
        self.moves: list[Move] = []
        self._wiring = wiring
        self._goal = dict(goal)
        self._types = types
        self._turn = {node: k for k, node in enumerate(due)}
        self._due = frozenset(due)
        self._first = dict(wiring.sources)
        self._touched: set[str] = set()
        self._costs: dict[str, int] = {}
        self.to_mend = 0
        self._measure([*wiring.sources, *goal])

    @property
    def cost(self) -> int:
        """How many actions this would become if it were mended now, deletions still due not counted."""
        return len(self.moves) + self.to_mend

    @property
    def key(self) -> frozenset[tuple[str, Sources]]:
        """Equal for drafts of one beginning that have the same wires."""
        changed = ((node, self.sources(node)) for node in self._touched)
        return frozenset(item for item in changed if item[1] != self._first.get(item[0], ()))

    def copy(self) -> Draft:
        """A draft that can go another way."""
        twin = object.__new__(Draft)
        twin.moves, twin._wiring, twin._goal = list(self.moves), self._wiring.copy(), dict(self._goal)
        twin._types, twin._turn, twin._due = self._types, self._turn, self._due
        twin._first, twin._touched = self._first, set(self._touched)
        twin._costs, twin.to_mend = dict(self._costs), self.to_mend
        return twin

    def sources(self, node: str) -> Sources:
        """What feeds a node now."""
        return self._wiring.sources.get(node, ())

    def targets(self, node: str) -> Sources:
        """What a node feeds now."""
        return self._wiring.targets.get(node, ())

    def wanted(self, node: str) -> Sources:
        """What shall feed a node."""
        return self._goal.get(node, ())

    def is_due(self, node: str) -> bool:
        """Whether a node is still to be deleted."""
        return node in self._due

    def aim(self, goal: Mapping[str, Sources]) -> None:
        """Want other sources for some nodes."""
        self._goal.update(goal)
        self._measure(goal)

    def make(self, moves: Collection[Move], done: Iterable[str] = ()) -> Mark:
        """Make moves, the last of which may be the deletion of a node that was due; returns what takes them back."""
        undone = tuple(self._wiring.make(move) for move in moves)
        self.moves.extend(moves)
        due = self._due
        self._due = due.difference(done)
        changed = dict.fromkeys(node for undo in undone for node in undo)
        self._touched.update(changed)
        return Mark(undone, self._measure(changed), due)

    def take_back(self, mark: Mark) -> None:
        """Undo what the last `make` did."""
        for undo in reversed(mark.undone):
            self._wiring.take_back(undo)
        del self.moves[len(self.moves) - len(mark.undone) :]
        self._due = mark.due
        for node, cost in mark.costs.items():
            self.to_mend += cost - self._costs.get(node, 0)
            self._costs[node] = cost

    def keeps(self, source: str, target: str) -> bool:
        """Whether a wire that is there may stay where it is."""
        return source not in mending(self.sources(target), self.wanted(target), self._any_order(target))[0]

    def is_settled(self, mark: Mark) -> bool:
        """Whether nothing is to be mended at the nodes that a trial changed."""
        return not any(self._costs[node] for node in mark.costs)

    def mended(self) -> list[Move]:
        """The moves so far and those that bring every node to its wanted sources."""
        taken: list[Move] = []
        drawn: list[Move] = []
        for node in dict.fromkeys([*self._wiring.sources, *self._goal]):
            away, new = mending(self.sources(node), self.wanted(node), self._any_order(node))
            taken += [Disconnect(source, node) for source in away]
            drawn += [Connect(source, node) for source in new]
        return [*self.moves, *taken, *drawn]

    def _any_order(self, node: str) -> bool:
        return self._types.get(node) in COMMUTATIVE

    def _measure(self, changed: Iterable[str]) -> dict[str, int]:
        """Count again what is to be mended at changed nodes and behind those that are due; returns the old counts."""
        old: dict[str, int] = {}
        waiting = list(changed)
        for node in waiting:  # grows while it is walked
            if node in old:
                continue
            old[node] = self._costs.get(node, 0)
            if node in self._due:
                waiting += self.targets(node)
                cost = 0
            else:
                cost = sum(map(len, mending(self._closed(node), self.wanted(node), self._any_order(node))))
            self.to_mend += cost - old[node]
            self._costs[node] = cost
        return old

    def _closed(self, node: str) -> Sources:
        """A node's sources once the nodes that are due are gone, as if they were deleted now, in their turn."""
        if self._due.isdisjoint(self.sources(node)):
            return self.sources(node)
        near = {node: self.sources(node)}
        waiting = [node]
        for each in waiting:  # grows while it is walked
            for source in near[each]:
                if source in self._due and source not in near:
                    near[source] = self.sources(source)
                    waiting.append(source)
        for gone in sorted(near.keys() - {node}, key=self._turn.__getitem__):
            feeding = near.pop(gone)
            for target, sources in near.items():
                if gone in sources:
                    near[target] = healed(sources, target, gone, feeding)
        return near[node]
