"""The join table: one row a respondent and item, people and models under the same keys; all figures rest on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from archstudio.study.records import Attempt, Block, Condition, Item, Presentation, Records, Response

State: TypeAlias = Literal["answered", "timeout", "unanswered", "unscored", "error"]
"""answered: it counts as right or wrong · timeout: the limit was reached without an answer, which counts as wrong ·
unanswered: left by quitting or a crash, which counts for nothing · unscored: the key is not opened · error: a model
gave no reply, which counts for nothing."""


@dataclass(frozen=True, slots=True)
class Row:
    """What one respondent made of one item. Times are active milliseconds; None where a thing was not recorded."""

    respondent_type: Literal["human", "model"]
    respondent_id: str
    """A participant's id, or a model's name, way and file."""
    simulated: bool
    condition: Condition
    item_id: str
    kind: str
    family: str
    instance: str
    block: Block
    wording: str
    chance: float
    state: State
    passed: bool | None
    grader: str = ""
    """Version of the grader; empty where a model's file does not say."""
    source: str = ""
    """The file a model row is from."""
    way: str = ""
    """How a model was run."""
    relation: str = ""
    session_id: str = ""
    position: int | None = None
    repeat: bool = False
    """The same person had the item in this condition before; never counted."""
    excluded_by: str = ""
    """The rule that leaves the row out of the default figures."""
    first_passed: bool | None = None
    """The first submission's result; equal to `passed` where there is one only."""
    score: float | None = None
    runs: bool | None = None
    does_the_brief: bool | None = None
    choice: str = ""
    confidence: float | None = None
    brier: float | None = None
    log_score: float | None = None
    active_ms: int | None = None
    success_ms: int | None = None
    n_submits: int | None = None
    n_audits: int | None = None
    n_gestures: int | None = None
    n_undo: int | None = None
    n_actions: int | None = None
    tokens: float | None = None
    failure_categories: tuple[str, ...] = ()
    seen_before: bool | None = None
    flagged: bool = False

    @property
    def scored(self) -> bool:
        """Whether it counts as right or wrong."""
        return self.passed is not None


REPEAT: Final = "repeat"


def human_rows(records: Records) -> list[Row]:
    """One row a presentation, in the order of the records; practice and attention items keep their block."""
    items = {item.id: item for item in records.items}
    attempts = _grouped(records.attempts)
    responses = _grouped(records.responses)
    conditions = {session.id: session.condition for session in records.sessions}
    relations = {person.id: person.relation or "" for person in records.participants}
    excluded = ExclusionMarks(records)
    seen: set[tuple[str, Condition, str]] = set()
    rows = []
    for shown in sorted(records.presentations, key=lambda each: (each.shown_at, each.session_id, each.position)):
        condition = conditions[shown.session_id]
        place = (shown.session_id, shown.item_id)
        key = (shown.participant_id, condition, shown.item_id)
        common: dict[str, Any] = {
            **_identity(shown, items[shown.item_id]),
            "grader": records.study.grader_version,
            "condition": condition,
            "relation": relations.get(shown.participant_id, ""),
            "repeat": key in seen,
            "excluded_by": excluded.rule(shown),
        }
        seen.add(key)
        if items[shown.item_id].kind == "graph":
            rows.append(_graph_row(common, shown, attempts.get(place, [])))
        else:
            rows.append(_question_row(common, shown, responses.get(place, [])))
    return rows


def _grouped(rows: Iterable[Any]) -> dict[tuple[str, str], list[Any]]:
    grouped: dict[tuple[str, str], list[Any]] = {}
    for row in rows:
        grouped.setdefault((row.session_id, row.item_id), []).append(row)
    return grouped


class ExclusionMarks:
    """Which rule, if any, leaves a presentation out; the widest scope is told first."""

    def __init__(self, records: Records) -> None:
        self._people = {e.participant_id: e.rule for e in records.exclusions if e.scope == "participant"}
        self._sessions = {e.session_id: e.rule for e in records.exclusions if e.scope == "session"}
        marks = (e for e in records.exclusions if e.scope == "presentation")
        self._shown = {(e.session_id, e.item_id): e.rule for e in marks}

    def rule(self, shown: Presentation) -> str:
        """The id of the rule, or an empty text."""
        by_scope = (
            self._people.get(shown.participant_id),
            self._sessions.get(shown.session_id),
            self._shown.get((shown.session_id, shown.item_id)),
        )
        return next((rule for rule in by_scope if rule is not None), "")


def _identity(shown: Presentation, item: Item) -> dict[str, Any]:
    return {
        "respondent_type": "human",
        "respondent_id": shown.participant_id,
        "simulated": shown.simulated,
        "item_id": item.id,
        "kind": item.kind,
        "family": item.family,
        "instance": item.instance,
        "block": shown.block,
        "wording": item.wording,
        "chance": item.chance,
        "session_id": shown.session_id,
        "position": shown.position,
        "active_ms": shown.active_ms,
        "seen_before": shown.seen_before,
        "flagged": shown.flag is not None,
    }


def _graph_row(common: Mapping[str, Any], shown: Presentation, attempts: list[Attempt]) -> Row:
    submits = sorted((each for each in attempts if each.kind == "submit"), key=lambda each: each.number)
    audits = sum(each.kind == "audit" for each in attempts)
    if not submits:
        state: State = "timeout" if shown.timed_out else "unanswered"
        passed = False if shown.timed_out else None
        return Row(**common, state=state, passed=passed, first_passed=passed, n_submits=0, n_audits=audits)
    last = submits[-1]
    return Row(
        **common,
        state="answered",
        passed=last.grade.passed,
        first_passed=submits[0].grade.passed,
        score=last.grade.score,
        runs=last.runs,
        does_the_brief=last.does_the_brief,
        success_ms=last.active_ms if last.grade.passed else None,
        n_submits=len(submits),
        n_audits=audits,
        n_gestures=sum(each.n_gestures for each in attempts),
        n_undo=sum(each.n_undo for each in attempts),
        n_actions=sum(each.n_actions_net for each in submits),
        failure_categories=tuple(dict.fromkeys(last.grade.failure_categories)),
    )


def _question_row(common: Mapping[str, Any], shown: Presentation, responses: list[Response]) -> Row:
    if not responses:
        passed = False if shown.timed_out else None
        return Row(**common, state="timeout" if shown.timed_out else "unanswered", passed=passed)
    answer = responses[-1]
    return Row(
        **common,
        state="unscored" if answer.correct is None else "answered",
        passed=answer.correct,
        choice=answer.candidate_id,
        confidence=answer.probabilities.get(answer.candidate_id),
        brier=answer.brier,
        log_score=answer.log_score,
        success_ms=answer.active_ms if answer.correct else None,
        n_submits=1,
    )


def counted(rows: Iterable[Row], *, with_excluded: bool) -> Iterator[Row]:
    """The rows that figures are made from: main items, each once a person; excluded ones only where asked for."""
    for row in rows:
        if row.block == "main" and not row.repeat and (with_excluded or not row.excluded_by):
            yield row
