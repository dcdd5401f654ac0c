"""What all engines share: runs are kept in a store, listed in a queue, and what happens to them can be polled."""

import threading
import time
from abc import ABC, abstractmethod
from pathlib import Path
from types import TracebackType
from typing import Self

from archstudio.files.atomic import saving
from archstudio.training.description import TENSORS_FILE, RunDescription, TensorData, read_description
from archstudio.training.events import EngineEvent, ProgressMade, StateChanged
from archstudio.training.presence import Presence
from archstudio.training.protocol import Failure
from archstudio.training.queue import JobQueue, State
from archstudio.training.status import SETTLED, RunBusy, RunHandle, RunStatus, SeedStatus
from archstudio.training.store import RunStore, SeedResult


class KeptEngine(ABC):
    """An engine but for the training itself.

    Everything is kept under `root`. Methods may be called from any thread and return without waiting for workers.
    Where `root` cannot be written (a full disk), `SaveFailed` says so, and what is there stays as it is.
    """

    def __init__(self, root: Path) -> None:
        with saving(root):
            self._store = RunStore(root)
            self._presence = Presence(root)
        try:
            self._jobs = JobQueue(root / "queue.sqlite3")
        except BaseException:
            self._presence.leave()
            raise
        self._changed = threading.Condition()
        self._events: list[EngineEvent] = []
        self._latest: dict[tuple[str, int], ProgressMade] = {}
        self._closed = False

    @property
    def store(self) -> RunStore:
        """The runs on disk."""
        return self._store

    def submit(self, run: RunDescription | Path, *, tensors: Path | None = None) -> RunHandle:
        """Queue a run, given as a description or as a run folder, and return a handle to it.

        Seeds that this very run already has are not trained again, whatever their state. Raises `UnusableFile` and
        `SaveFailed`.
        """
        if isinstance(run, Path):
            description = read_description(run)
            if isinstance(description.data, TensorData):
                tensors = run / TENSORS_FILE
        else:
            description = run
        stored = self._store.add(description, tensors)
        self._jobs.add(stored.spec_sha256, stored.environment_sha256, description.seeds, stored.run_id)
        self._wake()
        return RunHandle(self, stored)

    def handle(self, run_id: str) -> RunHandle:
        """Return a handle to a run of the store; raises `UnusableFile`."""
        return RunHandle(self, self._store.get(run_id))

    def poll(self) -> list[EngineEvent]:
        """Return what happened since the last call, in order; of each seed's progress only the newest."""
        with self._changed:
            events = [*self._events, *self._latest.values()]
            self._events, self._latest = [], {}
        return events

    def status(self, run_id: str) -> RunStatus:
        """Return the state of a run; raises `KeyError` if it was never submitted."""
        jobs = self._jobs.of_run(run_id)
        if not jobs:
            raise KeyError(run_id)
        seeds = []
        for job in jobs:
            result = self._store.seed_folder(run_id, job.seed).result() if job.state == "failed" else None
            seeds.append(SeedStatus(job.seed, job.state, job.attempt, _failure(job.state, result, job.error)))
        return RunStatus(tuple(seeds))

    @abstractmethod
    def pause(self, run_id: str) -> None:
        """Hold a run at the next step of each seed."""

    @abstractmethod
    def resume(self, run_id: str) -> None:
        """Let a paused or stopped run go on."""

    @abstractmethod
    def stop(self, run_id: str) -> None:
        """End a run at the next step of each seed."""

    def retry(self, run_id: str) -> None:
        """Queue a run's failed seeds again."""
        self._requeue(run_id, ("failed",))

    def go_on(self, run_id: str) -> None:
        """Queue failed and stopped seeds again, and let paused ones go on; none is settled by an earlier end then."""
        self._requeue(run_id, ("failed", "stopped"))
        self.resume(run_id)

    def delete(self, run_id: str) -> None:
        """Remove a run that is over, with all its files; raises `RunBusy`."""
        if any(job.state not in SETTLED for job in self._jobs.of_run(run_id)):
            raise RunBusy(run_id)
        self._jobs.remove_run(run_id)
        self._store.delete(run_id)

    def wait(self, run_id: str, timeout: float | None = None) -> RunStatus:
        """Block until a run is settled and return its state; raises `TimeoutError` after `timeout` seconds."""
        deadline = None if timeout is None else time.monotonic() + timeout
        with self._changed:
            while not (status := self.status(run_id)).settled:
                left = None if deadline is None else deadline - time.monotonic()
                if left is not None and left <= 0:
                    raise TimeoutError(f"The run {run_id} is still {status.state} after {timeout} s.")
                self._changed.wait(left)
        return status

    def close(self) -> None:
        """Stop every job, to go on next time, and end all workers and threads."""
        if self._closed:
            return
        self._closed = True
        self._end_work()
        self._jobs.close()
        self._presence.leave()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @abstractmethod
    def _wake(self) -> None:
        """There may be something new in the queue."""

    @abstractmethod
    def _end_work(self) -> None:
        """Put every job back and end whatever works."""

    def _requeue(self, run_id: str, ended: tuple[State, ...]) -> None:
        """Queue again what nobody works at; the list of runs decides, so this needs no other thread."""
        for job in self._jobs.of_run(run_id):
            if self._jobs.move(job.id, "queued", expected=ended):
                self._note(StateChanged(run_id, job.seed, "queued"))
        self._wake()

    def _note(self, event: EngineEvent) -> None:
        with self._changed:
            if isinstance(event, ProgressMade):
                self._latest[event.run_id, event.seed] = event
            else:
                self._events.append(event)
            if isinstance(event, StateChanged):
                self._changed.notify_all()


def _failure(state: State, result: SeedResult | None, error: str | None) -> Failure | None:
    if state != "failed":
        return None
    if result is not None and result.failure is not None:
        return result.failure
    return Failure(kind="error", message=error or "The reason was not kept.")
