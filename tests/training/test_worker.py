"""The worker process alone, spoken to over its streams."""

import json
import subprocess
import sys
import time
from itertools import pairwise

import pytest

from archstudio.torchcode.child_process import to_line
from archstudio.training.description import Evaluation, write_run_folder
from archstudio.training.protocol import Quit, Run, Stop, parse_event


class Talk:
    """A worker and the events it sent."""

    def __init__(self, folder) -> None:
        command = [sys.executable, "-m", "archstudio.training.worker"]
        with (folder / "stderr").open("wb") as stderr:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr)
        self.arrivals: list[tuple[float, object]] = []

    def say(self, message) -> None:
        self.process.stdin.write(message if isinstance(message, bytes) else to_line(message))
        self.process.stdin.flush()

    def until(self, kind: str):
        for line in self.process.stdout:
            event = parse_event(line)
            self.arrivals.append((time.monotonic(), event))
            if event.type == kind:
                return event
        raise AssertionError(f"the worker ended without '{kind}'")


@pytest.fixture(scope="module")
def worker(tmp_path_factory):
    talk = Talk(tmp_path_factory.mktemp("worker"))
    yield talk
    talk.process.stdin.close()
    assert talk.process.wait(30) == 0
    talk.process.stdout.close()


def test_a_worker_says_what_it_computes_with_then_trains_and_survives_nonsense(worker, describe, tmp_path) -> None:
    ready = worker.until("ready")
    assert (ready.threads, ready.pid) == (1, worker.process.pid)
    worker.say(b"nonsense\n")
    worker.say(json.dumps({"v": 99, "type": "quit"}).encode() + b"\n")
    write_run_folder(tmp_path, describe())
    worker.say(Run(job=1, folder=str(tmp_path), seed=0))
    assert worker.until("started").step == 0
    ended = worker.until("ended")
    assert (ended.job, ended.state) == (1, "finished")


def test_progress_comes_at_most_ten_times_a_second_and_sums_up_every_step(worker, describe, tmp_path) -> None:
    write_run_folder(tmp_path, describe(budget_samples=10**9, evaluation=Evaluation()))
    worker.say(Run(job=2, folder=str(tmp_path), seed=0))
    worker.arrivals.clear()
    worker.until("heartbeat")
    worker.until("heartbeat")
    worker.say(Stop(job=2))
    assert worker.until("ended").state == "stopped"
    progress = [event for _, event in worker.arrivals if event.type == "progress"]
    counted = sum(event.metrics["train_loss"].count for event in progress if "train_loss" in event.metrics)
    assert counted == progress[-1].step
    seconds = [event.seconds for event in progress[:-1]]  # the last one is sent because the job ends
    assert all(later - earlier > 0.09 for earlier, later in pairwise(seconds))
    beats = [event for _, event in worker.arrivals if event.type == "heartbeat"]
    assert beats[-1].rss_bytes > 10**7


def test_a_worker_whose_supervisor_is_gone_leaves_a_checkpoint_and_ends(describe, tmp_path) -> None:
    talk = Talk(tmp_path)
    write_run_folder(tmp_path, describe(budget_samples=10**9, evaluation=Evaluation()))
    talk.say(Run(job=1, folder=str(tmp_path), seed=0))
    talk.until("progress")
    talk.process.stdout.close()
    talk.process.stdin.close()
    assert talk.process.wait(30) == 0
    assert (tmp_path / "seeds" / "0" / "checkpoint.safetensors").exists()


def test_quit_ends_an_idle_worker(tmp_path) -> None:
    talk = Talk(tmp_path)
    talk.until("ready")
    talk.say(Quit())
    assert talk.process.wait(30) == 0
    talk.process.stdin.close()
    talk.process.stdout.close()
