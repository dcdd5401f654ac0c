"""Marks rows that the study's registered rules, or its researcher, leave out; nothing is deleted."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from archstudio.files.strict_json import read_json
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.records import Record, checked
from archstudio.study.items import QuestionItem
from archstudio.study.protocol.model import ExclusionPlan, Protocol
from archstudio.study.records import Exclusion, Scope
from archstudio.study.session.state import State

UNREGISTERED = "unregistered"


class ByHand(Record):
    """One line of a researcher's list of exclusions."""

    scope: Literal["participant", "session", "presentation"]
    participant_id: str
    session_id: str | None = None
    item_id: str | None = None
    rule: str = UNREGISTERED
    reason: str
    at: str


def read_exclusions(path: Path, protocol: Protocol) -> list[ByHand]:
    """Read a JSON list of exclusions; raises `UnusableFile`, also for a rule that was not registered."""
    value = read_json(path)
    if not isinstance(value, list):
        raise UnusableFile(path.name, problem="is no list of exclusions", remedy="It must be a JSON list of objects.")
    found = [checked(ByHand, each, path.name, (place,)) for place, each in enumerate(value)]
    known = {rule.id for rule in protocol.exclusions} | {UNREGISTERED}
    for place, each in enumerate(found):
        if each.rule not in known:
            remedy = f"Choose one of {', '.join(sorted(known))}."
            raise UnusableFile(
                path.name, place=f"$[{place}].rule", value=each.rule, problem="no such rule", remedy=remedy
            )
    return found


def by_hand(listed: Sequence[ByHand], simulated: Mapping[str, bool]) -> Iterator[Exclusion]:
    """The researcher's own exclusions as rows."""
    for each in listed:
        yield Exclusion(
            scope=each.scope,
            participant_id=each.participant_id,
            simulated=simulated.get(each.participant_id, False),
            rule=each.rule,
            reason=each.reason,
            at=each.at,
            session_id=each.session_id,
            item_id=each.item_id,
        )


def by_rules(
    protocol: Protocol, session_id: str, state: State, at: str, known: Collection[str] = ()
) -> Iterator[Exclusion]:
    """What the registered rules that have a measure leave out of one session.

    `known` are the items that the person was shown in earlier sessions.
    """
    for rule in protocol.exclusions:
        for scope, item_id, reason in _measured(rule, state, known):
            yield Exclusion(
                scope=scope,
                participant_id=state.head["participant"],
                simulated=bool(state.head["simulated"]),
                rule=rule.id,
                reason=reason,
                at=at,
                session_id=None if scope == "participant" else session_id,
                item_id=item_id,
            )


_Found = tuple[Scope, str | None, str]


def _measured(rule: ExclusionPlan, state: State, known: Collection[str]) -> Iterator[_Found]:
    least = 1 if rule.at_least is None else rule.at_least
    match rule.measure:
        case "attention_failed":
            failed = _attention_failed(state)
            if failed >= least:
                yield "session", None, f"{failed} attention items failed"
        case "seen_before":
            for name, shown in state.shown.items():
                if shown.seen_before and shown.item.block == "main":
                    yield "presentation", name, "the person had met the item before"
        case "too_fast":
            for name, shown in state.shown.items():
                if shown.locked and shown.item.block == "main" and shown.time.active_ms < 1000 * least:
                    yield "presentation", name, f"{shown.time.active_ms} ms of active time"
        case "not_completed":
            if state.end_reason != "completed":
                yield "session", None, f"ended as: {state.end_reason or 'not yet'}"
        case "author":
            said: Mapping[str, Any] = (state.answers or {}).get("answers", {})
            if said.get("relation") == "author":
                yield "participant", None, "an author of the study"
        case "repeated":
            for name, shown in state.shown.items():
                if name in known and shown.item.block == "main":
                    yield "presentation", name, "the person was shown the item in an earlier session"
        case "clock_jumps":
            if state.clock_jumps >= least:
                yield "session", None, f"{state.clock_jumps} clock jumps"


def _attention_failed(state: State) -> int:
    failed = 0
    for shown in state.shown.values():
        item = shown.item
        if isinstance(item, QuestionItem) and item.instructed is not None and shown.locked:
            failed += shown.answered is None or shown.answered.data["candidate"] != item.instructed
    return failed
