"""The training loop: measuring, stopping early, and explaining a divergence."""

import threading

import numpy as np
import pytest
import torch

from archstudio.training.control import Aborted, Control
from archstudio.training.description import EarlyStop, Evaluation, Sgd, write_run_folder
from archstudio.training.divergence import Diverged
from archstudio.training.loop import Job, train
from archstudio.training.protocol import Failure
from archstudio.training.store import SeedFolder


@pytest.fixture(autouse=True)
def _one_thread():
    torch.set_num_threads(1)


@pytest.fixture
def run(tmp_path, describe):
    """Train in this process; keeps the messages in `run.sent`."""

    def start(control=None, on_message=None, checkpoint_seconds=1e9, **parts):
        write_run_folder(tmp_path, describe(**parts))
        files = SeedFolder.of(tmp_path, 0)
        files.path.mkdir(parents=True, exist_ok=True)
        job = Job(1, tmp_path, 0, files, checkpoint_seconds)
        return train(job, control or Control(), on_message or (lambda message: None)), files

    return start


def test_a_stop_and_a_second_start_leave_the_same_files_as_one_run(run, tmp_path) -> None:
    control = Control()

    def stop_soon(message) -> None:
        if message.type == "progress" and message.step > 300:
            control.ask("stop")

    long = {"budget_samples": 64_000, "evaluation": Evaluation(every_samples=1000)}
    stopped, files = run(control, stop_soon, **long)
    assert stopped is None
    reached = len(files.series("train_loss"))
    assert 300 < reached < 2000
    result, _ = run(**long)
    pieces = {name: files.series(name)[["step", "samples", "value"]] for name in files.metric_names()}
    tensors = files.model.read_bytes()
    whole, _ = run(**long)
    assert result.metrics == whole.metrics
    assert pieces.keys() == {"train_loss", "val_loss", "val_accuracy"}
    for name, piece in pieces.items():
        assert np.array_equal(piece, files.series(name)[["step", "samples", "value"]])
    assert files.model.read_bytes() == tensors


def test_records_after_the_checkpoint_are_dropped_when_a_killed_run_goes_on(run) -> None:
    class Killed(BaseException):
        pass

    def die(message) -> None:
        if message.type == "progress" and message.step > 500:
            raise Killed

    with pytest.raises(Killed):
        run(None, die, checkpoint_seconds=0.01, budget_samples=64_000)
    _, files = run(budget_samples=64_000)
    continued = files.series("train_loss")
    assert continued["step"].tolist() == list(range(1, 2001))
    run(budget_samples=64_000)
    assert np.array_equal(continued["value"], files.series("train_loss")["value"])


def test_a_run_without_progress_stops_early(run) -> None:
    result, files = run(
        lr=1e-12, evaluation=Evaluation(every_samples=64), early_stop=EarlyStop(patience=3, min_delta=1e-3)
    )
    assert result.early_stopped
    assert result.samples == 192
    assert len(files.series("val_loss")) == 4


def test_the_fail_threshold_is_judged_at_the_end(run) -> None:
    assert run(fail_threshold=100.0)[0].above_threshold is False
    assert run(fail_threshold=1e-9)[0].above_threshold is True
    assert run()[0].above_threshold is None


def test_measuring_happens_at_the_start_at_intervals_and_at_the_end(run) -> None:
    _, files = run(evaluation=Evaluation(every_samples=500))
    assert files.series("val_loss")["samples"].tolist() == [0, 512, 1024, 1280]
    _, files = run(evaluation=Evaluation(at_start=False))
    assert files.series("val_loss")["samples"].tolist() == [1280]


def test_a_learning_rate_too_high_is_named_as_the_cause(run) -> None:
    source = "from torch import nn\ndef build_model():\n    return nn.Sequential(nn.Linear(12, 32), nn.Linear(32, 4))\n"
    with pytest.raises(Diverged, match="learning rate of 1e") as caught:
        run(source=source, optimiser=Sgd(), lr=1e20)
    assert caught.value.metric in ("train_loss", "val_loss")
    assert caught.value.failure().step == caught.value.step


def test_arithmetic_that_is_broken_from_the_start_is_named_as_the_cause(run) -> None:
    source = "from torch import nn\nclass M(nn.Linear):\n    def forward(self, x):\n"
    source += "        return super().forward(x).sqrt()\n"
    source += "def build_model():\n    return M(12, 4)\n"
    with pytest.raises(Diverged, match="own arithmetic") as caught:
        run(source=source, evaluation=Evaluation(at_start=False))
    assert (caught.value.step, caught.value.last_finite) == (1, None)


def test_a_gradient_that_breaks_before_the_loss_is_named_as_the_cause(run) -> None:
    from archstudio.training.description import Clip

    source = "from torch import nn\nclass M(nn.Linear):\n    def forward(self, x):\n"
    source += "        y = super().forward(x)\n        return y + (y * 0).abs().sqrt()\n"
    source += "def build_model():\n    return M(12, 4)\n"
    with pytest.raises(Diverged, match=r"gradient is not \(first at weight\)"):
        run(source=source, clip=Clip(), evaluation=Evaluation(at_start=False))


def test_a_job_over_its_limit_is_aborted_even_while_it_is_paused(run) -> None:
    control = Control()
    control.ask("pause")

    def abort_when_paused(message) -> None:
        if message.type == "paused":
            failure = Failure(kind="time", message="too long")
            threading.Timer(0.05, control.abort, [failure]).start()

    with pytest.raises(Aborted, match="too long"):
        run(control, abort_when_paused)
