"""Holds a training worker on a cluster's node, passes jobs to it and what it says on."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping
from typing import Literal

from archstudio.training.child import ChildLimits, Died, Heard, WorkerProcess
from archstudio.training.protocol import Ended, HeartBeat, Message, Pause, Ready, Resume, Run, Stop
from archstudio.training.supervisor import SILENCE_SECONDS, START_PATIENCE_SECONDS, TICK_SECONDS

Wish = Literal["go", "pause", "stop"]


class Relay:
    """One long-lived worker process. `run` blocks; `ask` may be called meanwhile from another thread."""

    def __init__(self, limits: ChildLimits, kinds: Mapping[str, str]) -> None:
        self._heard: queue.SimpleQueue[Heard | Died] = queue.SimpleQueue()
        self._child = WorkerProcess.start(self._heard.put, limits, kinds)
        self._ready = False
        self._lock = threading.Lock()
        self._job: int | None = None
        self._wish: Wish = "go"
        self.alive = True

    def run(self, message: Run, told: Callable[[Message], None]) -> Ended:
        """Have a job done and return how it ended; everything else the worker says of it goes to `told`."""
        silent = False
        if self._ready:
            self._send(message)
        while True:
            try:
                news = self._heard.get(timeout=TICK_SECONDS)
            except queue.Empty:
                patience = SILENCE_SECONDS if self._ready else START_PATIENCE_SECONDS
                if not silent and self._child.silent_seconds() > patience:
                    silent = True
                    self._child.kill()
                continue
            if isinstance(news, Died):
                self.alive = False
                self._child.end()
                return Ended(
                    job=message.job, state="failed", failure=self._child.obituary(news.exit_code, silent=silent)
                )
            if isinstance(news.event, Ready):
                self._ready = True
                self._send(message)
            elif isinstance(news.event, Ended):
                self._free()
                return news.event
            elif not isinstance(news.event, HeartBeat):
                told(news.event)

    def ask(self, wish: Wish) -> None:
        """Pause, go on or stop at the next step; kept for a job that the worker has not been given yet."""
        with self._lock:
            self._wish = wish
            if self._job is not None:
                self._child.send(_wished(wish, self._job))

    def begin(self) -> None:
        """A new task begins; nothing is wished of it yet."""
        with self._lock:
            self._wish = "go"

    def end(self) -> None:
        """End the worker process."""
        self._child.quit()
        self._child.end()

    def _send(self, message: Run) -> None:
        with self._lock:
            self._child.last_lines.clear()
            self._child.send(message)
            self._job = message.job
            if self._wish != "go":
                self._child.send(_wished(self._wish, message.job))

    def _free(self) -> None:
        with self._lock:
            self._job = None  # a pause also holds the next seed of the task


def _wished(wish: Wish, job: int) -> Message:
    if wish == "go":
        return Resume(job=job)
    return Pause(job=job) if wish == "pause" else Stop(job=job)
