"""Plays a session's log again: the graph at any moment, and every grade made anew and held to the recorded one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from archstudio.graph import Graph
from archstudio.graph.digest import document_digest
from archstudio.study.items import GraphItem, QuestionItem
from archstudio.study.log.chain import ChainReport, Fault, verify_chain
from archstudio.study.log.events import Event, EventKind
from archstudio.study.log.store import read_events
from archstudio.study.pack.read import StudyPack
from archstudio.study.records import GRAPH_CONDITIONS
from archstudio.study.session.beginning import options, session_order
from archstudio.study.session.grading import differences, graded
from archstudio.study.session.progress import Work
from archstudio.study.session.state import CHANGES, BrokenSession, State, change

_ATTEMPTS = frozenset({EventKind.AUDIT, EventKind.SUBMIT})
_SNAPSHOT_EVERY = 64


@dataclass(frozen=True, slots=True)
class Regraded:
    """One audit or submission, graded anew from the replayed graph. `differs` names fields that are not as recorded."""

    seq: int
    item_id: str
    kind: str
    number: int
    digest: str
    passed: bool
    differs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verified:
    """What verifying a session found. Without the study's file only the chain can be checked."""

    chain: ChainReport
    state: State | None
    attempts: tuple[Regraded, ...]
    problems: tuple[Fault, ...]
    final: dict[str, str] = field(default_factory=dict)
    """The digest of each item's graph at the end."""

    @property
    def holds(self) -> bool:
        """Whether the chain holds, and replaying found what was recorded."""
        return self.chain.holds and not self.problems


def verify(path: Path, pack: StudyPack | None = None) -> Verified:
    """Check a session's chain and, with its study, replay it. Raises `UnusableLog` for a file that is no log."""
    chain = verify_chain(path)
    if pack is None or not chain.holds:
        return Verified(chain, None, (), ())
    state, attempts, problems = State(pack.items), [], []
    try:
        for event in read_events(path):
            if event.kind in _ATTEMPTS and not event.erased:
                made = _regraded(event, state, pack)
                attempts.append(made)
                problems += [Fault(event.seq, f"{name} is not as recorded") for name in made.differs]
            if event.kind is EventKind.REVEAL and not event.erased:
                problems += _reveal_problems(event, state, pack)
            state.apply(event)
    except BrokenSession as error:
        problems.append(Fault(error.seq, error.reason))
    problems += _head_problems(state, pack)
    problems += _time_problems(state)
    final = {name: document_digest(shown.work.graph) for name, shown in state.shown.items() if shown.work is not None}
    return Verified(chain, state, tuple(attempts), tuple(problems), final)


def _regraded(event: Event, state: State, pack: StudyPack) -> Regraded:
    shown = state.current
    if shown is None or shown.work is None or not isinstance(shown.item, GraphItem):
        raise BrokenSession(event.seq, "there is no graph to be graded")
    task = pack.graph_key(shown.item).task(shown.item, pack.protocol.limits.actions)
    made = graded(task, shown.work.turn_start, shown.work.graph, shown.work.used)
    differs = tuple(differences(event.data, made.record()))
    kind = event.kind.name.lower()
    return Regraded(
        event.seq, shown.item.id, kind, event.data.get("n", 0), made.document, made.verdicts.passes_rubric, differs
    )


def _reveal_problems(event: Event, state: State, pack: StudyPack) -> Iterator[Fault]:
    """What was revealed must be what the key says."""
    item = None if state.current is None else state.current.item
    key = pack.question_key(item) if isinstance(item, QuestionItem) else None
    if key is None or dict(event.data) != {"correct": key.correct, "means": key.means}:
        yield Fault(event.seq, "what was revealed is not what the key says")


def _head_problems(state: State, pack: StudyPack) -> Iterator[Fault]:
    """Order and options must be those that the seed gives."""
    head = state.head
    if head.get("protocol") != pack.manifest.protocol_sha256:
        yield Fault(1, "the session is of another study")
        return
    order = session_order(pack, head["order_seed"], head["number"])
    if list(head["order"]) != order:
        yield Fault(1, "the order of items is not the one its seed gives")
    if head["condition"] not in GRAPH_CONDITIONS and head["options"] != options(pack, order, head["order_seed"]):
        yield Fault(1, "the order of choices is not the one its seed gives")


def _time_problems(state: State) -> Iterator[Fault]:
    """Idle and unfocused time lie within active time."""
    for name, shown in state.shown.items():
        time = shown.time
        if not (time.idle_ns <= time.active_ns and time.unfocused_ns <= time.active_ns):
            yield Fault(0, f"the times of {name} contradict each other")


# Frame by frame ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Moment:
    """One event on the time line of an item."""

    seq: int
    kind: EventKind
    at_ms: int
    active_ms: int
    told: str
    """What happened, in a word or two."""


class Recording:
    """One item of a session, to be gone through back and forth."""

    def __init__(self, item: GraphItem, moments: list[Moment], events: list[Event]) -> None:
        """Use `recordings`."""
        self.item, self.moments = item, moments
        self._events = events
        self._snapshots = {-1: Work(item.graph(), item.graph())}

    def graph_at(self, place: int) -> Graph:
        """The graph after moment `place`; -1 is the start. Costs few edits once the places before were visited."""
        from_place = max(known for known in self._snapshots if known <= place)
        work = self._snapshots[from_place].copy()
        for index in range(from_place + 1, place + 1):
            event = self._events[index]
            if event.kind in CHANGES:
                change(work, event)
            if index % _SNAPSHOT_EVERY == 0:
                self._snapshots[index] = work.copy()
        return work.graph


def recordings(pack: StudyPack, events: Iterable[Event]) -> dict[str, Recording]:
    """The recordings of all graphs in a session by item; raises `BrokenSession`."""
    state = State(pack.items)
    made: dict[str, tuple[list[Moment], list[Event]]] = {}
    for event in events:
        before = state.current
        state.apply(event)
        shown = state.current or before
        if shown is None or not isinstance(shown.item, GraphItem):
            continue
        moments, kept = made.setdefault(shown.item.id, ([], []))
        moments.append(Moment(event.seq, event.kind, event.at_ms, shown.time.active_ms, _told(event)))
        kept.append(event)
    return {name: Recording(_graph_item(pack, name), *parts) for name, parts in made.items()}


def _graph_item(pack: StudyPack, name: str) -> GraphItem:
    item = pack.items[name]
    assert isinstance(item, GraphItem)
    return item


def _told(event: Event) -> str:
    match event.kind:
        case EventKind.EDIT:
            edit = event.data.get("e", {})
            return str(edit.get("label") or edit.get("kind", "edit"))
        case EventKind.AUDIT | EventKind.SUBMIT:
            passed = event.data.get("g", {}).get("passed")
            return f"{event.kind.name.lower()} {event.data.get('n')}: {'passed' if passed else 'failed'}"
        case EventKind.PAUSED | EventKind.LOCKED:
            return f"{event.kind.name.lower()} ({event.data.get('reason')})"
        case _:
            return event.kind.name.lower().replace("_", " ")
