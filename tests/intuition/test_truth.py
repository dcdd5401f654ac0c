"""Truth: the files are really run, an interrupted set goes on to the same bytes, and conform tells a change."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from archstudio.files.locks import FileLock
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.candidates.sampling import SetRequest
from archstudio.intuition.candidates.spec import OptimizerSpec, identified
from archstudio.intuition.datasets.folder import Dataset, open_dataset
from archstudio.intuition.profile import LoadedProfile
from archstudio.intuition.truth.conform import compare_tensors, conform, find_datasets
from archstudio.intuition.truth.description import KINDS
from archstudio.intuition.truth.program import imported
from archstudio.intuition.truth.runs import TruthFailed, bench
from archstudio.intuition.truth.sets import (
    CandidateSet,
    SetBusy,
    SetProgress,
    edited_files,
    make_set,
    open_set,
    write_candidate,
)
from archstudio.intuition.truth.summary import Summary, read_summary
from archstudio.training.engine import LocalEngine

REQUEST = SetRequest(budget=512, count=12, vary=frozenset({"model", "optimizer"}), seed=1)


@pytest.fixture
def copied(quick_set: CandidateSet, tmp_path: Path) -> CandidateSet:
    """The set in a data root that a test may spoil."""
    root = quick_set.folder.parents[4]
    shutil.copytree(root, tmp_path / "data")
    return open_set(tmp_path / "data" / quick_set.folder.relative_to(root))


def _dataset(of: CandidateSet) -> Dataset:
    return open_dataset(of.folder.parents[1])


def _summaries(of: CandidateSet) -> dict[str, bytes]:
    return {c.id: (c.folder / "results" / "summary.json").read_bytes() for c in of.candidates}


def test_a_set_is_whole_on_disk(quick_set: CandidateSet) -> None:
    assert len(quick_set.candidates) == quick_set.record.count == 12
    for candidate in quick_set.candidates:
        assert {path.name for path in candidate.folder.iterdir()} == {
            "candidate_spec.json", "model.py", "optimizer.py", "loss.py", "train.py", "results",
        }  # fmt: skip
        assert candidate.summary.n_seeds == 2
        curves = candidate.curves()
        assert curves.values.shape == (2, len(curves.samples))
        assert not edited_files(candidate)
    assert not (quick_set.folder / ".lock").exists()


def test_the_results_are_those_of_running_the_files_by_hand(quick_set: CandidateSet) -> None:
    dataset, candidate = _dataset(quick_set), quick_set.candidates[0]
    splits = dataset.splits()
    tensors = [t for name in ("train", "test", "validation") for t in (splits[name].x, splits[name].y)]  # type: ignore[index]
    with imported(candidate.folder) as train_and_eval:
        made = train_and_eval(*tensors, seed=1)
    assert made["final_test_mse"] == candidate.summary.seed_results[1].final_test_mse
    np.testing.assert_array_equal(candidate.curves().values[1], made["step_metrics"])
    np.testing.assert_array_equal(candidate.curves().samples, made["eval_samples"])


def test_an_interrupted_set_goes_on_to_the_same_bytes(
    copied: CandidateSet, quick: LoadedProfile, tmp_path: Path
) -> None:
    before = _summaries(copied)
    (copied.folder / "set.json").unlink()
    for candidate in copied.candidates[:3]:
        shutil.rmtree(candidate.folder / "results")
    with pytest.raises(UnusableFile, match="not finished"):
        open_set(copied.folder)
    told: list[SetProgress] = []
    with LocalEngine(tmp_path / "another", kinds=KINDS, workers=1) as fresh:
        again = make_set(fresh, quick, _dataset(copied), REQUEST, told.append)
    assert _summaries(again) == before
    assert [progress.known for progress in told] == [True] * 9 + [False] * 3


def test_a_finished_set_is_not_trained_again(copied: CandidateSet, quick: LoadedProfile, engine: LocalEngine) -> None:
    engine.poll()
    assert make_set(engine, quick, _dataset(copied), REQUEST).record == copied.record
    assert engine.poll() == []


def test_two_processes_on_one_set_are_told_apart(
    copied: CandidateSet, quick: LoadedProfile, engine: LocalEngine
) -> None:
    (copied.folder / "set.json").unlink()
    with FileLock.take(copied.folder / ".lock"), pytest.raises(SetBusy, match="Another process"):
        make_set(engine, quick, _dataset(copied), REQUEST)


def test_an_edited_file_is_never_run(copied: CandidateSet, quick: LoadedProfile, engine: LocalEngine) -> None:
    victim, trap = copied.candidates[0], copied.folder.parent / "ran"
    (victim.folder / "model.py").write_text(f"open({str(trap)!r}, 'w')\n")
    assert edited_files(victim) == ["model.py"]
    (copied.folder / "set.json").unlink()
    shutil.rmtree(victim.folder / "results")
    again = make_set(engine, quick, _dataset(copied), REQUEST)
    assert not trap.exists()
    assert not edited_files(again.candidates[0])
    assert again.candidates[0].summary == victim.summary


def test_zero_surviving_seeds_are_written_without_infinity(
    copied: CandidateSet, quick: LoadedProfile, engine: LocalEngine
) -> None:
    wild = OptimizerSpec(type="SGD", lr=1e9, weight_decay=0, momentum=0)
    request = SetRequest(512, 1, frozenset({"model"}), seed=5, pinned={"optimizer": wild})
    (candidate,) = make_set(engine, quick, _dataset(copied), request).candidates
    assert candidate.summary.excluded
    assert candidate.summary.failed_seeds == 2
    assert candidate.summary.mean is None
    assert candidate.curves().values.shape == (2, 0)
    assert candidate.curves().mean.size == 0
    text = (candidate.folder / "results" / "summary.json").read_text()
    assert '"mean_test_mse": null' in text
    assert "NaN" not in text
    assert "Infinity" not in text


def test_the_references_infinity_is_read_as_no_mean(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    seeds = [{"seed": 0, "failed": True, "final_test_mse": 3.75, "mean_test_mse": 3.75}]
    content = {
        "schema_version": "1.0", "candidate_id": "c_3df162", "selection_metric": "test_mse",
        "execution": "candidate_py_files", "n_seeds": 1, "base_seed": 0, "failed_seeds": 1, "excluded": True,
        "mean_test_mse": float("inf"), "std_test_mse": float("inf"), "seed_results": seeds,
    }  # fmt: skip
    (tmp_path / "results" / "summary.json").write_text(json.dumps(content, indent=2))
    summary = read_summary(tmp_path)
    assert summary is not None
    assert summary.mean is None
    assert summary.finals().tolist() == [3.75]
    content["n_seeds"] = float("nan")
    (tmp_path / "results" / "summary.json").write_text(json.dumps(content, indent=2))
    with pytest.raises(UnusableFile, match="NaN"):
        read_summary(tmp_path)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"mean_test_mse": 0.5}, "the mean is 0.5"),
        ({"failed_seeds": 1}, "0 seeds failed, not 1"),
        ({"n_seeds": 3}, "are not the 3"),
    ],
)
def test_a_summary_that_disagrees_with_itself_is_refused(
    quick_set: CandidateSet, change: dict[str, object], told: str
) -> None:
    content = {**quick_set.candidates[0].summary.as_json(), **change}
    with pytest.raises(ValueError, match=told):
        Summary.model_validate(content)


def test_conform_reproduces_what_was_recorded(copied: CandidateSet, engine: LocalEngine) -> None:
    found = find_datasets(copied.folder.parents[4])
    result = conform(engine, found)
    assert result.holds
    assert result.reproduced == len(result.seeds) == 24
    assert max(seed.difference or 0 for seed in result.seeds) == 0
    assert compare_tensors(found[0]).largest_difference == 0


def test_conform_tells_a_perturbed_spec(copied: CandidateSet, engine: LocalEngine) -> None:
    victim = copied.candidates[0]
    content = victim.spec.as_json()
    del content["candidate_id"]
    content["optimizer"]["lr"] *= 1.5
    perturbed = identified(content, 16)
    summary = victim.summary.model_copy(update={"candidate_id": perturbed.candidate_id})
    write_candidate(victim.folder, perturbed)
    (victim.folder / "results" / "summary.json").write_text(json.dumps(summary.as_json()))
    result = conform(engine, find_datasets(copied.folder.parents[4]), seeds=1)
    assert not result.holds
    assert [c.candidate_id for c in result.candidates if not c.seeds[0].reproduced] == [perturbed.candidate_id]


def test_what_was_stopped_or_lost_before_is_queued_again(quick_set: CandidateSet, tmp_path: Path) -> None:
    spec, seeds = quick_set.candidates[0].spec, (0, 1)
    with (
        LocalEngine(tmp_path / "engine", kinds=KINDS, workers=1) as fresh,
        bench(fresh, _dataset(quick_set)) as here,
    ):
        stopped = here.submit(spec, seeds)
        stopped.stop()
        stopped.wait(60)
        assert stopped.status().state == "stopped"
        truth = here.collect(spec, here.submit(spec, seeds), seeds, max_failed=1)
    assert truth.summary == quick_set.candidates[0].summary


def test_a_program_that_fails_by_itself_is_no_result(quick_set: CandidateSet, tmp_path: Path) -> None:
    spec = quick_set.candidates[0].spec
    with (
        LocalEngine(tmp_path / "engine", kinds={"candidate": "archstudio.nowhere:run"}, workers=1) as broken,
        bench(broken, _dataset(quick_set)) as here,
        pytest.raises(TruthFailed, match="seed 0") as told,
    ):
        here.collect(spec, here.submit(spec, (0,)), (0,), max_failed=1)
    assert "archstudio.nowhere" in told.value.reason


def test_conform_writes_nothing(copied: CandidateSet, engine: LocalEngine) -> None:
    root = copied.folder.parents[4]
    before = {path: path.stat().st_mtime_ns for path in root.rglob("*")}
    conform(engine, find_datasets(root), seeds=1)
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*")} == before


def test_batches_of_studio_do_not_depend_on_the_architecture(
    quick_set: CandidateSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[int]] = []
    drawn = torch.randint

    def listening(*args: object, **kwargs: object) -> torch.Tensor:
        rows = drawn(*args, **kwargs)  # type: ignore[call-overload]
        seen[-1] += rows.tolist()
        return rows  # type: ignore[no-any-return]

    monkeypatch.setattr(torch, "randint", listening)
    x = torch.linspace(0, 1, 64)[:, None]
    sizes = set()
    for candidate in quick_set.candidates[:4]:
        seen.append([])
        sizes.add(candidate.spec.trainable_parameter_count)
        with imported(candidate.folder) as train_and_eval:
            train_and_eval(x, x, x, x, x, x, steps=3, seed=7)
    assert len(sizes) > 1
    assert all(rows == seen[0] for rows in seen)


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has one")
def test_a_device_that_is_not_here_is_refused_in_words(engine, quick: LoadedProfile, copied: CandidateSet) -> None:
    request = SetRequest(budget=512, count=1, vary=frozenset({"model"}), seed=2, device="cuda")
    with pytest.raises(TruthFailed, match="asks for CUDA; torch finds CPU here"):
        make_set(engine, quick, _dataset(copied), request)
