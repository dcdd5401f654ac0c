"""The job kind "train": drives a trainer through its budget, and obeys pause, stop and limits between two steps."""

import math
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from archstudio.training.checkpoint import load_checkpoint, remove_checkpoint, save_checkpoint, save_model
from archstudio.training.control import Control
from archstudio.training.description import RunDescription, read_description
from archstudio.training.devices import device_name
from archstudio.training.diagnosis import keep_diagnosis
from archstudio.training.divergence import Diverged, likely_cause
from archstudio.training.protocol import Run
from archstudio.training.reporting import Reporter, Send
from archstudio.training.sources import Dataset, load_dataset
from archstudio.training.store import SeedFolder, SeedResult, ceiling_fields
from archstudio.training.trainer import Trainer

_HISTORY = 50


@dataclass(frozen=True)
class Job:
    """What a job kind is given: its number, the run folder, the seed and the seed's folder."""

    number: int
    folder: Path
    seed: int
    files: SeedFolder
    checkpoint_seconds: float

    @classmethod
    def of(cls, run: Run, files: SeedFolder) -> "Job":
        """Return the job that a message asks for."""
        return cls(run.job, Path(run.folder), run.seed, files, run.checkpoint_seconds)


@dataclass
class _Position:
    """What the loop knows beside the trainer; it is kept in the checkpoint."""

    seconds: float = 0.0
    evaluated_at: int | None = None
    best: float | None = None
    lowest: float | None = None
    """The lowest validation loss so far, whose weights are kept if asked for."""
    waited: int = 0
    metrics: dict[str, float] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)


def train(job: Job, control: Control, send: Send) -> SeedResult | None:
    """Train one seed to its end and return the result, or None if it was stopped before (a checkpoint is left).

    Raises `Diverged`, `Aborted`, `UnusableFile`, `NothingFits`, and whatever the model's own code raises.
    """
    description = read_description(job.folder)
    dataset = load_dataset(description, job.folder)
    trainer = Trainer(description, job.seed, dataset, job.folder)
    position = _Position()
    if job.files.checkpoint.exists():
        position = _Position(**load_checkpoint(job.files.checkpoint, trainer))
    reporter = Reporter(job.number, job.files.metrics, send, position.counts)
    try:
        result = _Loop(job, description, trainer, position, reporter, control).run(dataset)
    except Diverged:
        keep_diagnosis(job.files.path, trainer, dataset)
        raise
    finally:
        reporter.close()
    if result is not None:
        keep_diagnosis(job.files.path, trainer, dataset)
    return result


class _Loop:
    """The steps of one seed."""

    def __init__(
        self,
        job: Job,
        description: RunDescription,
        trainer: Trainer,
        position: _Position,
        reporter: Reporter,
        control: Control,
    ) -> None:
        self._job = job
        self._description = description
        self._trainer = trainer
        self._position = position
        self._reporter = reporter
        self._control = control
        known = position.metrics.get("train_loss")
        self._history: deque[float] = deque([] if known is None else [known], maxlen=_HISTORY)
        self._resumed_at = time.monotonic()
        self._saved_at = self._resumed_at

    def run(self, dataset: Dataset) -> SeedResult | None:
        trainer, steps = self._trainer, self._description.steps
        self._reporter.started(trainer.step, trainer.parameters)
        if trainer.step == 0 and self._description.evaluation.at_start:
            self._evaluate()
        early = self._out_of_patience()
        while trainer.step < steps and not early:
            if self._control.attention and not self._goes_on():
                return None
            self._record(trainer.advance())
            if self._is_due():
                self._evaluate()
                early = self._out_of_patience()
            if time.monotonic() - self._saved_at >= self._job.checkpoint_seconds:
                self._save_checkpoint()
        if self._position.evaluated_at != trainer.step:
            self._evaluate()
        return self._finish(dataset, early)

    def _seconds(self) -> float:
        return self._position.seconds + time.monotonic() - self._resumed_at

    def _record(self, values: Mapping[str, float]) -> None:
        step = self._trainer.step
        for metric, value in values.items():
            if not math.isfinite(value):
                raise self._diverged(metric, step)
        if "train_loss" in values:
            self._history.append(values["train_loss"])
        self._position.metrics.update(values)
        self._reporter.record(values, step, self._trainer.samples, self._seconds())

    def _diverged(self, metric: str, step: int) -> Diverged:
        cause = likely_cause(metric, self._history, self._description, self._trainer.model)
        return Diverged(metric, step, self._position.metrics.get(metric), cause)

    def _is_due(self) -> bool:
        every, samples = self._description.evaluation.every_samples, self._trainer.samples
        return every is not None and samples // every > (samples - self._description.batch_size) // every

    def _evaluate(self) -> None:
        values = self._trainer.evaluate()
        self._record(values)
        position, rule = self._position, self._description.early_stop
        position.evaluated_at = self._trainer.step
        if self._description.keep_best and (position.lowest is None or values["val_loss"] < position.lowest):
            position.lowest = values["val_loss"]
            save_model(self._job.files.best_model, self._trainer.model, self._facts())
        if rule is None:
            return
        if position.best is None or values["val_loss"] < position.best - rule.min_delta:
            position.best, position.waited = values["val_loss"], 0
        else:
            position.waited += 1

    def _out_of_patience(self) -> bool:
        rule = self._description.early_stop
        return rule is not None and self._position.waited >= rule.patience

    def _goes_on(self) -> bool:
        """Obey a pause or a stop; False if the job ends here."""
        if self._control.asked() == "pause":
            self._position.seconds = self._seconds()
            self._reporter.paused(self._trainer.step)
            self._resumed_at = time.monotonic()
            self._save_checkpoint()
            self._control.wait_while_paused()
            self._resumed_at = self._saved_at = time.monotonic()
            if self._control.asked() == "go":
                self._reporter.resumed()
        if self._control.asked() == "stop":
            self._save_checkpoint()
            return False
        return True

    def _save_checkpoint(self) -> None:
        self._saved_at = time.monotonic()
        notes: dict[str, Any] = {**vars(self._position), "seconds": self._seconds(), "counts": self._reporter.counts}
        save_checkpoint(self._job.files.checkpoint, self._trainer, notes)

    def _facts(self) -> dict[str, str]:
        """What is written beside weights: whose they are, and after which step."""
        return {
            "architecture": self._description.model.digest,
            "seed": str(self._job.seed),
            "step": str(self._trainer.step),
        }

    def _finish(self, dataset: Dataset, early: bool) -> SeedResult:
        description, position = self._description, self._position
        if tested := self._trainer.test():
            self._record(tested)
        save_model(self._job.files.model, self._trainer.model, self._facts())
        remove_checkpoint(self._job.files.path)
        threshold = description.fail_threshold
        return SeedResult(
            state="finished",
            step=self._trainer.step,
            samples=self._trainer.samples,
            seconds=self._seconds(),
            parameters=self._trainer.parameters,
            metrics=dict(position.metrics),
            device=device_name(description.device),
            early_stopped=early and self._trainer.step < description.steps,
            above_threshold=None if threshold is None else position.metrics["val_loss"] > threshold,
            **ceiling_fields(dataset.ceiling),
        )
