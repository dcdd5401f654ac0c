"""People's rows in the benchmarks' own forms are read by what reads models' rows, with the same results."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from made_records import Maker, graph_items

from archstudio.bench.results.outcomes import outcomes
from archstudio.bench.results.records import Leaderboard, RepairRounds, ToolUse, read_results
from archstudio.intuition.evaluate.run_folder import read_scored
from archstudio.study.export.native import native_files
from archstudio.study.redaction import Redactor
from archstudio.study.report.models import read_models
from archstudio.study.report.rows import counted, human_rows


def results_of(rows, condition):
    used = (row for row in counted(rows, with_excluded=False) if row.respondent_type == "human")
    return {(row.respondent_id[:12], row.item_id): row.passed for row in used if row.condition == condition}


def scored(results):
    return {key: passed for key, passed in results.items() if passed is not None}


def given(read):
    """Results of answers in a file, by person and task; an error is none."""
    found = {}
    for row in read.rows:
        if row.error is None:
            provider = row.provider if hasattr(row, "provider") else read.provider
            found[provider.removeprefix("human-"), row.task_id] = row.passed
    return found


def test_a_leaderboard_of_people(graphs, graphs_folder):
    read = read_results(graphs_folder / "native" / "leaderboard.json")
    assert isinstance(read, Leaderboard)
    found = {(row.provider.removeprefix("human-"), row.task_id): row for row in read.rows}
    expected = results_of(graphs.rows, "single_shot")
    assert found.keys() == expected.keys()
    for key, passed in expected.items():
        assert found[key].status == ("PASS" if passed else "ERROR" if passed is None else "FAIL")
    assert sum(entry["passed"] for entry in read.board) == sum(passed is True for passed in expected.values())


def test_repair_rounds_of_people(graphs, graphs_folder):
    read = read_results(graphs_folder / "native" / "repair-rounds.json")
    assert isinstance(read, RepairRounds)
    assert given(read) == scored(results_of(graphs.rows, "verifier_turns_3"))
    assert all(0 <= entry["singleShot"] <= entry["withVerifier"] <= 1 for entry in read.results)


def test_tool_use_of_people(graphs, graphs_folder):
    found = {}
    for file in (graphs_folder / "native").glob("tool-use-*.json"):
        read = read_results(file)
        assert isinstance(read, ToolUse)
        found |= given(read)
    assert found == scored(results_of(graphs.rows, "verifier_tool"))


def test_runs_of_questions(questions, questions_folder):
    folders = sorted((questions_folder / "native").iterdir())
    read = read_models(folders, questions.records)
    assert len(folders) == 5  # of six people one is excluded
    for condition in ("blind", "full_sequential_feedback"):
        expected = results_of(questions.rows, condition)
        found = {
            (row.respondent_id.partition("/")[2][:12], row.item_id): row.passed
            for row in read.rows
            if row.condition == condition
        }
        assert found == {key: passed is True for key, passed in expected.items()}
    for folder in folders:
        for answer in read_scored(folder):
            key = (folder.name.rpartition("-")[2][:12], answer.question_id)
            passed = results_of(questions.rows, folder.name.rpartition("-")[0])[key]
            assert (answer.letter == answer.right_letter) == (passed is True)
    head = json.loads((folders[0] / "run.json").read_text())
    assert head["summary"]["accuracy"] == head["summary"]["correct"] / head["summary"]["parsed"]


def test_excluded_people_are_left_out(graphs, graphs_folder):
    gone = {row.respondent_id[:12] for row in graphs.rows if row.excluded_by}
    assert gone
    text = "".join(file.read_text() for file in (graphs_folder / "native").glob("*.json"))
    assert not any(person in text for person in gone)


@pytest.mark.parametrize(
    ("split", "kind", "seed"), [("core, seed 7", "generated", 7), ("frontier, seed 3", "frontier", 3)]
)
def test_splits_are_named_as_result_files_name_them(split, kind, seed, tmp_path):
    items = graph_items("s1", ("gen-mlp-0", "gen-ae-1"), split)
    records = Maker(items=items, people=2, conditions=("single_shot",)).records()
    files = native_files(records, human_rows(records), Redactor())
    path = tmp_path / "board.json"
    path.write_bytes(files["leaderboard.json"])
    read = read_results(path)
    assert (read.split.kind, read.split.seed) == (kind, seed)
    again = read_models([path], replace(records, exclusions=()))
    assert {row.item_id for row in again.rows} == {"gen-mlp-0", "gen-ae-1"}
    assert len(outcomes(read)) == len(read.rows)
