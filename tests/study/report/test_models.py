"""Model rows come from imported files, for the study's own items, under the condition they match."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from made_records import CURATED, Maker, leaderboard

from archstudio.files.unusable import UnusableFile
from archstudio.study.records import Records
from archstudio.study.report.models import read_models, same_split


@pytest.fixture(scope="module")
def records() -> Records:
    return Maker(conditions=("single_shot", "verifier_turns_3", "verifier_tool"), people=3).records()


def test_a_leaderboard_stands_beside_single_shot(records, models_file):
    made = read_models([models_file], records)
    assert {row.condition for row in made.rows} == {"single_shot"}
    assert len(made.rows) == 3 * len(CURATED)
    assert made.left_out == ()
    assert {row.grader for row in made.rows} == {"rubric 2"}


def test_no_file_no_model_row(records):
    assert read_models([], records).rows == ()


def test_rows_about_other_items_are_left_out_and_told(records, tmp_path):
    file = leaderboard(tmp_path / "m.json", ids=("cnn-cifar", "no-such-task"), models=1)
    made = read_models([file], records)
    assert [row.item_id for row in made.rows] == ["cnn-cifar"]
    (left,) = made.left_out
    assert (left.rows, left.reason) == (1, "other items than the study's")


def test_the_same_ids_of_another_seed_are_other_items(records, tmp_path):
    file = leaderboard(tmp_path / "m.json", models=1)
    board = json.loads(file.read_text())
    board["split"] = {"kind": "generated", "count": 12, "seed": 11}
    file.write_text(json.dumps(board))
    assert read_models([file], records).rows == ()


def test_rubric_1_does_not_stand_beside_people_graded_otherwise(records, tmp_path):
    file = leaderboard(tmp_path / "old.json", models=1)
    board = json.loads(file.read_text())
    board["generatedAt"] = "2026-07-21T08:00:00.000Z"
    file.write_text(json.dumps(board))
    made = read_models([file], records)
    assert made.rows == ()
    assert "rubric 1" in made.left_out[0].reason


def test_a_transport_error_is_no_answer(records, tmp_path):
    file = leaderboard(tmp_path / "m.json", models=1)
    board = json.loads(file.read_text())
    board["rows"][0] |= {"status": "ERROR", "pass": False, "score": None, "error": "timeout"}
    file.write_text(json.dumps(board))
    row = read_models([file], records).rows[0]
    assert (row.state, row.passed) == ("error", None)


def test_rounds_count_as_the_first_reply_and_as_up_to_three(records, tmp_path):
    rows = [
        {"provider": "m", "taskId": "cnn-cifar", "passAtTurn1": False, "passFinal": True, "turnsUsed": 2, "tokens": 1,
         "finalFailures": []}
    ]  # fmt: skip
    file = tmp_path / "rounds.json"
    content = {"split": {"kind": "curated", "count": 12}, "turns": 3, "generatedAt": "2026-07-22T09:00:00.000Z",
               "results": [], "rows": rows}  # fmt: skip
    file.write_text(json.dumps(content))
    found = {row.condition: row.passed for row in read_models([file], records).rows}
    assert found == {"single_shot": False, "verifier_turns_3": True}


def test_conditions_nobody_worked_under_get_no_rows(records, models_file):
    study = replace(records.study, conditions=("assisted",))
    made = read_models([models_file], replace(records, study=study))
    assert made.rows == ()
    assert {left.reason for left in made.left_out} == {"nobody worked under single_shot"}


def questions_run(folder: Path, ids: list[str], history: bool) -> Path:
    (folder / "results").mkdir(parents=True)
    (folder / "run.json").write_text(json.dumps({"run_id": "r", "model": {"name": "example-model"}}))
    for place, name in enumerate(ids):
        answer = {"question_id": name, "parsed_letter": "A" if place else None, "correct": place % 2 == 1}
        (folder / "results" / f"{name}.json").write_text(json.dumps(answer | ({"history": []} if history else {})))
    return folder


@pytest.mark.parametrize("condition", ["blind", "full_sequential_feedback"])
def test_runs_of_questions_are_read_by_their_form(condition, tmp_path):
    records = Maker(conditions=(condition,), people=2).records()
    folder = questions_run(tmp_path / "run", list(records.study.item_ids[:4]), condition != "blind")
    rows = read_models([folder], records).rows
    assert {row.condition for row in rows} == {condition}
    assert sorted(row.passed for row in rows) == [False, False, True, True]


def test_our_own_runs_say_their_protocol_and_their_faults(tmp_path):
    records = Maker(conditions=("blind", "full_sequential_feedback"), people=2).records()
    folder = questions_run(tmp_path / "run", list(records.study.item_ids[:2]), history=False)
    (folder / "run.json").write_text(json.dumps({"model": {"name": "m"}, "protocol": "sequential"}))
    file = sorted((folder / "results").iterdir())[0]
    file.write_text(json.dumps({**json.loads(file.read_text()), "fault": "no reply", "usage": {"prompt_tokens": 3}}))
    rows = {row.state: row for row in read_models([folder], records).rows}
    assert {row.condition for row in rows.values()} == {"full_sequential_feedback"}
    assert (rows["error"].passed, rows["error"].tokens) == (None, 3)


def test_a_folder_without_results_is_refused(records, tmp_path):
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(UnusableFile, match="no run of questions"):
        read_models([tmp_path], records)


def test_two_files_of_one_name_stay_two_runs(records, tmp_path):
    files = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        files.append(leaderboard(tmp_path / folder / "results.json", models=1))
    made = read_models(files, records)
    assert made.files == ("results.json", "results.json (2)")
    assert len({row.respondent_id for row in made.rows}) == 2


def test_names_of_splits():
    assert same_split("core, seed 7", "generated, seed 7, 120 tasks")
    assert not same_split("core, seed 7", "core, seed 11")
    assert not same_split("frontier, seed 7", "core, seed 7")
    assert same_split("curated", "curated")
