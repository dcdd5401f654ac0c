"""Trains own settings and designs in the background: prepares the data, runs the seeds, and gathers their curves."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np

from archstudio.app.quiz.item import Curve, ShownData
from archstudio.app.quiz.tasks import Task, TaskFailed
from archstudio.app.words import said
from archstudio.files.atomic import SaveFailed, save_atomic
from archstudio.files.home import home_path, runs_path
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.candidates.spec import CandidateSpec
from archstudio.intuition.datasets.folder import Dataset
from archstudio.intuition.datasets.spec import DatasetSpec
from archstudio.intuition.records import checked, json_bytes, read_record
from archstudio.intuition.truth.description import KINDS
from archstudio.intuition.truth.job import CURVE
from archstudio.intuition.truth.prepare import READY_FILE, Prepared
from archstudio.intuition.truth.runs import Bench, Truth, TruthFailed
from archstudio.training.curves import band
from archstudio.training.description import RunDescription
from archstudio.training.engine import LocalEngine
from archstudio.training.status import RunHandle

State = Literal["preparing", "training", "finished", "failed", "stopped"]
_MODULE = "archstudio.intuition.truth.prepare"
NO_LIMIT = 1e30
"""An own setting does not fail by ending high; it is shown where it ends."""


class Trainable(Protocol):
    """What can be trained on a data set: an own setting, or a design."""

    @property
    def spec(self) -> CandidateSpec: ...

    def describe(self, dataset: DatasetSpec, data_sha256: str, seeds: tuple[int, ...]) -> RunDescription: ...


@dataclass
class Trial:
    """One thing that is trained, and what is known of it so far. `left` is in seconds."""

    name: str
    what: Trainable
    words: str
    seeds: tuple[int, ...]
    state: State = "preparing"
    done: float = 0.0
    left: float | None = None
    curve: Curve = field(default_factory=lambda: Curve((), (), ()))
    mean: float | None = None
    std: float | None = None
    failed_seeds: int = 0
    message: str = ""
    truth: Truth | None = None

    @property
    def over(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in ("finished", "failed", "stopped")


def retained(trials: Sequence[Trial]) -> list[Trial]:
    """Return the trials that are kept, newest first: the newest, and the best of the others that ended well."""
    if not trials:
        return []
    newest, others = trials[-1], [trial for trial in trials[:-1] if trial.mean is not None]
    best = min(others, key=lambda trial: trial.mean or 0.0, default=None)
    return [newest] if best is None else [newest, best]


def dataset_spec(data: ShownData) -> DatasetSpec:
    """Return the spec of a pack's data set, complete enough to make it again; it has no limit that makes runs fail."""
    assert data.params is not None  # who has no parameters is offered no own setting
    classes = data.family in ("bigram_lm", "synthetic_tabular_classification")
    content = {
        "family": data.family,
        "params": data.params,
        "selection_metric": "test_ce" if classes else "test_mse",
        "significance": {"gap_min": 0, "fail_threshold": NO_LIMIT},
        "files": {
            "validation": "validation.pt" if data.params.validation_size else None,
            "transition": "transition.npz" if data.family == "bigram_lm" else None,
        },
        "dataset_id": data.dataset_id,
    }
    return checked(DatasetSpec, content, data.dataset_id)


class Workbench:
    """One data set at a time. `poll` it while something is under way; `close` ends every process."""

    def __init__(self, root: Path | None = None, scratch: Path | None = None, workers: int | None = None) -> None:
        self._root, self._scratch, self._workers = root, scratch, workers
        self._engine: LocalEngine | None = None
        self._task: Task | None = None
        self._request: tempfile.TemporaryDirectory[str] | None = None
        self._prepared: Prepared | None = None
        self._spec: DatasetSpec | None = None
        self._handle: RunHandle | None = None
        self._began = 0.0
        self._key: object = None
        self.trials: list[Trial] = []
        self.problem = ""
        """Why the data cannot be prepared, if so."""

    # --------------------------------------------------------------- the data

    def take(self, key: object, spec: DatasetSpec, folder: Path | None = None) -> None:
        """Turn to a data set, known by `key` to the caller; trials on another one are given up.

        `folder` is where it lies; without one it is made from its spec. Raises `SaveFailed`, `OSError`.
        """
        if key == self._key:
            return
        self.give_up()
        self._key, self._spec = key, spec
        out = (self._scratch or home_path() / "questions" / "data") / _place(spec, folder)
        if folder is None and (out / READY_FILE).is_file():
            try:
                self._prepared = read_record(Prepared, out / READY_FILE)
            except UnusableFile:
                self._prepared = None  # it is prepared anew
            if self._prepared is not None and Path(self._prepared.tensors).is_file():
                return
        self._prepare(spec, folder, out)

    def _prepare(self, spec: DatasetSpec, folder: Path | None, out: Path) -> None:
        self._prepared = None
        self._request = tempfile.TemporaryDirectory(prefix="archstudio-")
        request = Path(self._request.name) / "request.json"
        save_atomic(request, json_bytes({"folder": str(folder)} if folder else {"spec": spec.as_json()}), backups=0)
        self._task = Task(_MODULE, [str(request), str(out)])

    @property
    def key(self) -> object:
        """What the data set in hand is known by to the caller; None for none."""
        return self._key

    @property
    def devices(self) -> tuple[str, ...]:
        """The devices there are; only the processor until the data are prepared."""
        return ("cpu",) if self._prepared is None else tuple(self._prepared.devices)

    @property
    def ready(self) -> bool:
        """Whether the data are prepared."""
        return self._prepared is not None

    # ---------------------------------------------------------------- training

    @property
    def engine(self) -> LocalEngine:
        """The engine of candidates; started by the first use."""
        if self._engine is None:
            root = self._root or runs_path() / "candidates"
            self._engine = LocalEngine(root, workers=self._workers, kinds=KINDS)
        return self._engine

    @property
    def active(self) -> Trial | None:
        """The trial under way."""
        return self.trials[-1] if self.trials and not self.trials[-1].over else None

    @property
    def busy(self) -> bool:
        """Whether `poll` has something to look at."""
        return self._task is not None or self.active is not None

    def start(self, what: Trainable, words: str, seeds: Sequence[int]) -> Trial:
        """Train something with some seeds; one that is still under way is stopped."""
        self.stop()
        number = 1 + max((int(trial.name.rpartition(" ")[2]) for trial in self.trials), default=0)
        trial = Trial(f"own {number}", what, words, tuple(seeds))
        self.trials = [*_oldest_first(self.trials), trial]
        self._begin_if_ready()
        return trial

    def _begin_if_ready(self) -> None:
        trial = self.active
        if trial is None or self._prepared is None or self._spec is None or trial.state != "preparing":
            return
        try:
            description = trial.what.describe(self._spec, self._prepared.sha256, trial.seeds)
            self._handle = self.engine.submit(description, tensors=Path(self._prepared.tensors))
        except (UnusableFile, SaveFailed) as reason:
            trial.state, trial.message = "failed", str(reason)
            return
        self._handle.retry()  # what was stopped or failed before is tried again; what is finished stays
        self._handle.resume()
        trial.state = "training"
        self._began = time.monotonic()

    def stop(self) -> None:
        """Stop what is under way at its next step."""
        trial = self.active
        if trial is None:
            return
        if self._handle is not None:
            self._handle.stop()
        self._handle = None
        trial.state = "stopped"

    def poll(self) -> bool:
        """Take in what happened; whether anything that is shown may be another."""
        if self._task is not None:
            return self._poll_task(self._task)
        trial = self.active
        if trial is None or self._handle is None:
            return False
        self.engine.poll()
        status = self._handle.status()
        self._measure(trial, self._handle)
        if all(seed.state in ("finished", "failed") for seed in status.seeds):
            self._finish(trial, self._handle)
        return True

    def _poll_task(self, task: Task) -> bool:
        try:
            said = task.poll()
            if said is None:
                return False
            self._prepared = checked(Prepared, said, "the prepared data")
        except (TaskFailed, UnusableFile) as failed:
            self.problem = str(failed)
            if self.active is not None:
                self.active.message, self.active.state = self.problem, "failed"
        self._task = None
        self._drop_request()
        self._begin_if_ready()
        return True

    def _measure(self, trial: Trial, handle: RunHandle) -> None:
        """Read the curves so far."""
        stored, budget = handle.stored, trial.what.spec.budget.total_samples_seen
        series = [stored.seed(seed).series(CURVE) for seed in trial.seeds]
        reached = [float(one["samples"][-1]) / budget if len(one) else 0.0 for one in series]
        trial.done = sum(reached) / len(reached)
        spent = time.monotonic() - self._began
        trial.left = spent * (1 - trial.done) / trial.done if trial.done > _SURE_FROM else None
        trial.curve = _mean_curve([(one["samples"], one["value"]) for one in series if len(one)])

    def _finish(self, trial: Trial, handle: RunHandle) -> None:
        assert self._prepared is not None
        assert self._spec is not None
        dataset = Dataset(self._spec, Path(self._prepared.folder))
        bench = Bench(self.engine, dataset, Path(self._prepared.tensors), self._prepared.sha256)
        self._handle, trial.left = None, None
        try:
            truth = bench.collect(trial.what.spec, handle, trial.seeds, max_failed=len(trial.seeds))
        except TruthFailed as failed:
            trial.state, trial.message = "failed", str(failed)
            return
        summary = truth.summary
        trial.truth, trial.done = truth, 1.0
        trial.mean, trial.std, trial.failed_seeds = summary.mean, summary.std, summary.failed_seeds
        if len(truth.curves.mean):
            values = (truth.curves.samples, truth.curves.mean, truth.curves.std)
            trial.curve = Curve(*(tuple(map(float, one)) for one in values))
        trial.state = "failed" if summary.mean is None else "finished"
        trial.message = said("Every seed diverged.") if summary.mean is None else ""

    # ------------------------------------------------------------------ ending

    def give_up(self) -> None:
        """Stop what is under way and forget the trials and the data set; the runs stay on disk."""
        self.stop()
        if self._task is not None:
            self._task.end()
            self._task = None
        self._drop_request()
        self._prepared, self._spec, self._key, self.problem = None, None, None, ""
        self.trials = []

    def close(self) -> None:
        """End every process."""
        self.give_up()
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def _drop_request(self) -> None:
        if self._request is not None:
            self._request.cleanup()
            self._request = None


def _place(spec: DatasetSpec, folder: Path | None) -> str:
    """A folder's tensors are its own, also where their program would make others in the last bits."""
    return spec.dataset_id if folder is None else f"{spec.dataset_id}-{sha256(str(folder).encode()).hexdigest()[:8]}"


_SURE_FROM = 0.02
"""A time left is guessed from this share on."""


def _oldest_first(trials: list[Trial]) -> list[Trial]:
    """The kept trials in the order they were made."""
    kept = retained(trials)
    return [trial for trial in trials if trial in kept]


def _mean_curve(series: list[tuple[Any, Any]]) -> Curve:
    """The mean over the seeds that have come so far at each number of samples."""
    if not series:
        return Curve((), (), ())
    made = band(series, "sd")
    std = np.nan_to_num(made.centre - made.low)
    known = np.isfinite(made.centre)
    return Curve(*(tuple(map(float, values[known])) for values in (made.x, made.centre, std)))
