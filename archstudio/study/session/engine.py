"""One person's session, as a window drives it: from consent to debrief, item after item."""

from __future__ import annotations

import hashlib
import platform
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import archstudio
from archstudio.files.unusable import UnusableFile
from archstudio.study.conditions import CONDUCTS, Conduct
from archstudio.study.items import GraphItem, Item
from archstudio.study.log.chain import verify_chain
from archstudio.study.log.erase import erase
from archstudio.study.log.events import EventKind
from archstudio.study.log.store import read_events
from archstudio.study.log.writer import LogWriter
from archstudio.study.pack.read import StudyPack
from archstudio.study.protocol.questionnaire import BadAnswer
from archstudio.study.records import EndReason, PauseReason
from archstudio.study.session.beginning import SUFFIX, Earlier, Start, head, new_id
from archstudio.study.session.clock import Clock, SystemClock
from archstudio.study.session.desks import GraphDesk, NotNow, QuestionDesk
from archstudio.study.session.recorder import Recorder
from archstudio.study.session.state import BrokenSession, State, fold
from archstudio.study.session.texts import kept_text, without_names
from archstudio.study.visibility import Visibility

CODE_ALPHABET: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Letters and digits that cannot be taken for each other."""
DEVICE_FIELDS: Final = ("os", "screen", "scale", "input", "qt", "python")

Desk = GraphDesk | QuestionDesk


@dataclass(frozen=True, slots=True)
class Tick:
    """How the present item stands: active time, what is left of its limit (None: no limit), and whether it ran out."""

    active_ms: int
    left_ms: int | None
    timed_out: bool


class Session:
    """A session being run. One thread calls it; every method that returns has recorded what it says.

    Errors: `NotNow` (not possible at this point), `LogFailed` (could not be recorded: it did not happen).
    """

    def __init__(self, pack: StudyPack, recorder: Recorder, device: Mapping[str, Any] | None = None) -> None:
        """Use `start` or `resume`."""
        self.pack = pack
        self._recorder = recorder
        self.desk: Desk | None = None
        self._told_device = device or {}

    # ------------------------------------------------------------------ opening

    @classmethod
    def start(
        cls,
        pack: StudyPack,
        folder: Path,
        start: Start | None = None,
        *,
        clock: Clock | None = None,
        device: Mapping[str, Any] | None = None,
        synchronous: str = "FULL",
    ) -> Session:
        """Begin a session of its own file in `folder`. `device` says what the window knows (screen, scale, …)."""
        begin = start or Start(new_id())
        session_id = new_id()
        fields = head(pack, begin)
        writer = LogWriter(folder / f"{session_id}{SUFFIX}", session_id, synchronous=synchronous)
        session = cls(pack, Recorder(writer, State(pack.items), clock or SystemClock()), device)
        session._recorder.record(EventKind.STARTED, fields)
        return session

    @classmethod
    def resume(
        cls,
        pack: StudyPack,
        path: Path,
        *,
        clock: Clock | None = None,
        device: Mapping[str, Any] | None = None,
        synchronous: str = "FULL",
    ) -> Session:
        """Go on in a session's file: same item, same order, the gap recorded.

        Raises `SessionBusy` if another window has it, `UnusableFile` if it is of another study or has ended.
        """
        writer = LogWriter(path, synchronous=synchronous)
        try:
            state = _whole(pack, path)
            if state.head.get("protocol") != pack.manifest.protocol_sha256:
                remedy = "Open the study it was begun with."
                raise UnusableFile(path.name, problem=f"is no session of {pack.file}", remedy=remedy)
            if state.ended_ms is not None or state.withdrawn_ms is not None:
                raise UnusableFile(path.name, problem="this session has ended", remedy="Begin a new one.")
        except BaseException:
            writer.close()
            raise
        session = cls(pack, Recorder(writer, state, clock or SystemClock()), device)
        session._recorder.record(EventKind.REOPENED, {"app": archstudio.__version__})
        if state.current is not None:
            session.desk = session._new_desk(state.current.item)
            session.desk.settle()
            session._after_item()
        return session

    @classmethod
    def restart(
        cls,
        pack: StudyPack,
        earlier: Earlier,
        *,
        clock: Clock | None = None,
        device: Mapping[str, Any] | None = None,
        synchronous: str = "FULL",
    ) -> Session:
        """Begin anew for the person of an earlier session, which ends here if it had not; both stay in the folder."""
        used = clock or SystemClock()
        if not earlier.complete:
            writer = LogWriter(earlier.path, synchronous=synchronous)
            reason: EndReason = "quit" if earlier.state.closed else "crash"
            writer.append(EventKind.ENDED, used.wall_ms(), earlier.state.last_ns, {"reason": reason})
            writer.close()
        before = earlier.state.head
        number = before["number"] if before["assignment"] == "balanced_blocks" else None
        chosen = before["condition"] if before["assignment"] == "chosen" else None
        start = Start(before["participant"], number, chosen, bool(before["simulated"]))
        return cls.start(pack, earlier.path.parent, start, clock=used, device=device, synchronous=synchronous)

    # ------------------------------------------------------------------ reading

    @property
    def state(self) -> State:
        """Everything so far; read only."""
        return self._recorder.state

    @property
    def path(self) -> Path:
        """The session's file."""
        return self._recorder.writer.path

    @property
    def id(self) -> str:
        """The session's id."""
        return self._recorder.writer.session_id

    @property
    def stage(self) -> str:
        """consent, questionnaire, tutorial, items, debrief or ended."""
        return self.state.stage

    @property
    def conduct(self) -> Conduct:
        """The rules of this session's condition."""
        return CONDUCTS[self.state.head["condition"]]

    @property
    def visibility(self) -> Visibility:
        """What the window may show and do."""
        return self.conduct.visibility

    @property
    def fault(self) -> str | None:
        """Why editing steps wait in memory at present; None while all is well."""
        return self._recorder.writer.fault

    # ------------------------------------------------------------------ before the items

    def agree(self, points: Sequence[str]) -> str:
        """The person agreed to all points; returns the withdrawal code, which is kept nowhere else."""
        self._require("consent")
        missing = [point for point in self.pack.consent_points if point not in points]
        if missing:
            raise NotNow(f"without agreeing to every point nothing is recorded: {missing[0]}")
        code = self._consented(points)
        self._recorder.record(EventKind.PARTICIPANT, {"device": _device(self._told_device)})
        return code

    def another_code(self) -> str:
        """A further withdrawal code, for whoever could not note the first; both are good."""
        if self.state.consent is None:
            raise NotNow("nobody has agreed yet")
        return self._consented(self.state.consent["points"])

    def _consented(self, points: Sequence[str]) -> str:
        code = "-".join("".join(secrets.choice(CODE_ALPHABET) for _ in range(5)) for _ in range(4))
        entry = self.pack.manifest.texts["consent"]
        self._recorder.record(
            EventKind.CONSENTED,
            {
                "version": entry.version,
                "sha256": entry.sha256,
                "points": list(points),
                "withdrawal": code_hash(self.id, code),
            },
        )
        return code

    def decline(self) -> None:
        """The person did not agree: the session ends, and nothing of them is kept."""
        self._require("consent")
        self._end("withdrawn")

    def answer_questionnaire(self, answers: Mapping[str, object]) -> None:
        """Keep the answers; raises `BadAnswer` for one that is missing or does not fit its question."""
        self._require("questionnaire")
        kept: dict[str, Any] = {}
        for field in self.pack.questionnaire:
            if field.name in answers:
                answer = field.checked(answers[field.name])
                kept[field.name] = without_names(answer) if field.kind == "text" and isinstance(answer, str) else answer
            elif not field.optional:
                raise BadAnswer(field.name, "is not answered")
        entry = self.pack.manifest.texts["questionnaire"]
        self._recorder.record(
            EventKind.QUESTIONNAIRE, {"version": entry.version, "sha256": entry.sha256, "answers": kept}
        )

    def begin_items(self) -> None:
        """The tutorial was read; items follow, practice first."""
        self._require("tutorial")
        self._recorder.record(EventKind.STAGE, {"stage": "items"})

    # ------------------------------------------------------------------ items

    def present(self) -> Desk | None:
        """Show the next item, or the present one while it is not locked. Its clock stands until `painted`.

        None when every item is done: the stage is then `debrief`.
        """
        self._after_item()
        if self.stage == "debrief":
            return None
        self._require("items")
        name = self.state.next_item()
        if self.desk is not None or name is None:
            return self.desk
        self._recorder.record(EventKind.SHOWN, {"item": name})
        self.desk = self._new_desk(self.pack.items[name])
        return self.desk

    def painted(self) -> None:
        """The item is fully on the screen: its clock runs."""
        self._hidden_item()
        self._recorder.record(EventKind.RUNNING)
        self._recorder.running_again()

    def touched(self) -> None:
        """Any input, however small; cheap, and recorded only where it ends an idle time or is the first."""
        self._recorder.touched()

    def pause(self, reason: PauseReason = "break") -> None:
        """Stop the clock; the window hides the item."""
        if self.state.current is None or not self.state.current.time.running:
            raise NotNow("no clock is running")
        self._recorder.record(EventKind.PAUSED, {"reason": reason})

    def resume_clock(self) -> None:
        """The item is fully on the screen again after a pause."""
        self._hidden_item()
        self._recorder.record(EventKind.RESUMED)
        self._recorder.running_again()

    def focus(self, has: bool) -> None:
        """The window came to the front, or went behind another."""
        if self.state.current is not None:
            self._recorder.record(EventKind.FOCUSED if has else EventKind.UNFOCUSED)

    def text_opened(self) -> None:
        """The person opened the text that models read."""
        self._item()
        self._recorder.record(EventKind.TEXT_OPENED)

    def flag(self, reason: str, text: str = "") -> None:
        """Something is wrong with the item."""
        self._item()
        self._recorder.record(EventKind.FLAGGED, {"reason": kept_text(reason)["text"], **kept_text(text)})

    def seen_before(self, seen: bool) -> None:
        """Whether the person has met this item before."""
        self._item()
        self._recorder.record(EventKind.SEEN_BEFORE, {"seen": seen})

    def tick(self) -> Tick:
        """Call about once a second: watches clocks, idleness and the item's limit; an item out of time is locked."""
        self._recorder.watch_clock()
        self._recorder.watch_idle()
        minutes = self.pack.protocol.limits.active_minutes
        active = self._recorder.active_ms()
        shown = self.state.current
        if minutes is None or shown is None or shown.answered is not None:
            return Tick(active, None, False)
        left = round(minutes * 60_000) - active
        if left > 0:
            return Tick(active, left, False)
        self._recorder.record(EventKind.LOCKED, {"reason": "time"})
        self._after_item()
        return Tick(active, 0, True)

    # ------------------------------------------------------------------ ending

    def finish(self) -> None:
        """The debrief was read."""
        self._require("debrief")
        self._end("completed")

    def quit(self, reason: Literal["quit", "timeout"] = "quit") -> None:
        """End early; a normal end."""
        if self.stage == "ended":
            raise NotNow("the session has ended")
        self._end(reason)

    def withdraw(self) -> None:
        """End, and erase everything of the person in this file."""
        if self.stage != "ended":
            self._end("withdrawn")
        at_ms = self.state.last_ms
        self.close()
        erase(self.path, at_ms)

    def close(self) -> None:
        """Let go of the file; a session that has not ended can be resumed. Raises `LogFailed` if steps were lost."""
        try:
            if self.stage != "ended":
                self._recorder.record(EventKind.CLOSED)
        finally:
            self._recorder.writer.close()

    # ------------------------------------------------------------------ inside

    def _end(self, reason: EndReason) -> None:
        self._recorder.record(EventKind.ENDED, {"reason": reason})
        self.desk = None

    def _new_desk(self, item: Item) -> Desk:
        shown = self.state.shown[item.id]
        if isinstance(item, GraphItem):
            return GraphDesk(item, shown, self.pack, self.conduct, self._recorder)
        order = self.state.head["options"][item.id]
        return QuestionDesk(item, shown, order, self.pack, self.conduct, self._recorder)

    def _after_item(self) -> None:
        if self.desk is not None and self.desk.shown.locked:
            self.desk = None
        if self.desk is None and self.stage == "items" and self.state.next_item() is None:
            self._recorder.record(EventKind.STAGE, {"stage": "debrief"})

    def _item(self) -> None:
        if self.state.current is None:
            raise NotNow("no item is shown")

    def _hidden_item(self) -> None:
        if self.state.current is None or self.state.current.time.running:
            raise NotNow("no item is hidden")

    def _require(self, stage: str) -> None:
        if self.stage != stage:
            raise NotNow(f"the session is at the stage '{self.stage}', not '{stage}'")


def _whole(pack: StudyPack, path: Path) -> State:
    """The state of a session's file; raises `UnusableFile` if it was altered."""
    remedy = "Begin a new session, and tell the researcher."
    report = verify_chain(path)
    if not report.holds:
        raise UnusableFile(path.name, problem=f"was altered (event {report.faults[0].seq})", remedy=remedy)
    try:
        return fold(pack.items, read_events(path))
    except BrokenSession as error:
        raise UnusableFile(path.name, problem=f"does not fit {pack.file}: {error}", remedy=remedy) from error


def code_hash(session_id: str, code: str) -> str:
    """What is kept of a withdrawal code; 100 random bits, so that the hash tells nothing of it."""
    plain = "".join(letter for letter in code.upper() if letter in CODE_ALPHABET)
    return hashlib.sha256(f"withdrawal\n{session_id}\n{plain}".encode()).hexdigest()


def _device(told: Mapping[str, Any]) -> dict[str, Any]:
    """Only what may be known of a machine; never its name."""
    found = {"os": platform.system(), "python": platform.python_version(), **told}
    return {name: found[name] for name in DEVICE_FIELDS if name in found}
