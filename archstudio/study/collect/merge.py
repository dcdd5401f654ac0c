"""Decides which session files count, and makes one set of tables of them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from archstudio.files.unusable import UnusableFile
from archstudio.study.collect.exclusions import ByHand, by_hand, by_rules
from archstudio.study.collect.files import SessionFile, read_session, session_paths
from archstudio.study.collect.tables import (
    attempt_rows,
    iso,
    item_rows,
    participant_row,
    pause_rows,
    presentation_row,
    response_rows,
    session_row,
    shown_items,
    study_row,
)
from archstudio.study.pack.read import StudyPack
from archstudio.study.protocol.questionnaire import BadAnswer
from archstudio.study.records import Exclusion, Participant, Records, Withdrawal
from archstudio.study.session.state import BrokenSession, State, fold

SKEW_MS: Final = 24 * 3_600_000
"""A session that began more than this after now has a clock that is wrong."""
_FIRST_MS: Final = 1_735_689_600_000
"""2025-01-01: no session can be older than the program."""

Why = Literal["unreadable", "duplicate", "clash", "other study", "declined", "clock skew"]


@dataclass(frozen=True, slots=True)
class Left:
    """A file that does not count, or (`clock skew`) counts with a remark."""

    file: str
    why: Why
    detail: str

    @property
    def counts(self) -> bool:
        """Whether its rows are in the tables all the same."""
        return self.why == "clock skew"


@dataclass(frozen=True)
class Collected:
    """The tables, and what became of every file that is not simply in them."""

    records: Records
    left: tuple[Left, ...]
    states: dict[str, State] = field(default_factory=dict)
    """By session id."""


def collect(
    pack: StudyPack, given: Sequence[Path], *, exclusions: Sequence[ByHand] = (), now_ms: int | None = None
) -> Collected:
    """Merge session files and folders of them. The order in which they are given changes nothing.

    Files that cannot be used are told about, never a reason to stop.
    """
    at_ms = time.time_ns() // 1_000_000 if now_ms is None else now_ms
    left: list[Left] = []
    kept: dict[str, tuple[SessionFile, State]] = {}
    for file in _without_doubles(_readable(session_paths(given), left), left):
        state = _counting(file, pack, left)
        if state is None:
            continue
        kept[file.head.session_id] = (file, state)
        if not _FIRST_MS < state.started_ms < at_ms + SKEW_MS:
            left.append(Left(file.path.name, "clock skew", f"it says it began at {iso(state.started_ms)}"))
    ordered = dict(sorted(kept.items(), key=lambda each: (each[1][1].started_ms, each[0])))
    records = _records(pack, ordered, exclusions, iso(at_ms))
    return Collected(records, tuple(left), {name: state for name, (_, state) in ordered.items()})


def _readable(paths: list[Path], left: list[Left]) -> list[SessionFile]:
    found = []
    for path in paths:
        try:
            found.append(read_session(path))
        except UnusableFile as error:
            left.append(Left(path.name, "unreadable", str(error)))
    return found


def _without_doubles(files: list[SessionFile], left: list[Left]) -> list[SessionFile]:
    """One file a session: the one from which content was taken back, else the furthest; none where they contradict."""
    groups: dict[str, list[SessionFile]] = {}
    for file in files:
        groups.setdefault(file.head.session_id, []).append(file)
    chosen = []
    for name, group in sorted(groups.items()):
        best = max(group, key=lambda file: (file.erased, file.head.events, file.path.name))
        longest = max(group, key=lambda file: (file.told, file.path.name))
        if not all(longest.continues(file) for file in group):
            detail = f"{len(group)} files say they are session {name[:8]}… and tell different stories"
            left += [Left(file.path.name, "clash", detail) for file in group]
            continue
        chosen.append(best)
        left += [
            Left(file.path.name, "duplicate", f"the same session as {best.path.name}")
            for file in group
            if file is not best
        ]
    return chosen


def _counting(file: SessionFile, pack: StudyPack, left: list[Left]) -> State | None:
    """A file's state; None where it does not count."""
    name = file.path.name
    try:
        state = fold(pack.items, file.events())
        _check_answers(pack, state)
    except (UnusableFile, BrokenSession, BadAnswer) as error:
        if _protocol(file) == pack.manifest.protocol_sha256:
            left.append(Left(name, "unreadable", str(error)))
        else:
            left.append(Left(name, "other study", _other_study(file, pack)))
        return None
    if state.head.get("protocol") != pack.manifest.protocol_sha256:
        left.append(Left(name, "other study", _other_study(file, pack)))
        return None
    if state.consent is None and state.withdrawn_ms is None:
        left.append(Left(name, "declined", "nobody agreed to take part; nothing was recorded"))
        return None
    return state


def _check_answers(pack: StudyPack, state: State) -> None:
    """Raise `BadAnswer` for an answer about the person that its question does not take."""
    asked = {field.name: field for field in pack.questionnaire}
    for name, answer in (state.answers or {}).get("answers", {}).items():
        if name not in asked:
            raise BadAnswer(name, "was not asked")
        asked[name].checked(answer)


def _protocol(file: SessionFile) -> str | None:
    first = next(file.events(), None)
    return None if first is None else first.data.get("protocol")


def _other_study(file: SessionFile, pack: StudyPack) -> str:
    first = next(file.events(), None)
    said = {} if first is None else first.data
    if said.get("study") != pack.id:
        return f"it is of the study {said.get('study')!r}, not of {pack.id!r}"
    return f"it was recorded under another plan of {pack.id} (version {said.get('plan')}, or another freezing)"


def _records(
    pack: StudyPack, kept: dict[str, tuple[SessionFile, State]], exclusions: Sequence[ByHand], at: str
) -> Records:
    people: dict[str, Participant] = {}
    gone: dict[str, Withdrawal] = {}
    marks: list[Exclusion] = []
    living: list[tuple[str, State, str]] = []
    known: dict[str, set[str]] = {}
    for name, (file, state) in kept.items():
        row = participant_row(pack, state)
        if state.withdrawn_ms is None:
            living.append((name, state, file.head.last.hex()))
            before = known.setdefault(row.id, set())
            marks += by_rules(pack.protocol, name, state, at, before)
            before |= set(state.shown)
            people.setdefault(row.id, row)
        else:
            sessions = gone[row.id].sessions if row.id in gone else 0
            gone[row.id] = Withdrawal(row.id, iso(state.withdrawn_ms), row.simulated, sessions + 1)
            people[row.id] = row
    simulated = {row.id: row.simulated for row in people.values()}
    marks += by_hand(exclusions, simulated)
    shown = [(name, state, each) for name, state, _ in living for each in shown_items(state)]
    return Records(
        study=study_row(pack, simulated=any(simulated.values())),
        items=item_rows(pack),
        participants=tuple(people.values()),
        sessions=tuple(session_row(pack, name, state, last) for name, state, last in living),
        presentations=tuple(presentation_row(*each) for each in shown),
        attempts=tuple(row for each in shown for row in attempt_rows(*each)),
        responses=tuple(row for each in shown for row in response_rows(pack, *each)),
        pauses=tuple(row for each in shown for row in pause_rows(*each)),
        exclusions=tuple(dict.fromkeys(marks)),
        withdrawals=tuple(gone.values()),
    )
