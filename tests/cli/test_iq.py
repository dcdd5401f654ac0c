"""`archstudio iq` from the outside: the whole way from a seed to questions, and faults in one line."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from archstudio.files.data import data_path


@pytest.fixture
def iq(archstudio: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """`iq("show", path)` runs `archstudio iq show path` in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: archstudio("iq", *arguments)


@pytest.mark.long
def test_from_a_seed_to_a_question(iq: Callable[..., Any], tmp_path: Path) -> None:
    text = data_path("profiles", "v1.yaml").read_text("utf-8")
    (tmp_path / "two.yaml").write_text(text.replace("n_seeds: 10", "n_seeds: 2"), encoding="utf-8")
    profile = ("--profile", "two.yaml")
    made = iq("create-dataset", "--family", "univariate_regression", "--seed", 42, "--json").json
    assert made["spec"]["dataset_id"] == "sym_62678b"
    dataset = made["folder"]
    shown = iq("show", dataset)
    assert "y = cos(2π·(0.8333 + x)) + (x − x + x ÷ (−2))" in shown.out
    assert "max(|b|, 0.1)" in shown.out
    options = ("--budget", 1024, "--count", 4, "--vary", "model,optimizer", "--workers", 1, *profile)
    first = iq("generate-candidates", dataset, *options, "--json").json
    assert len(first["candidates"]) == 4
    again = iq("generate-candidates", dataset, *options, "--json").json
    assert again == first
    asked = iq("generate-question", dataset, first["folder"], *profile, "--json").json
    assert asked["questions"][0]["num_choices"] == 2
    edited = next(Path(first["folder"]).glob("c_*/model.py"))
    edited.write_text(edited.read_text() + "raise SystemExit('foreign')\n")
    told = iq("generate-question", dataset, first["folder"], *profile, "--json")
    assert told.json == asked
    assert f"{edited} was changed by hand. It is left alone; what its spec gives is shown." in told.err
    packed = iq("export-pack", asked["folder"], "pack.json")
    assert "contains the answers" in packed.out
    assert asked["questions"][0]["question_id"] in iq("show", "pack.json").out
    conformed = iq("conform", "data", "--seeds", 1, "--workers", 1)
    assert conformed.code == 0
    assert "4 of 4 finals within 0.001" in conformed.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("create-dataset",), "Name a --family"),
        (("create-dataset", "--family", "images"), "choose one of univariate_regression"),
        (("create-dataset", "--family", "bigram_lm", "--input-dim", 3), "Only multivariate"),
        (("create-dataset", "--random-family", "--profile", "none.yaml"), "There is no such profile"),
        (("generate-candidates", "nowhere", "--budget", 1024), "dataset_spec.json"),
        (("show", "."), "There is nothing to show in it"),
        (("conform", "."), "There is no data set in it"),
    ],
)
def test_a_fault_is_one_line(iq: Callable[..., Any], arguments: tuple[object, ...], told: str) -> None:
    ran = iq(*arguments)
    assert ran.code == 2
    assert told in ran.err
    assert ran.err.count("\n") == 1
    assert "Traceback" not in ran.err


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_set_killed_in_the_middle_goes_on_to_the_same_bytes(iq: Callable[..., Any], tmp_path: Path) -> None:
    text = data_path("profiles", "v1.yaml").read_text("utf-8")
    (tmp_path / "four.yaml").write_text(text.replace("n_seeds: 10", "n_seeds: 4"), encoding="utf-8")
    dataset = iq("create-dataset", "--family", "univariate_regression", "--json").json["folder"]
    options = ("--budget", 5120, "--count", 6, "--vary", "model,optimizer", "--workers", 1, "--profile", "four.yaml")
    command = ["-m", "archstudio", "iq", "generate-candidates", dataset, *options]
    child = subprocess.Popen([sys.executable, *map(str, command)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert "c_" in next(line for line in child.stdout if "c_" in line)  # the first candidate has its results
    child.kill()
    child.communicate()
    results = "candidates/*/*/results/summary.json"
    assert 1 <= len(list(Path(dataset).glob(results))) < 6
    assert not list(Path(dataset).glob("candidates/*/set.json"))
    resumed = iq("generate-candidates", dataset, *options)
    assert resumed.code == 0
    assert "(known)" in resumed.out
    after = {path: path.read_bytes() for path in Path(dataset).glob(results)}
    shutil.rmtree(Path(dataset) / "candidates")
    shutil.rmtree(Path(os.environ["ARCHSTUDIO_HOME"]) / "runs")
    assert iq("generate-candidates", dataset, *options).code == 0
    assert {path: path.read_bytes() for path in Path(dataset).glob(results)} == after


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_a_disk_that_takes_no_more_leaves_no_half_set_and_the_command_goes_on(iq: Callable[..., Any]) -> None:
    import resource

    dataset = iq("create-dataset", "--family", "univariate_regression", "--json").json["folder"]
    command = ["iq", "generate-candidates", dataset, "--budget", "512", "--count", "2", "--vary", "model"]
    full = subprocess.run(
        [sys.executable, "-m", "archstudio", *command, "--workers", "1"],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500)),
    )
    assert full.returncode == 2
    (told,) = [line for line in full.stderr.splitlines() if line.startswith("archstudio:")]
    assert "Could not save" in told or "cannot be used" in told  # whichever file is the first to grow too long
    assert "Traceback" not in full.stderr
    assert not list(Path(dataset).glob("candidates/*/set.json"))
    again = iq(*command[1:], "--workers", 1, "--json")
    assert len(again.json["candidates"]) == 2
