"""A full disk costs nobody a run: it is said clearly, what was there stays, and Retry goes on."""

import errno
import sqlite3
import sys
import threading
import time
from pathlib import Path

import pytest

from archstudio.files.atomic import SaveFailed
from archstudio.training.engine import EngineFault, LocalEngine
from archstudio.training.queue import JobQueue, QueueFailed

PATIENCE = 60.0


def fill_up(queue: JobQueue) -> None:
    """Let SQLite find the disk full: the file may not grow by a page, and a big row needs several."""
    connection = queue._connection  # the fault cannot be brought about from outside without owning a disk
    connection.execute("PRAGMA max_page_count = 1")
    connection.execute("PRAGMA wal_autocheckpoint = 0")


def make_room(queue: JobQueue) -> None:
    queue._connection.execute("PRAGMA max_page_count = 1000000")


def test_a_full_disk_is_told_in_words_and_the_list_keeps_what_it_had(tmp_path: Path) -> None:
    queue = JobQueue(tmp_path / "queue.sqlite3")
    queue.add("spec", "here", [0], "first")
    fill_up(queue)
    with pytest.raises(QueueFailed, match="the disk is full") as raised:
        queue.add("x" * 100_000, "here", range(50), "second")
    assert isinstance(raised.value, SaveFailed)
    assert "queue.sqlite3" in str(raised.value)
    assert [job.result_path for job in queue.all()] == ["first"]
    make_room(queue)
    assert len(queue.add("x" * 100_000, "here", range(50), "second")) == 50
    queue.close()


def test_a_damaged_list_is_named(tmp_path: Path) -> None:
    (tmp_path / "queue.sqlite3").write_bytes(b"no database" * 1000)
    with pytest.raises(QueueFailed, match="damaged"):
        JobQueue(tmp_path / "queue.sqlite3")


def test_an_engine_without_room_for_its_list_says_so_and_leaves_nothing_running(tmp_path: Path, monkeypatch) -> None:
    def full(*_: object, **__: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorname = "SQLITE_FULL"
        raise error

    threads = threading.active_count()
    monkeypatch.setattr(sqlite3, "connect", full)
    with pytest.raises(SaveFailed, match="the disk is full"):
        LocalEngine(tmp_path, workers=1)
    assert threading.active_count() == threads
    assert list((tmp_path / "engines").iterdir()) == []


def test_a_run_that_cannot_be_written_is_refused_in_words(tmp_path: Path, describe, monkeypatch) -> None:
    with LocalEngine(tmp_path, workers=1) as engine:

        def full(*_: object, **__: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(Path, "mkdir", full)
        with pytest.raises(SaveFailed, match="the disk is full"):
            engine.submit(describe())
        monkeypatch.undo()
        assert engine.submit(describe()).wait(PATIENCE).state == "finished"


def test_a_run_that_ends_while_the_disk_is_full_is_listed_as_soon_as_there_is_room(
    engine, describe, monkeypatch
) -> None:
    handle = engine.submit(describe(budget_samples=64_000))
    whole = JobQueue.move
    refused = threading.Event()

    def full(self: JobQueue, *arguments: object, **options: object) -> bool:
        refused.set()
        raise QueueFailed(Path("queue.sqlite3"), "the disk is full")

    monkeypatch.setattr(JobQueue, "move", full)
    assert refused.wait(PATIENCE)
    assert handle.status().state == "running"
    monkeypatch.setattr(JobQueue, "move", whole)
    assert handle.wait(PATIENCE).state == "finished"
    assert [e.message for e in engine.poll() if isinstance(e, EngineFault) and "disk is full" in e.message]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
def test_a_disk_that_fills_up_while_training_fails_the_run_with_the_remedy_and_retry_finishes_it(
    engine, describe, tmp_path: Path
) -> None:
    room = tmp_path / "room"
    source = f"""
import pathlib, resource
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (hard if pathlib.Path({str(room)!r}).exists() else 6000, hard))
{describe().model.source}
"""
    handle = engine.submit(describe(source=source, budget_samples=32_000))
    (failure,) = handle.wait(PATIENCE).failures
    assert failure.kind == "storage"
    assert "Make room" in failure.message
    room.touch()
    handle.go_on()
    assert handle.wait(PATIENCE).state == "finished"
    assert len(handle.stored.seed(0).series("train_loss")) == 1000


def test_what_failed_or_stopped_goes_on_at_once_when_asked(engine, describe) -> None:
    broken = "def build_model():\n    raise RuntimeError('no such layer')\n"
    handle = engine.submit(describe(source=broken))
    assert handle.wait(PATIENCE).state == "failed"
    handle.go_on()
    assert handle.status().state != "failed"
    assert handle.wait(PATIENCE).seeds[0].attempt == 2


def test_closing_does_not_wait_for_an_endless_step_and_the_run_goes_on_exactly(tmp_path: Path, describe) -> None:
    """The step ends only when a file appears, so that `close` returns at all shows that the worker was killed."""
    gate = tmp_path / "gate"
    source = f"""
import pathlib, time
from torch import nn

class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(12, 32), nn.Dropout(0.1), nn.Linear(32, 4))
        self.steps = 0

    def forward(self, x):
        self.steps += self.training
        while self.steps == 25 and not pathlib.Path({str(gate)!r}).exists():
            time.sleep(0.01)
        return self.inner(x)

def build_model():
    return Gated()
"""
    description = describe(source=source)
    with LocalEngine(tmp_path / "root", workers=1, checkpoint_seconds=0.0) as engine:
        handle = engine.submit(description)
        deadline = time.monotonic() + PATIENCE
        files = handle.stored.seed(0)
        while len(files.series("train_loss")) < 23:
            assert time.monotonic() < deadline
            time.sleep(0.01)
    assert files.result() is None
    assert files.checkpoint.exists()
    gate.touch()
    with LocalEngine(tmp_path / "root", workers=1) as engine:
        assert engine.wait(handle.run_id, PATIENCE).state == "finished"
    with LocalEngine(tmp_path / "other", workers=1) as engine:
        undisturbed = engine.submit(description)
        undisturbed.wait(PATIENCE)
    for metric in ("train_loss", "val_loss"):
        once, twice = (run.stored.seed(0).series(metric)["value"].tobytes() for run in (undisturbed, handle))
        assert once == twice
