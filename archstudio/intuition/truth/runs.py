"""Has candidates trained by an engine and gathers what came of it into summaries and curves."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from archstudio.files.atomic import save_atomic
from archstudio.intuition.candidates.spec import CandidateSpec
from archstudio.intuition.datasets.folder import Dataset
from archstudio.intuition.records import json_bytes, npz_bytes
from archstudio.intuition.truth.description import describe, tensor_file
from archstudio.intuition.truth.job import CURVE
from archstudio.intuition.truth.summary import (
    CURVES_FILE,
    RESULTS_FOLDER,
    SUMMARY_FILE,
    Curves,
    SeedEnd,
    Summary,
    summarise,
)
from archstudio.training.description import TENSORS_FILE
from archstudio.training.engine import Engine, RunHandle, SeedStatus
from archstudio.training.protocol import Failure
from archstudio.training.store import SeedResult, StoredRun


class TruthFailed(Exception):
    """A candidate could not be run for a reason that is not its own, such as a worker that died."""

    def __init__(self, candidate_id: str, seed: int, reason: str) -> None:
        self.candidate_id = candidate_id
        self.seed = seed
        self.reason = reason
        super().__init__(f"The candidate {candidate_id} could not be run with seed {seed}: {reason}")


@dataclass(frozen=True)
class Truth:
    """The results of one candidate."""

    summary: Summary
    curves: Curves


class Bench:
    """One data set on an engine that knows the kind "candidate"; candidates are submitted to it and collected."""

    def __init__(self, engine: Engine, dataset: Dataset, tensors: Path, digest: str) -> None:
        self._engine = engine
        self._dataset = dataset
        self._tensors = tensors
        self._digest = digest

    def submit(self, spec: CandidateSpec, seeds: Sequence[int]) -> RunHandle:
        """Queue a candidate's seeds; those that were run before are not run again. Raises `UnusableFile`."""
        description = describe(spec, self._dataset.spec, self._digest, tuple(seeds))
        handle = self._engine.submit(description, tensors=self._tensors)
        _go_on(handle)
        return handle

    def collect(self, spec: CandidateSpec, handle: RunHandle, seeds: Sequence[int], max_failed: int) -> Truth:
        """Wait for a candidate's seeds and return its results; raises `TruthFailed`."""
        handle.wait()
        stored = self._engine.store.get(handle.run_id)
        results = [(seed, _result(spec, stored, seed)) for seed in seeds]
        ends = [_end(spec, seed, result) for seed, result in results]
        summary = summarise(spec.candidate_id, spec.metric, ends, max_failed, _environment(spec, stored))
        return Truth(summary, _curves(spec, stored, summary))


def _go_on(handle: RunHandle) -> None:
    """Queue again what an earlier process stopped or lost."""
    if any(map(_is_stale, handle.status().seeds)):
        handle.go_on()


def _is_stale(seed: SeedStatus) -> bool:
    """Whether a seed ended without a result of its own; a divergence is a result."""
    if seed.state == "failed":
        return seed.failure is None or seed.failure.kind != "diverged"
    return seed.state in ("stopped", "paused")


@contextmanager
def bench(engine: Engine, dataset: Dataset) -> Iterator[Bench]:
    """Put a data set's tensors where runs are given them from. Imports torch."""
    content = tensor_file(dataset)
    with tempfile.TemporaryDirectory(prefix="archstudio-") as folder:
        path = Path(folder) / TENSORS_FILE
        path.write_bytes(content)
        yield Bench(engine, dataset, path, sha256(content).hexdigest())


def save_truth(candidate_folder: Path, truth: Truth) -> None:
    """Write curves, then the summary, which therefore stands for both; raises `SaveFailed`."""
    folder = candidate_folder / RESULTS_FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    save_atomic(folder / CURVES_FILE, npz_bytes(truth.curves.arrays()), backups=0)
    save_atomic(folder / SUMMARY_FILE, json_bytes(truth.summary.as_json()), backups=0)


def _result(spec: CandidateSpec, stored: StoredRun, seed: int) -> SeedResult:
    result = stored.seed(seed).result()
    if result is None:
        raise TruthFailed(spec.candidate_id, seed, "it was stopped.")
    if result.failure is not None and result.failure.kind != "diverged":
        raise TruthFailed(spec.candidate_id, seed, _in_words(result.failure))
    return result


def _in_words(failure: Failure) -> str:
    return f"{failure.message} {failure.log[-1]}" if failure.log else failure.message


def _end(spec: CandidateSpec, seed: int, result: SeedResult) -> SeedEnd:
    failed = result.state == "failed" or bool(result.above_threshold)
    final = result.failure.last_finite if result.failure else result.metrics[spec.metric]
    content: dict[str, Any] = {f"final_{spec.metric}": final}
    if spec.metric == "test_mse":
        content["mean_test_mse"] = final  # the reference's files carry the value twice
    if spec.has_accuracy and result.failure is None:
        content["final_test_accuracy"] = result.metrics["test_accuracy"]
    return SeedEnd(seed=seed, failed=failed, **content)


def _environment(spec: CandidateSpec, stored: StoredRun) -> dict[str, Any]:
    known = stored.environment()
    assert isinstance(known, dict)  # the store's own check
    names = {"python": "python", "platform": "system", "torch": "torch", "numpy": "numpy", "threads": "threads"}
    facts = {name: known[key] for name, key in names.items()}
    return {**facts, "cpu": known["cpu"], "device": spec.device}


def _curves(spec: CandidateSpec, stored: StoredRun, summary: Summary) -> Curves:
    batch = spec.budget.batch_size
    good = [end.seed for end in summary.seed_results if not end.failed]
    if not good:
        return Curves(np.empty((summary.n_seeds, 0)), np.empty(0, np.int64), batch)
    samples = stored.seed(good[0]).series(CURVE)["samples"].astype(np.int64)
    values = np.full((summary.n_seeds, len(samples)), np.nan)
    for row, end in enumerate(summary.seed_results):
        if not end.failed:
            values[row] = stored.seed(end.seed).series(CURVE)["value"]
    return Curves(values, samples, batch)
