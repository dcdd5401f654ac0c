"""What can happen in a session, as numbered kinds: the numbers are in files and never change their meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, unique
from typing import Any, Final


@unique
class EventKind(IntEnum):
    """Kinds of events; the fields each carries are written beside it."""

    STARTED = 1  # study, pack, condition, assignment, number, block, order_seed, order, options, app, simulated
    PARTICIPANT = 2  # id, device
    CONSENTED = 3  # version, sha256, points, withdrawal (hash of the code)
    QUESTIONNAIRE = 4  # version, sha256, answers
    STAGE = 5  # stage
    REOPENED = 6  # app: the session was opened again, in a new process
    CLOSED = 7  # the window was closed in order; the session can go on
    ENDED = 8  # reason
    WITHDRAWN = 9  # -

    SHOWN = 20  # item
    RUNNING = 21  # the item is fully painted, the clock runs
    FIRST_ACTION = 22
    PAUSED = 23  # reason
    RESUMED = 24
    UNFOCUSED = 25
    FOCUSED = 26
    IDLE = 27  # since: ns on the clock since opening, back-dated to the last input
    BUSY = 28
    CLOCK_JUMP = 29  # drift_ms
    TEXT_OPENED = 30
    FLAGGED = 31  # reason, text
    SEEN_BEFORE = 32  # seen
    LOCKED = 33  # reason

    EDIT = 40  # e: the edit
    UNDO = 41  # n: how many edits back; or e
    REDO = 42  # n, or e
    AUDIT = 43  # as SUBMIT
    SUBMIT = 44  # n, d, a, plan, g, runs, problems, brief, told, why

    ANSWER = 60  # choice, candidate, p, why
    REVEAL = 61  # correct, means
    LESSON = 62  # text


DURABLE: Final = frozenset(
    {
        EventKind.STARTED,
        EventKind.PARTICIPANT,
        EventKind.CONSENTED,
        EventKind.QUESTIONNAIRE,
        EventKind.REOPENED,
        EventKind.CLOSED,
        EventKind.ENDED,
        EventKind.WITHDRAWN,
        EventKind.SHOWN,
        EventKind.FLAGGED,
        EventKind.LOCKED,
        EventKind.AUDIT,
        EventKind.SUBMIT,
        EventKind.ANSWER,
        EventKind.REVEAL,
        EventKind.LESSON,
    }
)
"""Committed with fsync before the window goes on; the others within 50 ms."""

KEPT_AFTER_WITHDRAWAL: Final = frozenset({EventKind.STARTED, EventKind.ENDED, EventKind.WITHDRAWN})
"""What says nothing of a person: which study and condition, and that it ended."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event. `at_ms` is Unix time, `mono_ns` the monotonic clock since the session was last opened."""

    kind: EventKind
    at_ms: int
    mono_ns: int
    data: Mapping[str, Any] = field(default_factory=dict)
    seq: int = 0
    """From 1, given when it is committed."""
    erased: bool = False
