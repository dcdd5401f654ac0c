"""The runs that are kept, as rows that follow what the engine reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from archstudio.app.training import TrainingDesk, optimiser_title
from archstudio.files.unusable import UnusableFile
from archstudio.training.description import RunDescription
from archstudio.training.engine import ProgressMade, RunStatus
from archstudio.training.export import runs_as_csv
from archstudio.training.store import SeedResult, StoredRun

_METRICS = {"val_loss": "validation loss", "train_loss": "training loss", "val_accuracy": "validation accuracy"}
_ACTIVE = ("queued", "running", "paused")


def metric_choices() -> tuple[str, ...]:
    """Names of the metrics that are plotted, the usual one first."""
    return tuple(_METRICS)


def metric_title(metric: str) -> str:
    """What a metric is called on an axis."""
    return _METRICS.get(metric, metric)


@dataclass
class RunRow:
    """One run as the table shows it. `place` says which colour it has."""

    run_id: str
    title: str
    place: int
    settings: str = ""
    state: str = "queued"
    samples: int = 0
    budget: int = 0
    left: str = ""
    failure: str = ""
    result_text: str = ""
    has_curves: bool = False

    @property
    def name(self) -> str:
        """The settings that tell runs of one graph apart, and the graph's title."""
        return f"{self.settings} · {self.title}" if self.settings else self.title

    @property
    def state_text(self) -> str:
        """The state in one word."""
        return self.state

    @property
    def can_resume(self) -> bool:
        """Whether it can go on from where it was held, stopped, interrupted or failed."""
        return self.state in ("paused", "stopped", "interrupted", "failed")

    @property
    def progress_text(self) -> str:
        """How far it is, and how long it may still take."""
        if self.state in ("finished", "failed", "stopped", "interrupted"):
            return f"{self.samples:,} samples"
        done = self.samples / self.budget if self.budget else 0.0
        return f"{done:.0%}" + (f", {self.left} left" if self.left else "")


class RunsBook:
    """Rows, newest first. `poll` brings them up to date with what the engine reported."""

    def __init__(self, desk: TrainingDesk) -> None:
        self._desk = desk
        self.rows: list[RunRow] = []
        self.loaded = False

    def load(self) -> None:
        """Read the runs that are on disk already."""
        self.loaded = True
        runs = []
        for run_id in self._desk.stored_ids():
            try:
                runs.append(self._desk.stored(run_id))
            except UnusableFile:
                continue  # a run whose files were damaged or taken away is not shown; its folder is left alone
        runs.sort(key=lambda run: run.folder.stat().st_mtime)
        for run in runs:
            if all(row.run_id != run.run_id for row in self.rows):
                self._insert(run)

    def add(self, run_id: str) -> RunRow:
        """Put a run first, or bring it back to the front."""
        self.rows = [row for row in self.rows if row.run_id != run_id]
        return self._insert(self._desk.stored(run_id))

    def _insert(self, run: StoredRun) -> RunRow:
        taken = {row.place for row in self.rows}
        place = next(k for k in range(len(taken) + 1) if k not in taken)
        seeds = len(run.description.seeds)
        row = RunRow(
            run.run_id,
            run.description.title or "untitled",
            place,
            _settings(run.description),
            budget=run.description.budget_samples * seeds,
        )
        self.rows.insert(0, row)
        self._refresh(row, run)
        return row

    def active(self) -> list[RunRow]:
        """Runs that are queued, training or paused in this process."""
        return [row for row in self.rows if row.state in _ACTIVE and self._desk.started]

    def poll(self) -> bool:
        """Take in what the engine reported; returns whether anything changed."""
        if not self._desk.started:
            return False
        events = self._desk.engine.poll()
        by_id = {row.run_id: row for row in self.rows}
        touched = set()
        for event in events:
            run_id = getattr(event, "run_id", None)
            row = by_id.get(run_id) if run_id is not None else None
            if row is None:
                continue
            touched.add(row.run_id)
            if isinstance(event, ProgressMade) and event.left is not None:
                row.left = _span(event.left.low, event.left.high)
        for run_id in touched:
            self._refresh(by_id[run_id], self._desk.stored(run_id))
        return bool(touched)

    def _refresh(self, row: RunRow, run: StoredRun) -> None:
        results = [run.seed(seed).result() for seed in run.description.seeds]
        known = [r for r in results if r is not None]
        status = self._desk.status(run.run_id)
        row.state = _state(status, results)
        row.has_curves = any(run.seed(seed).metric_names() for seed in run.description.seeds)
        row.samples = sum(
            _samples_of(run, seed, result) for seed, result in zip(run.description.seeds, results, strict=True)
        )
        row.failure = _failure(status, known)
        row.result_text = _result(known)

    def go_on(self, row: RunRow) -> None:
        """Let a held, stopped, interrupted or failed run go on; what the engine reports corrects the state shown."""
        self._desk.go_on(row.run_id)
        row.state, row.failure = "queued", ""

    def delete(self, run_id: str) -> None:
        """Remove a run that is over, with its files; RunBusy if it is not."""
        self._desk.delete(run_id)
        self.rows = [row for row in self.rows if row.run_id != run_id]

    def csv(self, rows: Sequence[RunRow]) -> str:
        """Every value of every metric of these runs, as CSV."""
        return runs_as_csv(self._desk.stored(row.run_id) for row in rows)

    def series(self, run_id: str, metric: str) -> Sequence[tuple[Any, Any]]:
        """For each seed: samples seen and the values of a metric."""
        run = self._desk.stored(run_id)
        records = [run.seed(seed).series(metric) for seed in run.description.seeds]
        return [(r["samples"].astype(float), r["value"]) for r in records]


def _settings(description: RunDescription) -> str:
    optimiser: Any = description.optimiser.kind
    return f"{optimiser_title(optimiser)} {description.lr:g}"


def _state(status: RunStatus | None, results: list[SeedResult | None]) -> str:
    if status is not None:
        return status.state
    if any(r is None for r in results):
        return "interrupted"
    return "failed" if any(r.state == "failed" for r in results if r is not None) else "finished"


def _samples_of(run: StoredRun, seed: int, result: SeedResult | None) -> int:
    if result is not None and result.samples:
        return result.samples
    seen = run.seed(seed).series("train_loss")["samples"]
    return int(seen[-1]) if len(seen) else 0


def _failure(status: RunStatus | None, known: list[SeedResult]) -> str:
    failures = [f.message for f in status.failures] if status is not None else []
    failures += [r.failure.message for r in known if r.failure is not None]
    return failures[0] if failures else ""


def _result(known: list[SeedResult]) -> str:
    """The mean of the final validation metrics over the seeds that finished."""
    done = [r.metrics for r in known if r.state == "finished"]
    parts = []
    for metric, name in (("val_loss", "loss"), ("val_accuracy", "accuracy")):
        values = [m[metric] for m in done if metric in m]
        if values:
            mean = sum(values) / len(values)
            parts.append(f"{name} {mean:.1%}" if metric == "val_accuracy" else f"{name} {mean:.4g}")
    count = f" (n = {len(done)})" if len(done) > 1 else ""
    return ", ".join(parts) + count if parts else ""


def _span(low: float, high: float) -> str:
    """A range of seconds in words."""
    if high < 1.5:
        return "1 s"
    unit, size = ("s", 1.0) if high < 120 else ("min", 60.0) if high < 7200 else ("h", 3600.0)
    a, b = round(low / size), round(high / size)
    return f"{b} {unit}" if a >= b else f"{a}–{b} {unit}"
