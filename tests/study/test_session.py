"""The engine that a window drives: stages, conditions, times, faults."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_studies import ANSWERS, Study, param, pass_by, until

from archstudio.edits.base import EditRefused
from archstudio.edits.history import History
from archstudio.edits.primitives import RemoveNode, SetMeta
from archstudio.files.unusable import UnusableFile
from archstudio.study.collect import withdraw
from archstudio.study.log import EventKind, LogFailed, SessionBusy, read_events, verify_chain
from archstudio.study.log import writer as log_writer
from archstudio.study.protocol.questionnaire import BadAnswer
from archstudio.study.replay import verify
from archstudio.study.session import GraphDesk, ManualClock, NotNow, QuestionDesk, Session, Start, fold, next_step
from archstudio.study.session.texts import LONGEST
from archstudio.study.session.timing import Timeline

Begin = Callable[..., Session]
Freeze = Callable[..., Study]


def graph_desk(session: Session, clock: ManualClock, name: str = "fix-broken-attention") -> GraphDesk:
    desk = until(session, clock, name)
    assert isinstance(desk, GraphDesk)
    return desk


# Stages -----------------------------------------------------------------------------------------------------------


def test_nothing_is_asked_or_shown_before_every_point_is_agreed_to(graphs: Freeze, tmp_path: Path) -> None:
    pack = graphs("single_shot").pack
    session = Session.start(pack, tmp_path, clock=ManualClock())
    for early in (session.begin_items, session.present, session.finish, lambda: session.answer_questionnaire(ANSWERS)):
        with pytest.raises(NotNow):
            early()
    with pytest.raises(NotNow, match="agreeing to every point"):
        session.agree(pack.consent_points[:-1])
    code = session.agree(pack.consent_points)
    assert len(code) == 23
    assert code.encode() not in session.path.read_bytes()
    session.close()


def test_a_questionnaire_refuses_what_does_not_fit(graphs: Freeze, tmp_path: Path) -> None:
    pack = graphs("single_shot").pack
    session = Session.start(pack, tmp_path, clock=ManualClock())
    session.agree(pack.consent_points)
    for name, wrong in (("relation", "friend"), ("years_ml", -1), ("self_rating", 2.5), ("years_ml", "many")):
        with pytest.raises(BadAnswer) as fault:
            session.answer_questionnaire({**ANSWERS, name: wrong})
        assert fault.value.field == name
    with pytest.raises(BadAnswer, match="relation: is not answered"):
        session.answer_questionnaire({})
    session.answer_questionnaire({**ANSWERS, "years_ml": "prefer not to say"})
    assert session.stage == "tutorial"
    session.close()


def test_a_further_code_withdraws_as_well_as_the_first(graphs: Freeze, begin: Begin) -> None:
    session = begin(graphs("single_shot").pack)
    code = session.another_code()
    assert session.stage == "items"
    session.quit()
    session.close()
    assert [done.path for done in withdraw(code, [session.path])] == [session.path]


def test_nothing_of_a_device_is_noted_before_consent(graphs: Freeze, tmp_path: Path) -> None:
    pack = graphs("single_shot").pack
    told = {"screen": "2560x1440", "hostname": "labyrinth"}
    session = Session.start(pack, tmp_path, clock=ManualClock(), device=told)
    assert [event.kind for event in read_events(session.path)] == [EventKind.STARTED]
    session.agree(pack.consent_points)
    (noted,) = [event.data for event in read_events(session.path) if event.kind is EventKind.PARTICIPANT]
    assert set(noted["device"]) == {"os", "python", "screen"}
    session.close()


def test_quitting_early_is_a_normal_end(graphs: Freeze, begin: Begin, clock: ManualClock) -> None:
    session = begin(graphs("single_shot").pack)
    session.present()
    session.painted()
    session.quit()
    assert session.stage == "ended"
    assert session.state.end_reason == "quit"
    with pytest.raises(NotNow):
        session.quit()
    session.close()


# Conditions -------------------------------------------------------------------------------------------------------


def test_a_single_shot_tells_nothing_and_takes_one_submission(graphs: Freeze, begin: Begin, clock: ManualClock) -> None:
    session = begin(graphs("single_shot").pack)
    desk = graph_desk(session, clock)
    with pytest.raises(NotNow, match="no audits"):
        desk.audit()
    told = desk.submit()
    assert (told.passed, told.failures, told.report, told.locked) == (None, (), None, True)
    with pytest.raises(NotNow, match="locked"):
        desk.submit()
    session.close()


def test_repair_rounds_tell_the_failures_and_go_on_from_the_submitted_graph(
    graphs: Freeze, begin: Begin, clock: ManualClock
) -> None:
    session = begin(graphs("verifier_turns_3").pack)
    desk = graph_desk(session, clock)
    first = desk.submit()
    assert first.passed is False
    assert any("not divisible" in failure for failure in first.failures)
    assert not first.locked
    desk.edited(param(desk, "attn", dropout=0.1))
    assert desk.submit().number == 2
    assert desk.preview().actions == []  # the next turn begins with the graph as submitted
    desk.edited(param(desk, "attn", numHeads=4))
    assert [action["type"] for action in desk.preview().actions] == ["update_params"]
    third = desk.submit()
    assert (third.passed, third.locked) == (True, True)
    assert session.state.shown["fix-broken-attention"].lock_reason == "passed"
    session.close()


def test_repair_rounds_end_after_three(graphs: Freeze, begin: Begin, clock: ManualClock) -> None:
    session = begin(graphs("verifier_turns_3").pack)
    desk = graph_desk(session, clock)
    assert [desk.submit().locked for _ in range(3)] == [False, False, True]
    session.close()


def test_audits_are_dry_runs_and_are_counted(graphs: Freeze, begin: Begin, clock: ManualClock) -> None:
    session = begin(graphs("verifier_tool").pack)
    desk = graph_desk(session, clock)
    told = desk.audit()
    assert told.passed is False
    assert told.report is not None
    assert told.report["failures"]
    desk.edited(param(desk, "attn", numHeads=4))
    assert desk.audit().passed is True
    assert (desk.shown.count("audit"), desk.shown.count("submit"), desk.shown.locked) == (2, 0, False)
    final = desk.submit()
    assert (final.passed, final.failures, final.locked) == (None, (), True)
    session.close()


def test_types_of_actions_add_up_over_turns_but_their_count_does_not(
    graphs: Freeze, begin: Begin, clock: ManualClock
) -> None:
    session = begin(graphs("verifier_turns_3", limits={"actions": 1}).pack)
    desk = graph_desk(session, clock)
    desk.edited(param(desk, "attn", dropout=0.1))
    desk.submit()
    desk.edited(param(desk, "attn", numHeads=4))
    assert desk.submit().passed
    session.close()


def test_a_limit_on_actions_binds_the_plan(graphs: Freeze, begin: Begin, clock: ManualClock) -> None:
    session = begin(graphs("verifier_turns_3", limits={"actions": 1}).pack)
    desk = graph_desk(session, clock, "add-normalization")
    desk.edited(param(desk, "fc1", outFeatures=32))
    desk.edited(param(desk, "fc2", inFeatures=32))
    assert any("actions > max 1" in failure for failure in desk.submit().failures)
    session.close()


@pytest.mark.parametrize(
    ("choice", "probabilities"),
    [(0, [0.5, 0.2, 0.2]), (0, [1.5, -0.5, 0.0]), (0, [float("nan")] * 3), (None, [1.0, 0.0, 0.0])],
)
def test_probabilities_that_are_none_are_refused(
    questions: Freeze, begin: Begin, clock: ManualClock, choice: int | None, probabilities: list[float]
) -> None:
    session = begin(questions("blind").pack)
    desk = session.present()
    session.painted()
    assert isinstance(desk, QuestionDesk)
    named = "nobody" if choice is None else desk.order[choice]
    with pytest.raises(NotNow):
        desk.answer(named, dict(zip(desk.order, probabilities, strict=True)))
    assert desk.shown.answered is None
    session.close()


# Edits ------------------------------------------------------------------------------------------------------------


def test_a_window_reports_what_its_history_applies(graphs: Freeze, begin: Begin, clock: ManualClock) -> None:
    session = begin(graphs("single_shot").pack)
    desk = graph_desk(session, clock)
    graph = desk.graph
    history = History(graph)
    how = ["do"]
    history.watch(lambda edit: desk.edited(edit, how[0]))  # type: ignore[arg-type]
    for value in (1, 2, 3):
        history.push(SetMeta("note", value), "note", merge_key="note")
    history.push(param(desk, "attn", numHeads=4), "heads")
    for how[0], step in (("undo", history.undo), ("undo", history.undo), ("redo", history.redo)):
        step()
    assert desk.matches(graph)
    kinds = [event for event in read_events_of(session) if event[0] in ("UNDO", "REDO")]
    assert kinds == [("UNDO", {"n": 1}), ("UNDO", {"n": 3}), ("REDO", {"n": 3})]
    assert (session.state.shown[desk.item.id].work.gestures, session.state.shown[desk.item.id].work.undos) == (4, 2)
    session.close()


def read_events_of(session: Session) -> list[tuple[str, object]]:
    session._recorder.writer.flush()
    return [(event.kind.name, dict(event.data)) for event in read_events(session.path)]


def test_an_undo_that_is_none_of_the_known_edits_is_recorded_whole(
    graphs: Freeze, begin: Begin, clock: ManualClock
) -> None:
    session = begin(graphs("single_shot").pack)
    desk = graph_desk(session, clock)
    desk.edited(SetMeta("note", 1))
    desk.edited(SetMeta("note", 7), "undo")
    assert desk.graph.meta["note"] == 7
    session.close()
    assert verify(session.path, session.pack).holds


def test_an_edit_that_does_not_fit_is_refused_and_not_recorded(
    graphs: Freeze, begin: Begin, clock: ManualClock
) -> None:
    session = begin(graphs("single_shot").pack)
    desk = graph_desk(session, clock)
    before = session.state.events
    with pytest.raises(EditRefused):
        desk.edited(RemoveNode("no such layer"))
    assert [name for name, _ in read_events_of(session)[before:]] == ["FIRST_ACTION"]
    session.pause("break")
    with pytest.raises(NotNow, match="hidden"):
        desk.edited(SetMeta("note", 1))
    session.close()


# Times ------------------------------------------------------------------------------------------------------------


def test_the_clock_stands_until_the_item_is_painted_and_while_it_is_hidden(
    graphs: Freeze, begin: Begin, clock: ManualClock
) -> None:
    session = begin(graphs("single_shot").pack)
    desk = session.present()
    assert desk is not None
    clock.advance(3)
    session.painted()
    clock.advance(10)
    session.pause("break")
    clock.advance(60)
    session.resume_clock()
    clock.advance(5)
    session.touched()
    pass_by(desk)
    time = desk.shown.time
    assert (time.active_ms, time.paused_ms, time.gap_ms, time.wall_ms) == (15_000, 63_000, 0, 78_000)
    assert [(span.reason, span.duration_ns // 10**6) for span in time.pauses] == [("break", 60_000)]
    assert desk.shown.first_action_ms == 15_000
    session.close()


def test_idle_time_is_back_dated_to_the_last_input_and_never_taken_off(
    graphs: Freeze, begin: Begin, clock: ManualClock
) -> None:
    session = begin(graphs("single_shot").pack)
    desk = session.present()
    session.painted()
    clock.advance(10)
    session.touched()
    for _ in range(130):
        clock.advance(1)
        session.tick()
    clock.advance(20)
    session.touched()
    clock.advance(5)
    pass_by(desk)
    time = desk.shown.time
    assert time.idle_ms == 150_000
    assert time.active_ms == 165_000
    session.close()


def test_time_in_another_window_lies_within_active_time(graphs: Freeze, begin: Begin, clock: ManualClock) -> None:
    session = begin(graphs("single_shot").pack)
    desk = session.present()
    session.painted()
    clock.advance(4)
    for _ in range(2):
        session.focus(False)
        clock.advance(3)
        session.focus(True)
        clock.advance(1)
    pass_by(desk)
    time = desk.shown.time
    assert (time.active_ms, time.unfocused_ms, time.focus_losses) == (12_000, 6_000, 2)
    session.close()


def test_an_item_out_of_active_time_is_locked(graphs: Freeze, begin: Begin, clock: ManualClock) -> None:
    session = begin(graphs("single_shot", limits={"active_minutes": 1}).pack)
    desk = session.present()
    session.painted()
    clock.advance(59)
    assert session.tick().left_ms == 1_000
    session.pause("break")
    clock.advance(600)
    assert not session.tick().timed_out
    session.resume_clock()
    clock.advance(2)
    assert session.tick().timed_out
    assert desk.shown.lock_reason == "time"
    following = session.present()
    assert following is not desk
    session.close()


@pytest.mark.parametrize("seconds", [3600.0, -3600.0, 3.0])
def test_a_clock_that_jumps_is_recorded_and_changes_no_duration(
    graphs: Freeze, begin: Begin, clock: ManualClock, seconds: float
) -> None:
    session = begin(graphs("single_shot").pack)
    desk = session.present()
    session.painted()
    clock.advance(5)
    clock.jump(seconds)
    clock.advance(5)
    session.tick()
    pass_by(desk)
    assert desk.shown.time.active_ms == 10_000
    assert session.state.clock_jumps == 1
    (jump,) = [data for name, data in read_events_of(session) if name == "CLOCK_JUMP"]
    assert jump == {"drift_ms": round(seconds * 1000)}
    session.close()


def test_a_drift_within_two_seconds_is_no_jump(graphs: Freeze, begin: Begin, clock: ManualClock) -> None:
    session = begin(graphs("single_shot").pack)
    for _ in range(3):
        clock.jump(0.6)
        session.tick()
    assert session.state.clock_jumps == 0
    session.close()


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["run", "pause", "idle", "busy", "lose", "gain", "crash", "suspend", "wait"]),
        st.integers(0, 400_000_000_000),
    ),
    max_size=40,
)


@given(STEPS)
def test_whatever_happens_the_parts_make_the_whole(steps: list[tuple[str, int]]) -> None:
    time, now = Timeline(0), 0
    whole = 0
    for name, passed in steps:
        if name in ("crash", "suspend"):
            time.reopen(passed // 10**6, passed, crashed=name == "crash")
            whole += passed // 10**6 * 10**6
            now = 0
            continue
        now += passed
        whole += passed
        time.advance(now)
        match name:
            case "run":
                time.run()
            case "pause":
                time.pause("break", now)
            case "idle":
                time.idle(now - passed)
            case "busy":
                time.busy()
            case "lose":
                time.lose_focus()
            case "gain":
                time.gain_focus()
        assert time.active_ns + time.paused_ns + time.gap_ns == whole
        assert time.idle_ns <= time.active_ns
        assert time.unfocused_ns <= time.active_ns


# Going on ---------------------------------------------------------------------------------------------------------


def test_a_closed_session_goes_on_at_the_same_item_in_the_same_order(
    graphs: Freeze, begin: Begin, clock: ManualClock
) -> None:
    pack = graphs("single_shot").pack
    session = begin(pack)
    desk = graph_desk(session, clock)
    desk.edited(param(desk, "attn", numHeads=4))
    clock.advance(7)
    session.close()
    clock.advance(3600)
    again = Session.resume(pack, session.path, clock=clock)
    assert again.state.order == session.state.order
    same = again.present()
    assert isinstance(same, GraphDesk)
    assert same.item.id == "fix-broken-attention"
    assert [action["type"] for action in same.preview().actions] == ["update_params"]
    again.painted()
    clock.advance(2)
    same.submit()
    time = same.shown.time
    assert (time.gap_ms, time.active_ms) == (0, 9_000)
    assert time.paused_ms >= 3_600_000
    assert again.state.resumes == 1
    again.close()
    assert verify(again.path, pack).holds


def test_after_a_crash_the_gap_is_told_apart_from_pauses(graphs: Freeze, begin: Begin, clock: ManualClock) -> None:
    pack = graphs("single_shot").pack
    session = begin(pack)
    graph_desk(session, clock)
    clock.advance(7)
    session.flag("unclear")
    session._recorder.writer.close()  # the process ends without a word
    clock.advance(1800)
    again = Session.resume(pack, session.path, clock=clock)
    shown = again.state.current
    assert shown is not None
    assert (shown.time.gap_ms, shown.time.active_ms) == (1_800_000, 7_000)
    assert shown.time.wall_ms == shown.time.active_ms + shown.time.paused_ms + shown.time.gap_ms
    again.close()


def test_a_submission_whose_lock_was_lost_is_locked_on_return(graphs: Freeze, begin: Begin, clock: ManualClock) -> None:
    pack = graphs("single_shot").pack
    session = begin(pack)
    desk = graph_desk(session, clock)
    record = session._recorder.record

    def dies(kind: EventKind, data: object = None) -> None:
        if kind is EventKind.LOCKED:
            raise KeyboardInterrupt
        record(kind, data)  # type: ignore[arg-type]

    session._recorder.record = dies  # type: ignore[method-assign, assignment]
    with pytest.raises(KeyboardInterrupt):
        desk.submit()
    session._recorder.writer.close()
    again = Session.resume(pack, session.path, clock=clock)
    assert again.state.shown["fix-broken-attention"].lock_reason == "submitted"
    assert again.state.shown["fix-broken-attention"].count("submit") == 1
    following = again.present()
    assert following is None or following.item.id != "fix-broken-attention"
    again.close()


def test_two_windows_cannot_have_one_session(graphs: Freeze, begin: Begin) -> None:
    pack = graphs("single_shot").pack
    session = begin(pack)
    with pytest.raises(SessionBusy, match="open in another window"):
        Session.resume(pack, session.path)
    session.present()
    session.close()
    Session.resume(pack, session.path).close()


def test_a_session_is_not_resumed_with_another_study_nor_after_its_end(
    graphs: Freeze, begin: Begin, clock: ManualClock
) -> None:
    pack, other = graphs("single_shot").pack, graphs("verifier_tool").pack
    session = begin(pack)
    session.close()
    with pytest.raises(UnusableFile, match="no session of"):
        Session.resume(other, session.path)
    again = Session.resume(pack, session.path, clock=clock)
    again.quit()
    again.close()
    with pytest.raises(UnusableFile, match="has ended"):
        Session.resume(pack, session.path)


@pytest.mark.parametrize(
    ("policy", "ended", "hours", "expected"),
    [
        ({}, False, 0, "resume"),
        ({}, True, 0, "block"),
        ({"incomplete": "restart"}, False, 0, "restart"),
        ({"incomplete": "block"}, False, 0, "block"),
        ({"completed": "restart"}, True, 0, "restart"),
        ({"max_age_hours": 2.0}, False, 1, "resume"),
        ({"max_age_hours": 2.0}, False, 3, "block"),
    ],
)
def test_the_studys_policy_says_what_opening_it_again_does(
    graphs: Freeze, begin: Begin, clock: ManualClock, policy: dict[str, object], ended: bool, hours: int, expected: str
) -> None:
    pack = graphs("single_shot", resume=policy).pack
    session = begin(pack)
    folder = session.path.parent
    if ended:
        session.quit()
    session.close()
    clock.advance(3600 * hours)
    assert next_step(pack, folder, clock.wall_ms()).action == expected
    assert next_step(graphs("assisted").pack, folder, clock.wall_ms()).action == "start"


def test_beginning_anew_ends_the_earlier_session_and_keeps_person_condition_and_order(
    graphs: Freeze, begin: Begin, clock: ManualClock
) -> None:
    pack = graphs("single_shot", "verifier_tool", resume={"incomplete": "restart"}).pack
    session = begin(pack, number=3)
    session.present()
    session.close()
    step = next_step(pack, session.path.parent, clock.wall_ms())
    assert step.action == "restart"
    assert step.earlier is not None
    again = Session.restart(pack, step.earlier, clock=clock)
    for name in ("participant", "condition", "order", "options", "number"):
        assert again.state.head[name] == session.state.head[name]
    assert again.stage == "consent"
    again.close()
    ended = fold(pack.items, read_events(session.path))
    assert ended.end_reason == "quit"
    assert verify_chain(session.path).holds


# Faults -----------------------------------------------------------------------------------------------------------


def test_ten_megabytes_pasted_into_a_comment_are_cut_and_said(graphs: Freeze, begin: Begin, clock: ManualClock) -> None:
    session = begin(graphs("single_shot").pack)
    graph_desk(session, clock)
    size = session.path.stat().st_size
    session.flag("unclear", "word " * 2_000_000)
    (flag,) = [data for name, data in read_events_of(session) if name == "FLAGGED"]
    assert isinstance(flag, dict)
    assert len(flag["text"]) == LONGEST
    assert flag["length"] == 10_000_000
    assert session.path.stat().st_size - size < 64 * 1024
    session.close()


def test_on_a_full_disk_nothing_is_acknowledged_and_nothing_recorded_is_lost(
    graphs: Freeze, begin: Begin, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_writer, "RETRY_S", 0.01)
    pack = graphs("single_shot").pack
    session = begin(pack)
    desk = graph_desk(session, clock)
    connection: sqlite3.Connection = session._recorder.writer._connection
    session._recorder.writer.flush()
    before = session.state.events
    connection.execute("PRAGMA max_page_count = 1")  # SQLite then says that the disk is full
    for step in range(300):  # more than the last page still takes
        desk.edited(SetMeta("note", f"{step} " * 40))
    with pytest.raises(LogFailed, match=r"full.*Nothing that was recorded before is lost"):
        desk.submit()
    assert not desk.shown.locked
    assert session.fault is not None
    connection.execute("PRAGMA max_page_count = 1000000")
    assert desk.submit().locked
    assert session.fault is None
    session.close()
    assert verify(session.path, pack).holds
    kinds = [event.kind for event in read_events(session.path)][before:]
    assert kinds.count(EventKind.EDIT) == 300
    assert kinds.count(EventKind.SUBMIT) == 1


def test_closing_on_a_full_disk_says_what_was_lost_and_lets_go_of_the_session(
    graphs: Freeze, begin: Begin, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_writer, "RETRY_S", 0.01)
    pack = graphs("single_shot").pack
    session = begin(pack)
    desk = graph_desk(session, clock)
    session._recorder.writer.flush()
    session._recorder.writer._connection.execute("PRAGMA max_page_count = 1")
    for step in range(300):
        desk.edited(SetMeta("note", f"{step} " * 40))
    with pytest.raises(LogFailed, match="editing steps were not written"):
        session.close()
    again = Session.resume(pack, session.path, clock=clock)
    assert again.state.current is not None
    again.close()


@pytest.mark.parametrize("folder", ["a file", "/proc"])
def test_a_folder_that_cannot_be_written_is_named(graphs: Freeze, tmp_path: Path, folder: str) -> None:
    pack = graphs("single_shot").pack
    blocked = tmp_path / folder
    if blocked.is_relative_to(tmp_path):
        blocked.write_text("no folder")
    elif not blocked.is_dir():
        pytest.skip("this system has no /proc")
    with pytest.raises(LogFailed) as fault:
        Session.start(pack, blocked)
    assert str(blocked) in str(fault.value)


def test_a_withdrawal_in_the_window_leaves_a_tombstone(graphs: Freeze, begin: Begin, clock: ManualClock) -> None:
    pack = graphs("single_shot").pack
    session = begin(pack)
    desk = graph_desk(session, clock)
    desk.edited(SetMeta("note", "Ariadne was here"))
    session.flag("unclear", "Ariadne was here")
    session.withdraw()
    report = verify_chain(session.path)
    assert report.holds
    assert report.erased > 0
    assert b"Ariadne" not in session.path.read_bytes()
    state = fold(pack.items, read_events(session.path))
    assert state.withdrawn_ms is not None
    assert state.consent is None
    assert state.answers is None
    with pytest.raises(UnusableFile, match="has ended"):
        Session.resume(pack, session.path)


def test_the_number_of_a_person_decides_condition_and_order(graphs: Freeze, tmp_path: Path) -> None:
    pack = graphs("single_shot", "verifier_turns_3", "verifier_tool").pack
    seen = []
    for number in range(9):
        session = Session.start(pack, tmp_path, Start(f"{number:032x}", number), clock=ManualClock())
        head = session.state.head
        seen.append(head["condition"])
        assert head["assignment"] == "balanced_blocks"
        assert head["order"][0] == "practice-gen-mlp-0"
        session.close()
    for block in range(3):
        assert len(set(seen[3 * block : 3 * block + 3])) == 3
    drawn = Session.start(pack, tmp_path, Start("f" * 32), clock=ManualClock())
    assert drawn.state.head["assignment"] == "random"
    drawn.close()
