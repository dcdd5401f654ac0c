"""Sessions: an answer is on disk before anything is revealed, protocols reveal what they say, and all is resumed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from archstudio.app.quiz.order import ordered_by
from archstudio.app.quiz.packs import QuizPack, open_pack
from archstudio.app.quiz.results import results_of, session_export
from archstudio.app.quiz.session import CannotAnswer, QuizSession, begin, resume
from archstudio.app.quiz.shelf import Shelf
from archstudio.files.atomic import SaveFailed
from archstudio.files.unusable import UnusableFile

SURE = {"A": 0.2, "B": 0.7, "C": 0.1}


def answered(session: QuizSession, probabilities: dict[str, float] = SURE) -> None:
    choice = max(probabilities, key=lambda label: probabilities[label])
    session.answer_choice(probabilities, choice, "because")


def played(session: QuizSession) -> QuizSession:
    while not session.finished:
        answered(session)
        session.next()
    return session


def test_with_feedback_the_answer_is_on_disk_before_it_is_revealed(pack: QuizPack, shelf: Shelf) -> None:
    session = shelf.begin(pack, protocol="full_sequential_feedback", seed=None)
    assert session.feedback is None
    answered(session)
    (stored,), faults = shelf.records()
    assert faults == []
    assert stored.answers[0].probabilities == SURE
    assert stored.answers[0].reason == "because"
    feedback = session.feedback
    assert feedback is not None
    assert feedback.right
    assert feedback.key.right == "B"
    assert [result.label for result in feedback.key.results] == ["B", "C", "A"]


def test_what_cannot_be_saved_is_not_answered_and_reveals_nothing(pack: QuizPack) -> None:
    kept: list[object] = []

    def keep(record: object) -> None:
        if kept:
            raise SaveFailed(Path("session.json"), "the disk is full")
        kept.append(record)

    session = begin(pack, protocol="practice", seed=None, keep=keep)
    with pytest.raises(SaveFailed, match="the disk is full"):
        answered(session)
    assert session.answer is None
    assert session.feedback is None


def test_blind_reveals_nothing_until_the_end(pack: QuizPack, shelf: Shelf) -> None:
    session = shelf.begin(pack, protocol="blind", seed=3)
    while not session.finished:
        item = session.item
        assert item is not None
        assert item.data.dataset_id == ""
        assert all(choice.spec is None for choice in item.choices)
        assert all(file.name.endswith(".py") for choice in item.choices for file in choice.files)
        answered(session)
        assert session.feedback is None
        assert not session.may_try
        assert not session.may_score
        assert results_of(session).lines == ()
        session.next()
    assert session.may_score
    assert results_of(session).lines[0].right.right == 4


def test_a_blinded_item_names_no_candidate_data_set_or_result_anywhere(pack: QuizPack, shelf: Shelf) -> None:
    session = shelf.begin(pack, protocol="blind", seed=None)
    item = session.item
    assert item is not None
    seen = repr({**vars(item), "id": ""})
    source = json.loads(pack.content)["byId"][item.id]
    assert source["datasetId"] not in seen
    for choice in source["detail"]["choices"]:
        assert choice["candidateId"] not in seen
    assert "0.5000" not in seen


def test_questions_come_one_after_the_other_and_an_answer_stands(pack: QuizPack, shelf: Shelf) -> None:
    session = shelf.begin(pack, protocol="full_sequential_feedback", seed=None)
    with pytest.raises(CannotAnswer, match="first"):
        session.next()
    with pytest.raises(CannotAnswer, match="one after the other"):
        session.go_to(3)
    answered(session)
    with pytest.raises(CannotAnswer, match="cannot be changed"):
        answered(session, {"A": 0.9, "B": 0.1, "C": 0.0})


def test_practice_goes_to_any_question_and_leaves_one_open(pack: QuizPack, shelf: Shelf) -> None:
    session = shelf.begin(pack, protocol="practice", seed=None)
    assert session.may_try
    session.next()
    session.go_to(4)
    answered(session)
    assert session.number == 4
    session.go_to(1)
    assert session.answer is None
    with pytest.raises(CannotAnswer, match="1 to 4"):
        session.go_to(5)


@pytest.mark.parametrize(
    ("probabilities", "choice", "reason"),
    [
        ({"A": 0.5, "B": 0.5}, "A", "a probability for each"),
        ({"A": 0.5, "B": 0.4, "C": 0.1}, "B", "not the most probable"),
        ({"A": 0.5, "B": 0.4, "C": 0.1}, "D", "not the most probable"),
    ],
)
def test_answers_that_do_not_fit_are_refused(
    pack: QuizPack, shelf: Shelf, probabilities: dict[str, float], choice: str, reason: str
) -> None:
    session = shelf.begin(pack, protocol="practice", seed=None)
    with pytest.raises(CannotAnswer, match=reason):
        session.answer_choice(probabilities, choice)
    assert session.answer is None


def test_probabilities_that_do_not_sum_to_one_are_refused(pack: QuizPack, shelf: Shelf) -> None:
    session = shelf.begin(pack, protocol="practice", seed=None)
    with pytest.raises(ValueError, match="sum to"):
        session.answer_choice({"A": 0.5, "B": 0.4, "C": 0.2}, "A")
    assert session.answer is None


def test_a_session_goes_on_where_it_was(pack: QuizPack, shelf: Shelf) -> None:
    session = shelf.begin(pack, protocol="full_sequential_feedback", seed=11)
    answered(session)
    session.write_lesson("wide nets win")
    session.next()
    (stored,), _ = shelf.records()
    again = shelf.resume(stored)
    assert again.number == 2
    assert again.record == session.record
    assert next(iter(again.answers.values())).lesson == "wide nets win"
    assert again.item == session.item


def test_a_session_does_not_go_on_with_another_pack(pack: QuizPack, shelf: Shelf, tmp_path: Path) -> None:
    session = shelf.begin(pack, protocol="practice", seed=None)
    other = tmp_path / "pack.json"
    other.write_bytes(pack.content.replace(b"A small pack", b"Another pack"))
    with pytest.raises(UnusableFile, match=r"pack\.json: .*bytes differ"):
        resume(open_pack(other), session.record, shelf.keep)


def test_a_kept_pack_that_was_changed_is_refused(pack: QuizPack, shelf: Shelf) -> None:
    session = shelf.begin(pack, protocol="practice", seed=None)
    (kept,) = shelf.packs.iterdir()
    kept.write_bytes(pack.content.replace(b"A small pack", b"A small hack"))
    with pytest.raises(UnusableFile, match="bytes differ"):
        shelf.resume(session.record)


def test_the_order_follows_from_the_seed_alone() -> None:
    assert ordered_by(7, "ABCDEFGH") == ordered_by(7, "ABCDEFGH")
    assert ordered_by(7, "ABCDEFGH") != ordered_by(8, "ABCDEFGH")
    assert ordered_by(None, "ABC") == list("ABC")
    assert ordered_by(2026, range(10)) == [6, 7, 3, 8, 1, 0, 9, 5, 2, 4]


def test_time_runs_only_while_the_question_is_shown(pack: QuizPack) -> None:
    now = [100.0]
    session = begin(pack, protocol="practice", seed=None, keep=lambda record: None, clock=lambda: now[0])
    session.shown()
    now[0] += 4
    session.hidden()
    now[0] += 1000
    session.shown()
    now[0] += 2.5
    answered(session)
    assert session.record.answers[0].seconds == 6.5


def test_results_say_n_chance_interval_and_brier(pack: QuizPack, shelf: Shelf) -> None:
    session = shelf.begin(pack, protocol="practice", seed=None)
    answered(session)
    session.next()
    answered(session, {"A": 0.5, "B": 0.25, "C": 0.25})
    results = results_of(session)
    whole = results.lines[0]
    assert (whole.right.right, whole.right.total, results.asked) == (1, 2, 4)
    assert whole.right.low == pytest.approx(0.0945, abs=1e-3)
    assert whole.right.high == pytest.approx(0.9055, abs=1e-3)
    assert whole.chance == pytest.approx(1 / 3)
    assert whole.brier == pytest.approx((0.14 + 0.875) / 2)
    assert whole.brier_even == pytest.approx(2 / 3)
    assert whole.sure == pytest.approx(0.6)
    assert {line.name for line in results.lines} == {"all", "univariate_regression", "multivariate_regression"}


def test_a_ranking_is_scored_by_pairs_in_order(ranking: QuizPack, shelf: Shelf) -> None:
    session = shelf.begin(ranking, protocol="practice", seed=None)
    with pytest.raises(CannotAnswer, match="once"):
        session.answer_order(["T1", "T1", "T2", "T3"])
    session.answer_order(["T1", "T3", "T4", "T2"], "small ones learn sooner")
    results = results_of(session)
    assert results.pairs == (5, 6)
    assert session.feedback is not None
    assert not session.feedback.right


def test_an_export_holds_what_was_given_and_no_results_of_a_blind_session_under_way(
    pack: QuizPack, shelf: Shelf
) -> None:
    session = shelf.begin(pack, protocol="blind", seed=None)
    answered(session)
    under_way = json.loads(session_export(session))
    assert under_way["answers"][0]["choice"] == "B"
    assert "results" not in under_way
    session.next()
    over = json.loads(session_export(played(session)))
    assert over["results"]["lines"][0]["n"] == 4


def test_a_damaged_session_is_told_and_the_others_are_listed(pack: QuizPack, shelf: Shelf) -> None:
    shelf.begin(pack, protocol="practice", seed=None)
    (shelf.sessions / "0000000000000000.json").write_text('{"schema": "archstudio.quiz_session/1"', "utf-8")
    records, faults = shelf.records()
    assert len(records) == 1
    assert "0000000000000000.json" in faults[0]


DYING = """
import os, signal, sys
from pathlib import Path
from archstudio.app.quiz.packs import open_pack
from archstudio.app.quiz.shelf import Shelf

session = Shelf(Path(sys.argv[2])).begin(open_pack(Path(sys.argv[1])), protocol="full_sequential_feedback", seed=None)
session.answer_choice({"A": 0.2, "B": 0.7, "C": 0.1}, "B", "the last words")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_an_answer_outlives_a_process_that_is_killed_right_after_it(
    shelf: Shelf, pack: QuizPack, tmp_path: Path
) -> None:
    ended = subprocess.run([sys.executable, "-c", DYING, str(tmp_path / "pack.json"), str(shelf.root)], check=False)
    assert ended.returncode == -signal.SIGKILL
    (record,), faults = shelf.records()
    assert faults == []
    session = shelf.resume(record)
    assert session.answer is not None
    assert session.answer.reason == "the last words"
    assert session.feedback is not None
