"""Puts back what an engine that is gone left behind in the list of runs."""

from collections.abc import Callable

from archstudio.training.events import StateChanged
from archstudio.training.presence import Presence
from archstudio.training.queue import JobQueue, State
from archstudio.training.store import RunStore


def take_over(jobs: JobQueue, store: RunStore, presence: Presence, emit: Callable[[StateChanged], None]) -> None:
    """Queue again the jobs of engines that live no more; jobs whose result was still written are over."""
    for job in jobs.claimed():
        if job.worker is None or presence.is_alive(job.worker):
            continue
        result = store.seed_folder(job.result_path, job.seed).result()
        state: State = result.state if result else "paused" if job.state == "paused" else "queued"
        jobs.release(job.id, state)
        emit(StateChanged(job.result_path, job.seed, state, result.failure if result else None))
