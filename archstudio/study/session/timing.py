"""How long an item was shown, worked on, hidden, left alone: kept so that wall = active + paused + crash gap."""

from __future__ import annotations

from dataclasses import dataclass, field

from archstudio.study.session.clock import MS_NS


@dataclass(slots=True)
class PauseSpan:
    """An interval in which the item was hidden."""

    reason: str
    at_ms: int
    duration_ns: int = 0


@dataclass(slots=True)
class Timeline:
    """The times of one item in nanoseconds. It starts hidden; `now` never runs backwards within one opening.

    Idle and unfocused time lie within active time and are reported apart, never taken off.
    """

    now_ns: int
    active_ns: int = 0
    paused_ns: int = 0
    gap_ns: int = 0
    idle_ns: int = 0
    unfocused_ns: int = 0
    focus_losses: int = 0
    running: bool = False
    ended: bool = False
    pauses: list[PauseSpan] = field(default_factory=list)
    _idle_from: int | None = None
    _unfocused: bool = False

    def advance(self, now_ns: int) -> None:
        """Count the time since the last event to what the item was in."""
        passed = max(0, now_ns - self.now_ns)
        if self.ended:
            return
        if self.running:
            self.active_ns += passed
            if self._unfocused:
                self.unfocused_ns += passed
            if self._idle_from is not None:
                self.idle_ns += passed
        else:
            self.paused_ns += passed
            if self.pauses:
                self.pauses[-1].duration_ns += passed
        self.now_ns = max(now_ns, self.now_ns)

    def run(self) -> None:
        """The item is visible: its clock runs."""
        self.running = True

    def pause(self, reason: str, at_ms: int) -> None:
        """Hide the item; what was idle ends here."""
        self.running = False
        self._idle_from = None
        self.pauses.append(PauseSpan(reason, at_ms))

    def lose_focus(self) -> None:
        """The window is behind another one."""
        if not self._unfocused:
            self._unfocused = True
            self.focus_losses += 1

    def gain_focus(self) -> None:
        """The window is in front again."""
        self._unfocused = False

    def idle(self, since_ns: int) -> None:
        """Nothing was done since `since_ns`: the time up to now is idle, and what follows until `busy`."""
        if self.running and self._idle_from is None:
            self._idle_from = since_ns
            self.idle_ns += min(max(0, self.now_ns - since_ns), self.active_ns - self.idle_ns)

    def busy(self) -> None:
        """Something is done again."""
        self._idle_from = None

    def reopen(self, gap_ms: int, at_ms: int, *, crashed: bool) -> None:
        """The program is open again, `gap_ms` by the wall clock after it was closed or died; its clock is a new one."""
        if self.ended:
            return
        if crashed:
            self.gap_ns += gap_ms * MS_NS
        else:
            self.paused_ns += gap_ms * MS_NS
        self.pauses.append(PauseSpan("crash" if crashed else "suspend", at_ms - gap_ms, gap_ms * MS_NS))
        self.pauses.append(PauseSpan("other", at_ms))
        self.running = self._unfocused = False
        self._idle_from = None
        self.now_ns = 0

    def end(self) -> None:
        """The answer is final: nothing counts any more."""
        self.ended = True
        self.running = False

    @property
    def active_ms(self) -> int:
        """Whole milliseconds, as the parts of `wall_ms` are."""
        return self.active_ns // MS_NS

    @property
    def paused_ms(self) -> int:
        return self.paused_ns // MS_NS

    @property
    def gap_ms(self) -> int:
        return self.gap_ns // MS_NS

    @property
    def idle_ms(self) -> int:
        return self.idle_ns // MS_NS

    @property
    def unfocused_ms(self) -> int:
        return self.unfocused_ns // MS_NS

    @property
    def wall_ms(self) -> int:
        """From shown to locked."""
        return self.active_ms + self.paused_ms + self.gap_ms
