"""What the fields of an event must hold: a log comes from other machines, and a chain that holds proves no sense."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import Field, ValidationError

from archstudio.intuition.records import Record
from archstudio.study.log.events import Event, EventKind
from archstudio.study.records import Condition, EndReason, PauseReason

_NO_LATER_MS: Final = 253_402_300_800_000
"""The year 10000, where dates end."""


class _Started(Record):
    study: str
    pack: str
    protocol: str
    plan: int
    participant: str
    condition: Condition
    assignment: str
    number: int
    block: int
    order_seed: int
    order: list[str]
    options: dict[str, list[str]]
    app: str
    simulated: bool


class _Device(Record):
    os: str | None = None
    screen: str | None = None
    scale: float | int | None = None
    input: str | None = None
    qt: str | None = None
    python: str | None = None


class _Participant(Record):
    device: _Device


class _Consented(Record):
    version: str
    sha256: str
    points: list[str]
    withdrawal: str


class _Questionnaire(Record):
    version: str
    sha256: str
    answers: dict[str, str | int | float | list[str]]


class _Stage(Record):
    stage: str


class _App(Record):
    app: str


class _Ended(Record):
    reason: EndReason


class _Shown(Record):
    item: str


class _Paused(Record):
    reason: PauseReason


class _Idle(Record):
    since: int


class _Jumped(Record):
    drift_ms: int


class _Text(Record):
    text: str
    length: int | None = None


class _Flagged(_Text):
    reason: str


class _Seen(Record):
    seen: bool


class _Locked(Record):
    reason: str


class _Grade(Record):
    passed: bool
    score: float | int | None
    params: float | int | None
    kv: float | int | None
    failures: list[str]
    categories: list[str]


class _Tried(Record):
    n: int
    d: str
    a: str
    plan: list[dict[str, Any]]
    g: _Grade
    runs: bool | None
    problems: list[str]
    brief: bool | None
    told: list[str]
    why: _Text | None = None


class _Answer(Record):
    choice: str
    candidate: str
    p: list[float]
    why: _Text | None = None


class _Reveal(Record):
    correct: str
    means: dict[str, float | int | None]


class _Edited(Record):
    e: dict[str, Any]


class _Steps(Record):
    n: Annotated[int, Field(ge=1)] | None = None
    e: dict[str, Any] | None = None


_FORMS: Final[Mapping[EventKind, type[Record]]] = {
    EventKind.STARTED: _Started,
    EventKind.PARTICIPANT: _Participant,
    EventKind.CONSENTED: _Consented,
    EventKind.QUESTIONNAIRE: _Questionnaire,
    EventKind.STAGE: _Stage,
    EventKind.REOPENED: _App,
    EventKind.ENDED: _Ended,
    EventKind.SHOWN: _Shown,
    EventKind.PAUSED: _Paused,
    EventKind.IDLE: _Idle,
    EventKind.CLOCK_JUMP: _Jumped,
    EventKind.FLAGGED: _Flagged,
    EventKind.SEEN_BEFORE: _Seen,
    EventKind.LOCKED: _Locked,
    EventKind.EDIT: _Edited,
    EventKind.UNDO: _Steps,
    EventKind.REDO: _Steps,
    EventKind.AUDIT: _Tried,
    EventKind.SUBMIT: _Tried,
    EventKind.ANSWER: _Answer,
    EventKind.REVEAL: _Reveal,
    EventKind.LESSON: _Text,
}


def fault(event: Event) -> str | None:
    """What is wrong with an event's fields; None where they are as they should be."""
    if not 0 <= event.at_ms < _NO_LATER_MS:
        return f"{event.kind.name} says it happened at {event.at_ms}"
    form = _FORMS.get(event.kind)
    if form is None:
        return f"{event.kind.name} has fields" if event.data else None
    try:
        form.model_validate(event.data)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        return f"{event.kind.name}: {place}: {first['msg']}"
    return None
