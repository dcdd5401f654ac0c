"""Training from the command line: own data, what trained weights say, why a run failed, and disk given back."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

QUICK = ("--samples", 640, "--workers", 1)


@pytest.fixture
def lenet(archstudio: Callable[..., Any], tmp_path: Path) -> Path:
    """A small network that takes 1×32×32 images."""
    file = tmp_path / "lenet.arch.json"
    assert archstudio("zoo", "copy", "lenet-5", file).code == 0
    return file


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Pictures of two classes, dark and bright."""
    rng = np.random.default_rng(0)
    labels = np.array(["dark", "bright"] * 60)
    image = rng.random((120, 32, 32)) * 0.2 + (labels == "bright")[:, None, None]
    np.savez(tmp_path / "pictures.npz", image=image, label=labels)
    return tmp_path / "pictures.npz"


def test_own_data_is_trained_on_tested_predicted_explained_and_freed(archstudio, lenet: Path, pictures: Path) -> None:
    ran = archstudio("train", lenet, "--data", pictures, "--test-share", 0.2, "--balanced", *QUICK, "--json").json
    assert ran["state"] == "finished"
    assert ran["seeds"][0]["metrics"]["test_accuracy"] > 0.9
    run = ran["run"]
    said = archstudio("predict", run[:8], pictures, "--best", "--json").json
    answers = [sample["answer"] for sample in said["samples"]]
    assert np.mean(np.array(answers) == np.array(["dark", "bright"] * 60)) > 0.9
    beside = archstudio("predict", run, "--count", 3)
    assert beside.out.count("target") == 3
    assert archstudio("runs", "why", run).code == 0
    listed = archstudio("runs", "list", "--json").json
    assert [one["run"] for one in listed["runs"]] == [run]
    assert "freed" in archstudio("runs", "free", run).out
    refused = archstudio("predict", run)
    assert refused.code == 2
    assert "There are no weights of this seed" in refused.err


def test_what_does_not_fit_is_one_line_with_the_reason(archstudio, lenet: Path, tmp_path: Path) -> None:
    (tmp_path / "small.csv").write_text("a,b,y\n1,2,u\n3,4,v\n")
    ran = archstudio("train", lenet, "--data", tmp_path / "small.csv", "--target", "y")
    assert ran.code == 2
    assert "1×32×32 (1,024 numbers), the 2 columns chosen give 2" in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--schedule", "stairs"), "choose constant, cosine, linear, exponential"),
        (("--precision", "int4"), "choose float32, bfloat16"),
        (("--loss", "mystery"), "choose cross_entropy"),
        (("--engine", "ray"), "choose local or dask"),
        (("--scheduler", "slurm"), "belongs to the engine dask"),
    ],
)
def test_a_choice_there_is_not_is_refused(archstudio, lenet: Path, arguments, told: str) -> None:
    ran = archstudio("train", lenet, *QUICK, *arguments)
    assert ran.code == 2
    assert told in ran.err


def test_a_run_that_failed_is_tried_again_by_the_same_command(archstudio, lenet: Path, own_home: Path) -> None:
    first = archstudio("train", lenet, *QUICK, "--json").json
    folder = own_home / "runs" / "runs" / first["run"] / "seeds" / "0"
    import sqlite3

    with sqlite3.connect(own_home / "runs" / "queue.sqlite3") as queue:
        queue.execute("UPDATE job SET state = 'failed', error = 'The worker process was killed by SIGKILL.'")
    (folder / "result.json").unlink()
    again = archstudio("train", lenet, *QUICK)
    assert again.code == 0
    assert "failed before: The worker process was killed by SIGKILL. It is tried again." in again.out
    assert "after 640 samples" in again.out


def test_runs_that_are_not_there_are_named(archstudio) -> None:
    for command in (("predict", "abc"), ("runs", "why", "abc"), ("runs", "compare", "abc")):
        ran = archstudio(*command)
        assert ran.code == 2
        assert ran.err.count("\n") == 1


@pytest.mark.skipif(os.name == "nt", reason="Ctrl+C reaches a child there in another way")
def test_ctrl_c_keeps_a_checkpoint_and_says_so(lenet: Path, own_home: Path) -> None:
    command = [sys.executable, "-m", "archstudio", "train", str(lenet), "--samples", "9000000"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        until = time.monotonic() + 120
        while not list(own_home.rglob("*.metric")) and time.monotonic() < until:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers, too
        _, told = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert told == "archstudio: Stopped. What was trained is kept; the same command goes on from there.\n"
    assert list(own_home.rglob("checkpoint.safetensors"))


def test_estimate_says_what_a_run_would_take_and_trains_nothing(archstudio, lenet: Path) -> None:
    made = archstudio("train", lenet, "--samples", 640, "--estimate", "--json")
    each = made.json["each_seed"]
    assert 0 < each["low_seconds"] < each["high_seconds"]
    assert each["rss_bytes"] > 10**7
    assert archstudio("runs", "list", "--json").json["runs"] == []
