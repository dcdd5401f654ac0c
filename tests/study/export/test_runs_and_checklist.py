"""Runs for fitting time horizons, the checklist, and the folder that holds everything."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from math import exp, log

import pytest
from made_records import Maker

from archstudio.files.atomic import SaveFailed
from archstudio.study.export.checklist import checklist, points_missing
from archstudio.study.export.folder import write_report
from archstudio.study.records import Compensation, Ethics, Preregistration
from archstudio.study.redaction import Redactor
from archstudio.study.report.material import prepare


def test_a_line_a_respondent_and_item(graphs, graphs_folder):
    lines = [json.loads(line) for line in (graphs_folder / "metr" / "runs.jsonl").read_text().splitlines()]
    used = [row for row in graphs.rows if row.block == "main" and not row.excluded_by and not row.repeat and row.scored]
    assert len(lines) == len(used)
    assert sum(line["score_binarized"] for line in lines) == sum(row.passed for row in used)
    assert {line["alias"] for line in lines} == {"human", *(f"example-model-{n}" for n in range(3))}
    assert all(line["simulated"] for line in lines if line["alias"] == "human")


def test_human_minutes_are_the_geometric_mean_of_successes(graphs, graphs_folder):
    line = json.loads((graphs_folder / "metr" / "runs.jsonl").read_text().splitlines()[0])
    item = line["task_id"].partition("/")[2]
    times = [
        row.success_ms / 60_000
        for row in graphs.rows
        if row.item_id == item and row.condition == line["condition"] and row.success_ms and row.block == "main"
        and not row.excluded_by
    ]  # fmt: skip
    assert line["human_minutes"] == pytest.approx(exp(sum(map(log, times)) / len(times)))


def test_the_checklist_says_what_is_missing(graphs):
    told = checklist(graphs, Redactor())
    assert "- [ ] Was the plan registered before data? **Missing.**" in told
    assert "Simulated participants" in told
    assert told.count("**Missing.**") == len(points_missing(graphs))


def test_a_point_that_the_data_answer_is_ticked(graphs):
    study = replace(
        graphs.records.study,
        ethics=Ethics("approved", "2026-114"),
        compensation=Compensation("hourly", "EUR", 18.0, "hour"),
        preregistration=Preregistration("https://osf.io/abc12", "0" * 64, "2026-12-01T00:00:00Z"),
    )
    before = set(points_missing(graphs))
    full = replace(graphs, records=replace(graphs.records, study=study))
    assert before - set(points_missing(full)) == {
        "Was the study reviewed for its ethics?",
        "What were they paid?",
        "Was the plan registered before data?",
    }
    assert "[x] Was the study reviewed for its ethics? approved, 2026-114." in checklist(full, Redactor())


def test_one_folder_holds_everything(tmp_path):
    material = prepare(Maker(people=2, conditions=("single_shot",)).records(), allow_simulated=True)
    written = {path.relative_to(tmp_path).parts[0] for path in write_report(material, tmp_path)}
    assert written == {
        *("report.html", "report.pdf", "figures.json", "recompute.py", "CHECKLIST.md", "croissant.json", "SHA256SUMS"),
        *("tables", "psych-ds", "inspect", "native", "metr"),
    }


def test_nothing_of_an_earlier_report_stays_of_who_took_their_data_back(tmp_path):
    records = Maker(people=2, conditions=("single_shot",)).records()
    gone = records.participants[0].id
    write_report(prepare(records, allow_simulated=True), tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    assert list(tmp_path.rglob(f"*{gone}*"))
    tables = ("participants", "sessions", "presentations", "attempts", "pauses", "exclusions")
    kept = {
        name: tuple(
            row
            for row in getattr(records, name)
            if gone not in (getattr(row, "participant_id", ""), getattr(row, "id", ""))
        )
        for name in tables
    }
    write_report(prepare(replace(records, **kept), allow_simulated=True), tmp_path)
    assert not list(tmp_path.rglob(f"*{gone}*"))
    assert not any(gone.encode() in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_list_of_files_cannot_reach_outside_the_folder(tmp_path):
    outside = tmp_path / "outside.txt"
    outside.write_text("keep")
    folder = tmp_path / "report"
    folder.mkdir()
    (folder / "SHA256SUMS").write_text(f"{'0' * 64}  ../outside.txt\n{'0' * 64}  {outside}\n")
    write_report(prepare(Maker(people=2, conditions=("single_shot",)).records(), allow_simulated=True), folder)
    assert outside.read_text() == "keep"


def test_digests_are_those_of_the_files(tmp_path):
    write_report(prepare(Maker(people=2, conditions=("single_shot",)).records(), allow_simulated=True), tmp_path)
    lines = (tmp_path / "SHA256SUMS").read_text().splitlines()
    assert len(lines) > 30
    for line in lines:
        digest, name = line.split("  ")
        assert sha256((tmp_path / name).read_bytes()).hexdigest() == digest


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "taken").write_text("a file")
    material = prepare(Maker(people=2, conditions=("single_shot",)).records(), allow_simulated=True)
    with pytest.raises(SaveFailed, match="Could not save"):
        write_report(material, tmp_path / "taken")
