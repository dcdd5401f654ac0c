"""Gives large work to a process that can be ended when its time is up, one piece at a time, few in the queue."""

import asyncio
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Final

from archstudio.services.frames import SPENT, read_frame, write_frame
from archstudio.services.limits import ServiceLimits
from archstudio.services.requests import BadRequest
from archstudio.services.work import Answer, refused

_START_S: Final = 60.0


class Crew:
    """One process for large work; it is started when first needed, and again after it was ended."""

    def __init__(self, limits: ServiceLimits) -> None:
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._waiting = 0

    async def do(self, name: str, body: bytes) -> Answer:
        """The answer to a piece of work, or that it took too long, too much, or came while too many wait."""
        if self._waiting >= self._limits.waiting_work:
            return refused(BadRequest("Too much large work is waiting. Try again later.", status=503))
        self._waiting += 1
        try:
            return await asyncio.to_thread(self._one, name, body)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """End the process, whatever it is doing."""
        if self._process is not None:
            self._process.kill()
        with self._lock:
            self._end()

    def _one(self, name: str, body: bytes) -> Answer:
        with self._lock:
            process = self._started()
            ended = threading.Event()
            timer = threading.Timer(self._limits.work_s, _end_late, [process, ended])
            timer.start()
            try:
                frame = self._exchange(process, name, body)
            finally:
                timer.cancel()
            if frame is not None and frame[0] != SPENT:
                return Answer(int(frame[0]), frame[1])
            self._end()
        if ended.is_set():
            text = f"The request takes more than {self._limits.work_s:g} s."
            return refused(BadRequest(text, status=413))
        return refused(BadRequest("The request needs more memory than it may have.", status=413))

    def _exchange(self, process: "subprocess.Popen[bytes]", name: str, body: bytes) -> tuple[str, bytes] | None:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            write_frame(process.stdin, name, body)
        except OSError:
            return None
        return read_frame(process.stdout)

    def _started(self) -> "subprocess.Popen[bytes]":
        if self._process is not None and self._process.poll() is None:
            return self._process
        self._end()
        command = [sys.executable, "-m", "archstudio.services.large_work", str(self._limits.work_bytes)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert process.stdout is not None
        timer = threading.Timer(_START_S, process.kill)
        timer.start()
        try:
            read_frame(process.stdout)  # it says when it is ready
        finally:
            timer.cancel()
        self._process = process
        return process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):  # what was not written any more is lost with the process
                    stream.close()


def _end_late(process: "subprocess.Popen[bytes]", ended: threading.Event) -> None:
    ended.set()
    process.kill()
