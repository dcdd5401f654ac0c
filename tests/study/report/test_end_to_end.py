"""From simulated sessions through the collector to a report, as `archstudio study report` makes it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from made_records import CURATED, leaderboard
from made_studies import frozen, graph_protocol, question_protocol
from typer.testing import CliRunner

from archstudio.cli.study import app
from archstudio.study.collect import collect
from archstudio.study.pack import StudyPack, open_key, open_study
from archstudio.study.report.material import prepare
from archstudio.study.simulated import simulate

_SAMPLED = {"rule": "all", "per_person": 2}


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["report", *arguments])


def recomputed(out: Path) -> bool:
    script = [sys.executable, "-I", "-S", "-B", str(out / "recompute.py"), str(out)]
    done = subprocess.run(script, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.returncode == 0


def study_files(protocol, folder: Path) -> tuple[StudyPack, Path, Path]:
    made = frozen(protocol, folder)
    study, key = folder / "s.study", folder / "s.key"
    study.write_bytes(made.content)
    key.write_bytes(made.key)
    (folder / "sessions").mkdir()
    return open_key(key, open_study(study)), study, key


@pytest.mark.parametrize(
    "protocol",
    [
        graph_protocol("single_shot", "verifier_turns_3", "verifier_tool"),
        question_protocol("blind", "full_sequential_feedback"),
        graph_protocol("assisted", sampling=_SAMPLED),
    ],
    ids=["graphs", "questions", "assisted"],
)
def test_a_study_of_simulated_people_is_reported_and_recomputed(protocol, tmp_path):
    pack, study, key = study_files(protocol, tmp_path)
    simulate(pack, tmp_path / "sessions", 6, seed=2)
    out = tmp_path / "report"
    models = leaderboard(tmp_path / "models.json", ids=CURATED)
    common = (str(study), str(tmp_path / "sessions"), "--key", str(key), "--models", str(models), "--out", str(out))
    done = run(*common, "--allow-simulated")
    assert done.exit_code == 0, done.output
    assert "report.html" in done.output
    told = json.loads((out / "figures.json").read_text(encoding="utf-8"))
    conditions = told["variants"][0]["conditions"]
    assert {each["condition"] for each in conditions} == set(protocol.conditions)
    for each in conditions:
        assert len(each["models"]) == (3 if each["condition"] == "single_shot" else 0)
    assert recomputed(out)


def test_simulated_sessions_are_refused_in_one_line(tmp_path, capsys):
    pack, study, _key = study_files(graph_protocol("single_shot"), tmp_path)
    simulate(pack, tmp_path / "sessions", 1)
    out = tmp_path / "report"
    done = run(str(study), str(tmp_path / "sessions"), "--out", str(out))
    assert done.exit_code == 2
    said = capsys.readouterr().err + done.stderr
    assert "--allow-simulated" in said
    assert said.count("\n") == 1
    assert not out.exists()


def test_questions_without_the_key_are_unscored_and_no_number_is_made_up(tmp_path):
    pack, study, _ = study_files(question_protocol("blind"), tmp_path)
    simulate(pack, tmp_path / "sessions", 2)
    records = collect(open_study(study), [tmp_path / "sessions"]).records
    (made,) = prepare(records, allow_simulated=True).figures.variant("primary").conditions
    assert made.counts.unscored > 0
    assert made.headline.value is None
    assert made.items == ()


@pytest.mark.long
def test_two_hundred_sessions_are_reported_and_recomputed(tmp_path):
    protocol = graph_protocol("single_shot", "verifier_turns_3", items=[{"kind": "curated"}])
    pack, study, key = study_files(protocol, tmp_path)
    simulate(pack, tmp_path / "sessions", 200, seed=5)
    models = leaderboard(tmp_path / "models.json", models=8)
    out = tmp_path / "report"
    common = (str(study), str(tmp_path / "sessions"), "--key", str(key), "--models", str(models), "--out", str(out))
    assert run(*common, "--allow-simulated").exit_code == 0
    told = json.loads((out / "figures.json").read_text(encoding="utf-8"))
    assert sum(each["counts"]["people"] for each in told["variants"][1]["conditions"]) > 180
    assert recomputed(out)
