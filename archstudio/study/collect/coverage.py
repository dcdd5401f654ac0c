"""How far a study has come: people and answers by condition and item, against the plan."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from archstudio.study.records import Condition, Records


@dataclass(frozen=True, slots=True)
class ConditionCoverage:
    """One condition: people, sessions by how they ended, and answers to main items."""

    condition: Condition
    people: int
    completed: int
    partial: int
    answers: int


@dataclass(frozen=True, slots=True)
class ItemCoverage:
    """How many final answers a main item has, by condition."""

    item_id: str
    by_condition: dict[Condition, int]


@dataclass(frozen=True, slots=True)
class Coverage:
    """A study's state."""

    phase: str
    planned: int | None
    people: int
    withdrawn: int
    excluded: int
    conditions: tuple[ConditionCoverage, ...]
    items: tuple[ItemCoverage, ...]


def coverage(records: Records) -> Coverage:
    """Count what is there. Excluded rows are counted, and said."""
    of = {session.id: session.condition for session in records.sessions}
    main = [row for row in records.presentations if row.block == "main" and row.locked_at is not None]
    cells = Counter((row.item_id, of[row.session_id]) for row in main)
    conditions = records.study.conditions
    return Coverage(
        phase=records.study.phase,
        planned=records.study.planned_participants,
        people=sum(not person.withdrawn for person in records.participants),
        withdrawn=len(records.withdrawals),
        excluded=len({(mark.scope, mark.participant_id, mark.session_id, mark.item_id) for mark in records.exclusions}),
        conditions=tuple(_condition(records, condition, of) for condition in conditions),
        items=tuple(
            ItemCoverage(item.id, {condition: cells[item.id, condition] for condition in conditions})
            for item in records.items
            if item.block == "main"
        ),
    )


def _condition(records: Records, condition: Condition, of: dict[str, Condition]) -> ConditionCoverage:
    sessions = [session for session in records.sessions if session.condition == condition]
    completed = sum(session.end_reason == "completed" for session in sessions)
    answers = sum(
        row.block == "main" and row.locked_at is not None and of[row.session_id] == condition
        for row in records.presentations
    )
    people = len({session.participant_id for session in sessions})
    return ConditionCoverage(condition, people, completed, len(sessions) - completed, answers)
