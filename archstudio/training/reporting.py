"""Takes the values of a running job: each goes to its file, and a summary at most ten times a second to the window."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path

from archstudio.training.metrics import MetricFiles
from archstudio.training.protocol import Aggregate, Message, Paused, Progress, Resumed, Started

INTERVAL_SECONDS = 0.1

Send = Callable[[Message], None]


class _Summary:
    """Count, mean, range and last value of one metric since the last message."""

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0
        self.low = float("inf")
        self.high = float("-inf")
        self.last = 0.0
        self.samples = 0

    def add(self, value: float, samples: int) -> None:
        self.count += 1
        self.total += value
        self.low = min(self.low, value)
        self.high = max(self.high, value)
        self.last, self.samples = value, samples

    def aggregate(self) -> Aggregate:
        return Aggregate(
            count=self.count,
            mean=self.total / self.count,
            low=self.low,
            high=self.high,
            last=self.last,
            samples=self.samples,
        )


class Reporter:
    """One job's way out: metric files in `folder`, messages through `send`."""

    def __init__(
        self, job: int, folder: Path, send: Send, kept: Mapping[str, int], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._job = job
        self._send = send
        self._files = MetricFiles(folder, kept)
        self._summaries: dict[str, _Summary] = {}
        self._clock = clock
        self._next = 0.0
        self._at = (0, 0, 0.0)

    @property
    def counts(self) -> dict[str, int]:
        """Number of records of each metric, for a checkpoint."""
        self._files.flush()
        return self._files.counts

    def started(self, step: int, parameters: int) -> None:
        """Say that training begins at `step`."""
        self._send(Started(job=self._job, step=step, parameters=parameters))

    def record(self, values: Mapping[str, float], step: int, samples: int, seconds: float) -> None:
        """Keep finite values measured after `step`."""
        for name, value in values.items():
            self._files.append(name, step, samples, seconds, value)
            self._summaries.setdefault(name, _Summary()).add(value, samples)
        self._at = (step, samples, seconds)
        if self._clock() >= self._next:
            self.flush()

    def flush(self) -> None:
        """Write to disk and send what has gathered."""
        self._files.flush()
        if self._summaries:
            step, samples, seconds = self._at
            metrics = {name: summary.aggregate() for name, summary in self._summaries.items()}
            self._send(Progress(job=self._job, step=step, samples=samples, seconds=seconds, metrics=metrics))
            self._summaries = {}
        self._next = self._clock() + INTERVAL_SECONDS

    def paused(self, step: int) -> None:
        """Say that the job holds."""
        self.flush()
        self._send(Paused(job=self._job, step=step))

    def resumed(self) -> None:
        """Say that the job goes on."""
        self._send(Resumed(job=self._job))

    def close(self) -> None:
        """Write and send the rest, and close the files."""
        try:
            self.flush()
        finally:
            self._files.close()
