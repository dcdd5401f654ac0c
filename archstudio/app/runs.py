"""The runs that are kept, as rows that follow what the engine reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from archstudio.app.training import TrainingDesk, optimiser_title
from archstudio.files.unusable import UnusableFile
from archstudio.training.description import RunDescription
from archstudio.training.engine import ProgressMade, RunStatus
from archstudio.training.export import runs_as_csv
from archstudio.training.live_curves import LiveCurve
from archstudio.training.probe import PROBE
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
    pinned: bool = False
    """Its curve is drawn whatever is selected."""
    bytes_used: int = 0
    ceilings: Mapping[str, tuple[float, str]] = field(default_factory=dict)
    """The best that any model can reach, by metric, with a sentence; known of synthetic data once a seed has ended."""
    marks: tuple[tuple[float, str], ...] = ()
    """Samples at which a seed broke, and why."""

    @property
    def name(self) -> str:
        """The settings that tell runs of one graph apart, and the graph's title."""
        return f"{self.settings} · {self.title}" if self.settings else self.title

    def matches(self, words: str) -> bool:
        """Whether every word stands in the name, state, result or reason."""
        told = f"{self.name} {self.state} {self.result_text} {self.failure} {self.run_id}".casefold()
        return all(word in told for word in words.casefold().split())

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
        self._live: dict[tuple[str, int, str], LiveCurve] = {}
        self._read: dict[str, tuple[int, StoredRun]] = {}

    def stored(self, run_id: str) -> StoredRun:
        """A run on disk, read again only when its description was written again."""
        changed = self._desk.store.changed_at(run_id)
        known = self._read.get(run_id)
        if known is None or known[0] != changed:
            known = self._read[run_id] = changed, self._desk.stored(run_id)
        return known[1]

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
            if run.description.kind == PROBE:
                self._desk.forget_later(run.run_id)
            elif all(row.run_id != run.run_id for row in self.rows):
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
                row.left = span_text(event.left.low, event.left.high)
        for run_id in touched:
            self._refresh(by_id[run_id], self.stored(run_id))
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
        row.marks = _marks(run, known)
        row.ceilings = {r.ceiling_metric: (r.ceiling, r.ceiling_words) for r in known if r.ceiling is not None}
        if row.state not in _ACTIVE or not self._desk.started:
            row.bytes_used = run.bytes_used()
        row.result_text = _result(known)

    def go_on(self, row: RunRow) -> None:
        """Let a held, stopped, interrupted or failed run go on; what the engine reports corrects the state shown."""
        self._desk.go_on(row.run_id)
        row.state, row.failure = "queued", ""

    def delete(self, run_id: str) -> None:
        """Remove a run that is over, with its files; RunBusy if it is not."""
        self._desk.delete(run_id)
        self._live = {key: curve for key, curve in self._live.items() if key[0] != run_id}
        self.rows = [row for row in self.rows if row.run_id != run_id]

    def csv(self, rows: Sequence[RunRow]) -> str:
        """Every value of every metric of these runs, as CSV."""
        return runs_as_csv(self.stored(row.run_id) for row in rows)

    def live(self, run_id: str, metric: str) -> list[LiveCurve]:
        """For each seed a curve that grows: only what was written since the last call is read."""
        run = self.stored(run_id)
        curves = []
        for seed in run.description.seeds:
            key = run_id, seed, metric
            known = self._live.get(key)
            files = run.seed(seed)
            again = known is not None and len(known) and not _goes_on(known, files.series(metric, len(known) - 1))
            if known is None or again:  # again: the seed was tried again from its beginning
                known = self._live[key] = LiveCurve(run.train_size())
            known.extend(files.series(metric, len(known)))
            curves.append(known)
        return curves

    @property
    def bytes_used(self) -> int:
        """What all runs take on disk."""
        return sum(row.bytes_used for row in self.rows)

    def free(self, rows: Sequence[RunRow]) -> int:
        """Delete checkpoints and weights of runs that are over, keep curves and results; returns the bytes freed."""
        freed = 0
        for row in rows:
            if row.state not in _ACTIVE:
                run = self.stored(row.run_id)
                freed += run.free_weights()
                self._refresh(row, run)
        return freed

    def series(self, run_id: str, metric: str) -> Sequence[tuple[Any, Any]]:
        """For each seed: samples seen and the values of a metric."""
        run = self.stored(run_id)
        records = [run.seed(seed).series(metric) for seed in run.description.seeds]
        return [(r["samples"].astype(float), r["value"]) for r in records]


def _goes_on(known: LiveCurve, last: Any) -> bool:
    """Whether the last record that is known still stands in the file."""
    return len(last) > 0 and float(last["samples"][0]) == known.x[-1] and float(last["value"][0]) == known.y[-1]


def _marks(run: StoredRun, known: list[SeedResult]) -> tuple[tuple[float, str], ...]:
    failures = [result.failure for result in known if result.failure and result.failure.kind == "diverged"]
    return tuple((float((f.step or 0) * run.description.batch_size), f.message) for f in failures)


def size_text(count: int) -> str:
    """Bytes as people read them."""
    for unit, size in (("GB", 2**30), ("MB", 2**20), ("kB", 2**10)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} B"


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


def span_text(low: float, high: float) -> str:
    """A range of seconds as people read it."""
    if high < 1.5:
        return "1 s"
    unit, size = ("s", 1.0) if high < 120 else ("min", 60.0) if high < 7200 else ("h", 3600.0)
    a, b = round(low / size), round(high / size)
    return f"{b} {unit}" if a >= b else f"{a}–{b} {unit}"
