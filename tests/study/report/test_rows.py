"""What becomes of a presentation: right, wrong, unanswered, excluded, never counted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made_records import Maker

from archstudio.study.records import Exclusion, Records
from archstudio.study.report.rows import Row, counted, human_rows


@pytest.fixture(scope="module")
def records() -> Records:
    return Maker(conditions=("verifier_turns_3",), people=10).records()


def rows_of(records: Records) -> list[Row]:
    return human_rows(records)


def test_the_last_submission_decides_and_the_first_is_kept(records):
    retried = [row for row in rows_of(records) if row.state == "answered" and row.n_submits > 1]
    assert any(row.passed and not row.first_passed for row in retried)
    assert not any(row.first_passed for row in retried)


def test_categories_are_those_of_the_last_submission(records):
    for row in rows_of(records):
        if row.passed:
            assert row.failure_categories == ()
        elif row.n_submits:
            assert row.failure_categories


def test_who_reaches_the_limit_failed_and_who_quits_did_not_answer(records):
    shown = {(each.session_id, each.item_id): each for each in records.presentations}
    silent = [row for row in rows_of(records) if not row.n_submits]
    assert silent
    for row in silent:
        timed_out = shown[row.session_id, row.item_id].timed_out
        assert (row.state, row.passed) == (("timeout", False) if timed_out else ("unanswered", None))


def test_guarantee_08_practice_and_attention_items_never_enter_scores(records):
    rows = rows_of(records)
    assert {row.block for row in rows} == {"practice", "main", "attention"}
    assert {row.block for row in counted(rows, with_excluded=True)} == {"main"}


def test_the_same_item_again_under_one_condition_never_counts(records):
    first = records.sessions[0]
    again = replace(first, id="f" * 32)
    shown = next(each for each in records.presentations if each.session_id == first.id and each.block == "main")
    later = replace(shown, session_id=again.id, shown_at="2027-01-01T00:00:00.000Z")
    twice = replace(records, sessions=(*records.sessions, again), presentations=(*records.presentations, later))
    rows = [row for row in rows_of(twice) if (row.respondent_id, row.item_id) == (shown.participant_id, shown.item_id)]
    assert [row.repeat for row in rows] == [False, True]
    assert len(list(counted(rows, with_excluded=True))) == 1


@pytest.mark.parametrize("scope", ["participant", "session", "presentation"])
def test_a_mark_leaves_out_what_it_names_and_no_more(records, scope):
    clean = replace(records, exclusions=())
    target = next(row for row in rows_of(clean) if row.block == "main")
    person, session, item = target.respondent_id, target.session_id, target.item_id
    mark = Exclusion(scope, person, True, "rule-7", "because", "2026-12-08T00:00:00Z", session, item)
    rows = rows_of(replace(clean, exclusions=(mark,)))
    marked = [row for row in rows if row.excluded_by == "rule-7"]
    mine = [row for row in rows if row.respondent_id == target.respondent_id]
    assert len(marked) == (1 if scope == "presentation" else len(mine))
    assert all(row.respondent_id == target.respondent_id for row in marked)


def test_answers_before_the_key_is_opened_are_unscored():
    records = Maker(conditions=("blind",), people=3).records()
    sealed = replace(
        records,
        responses=tuple(replace(each, correct=None, brier=None, log_score=None) for each in records.responses),
    )
    states = {row.state for row in rows_of(sealed) if row.n_submits}
    assert states == {"unscored"}
    assert not any(row.scored for row in rows_of(sealed) if row.state == "unscored")
