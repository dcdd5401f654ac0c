"""Makes the rows of the tables from a study and the states of its sessions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, cast

from archstudio.stats.forecasts import brier, log_score
from archstudio.study.conditions import CONDUCTS
from archstudio.study.items import Item, QuestionItem, chance
from archstudio.study.pack.read import StudyPack
from archstudio.study.protocol.questionnaire import PREFER_NOT
from archstudio.study.records import (
    Attempt,
    Compensation,
    Consent,
    Device,
    Document,
    EndReason,
    Ethics,
    ExclusionRule,
    Expertise,
    Flag,
    Grade,
    Limits,
    Participant,
    Pause,
    PauseReason,
    PlanChange,
    Preregistration,
    Presentation,
    Relation,
    Response,
    Session,
    Study,
)
from archstudio.study.records import Item as ItemRow
from archstudio.study.session.progress import Shown, Tried
from archstudio.study.session.state import State
from archstudio.study.session.texts import without_names


def iso(at_ms: int) -> str:
    """A Unix time in milliseconds as ISO 8601 in UTC."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def study_row(pack: StudyPack, *, simulated: bool) -> Study:
    """The frozen plan."""
    protocol, manifest = pack.protocol, pack.manifest
    minutes, attempts = protocol.limits.active_minutes, protocol.limits.attempts
    most = [CONDUCTS[condition].submissions for condition in protocol.conditions]
    bound = attempts if attempts is not None else most[0] if len(most) == 1 else None
    sampling = protocol.sampling
    counted = "" if sampling.count is None else f" {sampling.count}"
    each = "" if sampling.per_person is None else f", {sampling.per_person} a person"
    registered = protocol.preregistration
    return Study(
        id=protocol.id,
        title=protocol.title,
        benchmark=protocol.benchmark,
        split=protocol.split,
        item_ids=tuple(entry.id for entry in manifest.items if entry.block == "main"),
        conditions=tuple(protocol.conditions),
        phase=protocol.phase,
        app_version=manifest.app_version,
        grader_version=manifest.grader_version,
        commit=manifest.commit,
        item_pack_sha256=manifest.item_pack_sha256,
        key_pack_sha256=manifest.key_sha256,
        plan_version=protocol.plan_version,
        plan_sha256=manifest.protocol_sha256,
        plan_changes=tuple(PlanChange(each.version, each.sha256, each.at, each.reason) for each in protocol.changes),
        planned_participants=protocol.planned_participants,
        sampling_rule=f"{sampling.rule}{counted}{each}",
        sampling_seed=sampling.seed,
        order_rule=f"{protocol.order.rule}, seed {protocol.order.seed}, mulberry32 rules {manifest.orders}",
        limits=Limits(None if minutes is None else round(minutes * 60_000), bound, protocol.limits.actions),
        documents={name: Document(text.version, text.sha256) for name, text in manifest.texts.items()},
        preregistration=None
        if registered is None
        else Preregistration(registered.url, registered.sha256, registered.at),
        ethics=Ethics(protocol.ethics.status, protocol.ethics.ref),
        compensation=Compensation(**protocol.compensation.model_dump()),
        exclusion_rules=tuple(ExclusionRule(rule.id, rule.text, rule.registered_at) for rule in protocol.exclusions),
        stopping_rule=protocol.stopping_rule,
        resume_policy=f"incomplete: {protocol.resume.incomplete}, completed: {protocol.resume.completed}",
        simulated=simulated,
    )


def item_rows(pack: StudyPack) -> tuple[ItemRow, ...]:
    """All items, in the order of the file."""
    return tuple(_item_row(item, pack) for item in pack.items.values())


def _item_row(item: Item, pack: StudyPack) -> ItemRow:
    key = pack.question_key(item) if isinstance(item, QuestionItem) else None
    right = key.correct if key is not None else item.instructed if isinstance(item, QuestionItem) else None
    return ItemRow(
        id=item.id,
        study_id=pack.id,
        kind=item.kind,
        block=item.block,
        split=pack.protocol.split,
        family=item.family,
        instance=item.instance,
        sha256=item.sha256,
        prompt_sha256=item.text_sha256,
        wording=item.wording,
        chance=chance(item),
        n_choices=len(item.options) if isinstance(item, QuestionItem) else None,
        key=right,
        title=item.title,
    )


# People -----------------------------------------------------------------------------------------------------------


def participant_row(pack: StudyPack, state: State) -> Participant:
    """A person, by what they said about themselves; after a withdrawal only the id is left."""
    head = state.head
    bare = Participant(head["participant"], pack.id, bool(head["simulated"]))
    if state.withdrawn_ms is not None:
        return Participant(bare.id, bare.study_id, bare.simulated, withdrawn=True)
    said: Mapping[str, Any] = (state.answers or {}).get("answers", {})
    consent = state.consent
    return Participant(
        id=bare.id,
        study_id=bare.study_id,
        simulated=bare.simulated,
        relation=cast("Relation | None", _known(said, "relation")),
        recruitment=_text(said, "recruitment"),
        expertise=_expertise(said),
        screening=_text(said, "screening"),
        education=_text(said, "education"),
        languages=_parts(said, "languages"),
        ai_literacy=_known(said, "ai_literacy"),
        prior_exposure=_under(said, "prior_exposure."),
        demographics=_under(said, "demographics."),
        consent=None
        if consent is None
        else Consent(
            consent["version"],
            consent["sha256"],
            iso(state.consented_ms),
            tuple(consent["points"]),
            consent["withdrawal"],
        ),
        device=Device(**{name: _plain(value) for name, value in state.participant.get("device", {}).items()}),
    )


def _expertise(said: Mapping[str, Any]) -> Expertise:
    return Expertise(
        years_ml=_known(said, "years_ml"),
        years_pytorch=_known(said, "years_pytorch"),
        models_trained=_text(said, "models_trained"),
        self_rating=_known(said, "self_rating"),
        role=_text(said, "role"),
        domains=_parts(said, "domains"),
    )


def _known(said: Mapping[str, Any], name: str) -> Any:
    """An answer; None where it was not given or not told."""
    value = said.get(name)
    return None if value == PREFER_NOT else value


def _text(said: Mapping[str, Any], name: str) -> str | None:
    value = said.get(name)
    return None if value is None else without_names(str(value))


def _parts(said: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = said.get(name)
    listed = value if isinstance(value, list) else [] if value is None else str(value).split(",")
    return tuple(without_names(part.strip()) for part in listed if part.strip())


def _under(said: Mapping[str, Any], prefix: str) -> dict[str, str]:
    return {name.removeprefix(prefix): without_names(str(v)) for name, v in said.items() if name.startswith(prefix)}


def _plain(value: Any) -> Any:
    return without_names(value) if isinstance(value, str) else value


# Sessions ---------------------------------------------------------------------------------------------------------


def session_row(pack: StudyPack, session_id: str, state: State, last_hash: str) -> Session:
    """One sitting."""
    head = state.head
    return Session(
        id=session_id,
        study_id=pack.id,
        participant_id=head["participant"],
        simulated=bool(head["simulated"]),
        condition=head["condition"],
        assignment_method=head["assignment"],
        order_seed=head["order_seed"],
        order=tuple(head["order"]),
        started_at=iso(state.started_ms),
        ended_at=None if state.ended_ms is None else iso(state.ended_ms),
        end_reason=_end_reason(pack, state),
        assignment_block=head["block"],
        option_orders={name: tuple(order) for name, order in head["options"].items()},
        resumes=state.resumes,
        breaks=state.breaks,
        clock_jumps=state.clock_jumps,
        n_events=state.events,
        log_sha256=last_hash,
        app_version=head["app"],
        plan_version=head["plan"],
    )


def _end_reason(pack: StudyPack, state: State) -> EndReason | None:
    """How it ended; None while the study's policy lets it go on."""
    if state.ended_ms is not None:
        return cast(EndReason, state.end_reason)
    if pack.protocol.resume.incomplete == "resume":
        return None
    return "quit" if state.closed else "crash"


def presentation_row(session_id: str, state: State, shown: Shown) -> Presentation:
    """One item shown."""
    time, flag = shown.time, shown.flag
    return Presentation(
        session_id=session_id,
        participant_id=state.head["participant"],
        item_id=shown.item.id,
        simulated=bool(state.head["simulated"]),
        position=shown.position,
        block=shown.item.block,
        item_sha256=shown.item.sha256,
        prompt_sha256=shown.item.text_sha256,
        shown_at=iso(shown.at_ms),
        wall_ms=time.wall_ms,
        active_ms=time.active_ms,
        paused_ms=time.paused_ms,
        crash_gap_ms=time.gap_ms,
        idle_ms=time.idle_ms,
        unfocused_ms=time.unfocused_ms,
        first_action_ms=shown.first_action_ms,
        locked_at=None if shown.locked_at_ms is None else iso(shown.locked_at_ms),
        timed_out=shown.lock_reason == "time",
        focus_losses=time.focus_losses,
        revisits=shown.shows - 1,
        seen_before=shown.seen_before,
        flag=None if flag is None else Flag(flag["reason"], without_names(flag.get("text", ""))),
    )


def attempt_rows(session_id: str, state: State, shown: Shown) -> Iterator[Attempt]:
    """All audits and submissions of a graph."""
    for tried in shown.tried:
        yield _attempt(session_id, state, shown, tried)


def _attempt(session_id: str, state: State, shown: Shown, tried: Tried) -> Attempt:
    data, grade = tried.data, tried.data["g"]
    return Attempt(
        session_id=session_id,
        participant_id=state.head["participant"],
        item_id=shown.item.id,
        simulated=bool(state.head["simulated"]),
        block=shown.item.block,
        number=tried.number,
        kind="audit" if tried.kind == "audit" else "submit",
        at=iso(tried.at_ms),
        active_ms=tried.active_ms,
        graph_digest=data["a"],
        plan=tuple(data["plan"]),
        n_gestures=tried.gestures,
        n_undo=tried.undos,
        n_actions_net=len(data["plan"]),
        grade=Grade(
            passed=grade["passed"],
            score=grade["score"],
            params=grade["params"],
            kv_bytes_per_token=grade["kv"],
            failures=tuple(grade["failures"]),
            failure_categories=tuple(grade["categories"]),
        ),
        runs=data["runs"],
        exact_problems=tuple(data["problems"]),
        does_the_brief=data["brief"],
        feedback_shown=tuple(data["told"]),
    )


def response_rows(pack: StudyPack, session_id: str, state: State, shown: Shown) -> Iterator[Response]:
    """The answer to a question, scored where the key is open."""
    item, answered = shown.item, shown.answered
    if answered is None or not isinstance(item, QuestionItem):
        return
    order = state.head["options"][item.id]
    chances = dict(zip(order, answered.data["p"], strict=True))
    key = pack.question_key(item)
    right = key.correct if key is not None else item.instructed
    yield Response(
        session_id=session_id,
        participant_id=state.head["participant"],
        item_id=item.id,
        simulated=bool(state.head["simulated"]),
        block=item.block,
        at=iso(answered.at_ms),
        active_ms=answered.active_ms,
        choice=answered.data["choice"],
        candidate_id=answered.data["candidate"],
        probabilities=chances,
        correct=None if right is None else answered.data["candidate"] == right,
        brier=None if right is None else brier(chances, right),
        log_score=None if right is None else log_score(chances, right),
        explanation=without_names(answered.data.get("why", {}).get("text", "")),
        lesson=without_names(answered.lesson),
    )


def pause_rows(session_id: str, state: State, shown: Shown) -> Iterator[Pause]:
    """Intervals in which the item was hidden; the moment before it is first painted is none."""
    for span in shown.time.pauses:
        if span.duration_ns:
            yield Pause(
                session_id=session_id,
                participant_id=state.head["participant"],
                item_id=shown.item.id,
                simulated=bool(state.head["simulated"]),
                started_at=iso(span.at_ms),
                duration_ms=span.duration_ns // 1_000_000,
                reason=cast(PauseReason, span.reason),
            )


def shown_items(state: State) -> Iterable[Shown]:
    """Items in the order in which they were first shown."""
    return sorted(state.shown.values(), key=lambda shown: shown.position)
