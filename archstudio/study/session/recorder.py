"""Puts what happens into the log and into the state, with its times; the log first, so that nothing is shown early."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from archstudio.study.log.events import Event, EventKind
from archstudio.study.log.writer import LogWriter
from archstudio.study.session.clock import DRIFT_NS, IDLE_NS, MS_NS, Clock
from archstudio.study.session.state import State


class Recorder:
    """The log, the clocks and the state of one open session."""

    def __init__(self, writer: LogWriter, state: State, clock: Clock) -> None:
        self.writer, self.state = writer, state
        self._clock = clock
        self._opened_ns = clock.monotonic_ns()
        self._offset_ns = clock.wall_ms() * MS_NS - self._opened_ns
        self._last_input_ns = 0
        self._idle = False

    @property
    def now_ns(self) -> int:
        """The monotonic clock since the session was opened."""
        return self._clock.monotonic_ns() - self._opened_ns

    def record(self, kind: EventKind, data: Mapping[str, Any] | None = None) -> None:
        """Record an event; when this returns it is durable if its kind is. Raises `LogFailed`: it did not happen."""
        self.watch_clock()
        self._append(kind, data or {})

    def watch_clock(self) -> None:
        """Record it if the wall clock moved against the monotonic one since the last look."""
        drift = self._clock.wall_ms() * MS_NS - self._clock.monotonic_ns() - self._offset_ns
        if abs(drift) > DRIFT_NS:
            self._offset_ns += drift
            self._append(EventKind.CLOCK_JUMP, {"drift_ms": drift // MS_NS})

    def touched(self) -> None:
        """A person did something: idle time ends, and the first action on an item is noted."""
        shown = self.state.current
        self._last_input_ns = self.now_ns
        if shown is None or not shown.time.running:
            return
        if self._idle:
            self._idle = False
            self.record(EventKind.BUSY)
        if shown.first_action_ms is None:
            self.record(EventKind.FIRST_ACTION)

    def running_again(self) -> None:
        """The item's clock starts: being idle is counted from here."""
        self._last_input_ns = self.now_ns
        self._idle = False

    def watch_idle(self) -> None:
        """Record it if nothing was done for long, as from the last input."""
        shown = self.state.current
        if shown is None or not shown.time.running or self._idle or self.now_ns - self._last_input_ns < IDLE_NS:
            return
        self._idle = True
        self.record(EventKind.IDLE, {"since": self._last_input_ns})

    def active_ms(self) -> int:
        """Active time of the present item up to now; 0 if none is shown."""
        shown = self.state.current
        if shown is None:
            return 0
        since = max(0, self.now_ns - shown.time.now_ns) if shown.time.running else 0
        return (shown.time.active_ns + since) // MS_NS

    def _append(self, kind: EventKind, data: Mapping[str, Any]) -> None:
        event = Event(kind, self._clock.wall_ms(), self.now_ns, data, self.state.events + 1)
        self.writer.append(kind, event.at_ms, event.mono_ns, data)
        self.state.apply(event)
