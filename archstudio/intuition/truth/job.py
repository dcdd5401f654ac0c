"""The job kind "candidate": runs the generated files of a candidate for one seed, in a worker process."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

from archstudio.intuition.truth.program import imported, parted
from archstudio.training.control import Control
from archstudio.training.description import TENSORS_FILE, RunDescription, read_description
from archstudio.training.devices import torch_device
from archstudio.training.loop import Job
from archstudio.training.protocol import Failure
from archstudio.training.reporting import Reporter, Send
from archstudio.training.store import SeedResult

if TYPE_CHECKING:
    from torch import Tensor

PROGRAM_FOLDER = "program"
CURVE = "curve"
"""The metric file that holds what the program measured while it trained."""
FINAL = "final_test_"


class _Stopped(Exception):
    """The run was asked to stop; there is no checkpoint, it begins again next time and takes seconds."""


def run_candidate(job: Job, control: Control, send: Send) -> SeedResult | None:
    """Run one seed to its end and return the result, or None if it was stopped before.

    Raises `Aborted`, `UnusableFile`, `NoDevice`, and whatever the program itself raises.
    """
    description = read_description(job.folder)
    torch_device(description.device)  # said in words before the program asks for what is not there
    program = job.files.path / PROGRAM_FOLDER
    program.mkdir(exist_ok=True)
    for name, text in parted(description.model.source).items():
        (program / name).write_bytes(text.encode())  # written anew each time, so it need not survive a power cut
    reporter = Reporter(job.number, job.files.metrics, send, {})
    listener = _Listener(description, reporter, control)
    try:
        with imported(program) as train_and_eval:
            reporter.started(0, 0)
            made = train_and_eval(*_tensors(job, train_and_eval), **_settings(job, description, listener))
    except _Stopped:
        return None
    finally:
        reporter.close()
    return _result(description, made, listener)


class _Listener:
    """Hears each step: keeps what was measured, and obeys pause and stop."""

    def __init__(self, description: RunDescription, reporter: Reporter, control: Control) -> None:
        self._batch = description.batch_size
        self._reporter = reporter
        self._control = control
        self._began = time.monotonic()
        self.step = 0
        self.last: float | None = None

    @property
    def seconds(self) -> float:
        """Time since the start, without pauses."""
        return time.monotonic() - self._began

    def __call__(self, step: int, value: float | None) -> None:
        self.step = step
        if value is not None:
            self.last = value
            self._reporter.record({CURVE: value}, step, step * self._batch, self.seconds)
        if self._control.attention:
            self._obey(step)

    def _obey(self, step: int) -> None:
        if self._control.asked() == "pause":
            paused_at = time.monotonic()
            self._reporter.paused(step)
            self._control.wait_while_paused()
            self._began += time.monotonic() - paused_at
            if self._control.asked() == "go":
                self._reporter.resumed()
        if self._control.asked() == "stop":
            raise _Stopped


def _tensors(job: Job, train_and_eval: Any) -> list[Tensor]:
    """Return the tensors in the order of the program's arguments: train, test and, if it takes one, validation."""
    import inspect

    from safetensors.torch import load_file

    stored = load_file(job.folder / TENSORS_FILE)
    takes_validation = "validation_x" in inspect.signature(train_and_eval).parameters
    names = ("train", "test", "validation") if takes_validation else ("train", "test")
    return [stored[f"{name}.{side}.0"] for name in names for side in ("inputs", "targets")]


def _settings(job: Job, description: RunDescription, listener: _Listener) -> dict[str, object]:
    return {
        "steps": description.steps,
        "batch_size": description.batch_size,
        "seed": job.seed,
        "fail_threshold": math.inf if description.fail_threshold is None else description.fail_threshold,
        "progress_callback": listener,
    }


def _result(description: RunDescription, made: dict[str, Any], listener: _Listener) -> SeedResult:
    finals = {key.removeprefix("final_"): float(value) for key, value in made.items() if key.startswith(FINAL)}
    common: dict[str, Any] = {
        "step": listener.step,
        "samples": listener.step * description.batch_size,
        "seconds": listener.seconds,
    }
    if listener.step < description.steps or not all(map(math.isfinite, finals.values())):
        failure = Failure(
            kind="diverged",
            message=f"The loss or the metric was not finite after step {listener.step}.",
            step=listener.step,
            last_finite=listener.last,
        )
        return SeedResult(state="failed", failure=failure, **common)
    return SeedResult(state="finished", metrics=finals, above_threshold=bool(made["failed"]), **common)
