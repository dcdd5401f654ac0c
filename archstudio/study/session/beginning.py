"""How a session begins: which condition a person gets, which items in which order, and under what policy it goes on."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import archstudio
from archstudio.files.home import home_path
from archstudio.files.unusable import UnusableFile
from archstudio.study.items import QuestionItem
from archstudio.study.log.store import UnusableLog, read_events
from archstudio.study.pack.read import StudyPack
from archstudio.study.protocol.orders import assigned_condition, item_order, option_order, seed_of
from archstudio.study.records import Condition
from archstudio.study.session.state import BrokenSession, State, fold

SUFFIX: Final = ".session"
_NUMBERS: Final = 2**20
_HOUR_MS: Final = 3_600_000


@dataclass(frozen=True, slots=True)
class Start:
    """Who begins. `number` is the person's place in the study (from 0), as the researcher deals it out; without one
    it is drawn from the id, which balances conditions and orders only on average."""

    participant_id: str
    number: int | None = None
    condition: Condition | None = None
    """Overrides the assignment; recorded as "chosen"."""
    simulated: bool = False


def new_id() -> str:
    """A random 128-bit id."""
    return secrets.token_hex(16)


def head(pack: StudyPack, start: Start) -> dict[str, Any]:
    """The fields of the STARTED event."""
    protocol = pack.protocol
    drawn = seed_of("number", protocol.id, start.participant_id) % _NUMBERS
    number = drawn if start.number is None else start.number
    condition, block = assigned_condition(protocol.conditions, protocol.assignment.seed, number)
    method: str = protocol.assignment.method if start.number is not None else "random"
    if start.condition is not None:
        if start.condition not in protocol.conditions:
            raise UnusableFile(
                pack.file,
                problem=f"has no condition {start.condition}",
                remedy=f"Choose one of {', '.join(protocol.conditions)}.",
            )
        condition, method = start.condition, "chosen"
    order_seed = seed_of("session", protocol.id, protocol.order.seed, number)
    order = session_order(pack, order_seed, number)
    return {
        "study": protocol.id,
        "pack": pack.sha256,
        "protocol": pack.manifest.protocol_sha256,
        "plan": protocol.plan_version,
        "participant": start.participant_id,
        "condition": condition,
        "assignment": method,
        "number": number,
        "block": block,
        "order_seed": order_seed,
        "order": order,
        "options": options(pack, order, order_seed),
        "app": archstudio.__version__,
        "simulated": start.simulated,
    }


def session_order(pack: StudyPack, order_seed: int, number: int) -> list[str]:
    """Practice items, then main items in this person's order with the attention items between them."""
    protocol = pack.protocol
    main = item_order(pack.block("main"), protocol.order, protocol.sampling.per_person, order_seed, number)
    checks: dict[int, list[str]] = {}
    for name in pack.block("attention"):
        before = pack.entry(name).before or 1
        checks.setdefault(min(before, len(main) + 1), []).append(name)
    mixed = [each for place, name in enumerate(main, start=1) for each in (*checks.get(place, ()), name)]
    return [*pack.block("practice"), *mixed, *checks.get(len(main) + 1, ())]


def options(pack: StudyPack, order: Sequence[str], order_seed: int) -> dict[str, list[str]]:
    """The order of choices of each question. Attention items keep theirs, since their text may name letters."""
    found: dict[str, list[str]] = {}
    for name in order:
        item = pack.items[name]
        if isinstance(item, QuestionItem):
            fixed = item.instructed is not None
            candidates = item.candidates
            found[name] = list(candidates) if fixed else option_order(candidates, pack.protocol.order, order_seed, name)
    return found


# Going on ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Earlier:
    """A session of the study that is already in the folder."""

    path: Path
    state: State

    @property
    def complete(self) -> bool:
        """Whether it has ended, in whatever way."""
        return self.state.ended_ms is not None or self.state.withdrawn_ms is not None


@dataclass(frozen=True, slots=True)
class NextStep:
    """What opening a study does now, by its policy: begin, go on in `earlier`, begin anew, or refuse."""

    action: Literal["start", "resume", "restart", "block"]
    earlier: Earlier | None = None


def sessions_folder(pack: StudyPack) -> Path:
    """Where sessions of a study are kept unless one says otherwise; made on demand."""
    folder = home_path() / "studies" / f"{pack.id}-{pack.manifest.protocol_sha256[:8]}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def earlier_sessions(pack: StudyPack, folder: Path) -> list[Earlier]:
    """Sessions of this very study in a folder, oldest first; files that are none are passed over."""
    found = []
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        try:
            state = fold(pack.items, read_events(path))
        except (UnusableLog, BrokenSession):
            continue
        if state.head.get("protocol") == pack.manifest.protocol_sha256:
            found.append(Earlier(path, state))
    return sorted(found, key=lambda each: each.state.started_ms)


def next_step(pack: StudyPack, folder: Path, now_ms: int) -> NextStep:
    """What the study's resume policy says about the newest session in a folder."""
    earlier = earlier_sessions(pack, folder)
    if not earlier:
        return NextStep("start")
    newest, policy = earlier[-1], pack.protocol.resume
    limit = policy.max_age_hours
    too_old = limit is not None and now_ms - newest.state.last_ms > limit * _HOUR_MS
    if newest.complete or too_old:
        return NextStep("restart" if policy.completed == "restart" else "block", newest)
    return NextStep(policy.incomplete, newest)
