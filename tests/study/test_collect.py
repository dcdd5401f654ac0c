"""Session files of many machines put together: doubles, contradictions, wrong versions, withdrawals."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from made_studies import ANSWERS, Study, pass_by

from archstudio.files.unusable import UnusableFile
from archstudio.stats.forecasts import brier, log_score
from archstudio.study.collect import collect, coverage, withdraw
from archstudio.study.collect.exclusions import read_exclusions
from archstudio.study.log import verify_chain
from archstudio.study.log.transfer import export_session
from archstudio.study.pack import StudyPack, open_key
from archstudio.study.session import ManualClock, QuestionDesk, Session, Start, next_step
from archstudio.study.simulated import simulate

Begin = Callable[..., Session]
Freeze = Callable[..., Study]
NOW_MS = 1_780_100_000_000


def test_two_hundred_sessions_end_to_end(graphs: Freeze, tmp_path: Path) -> None:
    pack = graphs("single_shot", "verifier_turns_3", "verifier_tool").pack
    folder = tmp_path / "many"
    folder.mkdir()
    made = collect(pack, simulate(pack, folder, 200, seed=3), now_ms=NOW_MS + 10**10)
    records = made.records
    assert made.left == ()
    assert len(records.participants) == len(records.sessions) == 200
    assert records.simulated
    rows = (*records.participants, *records.sessions, *records.presentations, *records.attempts, *records.responses)
    assert all(row.simulated for row in (*rows, *records.pauses))
    for row in records.presentations:
        assert row.wall_ms == row.active_ms + row.paused_ms + row.crash_gap_ms
        assert max(row.idle_ms, row.unfocused_ms) <= row.active_ms
    made_again = coverage(records)
    assert [condition.people for condition in made_again.conditions] == [67, 67, 66]
    passed = [attempt.grade.passed for attempt in records.attempts if attempt.block == "main"]
    assert 0.2 < sum(passed) / len(passed) < 0.9


def test_simulated_people_do_the_same_again(graphs: Freeze, tmp_path: Path) -> None:
    pack = graphs("verifier_turns_3").pack
    folders = [tmp_path / "one", tmp_path / "two"]
    tables = []
    for folder in folders:
        folder.mkdir()
        records = collect(pack, simulate(pack, folder, 2, seed=9), now_ms=NOW_MS).records
        tables.append([(a.item_id, a.number, a.active_ms, a.plan, a.grade) for a in records.attempts])
    assert tables[0] == tables[1]


def test_the_order_of_files_changes_nothing(graphs: Freeze, tmp_path: Path) -> None:
    pack = graphs("single_shot").pack
    paths = simulate(pack, tmp_path, 4)
    assert collect(pack, paths, now_ms=NOW_MS).records == collect(pack, paths[::-1], now_ms=NOW_MS).records
    assert collect(pack, [tmp_path], now_ms=NOW_MS).records == collect(pack, paths, now_ms=NOW_MS).records


def test_the_same_session_in_two_forms_counts_once(graphs: Freeze, tmp_path: Path) -> None:
    pack = graphs("single_shot").pack
    (path,) = simulate(pack, tmp_path, 1)
    (tmp_path / "handed.archsession").write_bytes(export_session(path))
    shutil.copy(path, tmp_path / "copy.session")
    made = collect(pack, [tmp_path])
    assert len(made.records.sessions) == 1
    assert [each.why for each in made.left] == ["duplicate", "duplicate"]


def test_the_further_of_two_states_of_a_session_counts(graphs: Freeze, begin: Begin, tmp_path: Path) -> None:
    pack = graphs("single_shot").pack
    session = begin(pack)
    session.present()
    session._recorder.writer.flush()
    (tmp_path / "early.archsession").write_bytes(export_session(session.path))
    session.painted()
    session.quit()
    session.close()
    made = collect(pack, [tmp_path / "early.archsession", session.path])
    assert [row.end_reason for row in made.records.sessions] == ["quit"]
    assert [(each.file, each.why) for each in made.left] == [("early.archsession", "duplicate")]


def test_two_stories_of_one_session_count_as_none(graphs: Freeze, begin: Begin, tmp_path: Path) -> None:
    pack = graphs("single_shot").pack
    session = begin(pack)
    session.close()
    other = tmp_path / "other.session"
    shutil.copy(session.path, other)
    for path, answer in ((session.path, True), (other, False)):
        again = Session.resume(pack, path, clock=ManualClock())
        again.present()
        again.seen_before(answer)
        again.close()
    made = collect(pack, [session.path, other])
    assert made.records.sessions == ()
    assert [each.why for each in made.left] == ["clash", "clash"]


def test_a_session_of_another_plan_or_study_is_told_apart(graphs: Freeze, questions: Freeze, tmp_path: Path) -> None:
    pack = graphs("single_shot").pack
    pilot, other = graphs("single_shot", phase="main").pack, questions("blind").pack
    for name, of in (("a", pack), ("b", pilot), ("c", other)):
        (tmp_path / name).mkdir()
        simulate(of, tmp_path / name, 1)
    made = collect(pack, [tmp_path])
    assert len(made.records.sessions) == 1
    assert [each.why for each in made.left] == ["other study", "other study"]
    assert any("another plan" in each.detail for each in made.left)
    assert any("small-questions" in each.detail for each in made.left)


def test_pilot_and_main_are_never_in_one_table(graphs: Freeze, tmp_path: Path) -> None:
    pilot, main = (graphs("single_shot", phase=phase).pack for phase in ("pilot", "main"))
    paths = [*simulate(pilot, tmp_path, 2), *simulate(main, tmp_path, 3)]
    for pack, count in ((pilot, 2), (main, 3)):
        records = collect(pack, paths).records
        assert records.study.phase == pack.protocol.phase
        assert len(records.sessions) == count


def test_a_file_that_is_damaged_stops_nothing(graphs: Freeze, tmp_path: Path) -> None:
    pack = graphs("single_shot").pack
    simulate(pack, tmp_path, 1)
    (tmp_path / "noise.session").write_bytes(b"noise" * 1000)
    (tmp_path / "noise.archsession").write_bytes(b"noise" * 1000)
    made = collect(pack, [tmp_path, tmp_path / "missing.session"])
    assert len(made.records.sessions) == 1
    assert [each.why for each in made.left] == ["unreadable"] * 3


def test_a_clock_that_is_wrong_is_remarked_on(graphs: Freeze, tmp_path: Path) -> None:
    pack = graphs("single_shot").pack
    (path,) = simulate(pack, tmp_path, 1)
    made = collect(pack, [path], now_ms=1_750_000_000_000)  # the session began a year after
    assert [(each.why, each.counts) for each in made.left] == [("clock skew", True)]
    assert len(made.records.sessions) == 1


def test_whoever_did_not_agree_is_no_row(graphs: Freeze, tmp_path: Path) -> None:
    pack = graphs("single_shot").pack
    session = Session.start(pack, tmp_path, clock=ManualClock())
    session.decline()
    session.close()
    made = collect(pack, [session.path])
    assert made.records.participants == ()
    assert [each.why for each in made.left] == ["declined"]


def test_a_session_that_can_go_on_has_no_end(graphs: Freeze, begin: Begin) -> None:
    study, blocked = graphs("single_shot"), graphs("single_shot", resume={"incomplete": "block"})
    for pack, end in ((study.pack, None), (blocked.pack, "quit")):
        session = begin(pack)
        session.present()
        session.close()
        (row,) = collect(pack, [session.path]).records.sessions
        assert (row.end_reason, row.ended_at) == (end, None)


def test_answers_are_scored_once_the_key_is_open(questions: Freeze, begin: Begin, tmp_path: Path) -> None:
    study = questions("blind")
    session = begin(study.pack)
    while (desk := session.present()) is not None:
        session.painted()
        assert isinstance(desk, QuestionDesk)
        if desk.item.instructed is not None:
            desk.answer(desk.item.instructed)
        else:
            right = f"c_{desk.item.id[-3:]}{'abc'[int(desk.item.id[-1]) % 3]}"
            desk.answer(right, {name: 0.5 if name == right else 0.25 for name in desk.order})
    session.finish()
    session.close()
    closed = collect(study.pack, [session.path]).records
    assert {row.correct for row in closed.responses if row.block == "main"} == {None}
    assert {row.correct for row in closed.responses if row.block == "attention"} == {True}
    (tmp_path / "k.key").write_bytes(study.key)
    opened = collect(open_key(tmp_path / "k.key", study.pack), [session.path]).records
    main = [row for row in opened.responses if row.block == "main"]
    assert [row.correct for row in main] == [True] * 6
    assert {row.brier for row in main} == {0.375}
    for row in main:
        shown = next(s for s in opened.sessions).option_orders[row.item_id]
        assert tuple(row.probabilities) == shown
        assert row.choice == "ABC"[shown.index(row.candidate_id)]


def test_scores_by_hand() -> None:
    assert brier({"a": 0.7, "b": 0.2, "c": 0.1}, "a") == pytest.approx(0.09 + 0.04 + 0.01)
    assert log_score({"a": 0.5, "b": 0.5}, "a") == pytest.approx(-0.6931471805599453)
    assert log_score({"a": 0.0, "b": 1.0}, "a") == pytest.approx(-6.907755278982137)  # ln 0.001: a slip of a slider


# Withdrawal -------------------------------------------------------------------------------------------------------


def finished(pack: StudyPack, folder: Path, name: str, text: str) -> tuple[Path, str]:
    session = Session.start(pack, folder, Start(name, 0), clock=ManualClock())
    code = session.agree(session.pack.consent_points)
    session.answer_questionnaire({**ANSWERS, "recruitment": text})
    session.begin_items()
    while (desk := session.present()) is not None:
        session.painted()
        session.flag("unclear", text)
        pass_by(desk)
    session.finish()
    session.close()
    return session.path, code


def test_a_code_takes_ones_data_out_of_every_copy_and_no_other(graphs: Freeze, tmp_path: Path) -> None:
    pack = graphs("single_shot").pack
    hers, code = finished(pack, tmp_path, "1" * 32, "Ariadne")
    his, _ = finished(pack, tmp_path, "2" * 32, "Theseus")
    handed = tmp_path / "hers.archsession"
    handed.write_bytes(export_session(hers))
    assert withdraw("AAAAA-AAAAA-AAAAA-AAAAA", [tmp_path]) == []
    done = withdraw(code.lower().replace("-", " "), [tmp_path])
    assert {each.path for each in done} == {hers, handed}
    assert all(each.participant_id == "1" * 32 and each.erased > 10 for each in done)
    for path in (hers, his):
        assert verify_chain(path).holds
    assert b"Ariadne" not in hers.read_bytes()
    records = collect(pack, [tmp_path]).records
    assert "Ariadne" not in repr(records)
    assert "Theseus" in repr(records)
    (gone,) = records.withdrawals
    assert (gone.participant_id, gone.sessions) == ("1" * 32, 1)
    (person,) = [row for row in records.participants if row.id == "1" * 32]
    assert person.withdrawn
    assert (person.relation, person.consent, person.device.os) == (None, None, None)
    assert {row.participant_id for row in records.sessions} == {"2" * 32}


def test_an_erased_copy_counts_before_one_that_is_whole(graphs: Freeze, tmp_path: Path) -> None:
    pack = graphs("single_shot").pack
    path, code = finished(pack, tmp_path, "1" * 32, "Ariadne")
    forgotten = tmp_path / "forgotten.archsession"
    forgotten.write_bytes(export_session(path))
    withdraw(code, [path])
    made = collect(pack, [path, forgotten])
    assert made.records.sessions == ()
    assert len(made.records.withdrawals) == 1
    assert [(each.file, each.why) for each in made.left] == [("forgotten.archsession", "duplicate")]


def test_withdrawing_twice_changes_nothing_more(graphs: Freeze, tmp_path: Path) -> None:
    pack = graphs("single_shot").pack
    path, code = finished(pack, tmp_path, "1" * 32, "Ariadne")
    withdraw(code, [path])
    content = export_session(path)
    assert withdraw(code, [path]) == []  # the hash of the code went, too
    assert export_session(path) == content


# Exclusions -------------------------------------------------------------------------------------------------------


def test_an_item_shown_again_in_a_second_session_is_marked_and_the_first_counts(
    graphs: Freeze, begin: Begin, clock: ManualClock
) -> None:
    rules = [{"id": "again", "text": "shown before", "measure": "repeated"}]
    pack = graphs("single_shot", exclusions=rules, resume={"incomplete": "restart"}).pack
    first = begin(pack)
    items = []
    for _ in range(2):  # practice and one main item
        desk = first.present()
        assert desk is not None
        first.painted()
        items.append(desk.item.id)
        pass_by(desk)
    first.close()
    clock.advance(60)
    earlier = next_step(pack, first.path.parent, clock.wall_ms()).earlier
    assert earlier is not None
    second = Session.restart(pack, earlier, clock=clock)
    second.agree(pack.consent_points)
    second.answer_questionnaire(ANSWERS)
    second.begin_items()
    while (desk := second.present()) is not None:
        second.painted()
        pass_by(desk)
    second.finish()
    second.close()
    records = collect(pack, [first.path.parent]).records
    (mark,) = records.exclusions
    assert (mark.session_id, mark.item_id, mark.rule) == (second.id, items[1], "again")
    assert len(records.participants) == 1
    assert len(records.sessions) == 2


def test_exclusions_by_hand_name_a_registered_rule_or_say_that_none_was(graphs: Freeze, tmp_path: Path) -> None:
    pack = graphs("single_shot", exclusions=[{"id": "phone", "text": "was on the phone"}]).pack
    paths = simulate(pack, tmp_path, 2)
    people = [row.id for row in collect(pack, paths).records.participants]
    listed = [
        {"scope": "participant", "participant_id": people[0], "rule": "phone", "reason": "seen", "at": "2026-06-01"},
        {"scope": "participant", "participant_id": people[1], "reason": "asked for it", "at": "2026-06-01"},
    ]
    file = tmp_path / "marks.json"
    file.write_text(json.dumps(listed))
    marks = collect(pack, paths, exclusions=read_exclusions(file, pack.protocol)).records.exclusions
    assert [(mark.participant_id, mark.rule) for mark in marks] == [(people[0], "phone"), (people[1], "unregistered")]
    file.write_text(json.dumps([{**listed[0], "rule": "moon"}]))
    with pytest.raises(UnusableFile, match=r"no such rule.*moon"):
        read_exclusions(file, pack.protocol)


RULES = {
    "too_fast": "presentation",
    "not_completed": "session",
    "clock_jumps": "session",
    "author": "participant",
}


@pytest.mark.parametrize(("measure", "scope"), RULES.items())
def test_registered_rules_are_applied_by_their_measure(
    graphs: Freeze, tmp_path: Path, clock: ManualClock, measure: str, scope: str
) -> None:
    pack = graphs("single_shot", exclusions=[{"id": "rule", "text": "as said", "measure": measure}]).pack
    session = Session.start(pack, tmp_path, Start("3" * 32, 0), clock=clock)
    session.agree(pack.consent_points)
    session.answer_questionnaire({**ANSWERS, "relation": "author"})
    session.begin_items()
    for _ in range(2):  # practice and one main item, both at once
        desk = session.present()
        assert desk is not None
        session.painted()
        clock.jump(60)
        pass_by(desk)
    session.quit()
    session.close()
    marks = collect(pack, [session.path]).records.exclusions
    assert {(mark.rule, mark.scope) for mark in marks} == {("rule", scope)}
    assert len(marks) == 1
