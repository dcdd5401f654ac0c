"""The engine that trains on a Dask cluster: the same list of runs and the same workers, only elsewhere."""

from __future__ import annotations

import logging
import queue
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from pydantic import ValidationError

from archstudio.files.atomic import SaveFailed
from archstudio.files.unusable import UnusableFile
from archstudio.training.child import ChildLimits
from archstudio.training.cluster import task as remote
from archstudio.training.cluster.order import Order, SeedReturn, packed, unpack
from archstudio.training.cluster.relay import Wish
from archstudio.training.description import TENSORS_FILE
from archstudio.training.eta import Rate
from archstudio.training.events import EngineFault, ProgressMade, StateChanged
from archstudio.training.identity import numeric_environment
from archstudio.training.kept_engine import KeptEngine
from archstudio.training.protocol import Ended, Failure, Paused, Progress, Resumed, Started, parse_event
from archstudio.training.queue import QueuedJob, State
from archstudio.training.store import SeedResult
from archstudio.training.takeover import take_over

MOST_SEEDS_A_TASK = 8
_TASKS_A_WORKER = 2
"""One that runs and one that waits beside it, so that no worker is idle while results travel."""
_TICK_SECONDS = 0.5
_CLOSE_SECONDS = 5.0
_EMBEDDED_BYTES = 4 * 2**20
"""Larger data are sent to each worker once instead of with every task."""

_log = logging.getLogger(__name__)


class Future(Protocol):
    """What is used of `distributed.Future`, which has no types."""

    status: str

    def result(self) -> Any: ...

    def exception(self) -> BaseException | None: ...

    def cancel(self) -> None: ...

    def release(self) -> None: ...

    def add_done_callback(self, call: Callable[[Future], None]) -> None: ...


class Client(Protocol):
    """What is used of `distributed.Client`."""

    def submit(self, function: Callable[..., Any], *arguments: Any, key: str, pure: bool) -> Future: ...

    def run(self, function: Callable[..., Any], *arguments: Any) -> Any: ...

    def scatter(self, data: Any, *, broadcast: bool) -> Future: ...

    def nthreads(self) -> dict[str, int]: ...

    def subscribe_topic(self, topic: str, handler: Callable[[tuple[float, Any]], None]) -> None: ...

    def unsubscribe_topic(self, topic: str) -> None: ...

    def close(self) -> None: ...


@dataclass
class _Task:
    """Seeds of one run on their way: what was claimed, and what the cluster does with it."""

    id: str
    run: str
    jobs: dict[int, QueuedJob]
    budget: int
    future: Future | None = None
    started: bool = False
    parked: bool = False
    rates: dict[int, Rate] = field(default_factory=dict)


class DaskEngine(KeptEngine):
    """Trains through a Dask client; `own` are things to close with it, such as a cluster it alone uses.

    Results travel back and are kept under `root` as those of a local engine are; the same description gives the same
    bytes there. A node that dies costs time only: Dask gives its seeds to another, from their beginning.
    """

    def __init__(
        self,
        root: Path,
        client: Client,
        *,
        own: tuple[Any, ...] = (),
        kinds: Mapping[str, str] | None = None,
        limits: ChildLimits | None = None,
        checkpoint_seconds: float = 30.0,
    ) -> None:
        super().__init__(root)
        self._client = client
        self._own = own
        self._kinds = dict(kinds or {})
        self._limits = limits or ChildLimits()
        self._checkpoint_seconds = checkpoint_seconds
        self._inbox: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._tasks: dict[str, _Task] = {}
        self._topics: set[str] = set()
        self._scattered: dict[str, Future] = {}
        self._last_fault = ""
        self._capacity = (0.0, 1)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="cluster supervisor", daemon=True)
        self._thread.start()

    def pause(self, run_id: str) -> None:
        """Hold a run at the next step of each seed; seeds that wait are held at their first step."""
        self._ask(lambda: self._wish(run_id, "pause"))

    def resume(self, run_id: str) -> None:
        """Let a paused or stopped run go on."""
        self._ask(lambda: self._wish(run_id, "go"))

    def stop(self, run_id: str) -> None:
        """End a run at the next step of each seed."""
        self._ask(lambda: self._wish(run_id, "stop"))

    # ------------------------------------------------------------- the thread

    def _run(self) -> None:
        self._guard(lambda: take_over(self._jobs, self._store, self._presence, self._note))
        while not self._closing.is_set():
            self._guard(self._fill)
            try:
                action = self._inbox.get(timeout=_TICK_SECONDS)
            except queue.Empty:
                continue
            self._guard(action)
        self._guard(self._wind_up)

    def _ask(self, action: Callable[[], None]) -> None:
        self._inbox.put(action)

    def _wake(self) -> None:
        self._ask(lambda: None)

    def _guard(self, action: Callable[[], None]) -> None:
        """An error in one action must not end the thread that all runs depend on."""
        try:
            action()
            self._last_fault = ""
        except Exception as error:
            text = str(error) if isinstance(error, SaveFailed) else f"{type(error).__name__}: {error}"
            if text != self._last_fault:
                _log.exception("The supervisor of a cluster failed in one action.")
                self._note(EngineFault(text))
            self._last_fault = text

    def _fill(self) -> None:
        """Send queued seeds out while the cluster has room, several of a run together."""
        workers = self._workers()
        while len(self._tasks) < _TASKS_A_WORKER * workers:
            first = self._jobs.claim(self._presence.name)
            if first is None:
                return
            run = self._store.get(first.result_path)
            together = min(MOST_SEEDS_A_TASK, -(-len(run.description.seeds) // workers))
            jobs = {first.seed: first}
            while len(jobs) < together and (job := self._jobs.claim(self._presence.name, first.result_path)):
                jobs[job.seed] = job
            description = run.description
            task = _Task(secrets.token_hex(8), run.run_id, jobs, description.steps * description.batch_size)
            self._tasks[task.id] = task
            try:
                self._send(task)
            except Exception as error:
                self._fail(task, Failure(kind="worker_died", message=f"The cluster took no task: {error}"))

    def _workers(self) -> int:
        """Threads of the cluster, asked for once in a while; a cluster that is still starting counts as one."""
        if time.monotonic() - self._capacity[0] > _TICK_SECONDS:
            self._capacity = time.monotonic(), max(1, sum(self._client.nthreads().values()))
        return self._capacity[1]

    def _send(self, task: _Task) -> None:
        run = self._store.get(task.run)
        if task.run not in self._topics:
            self._topics.add(task.run)
            self._client.subscribe_topic(remote.topic(task.run), self._overhear)
        kept = {}
        for seed in task.jobs:
            run.seed(seed).forget_result()
            kept[seed] = packed(run.seed(seed))
        order = Order(
            task=task.id,
            run=task.run,
            description=run.description,
            seeds=tuple(task.jobs),
            environment_sha256=numeric_environment().sha256,
            kinds=self._kinds,
            memory_bytes=self._limits.memory_bytes,
            wall_seconds=self._limits.wall_seconds,
            checkpoint_seconds=self._checkpoint_seconds,
        )
        data = self._data(run.folder / TENSORS_FILE)
        text = order.model_dump_json()
        task.future = self._client.submit(remote.run_seeds, text, data, kept, key=f"archstudio-{task.id}", pure=False)
        task.future.add_done_callback(lambda future: self._ask(lambda: self._done(task, future)))

    def _data(self, path: Path) -> Any:
        if not path.exists():
            return None
        if path.stat().st_size <= _EMBEDDED_BYTES:
            return path.read_bytes()
        key = str(path)
        if key not in self._scattered:
            self._scattered[key] = self._client.scatter(path.read_bytes(), broadcast=True)
        return self._scattered[key]

    # ------------------------------------------------------------ what is heard

    def _overhear(self, event: tuple[float, dict[str, Any]]) -> None:
        """Called in Dask's own thread."""
        said = event[1]
        self._ask(lambda: self._hear(said["task"], said["seed"], said["line"]))

    def _hear(self, task_id: str, seed: int, line: str) -> None:
        task = self._tasks.get(task_id)
        if task is None or seed not in task.jobs:
            return
        task.started = True
        job, event = task.jobs[seed], parse_event(line.encode())
        if isinstance(event, Started):
            task.rates[seed] = Rate()  # also when another node begins it again
            self._note(StateChanged(task.run, seed, "running"))
        elif isinstance(event, Progress):
            rate = task.rates.setdefault(seed, Rate())
            rate.update(event.samples, event.seconds)
            self._note(ProgressMade(task.run, seed, event, rate.left(task.budget - event.samples)))
        elif isinstance(event, Paused):
            self._move(job, "paused", ("running",))
        elif isinstance(event, Resumed):
            self._move(job, "running", ("paused",))

    def _done(self, task: _Task, future: Future) -> None:
        """A task came back, was called off, or was lost."""
        if task.id not in self._tasks or future is not task.future:
            return
        if future.status == "finished":
            returns: list[SeedReturn] = future.result()
            del self._tasks[task.id]
            for returned in returns:
                self._take(task, returned)
        elif future.status == "error":
            self._fail(task, _lost(future.exception()))
        else:
            message = "The cluster dropped the task: its scheduler ended, or the connection to it was lost."
            self._fail(task, Failure(kind="worker_died", message=message))
        if (left := task.future) is not None:
            left.release()

    def _take(self, task: _Task, returned: SeedReturn) -> None:
        job = task.jobs[returned.seed]
        try:
            ended = Ended.model_validate_json(returned.ended)
            unpack(returned.files, self._store.seed_folder(task.run, returned.seed))
        except (ValidationError, UnusableFile, SaveFailed) as error:
            self._end(job, "failed", Failure(kind="storage", message=f"The result could not be kept: {error}"))
            return
        if ended.state == "stopped" and (task.parked or self._closing.is_set()):
            self._jobs.release(job.id, "queued")
            self._note(StateChanged(task.run, returned.seed, "queued"))
        else:
            self._end(job, ended.state, ended.failure)

    def _fail(self, task: _Task, failure: Failure) -> None:
        del self._tasks[task.id]
        for seed, job in task.jobs.items():
            files = self._store.seed_folder(task.run, seed)
            files.path.mkdir(parents=True, exist_ok=True)
            files.save_result(SeedResult(state="failed", failure=failure))
            self._end(job, "failed", failure)

    def _end(self, job: QueuedJob, state: State, failure: Failure | None) -> None:
        self._move(job, state, ("running", "paused"), failure)

    def _move(self, job: QueuedJob, to: State, expected: tuple[State, ...], failure: Failure | None = None) -> None:
        if self._jobs.move(job.id, to, expected=expected, error=failure.message if failure else None):
            self._note(StateChanged(job.result_path, job.seed, to, failure))

    # ------------------------------------------------------------------ wishes

    def _wish(self, run_id: str, wish: Wish) -> None:
        tasks = [task for task in self._tasks.values() if task.run == run_id]
        claimed = {job.id for task in tasks for job in task.jobs.values()}
        waiting: tuple[State, ...] = ("paused", "stopped") if wish == "go" else ("queued", "paused")
        to: State = "queued" if wish == "go" else "paused" if wish == "pause" else "stopped"
        for job in self._jobs.of_run(run_id):
            if job.id not in claimed:
                self._move(job, to, waiting)
        if not tasks:
            return
        self._client.run(remote.ask, run_id, wish, tuple(task.id for task in tasks))
        if wish == "stop":
            for task in tasks:
                self._call_off(task)

    def _call_off(self, task: _Task) -> None:
        """Forget a task that no node has begun; one that has comes back by itself."""
        if task.started or task.future is None:
            return
        del self._tasks[task.id]
        task.future.cancel()
        for job in task.jobs.values():
            self._end(job, "stopped", None)

    def _wind_up(self) -> None:
        """Gather what tasks have reached, put the rest back, and let go of the cluster."""
        for run_id in {task.run for task in self._tasks.values()}:
            ids = tuple(task.id for task in self._tasks.values() if task.run == run_id)
            self._client.run(remote.ask, run_id, "stop", ids)
        deadline = time.monotonic() + _CLOSE_SECONDS
        while any(task.started for task in self._tasks.values()) and time.monotonic() < deadline:
            try:
                self._inbox.get(timeout=_TICK_SECONDS)()
            except queue.Empty:
                continue
        for task in list(self._tasks.values()):
            if task.future is not None:
                task.future.cancel()
            for job in task.jobs.values():
                self._jobs.release(job.id, "paused" if self._jobs.get(job.id).state == "paused" else "queued")
        self._tasks.clear()

    def _end_work(self) -> None:
        """Started tasks come back with their checkpoints; a node in a step longer than some seconds is left behind."""
        self._closing.set()
        self._wake()
        self._thread.join()
        for name in self._topics:
            self._client.unsubscribe_topic(remote.topic(name))
        self._client.close()
        for thing in self._own:
            thing.close()


def _lost(error: BaseException | None) -> Failure:
    from distributed.scheduler import KilledWorker

    if isinstance(error, KilledWorker):
        message = "The cluster's workers died over and over while they trained this; it may need too much memory."
        return Failure(kind="worker_died", message=message)
    if isinstance(error, remote.OtherEnvironment):
        return Failure(kind="unusable", message=str(error))
    return Failure(kind="error", message=f"The task failed on the cluster: {type(error).__name__}: {error}")
