"""What a run will take, before it is begun: a worker takes a few of its steps, measures them, and forgets them."""

from __future__ import annotations

from dataclasses import dataclass

from archstudio.app.runs import size_text, span_text
from archstudio.app.training import Trainable, TrainingDesk
from archstudio.app.training_settings import TrainSettings
from archstudio.app.words import said
from archstudio.training.probe import Estimate, estimate


@dataclass(frozen=True, slots=True)
class Answer:
    """What one seed will take, None where that could not be measured, and all of it in a sentence."""

    expected: Estimate | None
    text: str


class Estimating:
    """One measurement under way, which leaves no run behind.

    Making it raises what submitting a run raises: CannotTrain, SaveFailed, UnusableFile, NoEngine.
    """

    def __init__(self, desk: TrainingDesk, ready: Trainable, settings: TrainSettings) -> None:
        self._desk = desk
        self._seeds = settings.seeds
        self._planned = ready.describe(settings)
        self._handle = desk.probe(ready, settings)
        if self._handle.status().state in ("failed", "stopped"):  # one that an earlier window left behind
            self._handle.go_on()

    @property
    def over(self) -> bool:
        """Whether there is an answer."""
        return self._handle.status().settled

    def answer(self) -> Answer:
        """What the run will take, or why that cannot be said; only when it is over, and once."""
        status = self._handle.status()
        result = self._handle.stored.seed(self._planned.seeds[0]).result()
        self._desk.delete(self._handle.run_id)
        if status.failures:
            return Answer(None, said("It could not be measured: {why}").format(why=status.failures[0].message))
        if status.state != "finished" or result is None:
            return Answer(None, said("It was stopped before it was measured."))
        expected = estimate(self._planned, result)
        return Answer(expected, expected_text(expected, self._seeds, self._desk.workers))


def expected_text(expected: Estimate, seeds: int, workers: int) -> str:
    """How long all seeds take with so many workers, and how much memory each worker."""
    rounds = -(-seeds // workers)
    span = span_text(expected.low_seconds * rounds, expected.high_seconds * rounds)
    memory = size_text(expected.rss_bytes)
    busy = min(seeds, workers)
    if busy == 1:
        return said("Expected: {span}, {memory} of memory.").format(span=span, memory=memory)
    told = said("Expected: {span} for {seeds} seeds, {memory} of memory for each of {workers} workers.")
    return told.format(span=span, seeds=seeds, memory=memory, workers=busy)
