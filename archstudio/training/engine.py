"""The training engine of this machine: runs are submitted to it, workers do them, and what happened can be polled."""

import os
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Protocol

import psutil

from archstudio.files.atomic import saving
from archstudio.training.child import ChildLimits
from archstudio.training.description import TENSORS_FILE, RunDescription, TensorData, read_description
from archstudio.training.presence import Presence
from archstudio.training.protocol import Failure
from archstudio.training.queue import JobQueue, State
from archstudio.training.store import RunStore, StoredRun
from archstudio.training.supervisor import EngineEvent, EngineFault, ProgressMade, StateChanged, Supervisor

__all__ = ["Engine", "EngineEvent", "EngineFault", "LocalEngine", "ProgressMade", "RunBusy", "RunHandle", "RunStatus"]

_MEMORY_SHARE = 0.8
_CLOSE_SECONDS = 0.6
"""A step that takes longer than this is not waited for: the run goes on from its last checkpoint next time."""
_MOST_IMPORTANT_FIRST: tuple[State, ...] = ("running", "queued", "paused", "failed", "stopped", "finished")
_SETTLED: tuple[State, ...] = ("finished", "failed", "stopped")


class RunBusy(Exception):
    """A run cannot be deleted while it is queued, training or paused."""

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id
        super().__init__(f"The run {run_id} is not over. Stop it first, then delete it.")


@dataclass(frozen=True)
class SeedStatus:
    """State of one seed; `failure` says why if it failed."""

    seed: int
    state: State
    attempt: int
    failure: Failure | None


@dataclass(frozen=True)
class RunStatus:
    """State of a run: that of its busiest seed; finished only if all are."""

    seeds: tuple[SeedStatus, ...]

    @property
    def state(self) -> State:
        """The one state to show for the run."""
        states = {seed.state for seed in self.seeds}
        return next(state for state in _MOST_IMPORTANT_FIRST if state in states)

    @property
    def settled(self) -> bool:
        """Whether nothing more will happen by itself."""
        return all(seed.state in _SETTLED for seed in self.seeds)

    @property
    def failures(self) -> tuple[Failure, ...]:
        """Why seeds failed, in the order of the seeds."""
        return tuple(seed.failure for seed in self.seeds if seed.failure)


class Engine(Protocol):
    """What every engine can do, wherever it trains."""

    @property
    def store(self) -> RunStore: ...

    def submit(self, run: RunDescription | Path, *, tensors: Path | None = None) -> "RunHandle": ...

    def poll(self) -> list[EngineEvent]: ...

    def status(self, run_id: str) -> RunStatus: ...

    def pause(self, run_id: str) -> None: ...

    def resume(self, run_id: str) -> None: ...

    def stop(self, run_id: str) -> None: ...

    def retry(self, run_id: str) -> None: ...

    def go_on(self, run_id: str) -> None: ...

    def wait(self, run_id: str, timeout: float | None = None) -> RunStatus: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class RunHandle:
    """A submitted run."""

    engine: Engine
    stored: StoredRun

    @property
    def run_id(self) -> str:
        """The run's id, which is also the name of its folder."""
        return self.stored.run_id

    def status(self) -> RunStatus:
        """Return the state of the run and of each seed."""
        return self.engine.status(self.run_id)

    def pause(self) -> None:
        """Hold at the next step."""
        self.engine.pause(self.run_id)

    def resume(self) -> None:
        """Go on after a pause or a stop, exactly where it was."""
        self.engine.resume(self.run_id)

    def stop(self) -> None:
        """End at the next step."""
        self.engine.stop(self.run_id)

    def retry(self) -> None:
        """Try the failed seeds again."""
        self.engine.retry(self.run_id)

    def go_on(self) -> None:
        """Let whatever failed, was stopped or is paused go on; none of it is failed or stopped any more."""
        self.engine.go_on(self.run_id)

    def wait(self, timeout: float | None = None) -> RunStatus:
        """Block until the run is settled; raises `TimeoutError`. Never in the window's thread."""
        return self.engine.wait(self.run_id, timeout)


class LocalEngine:
    """Trains in child processes of this one, `workers` at a time (default: one a core).

    Everything is kept under `root`; runs left queued or interrupted there go on at once. Methods may be called from
    any thread and return without waiting for workers; `poll` tells what happened since. Where `root` cannot be written
    (a full disk), `SaveFailed` says so, and what is there stays as it is.
    """

    def __init__(
        self,
        root: Path,
        *,
        workers: int | None = None,
        limits: ChildLimits | None = None,
        kinds: Mapping[str, str] | None = None,
        checkpoint_seconds: float = 30.0,
    ) -> None:
        with saving(root):
            self._store = RunStore(root)
            self._presence = Presence(root)
        self._jobs = self._opened(root)
        self._changed = threading.Condition()
        self._events: list[EngineEvent] = []
        self._latest: dict[tuple[str, int], ProgressMade] = {}
        self._closed = False
        count = workers or os.cpu_count() or 1
        self._supervisor = Supervisor(
            self._jobs,
            self._store,
            self._presence,
            workers=count,
            limits=limits or _default_limits(count),
            kinds=kinds or {},
            checkpoint_seconds=checkpoint_seconds,
            emit=self._note,
        )
        self._thread = threading.Thread(target=self._supervisor.run, name="training supervisor", daemon=True)
        self._thread.start()

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
        stored = self.store.add(description, tensors)
        self._jobs.add(stored.spec_sha256, stored.environment_sha256, description.seeds, stored.run_id)
        self._supervisor.ask(lambda: None)  # wakes it; it looks for queued jobs after every message
        return RunHandle(self, stored)

    def handle(self, run_id: str) -> RunHandle:
        """Return a handle to a run of the store; raises `UnusableFile`."""
        return RunHandle(self, self.store.get(run_id))

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
            result = self.store.seed_folder(run_id, job.seed).result() if job.state == "failed" else None
            seeds.append(SeedStatus(job.seed, job.state, job.attempt, _failure(job.state, result, job.error)))
        return RunStatus(tuple(seeds))

    def pause(self, run_id: str) -> None:
        """Hold a run at the next step of each seed."""
        self._supervisor.ask(lambda: self._supervisor.pause(run_id))

    def resume(self, run_id: str) -> None:
        """Let a paused or stopped run go on."""
        self._supervisor.ask(lambda: self._supervisor.resume(run_id))

    def stop(self, run_id: str) -> None:
        """End a run at the next step of each seed."""
        self._supervisor.ask(lambda: self._supervisor.stop(run_id))

    def retry(self, run_id: str) -> None:
        """Queue a run's failed seeds again."""
        self._supervisor.retry(run_id)
        self._supervisor.ask(lambda: None)

    def go_on(self, run_id: str) -> None:
        """Queue failed and stopped seeds again, and let paused ones go on; none is settled by an earlier end then."""
        self._supervisor.requeue(run_id, ("failed", "stopped"))
        self.resume(run_id)

    def delete(self, run_id: str) -> None:
        """Remove a run that is over, with all its files; raises `RunBusy`."""
        if any(job.state not in _SETTLED for job in self._jobs.of_run(run_id)):
            raise RunBusy(run_id)
        self._jobs.remove_run(run_id)
        self.store.delete(run_id)

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
        """Stop every job at its next step, to go on next time, and end all workers and threads; takes under a second.

        A worker in the middle of a long step is killed: its job goes on, just as exactly, from its last checkpoint.
        """
        if self._closed:
            return
        self._closed = True
        self._supervisor.ask(self._supervisor.close)
        self._thread.join(_CLOSE_SECONDS)
        if self._thread.is_alive():
            self._supervisor.ask(self._supervisor.kill_all)
            self._thread.join()
        self._jobs.close()
        self._presence.leave()

    def __enter__(self) -> "LocalEngine":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _opened(self, root: Path) -> JobQueue:
        try:
            return JobQueue(root / "queue.sqlite3")
        except BaseException:
            self._presence.leave()
            raise

    def _note(self, event: EngineEvent) -> None:
        with self._changed:
            if isinstance(event, ProgressMade):
                self._latest[event.run_id, event.seed] = event
            else:
                self._events.append(event)
            if isinstance(event, StateChanged):
                self._changed.notify_all()


def _failure(state: State, result: object, error: str | None) -> Failure | None:
    if state != "failed":
        return None
    kept = getattr(result, "failure", None)
    return kept if isinstance(kept, Failure) else Failure(kind="error", message=error or "The reason was not kept.")


def _default_limits(workers: int) -> ChildLimits:
    return ChildLimits(memory_bytes=int(psutil.virtual_memory().total * _MEMORY_SHARE / workers))
