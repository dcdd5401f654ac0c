"""The job kind "probe": takes a few steps of a run to say how long all of it will take, and how much memory."""

import time
from dataclasses import dataclass

import psutil

from archstudio.training.control import Control
from archstudio.training.description import RunDescription, read_description
from archstudio.training.loop import Job
from archstudio.training.reporting import Send
from archstudio.training.sources import load_dataset
from archstudio.training.store import SeedResult
from archstudio.training.trainer import Trainer

PROBE = "probe"
"""The kind of such a job."""
_SECONDS = 1.0
_WARM_UP_STEPS = 2
_SAFETY = 1.5


@dataclass(frozen=True)
class Estimate:
    """What one seed of a run will take: seconds from `low` to `high`, and resident memory of its worker in bytes."""

    low_seconds: float
    high_seconds: float
    rss_bytes: int


def as_probe(description: RunDescription) -> RunDescription:
    """Return the description of a probe of a run; submit it, and read `estimate` from the result of its first seed."""
    return description.model_copy(update={"kind": PROBE, "seeds": description.seeds[:1]})


def estimate(description: RunDescription, result: SeedResult) -> Estimate:
    """Return what the run described will take, from the result of its probe.

    The upper end allows for half as much again: other programs, checkpoints, writing.
    """
    every = description.evaluation.every_samples
    evaluations = 1 + (description.budget_samples // every if every else 0) + description.evaluation.at_start
    seconds = description.steps * result.metrics["step_seconds"] + evaluations * result.metrics["evaluation_seconds"]
    return Estimate(seconds, seconds * _SAFETY, int(result.metrics["rss_bytes"]))


def probe(job: Job, control: Control, send: Send) -> SeedResult | None:
    """Measure seconds a step, seconds an evaluation, and resident memory; takes about a second beside loading."""
    description = read_description(job.folder)
    trainer = Trainer(description, job.seed, load_dataset(description, job.folder), job.folder)
    for _ in range(_WARM_UP_STEPS):
        trainer.advance()
    begin = time.perf_counter()
    steps = 0
    while steps == 0 or time.perf_counter() - begin < _SECONDS:
        if control.attention and control.asked() == "stop":
            return None
        trainer.advance()
        steps += 1
    middle = time.perf_counter()
    trainer.evaluate()
    metrics = {
        "step_seconds": (middle - begin) / steps,
        "evaluation_seconds": time.perf_counter() - middle,
        "rss_bytes": float(psutil.Process().memory_info().rss),
    }
    return SeedResult(
        state="finished",
        step=trainer.step,
        samples=trainer.samples,
        seconds=time.perf_counter() - begin,
        parameters=trainer.parameters,
        metrics=metrics,
    )
