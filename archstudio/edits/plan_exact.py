"""The shortest route where it is short: a few moves are tried in every way that can make a difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from archstudio.edits.plan_draft import Draft
from archstudio.edits.plan_task import PlanTask
from archstudio.edits.wiring import Add, Connect, Delete, Disconnect, Move, Sources, Wiring, sources_of

SHORT = 3
"""Routes of up to so many moves are searched for exhaustively."""
TRIES = 1500
"""So many moves are tried before a search gives up."""


def shortest(task: PlanTask, shorter_than: int) -> list[Move] | None:
    """The shortest route, if it has at most `SHORT` moves and fewer than `shorter_than`; None if none is found."""
    wanted = sources_of(task.wanted)
    left = _Left(task.added, task.deleted, _concerned(task, wanted))
    search = _Search(Draft(Wiring(sources_of(task.wires)), wanted, task.types, ()))
    for limit in range(left.count, min(SHORT, shorter_than - 1) + 1):
        found = search.within(limit, left)
        if found is not None:
            return found
    return None


def _concerned(task: PlanTask, wanted: Mapping[str, Sources]) -> tuple[str, ...]:
    """The nodes present at first that are deleted, or at the end of a wire that changes or leads to one deleted."""
    have = sources_of(task.wires)
    gone, new = set(task.deleted), set(task.added)
    found: dict[str, None] = dict.fromkeys(task.deleted)
    for target in dict.fromkeys([*have, *wanted]):
        before, after = have.get(target, ()), wanted.get(target, ())
        if before != after or target in gone or not gone.isdisjoint(before):
            found.update(dict.fromkeys((target, *before, *after)))
    return tuple(n for n in found if n not in new)


@dataclass(frozen=True, slots=True)
class _Left:
    """What is left to do, and the nodes that new wires may join."""

    added: Sources
    deleted: Sources
    present: Sources

    @property
    def count(self) -> int:
        return len(self.added) + len(self.deleted)

    def without(self, move: Move) -> _Left:
        """What is left after a move."""
        match move:
            case Add(node):
                added = tuple(n for n in self.added if n != node)
                return replace(self, added=added, present=(*self.present, node))
            case Delete(node):
                deleted = tuple(n for n in self.deleted if n != node)
                return replace(self, deleted=deleted, present=tuple(n for n in self.present if n != node))
            case _:
                return self


class _Search:
    """Depth first, taking moves back.

    Wires are drawn and cut only right before a deletion that would heal differently for it. All others may as well
    come last, where the fewest are known.
    """

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._tries = 0

    def within(self, limit: int, left: _Left, preparing: str | None = None) -> list[Move] | None:
        """A route of at most `limit` moves. A deletion that is being prepared comes before any other."""
        if not left.count:
            return self._draft.mended() if self._draft.cost <= limit else None
        if self._tries > TRIES or len(self._draft.moves) + left.count > limit:
            return None
        for move, due in self._ways(left, preparing):
            self._tries += 1
            mark = self._draft.make([move])
            found = self.within(limit, left.without(move), due)
            self._draft.take_back(mark)
            if found is not None:
                return found
        return None

    def _ways(self, left: _Left, preparing: str | None) -> Iterator[tuple[Move, str | None]]:
        """Next moves, each with the deletion it prepares."""
        for gone in left.deleted if preparing is None else (preparing,):
            if gone not in self._draft.sources(gone):  # the engine would leave a loop behind as a wire from nowhere
                yield Delete(gone), None
        for node in left.added if preparing is None else ():
            yield Add(node), None
            yield from ((Add(node, after), None) for after in left.present if left.deleted or self._gains(node, after))
        for gone in left.deleted if preparing is None else (preparing,):
            yield from ((move, gone) for move in self._preparations(left, gone))

    def _gains(self, node: str, after: str) -> bool:
        """Whether adding a node behind another, nothing being left to delete, can save moves at all."""
        draft = self._draft
        targets = draft.targets(after)
        return any(not draft.keeps(after, t) for t in targets) if targets else after in draft.wanted(node)

    def _preparations(self, left: _Left, gone: str) -> Iterator[Move]:
        """Every wire that makes a difference to how a deletion heals."""
        draft = self._draft
        targets = [t for t in draft.targets(gone) if t != gone]
        for target in (gone, *targets):
            sources = draft.sources(target)
            yield from (Disconnect(source, target) for source in dict.fromkeys(sources))
            hopeful = left.present
            if left.count == 1:  # nothing after this deletion could make use of a wire that is not wanted
                wanted = {s for t in (targets if target == gone else [target]) for s in draft.wanted(t)}
                hopeful = tuple(source for source in hopeful if source in wanted)
            yield from (Connect(source, target) for source in hopeful if source not in sources)
        yield from (Connect(gone, target) for target in left.present if target not in targets)
