"""The one thread that hands jobs to workers, hears them, and notices when one dies or falls silent."""

import logging
import queue
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from archstudio.files.atomic import SaveFailed
from archstudio.training.child import ChildLimits, Died, Heard, WorkerProcess
from archstudio.training.eta import Rate
from archstudio.training.events import EngineEvent, EngineFault, ProgressMade, StateChanged
from archstudio.training.presence import Presence
from archstudio.training.protocol import (
    Ended,
    Failure,
    HeartBeat,
    Message,
    Pause,
    Paused,
    Progress,
    Ready,
    Resume,
    Resumed,
    Run,
    Started,
    Stop,
)
from archstudio.training.queue import JobQueue, QueuedJob, State
from archstudio.training.store import RunStore, SeedFolder, SeedResult
from archstudio.training.takeover import take_over

TICK_SECONDS = 0.5
START_PATIENCE_SECONDS = 180.0
"""How long a worker may take to import torch; a cold disk is slow."""
SILENCE_SECONDS = 30.0
"""Heart-beats come each second; a worker this silent hangs."""

_log = logging.getLogger(__name__)


@dataclass
class _Place:
    """A worker, and the job it has. `sent` says whether the worker knows of it, `held` whether it is paused."""

    child: WorkerProcess
    ready: bool = False
    job: QueuedJob | None = None
    sent: bool = False
    held: bool = False
    silent: bool = False
    leaving: bool = False
    budget: int = 0
    rate: Rate = field(default_factory=Rate)

    def free(self) -> None:
        """The job is gone from the worker."""
        self.job, self.sent, self.held = None, False, False
        self.child.log_file = None


@dataclass(frozen=True)
class _Move:
    """A change of a job's state that the list of runs has not taken yet, as when the disk was full."""

    job: QueuedJob
    to: State
    expected: tuple[State, ...]
    failure: Failure | None


class Supervisor:
    """Everything here runs in the supervising thread, except `ask` and `tell`."""

    def __init__(
        self,
        jobs: JobQueue,
        store: RunStore,
        presence: Presence,
        *,
        workers: int,
        limits: ChildLimits,
        kinds: Mapping[str, str],
        checkpoint_seconds: float,
        emit: Callable[[EngineEvent], None],
    ) -> None:
        self._jobs = jobs
        self._store = store
        self._presence = presence
        self._workers = workers
        self._limits = limits
        self._kinds = kinds
        self._checkpoint_seconds = checkpoint_seconds
        self._emit = emit
        self._inbox: queue.SimpleQueue[Heard | Died | Callable[[], None]] = queue.SimpleQueue()
        self._places: list[_Place] = []
        self._owed: list[_Move] = []
        self._last_fault = ""
        self._closing = False

    def ask(self, action: Callable[[], None]) -> None:
        """Have `action` done in the supervising thread; from any thread."""
        self._inbox.put(action)

    def tell(self, news: Heard | Died) -> None:
        """Take what a worker said; from any thread."""
        self._inbox.put(news)

    def run(self) -> None:
        """Work until `close` was asked for and the last worker is gone."""
        self._guard(lambda: take_over(self._jobs, self._store, self._presence, self._emit))
        while not self._closing or self._places:
            self._guard(self._pay_debts)
            self._guard(self._fill)
            self._guard(self._dismiss_surplus)
            self._guard(self._kill_the_silent)
            try:
                news = self._inbox.get(timeout=TICK_SECONDS)
            except queue.Empty:
                continue
            self._guard(lambda news=news: self._take(news))  # type: ignore[misc]

    def close(self) -> None:
        """Let every job stop at its next step, to go on next time, and end all workers."""
        self._closing = True
        for place in self._places:
            if place.ready:
                place.child.quit()
            else:
                place.child.kill()  # it has nothing to lose, and importing torch takes seconds

    def kill_all(self) -> None:
        """End all workers at once; what they had since the last checkpoint is done again next time."""
        for place in self._places:
            place.child.kill()

    def pause(self, run_id: str) -> None:
        """Hold a run: its queued seeds wait, the ones that train stop at the next step and keep their worker."""
        for job in self._jobs.of_run(run_id):
            place = self._place_of(job)
            if place and place.sent:
                place.child.send(Pause(job=job.id))
            elif self._move(job, "paused", expected=("queued", "running") if place else ("queued",)) and place:
                place.free()

    def resume(self, run_id: str) -> None:
        """Let paused and stopped seeds go on, exactly where they were."""
        for job in self._jobs.of_run(run_id):
            place = self._place_of(job)
            if place and place.sent:
                place.child.send(Resume(job=job.id))
            else:
                self._move(job, "queued", expected=("paused", "stopped"))

    def stop(self, run_id: str) -> None:
        """End a run's seeds at the next step; what they reached stays, and they can be resumed."""
        for job in self._jobs.of_run(run_id):
            place = self._place_of(job)
            if place and place.sent:
                place.child.send(Stop(job=job.id))
                continue
            waiting: tuple[State, ...] = ("queued", "paused")
            if self._move(job, "stopped", expected=(*waiting, "running") if place else waiting) and place:
                place.free()

    def _guard(self, action: Callable[[], None]) -> None:
        """An error in one action must not end the thread that all runs depend on."""
        try:
            action()
        except Exception as error:
            text = str(error) if isinstance(error, SaveFailed) else f"{type(error).__name__}: {error}"
            if text != self._last_fault:  # a full disk is full at every tick
                _log.exception("The supervisor of training failed in one action.")
                self._emit(EngineFault(text))
            self._last_fault = text

    def _fill(self) -> None:
        """Give queued jobs to idle workers, starting workers while there are fewer at work than allowed."""
        while not self._closing and sum(bool(p.job) and not p.held for p in self._places) < self._workers:
            job = self._jobs.claim(self._presence.name)
            if job is None:
                return
            self._files(job).forget_result()
            try:
                place = self._idle_place()
            except OSError as error:
                failure = Failure(kind="worker_died", message=f"No worker could be started: {error}")
                self._end(job, "failed", failure)
                return
            place.job, place.rate = job, Rate()
            if place.ready:
                self._send_job(place)

    def _dismiss_surplus(self) -> None:
        """A worker started in the place of a paused one is not needed any more once that one works again."""
        surplus = sum(not place.held and not place.leaving for place in self._places) - self._workers
        idle = [place for place in self._places if place.job is None and not place.leaving]
        for place in idle[: max(0, surplus)]:
            place.leaving = True
            place.child.quit()

    def _idle_place(self) -> _Place:
        for place in self._places:
            if place.job is None and not place.leaving:
                return place
        place = _Place(WorkerProcess.start(self.tell, self._limits, self._kinds))
        self._places.append(place)
        return place

    def _send_job(self, place: _Place) -> None:
        job = place.job
        if job is None:
            return
        run = self._store.get(job.result_path)
        files = run.seed(job.seed)
        files.path.mkdir(parents=True, exist_ok=True)
        place.child.last_lines.clear()
        place.child.log_file = files.log
        place.sent = True
        place.budget = run.description.steps * run.description.batch_size
        message = Run(
            job=job.id,
            folder=str(run.folder),
            seed=job.seed,
            kind=run.description.kind,
            wall_seconds=self._limits.wall_seconds,
            checkpoint_seconds=self._checkpoint_seconds,
        )
        place.child.send(message)

    def _take(self, news: Heard | Died | Callable[[], None]) -> None:
        if isinstance(news, Heard):
            self._hear(self._place(news.child), news.event)
        elif isinstance(news, Died):
            self._bury(self._place(news.child), news.exit_code)
        else:
            news()

    def _place(self, child: WorkerProcess) -> _Place:
        return next(place for place in self._places if place.child is child)

    def _hear(self, place: _Place, event: Message) -> None:
        if isinstance(event, Ready):
            place.ready = True
            self._send_job(place)
        elif place.job is None or isinstance(event, HeartBeat):
            return
        elif isinstance(event, Started):
            self._emit(StateChanged(place.job.result_path, place.job.seed, "running"))
        elif isinstance(event, Progress):
            self._report(place, place.job, event)
        elif isinstance(event, Paused):
            place.held = True
            self._move(place.job, "paused", expected=("running",))
        elif isinstance(event, Resumed):
            place.held = False
            self._move(place.job, "running", expected=("paused",))
        elif isinstance(event, Ended):
            self._finish(place, place.job, event)

    def _report(self, place: _Place, job: QueuedJob, progress: Progress) -> None:
        place.rate.update(progress.samples, progress.seconds)
        left = place.rate.left(place.budget - progress.samples)
        self._emit(ProgressMade(job.result_path, job.seed, progress, left))

    def _finish(self, place: _Place, job: QueuedJob, event: Ended) -> None:
        held = place.held
        place.free()
        if event.state == "stopped" and self._closing:
            self._park(job, held)
        else:
            self._end(job, event.state, event.failure)

    def _bury(self, place: _Place, exit_code: int) -> None:
        """A worker is gone: its job failed, unless the result was written just before or we are closing."""
        self._places.remove(place)
        place.child.end()
        job = place.job
        if job is None:
            return
        result = self._files(job).result()
        if result is not None:
            self._end(job, result.state, result.failure)
        elif self._closing:
            self._park(job, place.held)
        else:
            self._lose(job, place.child.obituary(exit_code, silent=place.silent))

    def _lose(self, job: QueuedJob, failure: Failure) -> None:
        try:
            self._files(job).save_result(SeedResult(state="failed", failure=failure))
        finally:
            self._end(job, "failed", failure)

    def _park(self, job: QueuedJob, held: bool) -> None:
        state: State = "paused" if held else "queued"
        self._jobs.release(job.id, state)
        self._emit(StateChanged(job.result_path, job.seed, state))

    def _end(self, job: QueuedJob, state: State, failure: Failure | None) -> None:
        self._owed.append(_Move(job, state, ("running", "paused"), failure))
        self._pay_debts()

    def _pay_debts(self) -> None:
        """Try again what the list of runs would not take: a run that is over must not stand there as running."""
        while self._owed:
            move = self._owed[0]
            self._move(move.job, move.to, expected=move.expected, failure=move.failure)
            self._owed.pop(0)
            self._last_fault = ""

    def _move(self, job: QueuedJob, to: State, *, expected: tuple[State, ...], failure: Failure | None = None) -> bool:
        moved = self._jobs.move(job.id, to, expected=expected, error=failure.message if failure else None)
        if moved:
            self._emit(StateChanged(job.result_path, job.seed, to, failure))
        return moved

    def _place_of(self, job: QueuedJob) -> _Place | None:
        return next((place for place in self._places if place.job and place.job.id == job.id), None)

    def _files(self, job: QueuedJob) -> SeedFolder:
        return self._store.seed_folder(job.result_path, job.seed)

    def _kill_the_silent(self) -> None:
        for place in self._places:
            patience = SILENCE_SECONDS if place.ready else START_PATIENCE_SECONDS
            if place.child.silent_seconds() > patience:
                place.silent = True
                place.child.kill()
