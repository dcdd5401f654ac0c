"""Keeps a worker from taking the machine with it: a heart-beat, a watch on its memory, a bound on its time."""

import os
import sys
import threading
import time
from collections.abc import Callable

import psutil

from archstudio.training.control import Control
from archstudio.training.protocol import Failure, HeartBeat, Message

BEAT_SECONDS = 1.0
GRACE_BEATS = 5
"""How many beats a job over a limit has to reach a step boundary before the process ends itself."""
LIMIT_EXIT_CODE = 70


class Watch:
    """A thread that sends a heart-beat each second and looks after the limits of the current job."""

    def __init__(self, send: Callable[[Message], None], memory_bytes: int | None) -> None:
        self._send = send
        self._memory_bytes = memory_bytes
        self._process = psutil.Process()
        self._lock = threading.Lock()
        self._job: tuple[int, Control, float | None] | None = None
        self._active_seconds = 0.0
        self._beats_over = 0
        threading.Thread(target=self._beat_forever, name="heart-beat", daemon=True).start()

    def begin(self, job: int, control: Control, wall_seconds: float | None) -> None:
        """Look after a job from now on."""
        with self._lock:
            self._job, self._active_seconds, self._beats_over = (job, control, wall_seconds), 0.0, 0

    def end(self) -> None:
        """The job is over."""
        with self._lock:
            self._job = None

    def _beat_forever(self) -> None:
        last = time.monotonic()
        while True:
            time.sleep(BEAT_SECONDS)
            now = time.monotonic()
            rss = self._process.memory_info().rss
            with self._lock:
                self._send(HeartBeat(job=self._job[0] if self._job else None, rss_bytes=rss))
                if self._job:
                    self._look_after(self._job[1], self._job[2], rss, now - last)
            last = now

    def _look_after(self, control: Control, wall_seconds: float | None, rss: int, passed: float) -> None:
        if not control.holding:
            self._active_seconds += passed
        failure = self._over(wall_seconds, rss)
        if failure is None:
            self._beats_over = 0
            return
        control.abort(failure)
        self._beats_over += 1
        if self._beats_over > GRACE_BEATS:
            print(failure.message, file=sys.stderr, flush=True)
            os._exit(LIMIT_EXIT_CODE)

    def _over(self, wall_seconds: float | None, rss: int) -> Failure | None:
        if self._memory_bytes is not None and rss > self._memory_bytes:
            return memory_failure(f"The worker used {rss:,} bytes, above its limit of {self._memory_bytes:,}.")
        if wall_seconds is not None and self._active_seconds > wall_seconds:
            return Failure(kind="time", message=f"The run took longer than its limit of {wall_seconds:g} s.")
        return None


def memory_failure(what: str) -> Failure:
    """Return the failure of a job that needed too much memory."""
    return Failure(kind="memory", message=f"{what} Use a smaller batch or model, or raise the limit.")
