"""Looks for short routes from the wires that are to the wires that are wanted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import islice, permutations

from archstudio.edits.plan_draft import Draft
from archstudio.edits.plan_exact import shortest
from archstudio.edits.plan_task import PlanTask
from archstudio.edits.wiring import Add, Connect, Delete, Disconnect, Move, Sources, Wiring, sources_of

BEAM = 8
"""Half-finished routes kept at each step while few nodes are added; fewer for long lists."""
MANY = 24
"""From so many added nodes on, the beam is narrow."""
ORDERS = 3
"""Up to so many deletions are tried in every order, unless more nodes are added than this."""
NEIGHBOURS = 8
"""So many of the nodes that feed a new node's targets are tried as the node it comes behind."""


def routes(task: PlanTask) -> list[list[Move]]:
    """Routes that lead there, the shortest first. None promises to be the shortest of all that has more than `SHORT`
    moves."""
    least = len(task.added) + len(task.deleted)
    found: list[list[Move]] = []
    for route in _promising(task):
        found.append(route)
        if len(route) == least:
            return [route]
    found.sort(key=len)
    exact = shortest(task, len(found[0]))
    return found if exact is None else [exact, *found]


def _promising(task: PlanTask) -> Iterator[list[Move]]:
    """Routes on which nodes are first deleted, and on which nodes are first added."""
    goals = _Goals(task)
    for deletions in _deletion_orders(task):
        draft = Draft(Wiring(sources_of(task.wires)), goals.first, task.types, deletions)
        yield _add(task, goals, _delete(draft, deletions)).mended()
        if task.added and 0 < len(deletions) <= MANY:
            yield _delete(_add(task, goals, draft), deletions).mended()


def _deletion_orders(task: PlanTask) -> Iterator[tuple[str, ...]]:
    """Orders that may come out differently: which is so only if a deletion changes what another one joins."""
    gone = set(task.deleted)
    changed = Counter([*task.deleted, *(target for source, target in dict.fromkeys(task.wires) if source in gone)])
    if all(count == 1 for count in changed.values()):
        yield task.deleted
    elif max(len(task.deleted), len(task.added)) <= ORDERS:
        yield from permutations(task.deleted)
    else:
        yield task.deleted
        yield task.deleted[::-1]


class _Goals:
    """The wanted wires while nodes are added one by one: those still to come are closed over."""

    def __init__(self, task: PlanTask) -> None:
        wiring = Wiring(sources_of(task.wanted))
        steps = [wiring.make(Delete(node)) for node in reversed(task.added)]
        self.first: Mapping[str, Sources] = wiring.sources
        self.steps: list[dict[str, Sources]] = steps[::-1]
        """For each added node the sources that it and its targets are to have from then on."""


def _delete(draft: Draft, deletions: Sequence[str]) -> Draft:
    """Delete each node in the way that leaves the least to mend: healing, or after wires were cut or drawn."""
    draft = draft.copy()
    for node in deletions:
        best: tuple[int, list[Move]] | None = None
        loop: list[Move] = [Disconnect(node, node)] if node in draft.sources(node) else []
        for before in _preparations(draft, node):  # deleting a node that feeds itself would leave wires from nowhere
            tried = [*loop, *(cut for cut in before if cut not in loop), Delete(node)]
            mark = draft.make(tried, done=(node,))
            if best is None or draft.cost < best[0]:
                best = (draft.cost, tried)
            settled = not tried[1:] and draft.is_settled(mark)
            draft.take_back(mark)
            if settled:
                break
        if best is not None:
            draft.make(best[1], done=(node,))
    return draft


def _preparations(draft: Draft, node: str) -> Iterator[list[Move]]:
    """What may be worth doing before a node is deleted; nothing first."""
    yield []
    incoming: list[Move] = [Disconnect(source, node) for source in dict.fromkeys(draft.sources(node))]
    outgoing: list[Move] = [Disconnect(node, target) for target in draft.targets(node)]
    for cuts in (incoming, outgoing):
        if cuts:
            yield cuts
            if len(cuts) > 1:
                yield from ([cut] for cut in cuts)
    for target in draft.targets(node):
        if draft.is_due(target):
            continue
        early = [s for s in draft.wanted(target) if s not in draft.sources(target)]
        late = set(draft.sources(node))
        while early and early[-1] in late:
            early.pop()
        if early:
            yield [Connect(source, target) for source in early]


def _add(task: PlanTask, goals: _Goals, draft: Draft) -> Draft:
    """Add the nodes one by one, each alone or behind one of the nodes present, keeping the most promising drafts."""
    beam = [draft.copy()]
    width = BEAM if len(task.added) <= MANY else 2
    for node, goal in zip(task.added, goals.steps, strict=True):
        candidates: list[tuple[int, int, Draft, Add]] = []
        for each in beam:
            each.aim(goal)
            for move in _ways_to_add(task, each, node, goal):
                mark = each.make([move])
                candidates.append((each.cost, len(candidates), each, move))
                each.take_back(mark)
        candidates.sort(key=lambda found: found[:2])
        beam = _grown(candidates, width)
    return beam[0]


def _grown(candidates: Sequence[tuple[int, int, Draft, Add]], width: int) -> list[Draft]:
    """The first few drafts that come out with different wires."""
    found: dict[Hashable, Draft] = {}
    for _, _, draft, move in candidates:
        mark = draft.make([move])
        if draft.key not in found:
            found[draft.key] = draft.copy()
        draft.take_back(mark)
        if len(found) == width:
            break
    return list(found.values())


def _ways_to_add(task: PlanTask, draft: Draft, node: str, goal: Mapping[str, Sources]) -> Iterator[Add]:
    """Alone, behind a node that shall feed it, behind one to be deleted, or behind one whose wires it shall have."""
    yield Add(node)
    behind = [*goal[node], *(d for d in task.deleted if draft.is_due(d) and draft.targets(d))]
    rivals = dict.fromkeys(s for target in goal if target != node for s in draft.sources(target))
    for after in dict.fromkeys([*behind, *islice((r for r in rivals if r not in behind), NEIGHBOURS)]):
        if after != node:
            yield Add(node, after)
