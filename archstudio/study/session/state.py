"""What a session's events come to: one fold that the running window, resuming, replaying and collecting share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from archstudio.bench.grade import Submission
from archstudio.edits.base import edit_from_json
from archstudio.study.items import GraphItem, Item
from archstudio.study.log.events import Event, EventKind
from archstudio.study.session.fields import fault
from archstudio.study.session.progress import Answered, Shown, Tried, Work
from archstudio.study.session.timing import Timeline

CHANGES: Final = frozenset({EventKind.EDIT, EventKind.UNDO, EventKind.REDO})
"""What changes a graph."""


class BrokenSession(ValueError):
    """Events that cannot follow each other; `seq` and `reason` say which and why."""

    def __init__(self, seq: int, reason: str) -> None:
        super().__init__(f"event {seq}: {reason}")
        self.seq, self.reason = seq, reason


@dataclass(slots=True)
class State:
    """A session so far."""

    items: Mapping[str, Item]
    head: Mapping[str, Any] = field(default_factory=dict)
    started_ms: int = 0
    last_ms: int = 0
    """Wall time of the last event."""
    last_ns: int = 0
    events: int = 0
    participant: Mapping[str, Any] = field(default_factory=dict)
    consent: Mapping[str, Any] | None = None
    consented_ms: int = 0
    answers: Mapping[str, Any] | None = None
    stage: str = "consent"
    shown: dict[str, Shown] = field(default_factory=dict)
    current: Shown | None = None
    resumes: int = 0
    breaks: int = 0
    clock_jumps: int = 0
    closed: bool = False
    """Closed in order and not opened again."""
    ended_ms: int | None = None
    end_reason: str | None = None
    withdrawn_ms: int | None = None
    erased: int = 0

    @property
    def order(self) -> tuple[str, ...]:
        """Ids of all items of the session in their order."""
        return tuple(self.head.get("order", ()))

    @property
    def finished(self) -> int:
        """How many items are locked."""
        return sum(each.locked for each in self.shown.values())

    def next_item(self) -> str | None:
        """The item to be shown: the first that is not locked."""
        return next((name for name in self.order if name not in self.shown or not self.shown[name].locked), None)

    def apply(self, event: Event) -> None:
        """Take the next event in; raises `BrokenSession` for one that cannot follow."""
        if self.current is not None and event.kind is not EventKind.REOPENED:
            self.current.time.advance(event.mono_ns)
        if event.erased:
            self.erased += 1
        elif (wrong := fault(event)) is not None:
            raise BrokenSession(event.seq, wrong)
        else:
            try:
                _HANDLERS.get(event.kind, _nothing)(self, event)
            except (KeyError, IndexError, TypeError, ValueError) as error:
                if isinstance(error, BrokenSession):
                    raise
                raise BrokenSession(event.seq, f"{event.kind.name} cannot follow ({error})") from error
        self.closed = event.kind is EventKind.CLOSED
        self.last_ms, self.last_ns = event.at_ms, event.mono_ns
        self.events += 1


def fold(items: Mapping[str, Item], events: Iterable[Event]) -> State:
    """The state after some events; raises `BrokenSession`."""
    state = State(items)
    for event in events:
        state.apply(event)
    return state


def change(work: Work, event: Event) -> None:
    """Make the edit of an event, take edits back, or make them again."""
    if event.kind is EventKind.EDIT:
        work.edit(edit_from_json(event.data["e"]))
        return
    work.undos += event.kind is EventKind.UNDO
    if "e" in event.data:
        work.foreign(edit_from_json(event.data["e"]))
    elif event.kind is EventKind.UNDO:
        work.undo(event.data["n"])
    else:
        work.redo(event.data["n"])


# What each kind of event does -------------------------------------------------------------------------------------


def _nothing(state: State, event: Event) -> None:
    pass


def _started(state: State, event: Event) -> None:
    if state.head:
        raise ValueError("the session began before")
    unknown = [name for name in event.data["order"] if name not in state.items]
    if unknown:
        raise ValueError(f"the study has no item {unknown[0]!r}")
    state.head, state.started_ms = event.data, event.at_ms


def _participant(state: State, event: Event) -> None:
    state.participant = event.data


def _consented(state: State, event: Event) -> None:
    state.consent, state.consented_ms = event.data, event.at_ms
    if state.stage == "consent":
        state.stage = "questionnaire"


def _questionnaire(state: State, event: Event) -> None:
    state.answers = event.data
    state.stage = "tutorial"


def _stage(state: State, event: Event) -> None:
    state.stage = event.data["stage"]


def _reopened(state: State, event: Event) -> None:
    state.resumes += 1
    if state.current is not None:
        gap = max(0, event.at_ms - state.last_ms)
        state.current.time.reopen(gap, event.at_ms, crashed=not state.closed)


def _ended(state: State, event: Event) -> None:
    state.ended_ms, state.end_reason = event.at_ms, event.data["reason"]
    state.stage = "ended"
    if state.current is not None:
        state.current.time.end()
        state.current = None


def _withdrawn(state: State, event: Event) -> None:
    state.withdrawn_ms = event.at_ms
    state.stage = "ended"


def _shown(state: State, event: Event) -> None:
    name = event.data["item"]
    if name in state.shown:
        state.shown[name].shows += 1
        state.current = state.shown[name]
        return
    item = state.items[name]
    work = None
    if isinstance(item, GraphItem):
        work = Work(item.graph(), item.graph())
    position = state.order.index(name) + 1
    state.current = state.shown[name] = Shown(item, position, event.at_ms, Timeline(event.mono_ns), work)


def _now(state: State) -> Shown:
    if state.current is None:
        raise ValueError("no item is shown")
    return state.current


def _work(state: State) -> Work:
    work = _now(state).work
    if work is None:
        raise ValueError("the item is no graph")
    return work


def _running(state: State, event: Event) -> None:
    _now(state).time.run()


def _first_action(state: State, event: Event) -> None:
    shown = _now(state)
    shown.first_action_ms = shown.time.active_ms


def _paused(state: State, event: Event) -> None:
    _now(state).time.pause(event.data["reason"], event.at_ms)
    state.breaks += event.data["reason"] == "break"


def _unfocused(state: State, event: Event) -> None:
    _now(state).time.lose_focus()


def _focused(state: State, event: Event) -> None:
    _now(state).time.gain_focus()


def _idle(state: State, event: Event) -> None:
    _now(state).time.idle(event.data["since"])


def _busy(state: State, event: Event) -> None:
    _now(state).time.busy()


def _jumped(state: State, event: Event) -> None:
    state.clock_jumps += 1


def _text_opened(state: State, event: Event) -> None:
    _now(state).text_opened += 1


def _flagged(state: State, event: Event) -> None:
    _now(state).flag = event.data


def _seen_before(state: State, event: Event) -> None:
    _now(state).seen_before = event.data["seen"]


def _locked(state: State, event: Event) -> None:
    shown = _now(state)
    shown.locked_at_ms, shown.lock_reason = event.at_ms, event.data["reason"]
    shown.time.end()
    state.current = None


def _changed(state: State, event: Event) -> None:
    change(_work(state), event)


def _audit(state: State, event: Event) -> None:
    _tried(state, event, "audit")


def _submit(state: State, event: Event) -> None:
    _tried(state, event, "submit")
    work = _work(state)
    plan = Submission.of(event.data["plan"])
    work.used = Submission(plan.count, work.used.types + plan.types)
    work.turn_start = work.graph.copy()


def _tried(state: State, event: Event, kind: str) -> None:
    shown, work = _now(state), _work(state)
    number = shown.count(kind) + 1
    shown.tried.append(Tried(kind, number, event.at_ms, shown.time.active_ms, work.gestures, work.undos, event.data))


def _answer(state: State, event: Event) -> None:
    shown = _now(state)
    order = state.head["options"][shown.item.id]
    if shown.answered is not None or event.data["candidate"] not in order or len(event.data["p"]) != len(order):
        raise ValueError("the answer does not fit the question, or is the second one")
    shown.answered = Answered(event.at_ms, shown.time.active_ms, event.data)


def _reveal(state: State, event: Event) -> None:
    answered = _now(state).answered
    if answered is None:
        raise ValueError("the answer was revealed before one was given")
    answered.revealed = event.data


def _lesson(state: State, event: Event) -> None:
    answered = _now(state).answered
    if answered is None:
        raise ValueError("there is a lesson before an answer")
    answered.lesson = event.data["text"]


_HANDLERS = {
    EventKind.STARTED: _started,
    EventKind.PARTICIPANT: _participant,
    EventKind.CONSENTED: _consented,
    EventKind.QUESTIONNAIRE: _questionnaire,
    EventKind.STAGE: _stage,
    EventKind.REOPENED: _reopened,
    EventKind.ENDED: _ended,
    EventKind.WITHDRAWN: _withdrawn,
    EventKind.SHOWN: _shown,
    EventKind.RUNNING: _running,
    EventKind.FIRST_ACTION: _first_action,
    EventKind.PAUSED: _paused,
    EventKind.RESUMED: _running,
    EventKind.UNFOCUSED: _unfocused,
    EventKind.FOCUSED: _focused,
    EventKind.IDLE: _idle,
    EventKind.BUSY: _busy,
    EventKind.CLOCK_JUMP: _jumped,
    EventKind.TEXT_OPENED: _text_opened,
    EventKind.FLAGGED: _flagged,
    EventKind.SEEN_BEFORE: _seen_before,
    EventKind.LOCKED: _locked,
    **dict.fromkeys(CHANGES, _changed),
    EventKind.AUDIT: _audit,
    EventKind.SUBMIT: _submit,
    EventKind.ANSWER: _answer,
    EventKind.REVEAL: _reveal,
    EventKind.LESSON: _lesson,
}
