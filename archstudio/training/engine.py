"""The training engine of this machine: runs are submitted to it, workers do them, and what happened can be polled."""

import os
import threading
from collections.abc import Mapping
from pathlib import Path

import psutil

from archstudio.training.child import ChildLimits
from archstudio.training.events import EngineEvent, EngineFault, ProgressMade, StateChanged
from archstudio.training.kept_engine import KeptEngine
from archstudio.training.status import Engine, RunBusy, RunHandle, RunStatus, SeedStatus
from archstudio.training.supervisor import Supervisor

__all__ = [
    "Engine", "EngineEvent", "EngineFault", "LocalEngine", "ProgressMade", "RunBusy", "RunHandle", "RunStatus",
    "SeedStatus", "StateChanged", "default_limits",
]  # fmt: skip

_MEMORY_SHARE = 0.8
_CLOSE_SECONDS = 0.6
"""A step that takes longer than this is not waited for: the run goes on from its last checkpoint next time."""


class LocalEngine(KeptEngine):
    """Trains in child processes of this one, `workers` at a time (default: one a core).

    Runs left queued or interrupted under `root` go on at once.
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
        super().__init__(root)
        count = workers or os.cpu_count() or 1
        self._supervisor = Supervisor(
            self._jobs,
            self._store,
            self._presence,
            workers=count,
            limits=limits or default_limits(count),
            kinds=kinds or {},
            checkpoint_seconds=checkpoint_seconds,
            emit=self._note,
        )
        self._thread = threading.Thread(target=self._supervisor.run, name="training supervisor", daemon=True)
        self._thread.start()

    def pause(self, run_id: str) -> None:
        """Hold a run at the next step of each seed."""
        self._supervisor.ask(lambda: self._supervisor.pause(run_id))

    def resume(self, run_id: str) -> None:
        """Let a paused or stopped run go on."""
        self._supervisor.ask(lambda: self._supervisor.resume(run_id))

    def stop(self, run_id: str) -> None:
        """End a run at the next step of each seed."""
        self._supervisor.ask(lambda: self._supervisor.stop(run_id))

    def _wake(self) -> None:
        self._supervisor.ask(lambda: None)  # it looks for queued jobs after every message

    def _end_work(self) -> None:
        """Takes under a second: a worker in a long step is killed, and its job goes on from the last checkpoint."""
        self._supervisor.ask(self._supervisor.close)
        self._thread.join(_CLOSE_SECONDS)
        if self._thread.is_alive():
            self._supervisor.ask(self._supervisor.kill_all)
            self._thread.join()


def default_limits(workers: int) -> ChildLimits:
    """Return the limits of a worker that has as many beside it: an equal share of most of the memory."""
    return ChildLimits(memory_bytes=int(psutil.virtual_memory().total * _MEMORY_SHARE / workers))
