"""Runs the HTTP service: one process that serves, or several that share a port and are started again if they die."""

import json
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any, Final

from archstudio.services.episodes import make_file
from archstudio.services.extras import MissingExtra
from archstudio.services.guard import LOOPBACK_NAMES, Access
from archstudio.services.limits import EXPOSED_RATE_PER_S, ServiceLimits

_MOST_RESTARTS: Final = 10
_STOP_S: Final = 10.0


class CannotServe(Exception):
    """The service cannot be started; `reason` says why and what to do."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


@dataclass(frozen=True)
class Serving:
    """What the service is started with. `port` 0 takes a free one."""

    host: str
    port: int
    token: str | None
    hosts: tuple[str, ...] = ()
    rate_per_s: float | None = None
    workers: int = 1

    def checked(self) -> "Serving":
        """Itself, if it may be started so; CannotServe."""
        if not is_loopback_host(self.host) and self.token is None:
            raise CannotServe(f"At {self.host} others can reach the service: give a --token-file.")
        if self.workers > 1 and not hasattr(socket, "SO_REUSEPORT"):
            raise CannotServe("Several --workers need a system whose sockets can share a port.")
        return self

    @property
    def access(self) -> Access:
        """Who may ask."""
        return Access(self.token, LOOPBACK_NAMES | {self.host.lower()} | {name.lower() for name in self.hosts})

    @property
    def limits(self) -> ServiceLimits:
        """The limits of one process; where others reach the service, also of how often a client may ask."""
        exposed = 0.0 if is_loopback_host(self.host) else EXPOSED_RATE_PER_S
        rate = exposed if self.rate_per_s is None else self.rate_per_s
        return ServiceLimits(rate_per_s=rate / self.workers)


def is_loopback_host(host: str) -> bool:
    """Whether only this machine reaches a service bound to `host`."""
    return host in LOOPBACK_NAMES or host.startswith("127.")


def bound(host: str, port: int, *, shared: bool) -> socket.socket:
    """A socket bound to the address, not yet listening; `shared` lets others of ours bind it too. CannotServe."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        # asyncio sends small pieces at once only where a socket says that it is TCP.
        made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        made.bind((host, port))
    except OSError as error:
        raise CannotServe(f"Cannot serve at {host} port {port}: {error.strerror or error}.") from None
    return made


def serve(serving: Serving, told: Callable[[str], object]) -> None:
    """Serve until interrupted; `told` hears the address once requests are answered. CannotServe, MissingExtra."""
    serving.checked()
    if not all(map(find_spec, ("fastapi", "uvicorn"))):
        raise MissingExtra("serve")
    several = serving.workers > 1
    with bound(serving.host, serving.port, shared=several) as held:
        port = held.getsockname()[1]
        if not several:  # the one process binds it itself; several bind it beside this one, which keeps it theirs
            held.close()
        shown = f"[{serving.host}]" if ":" in serving.host else serving.host
        with tempfile.TemporaryDirectory(prefix="archstudio-serve-") as folder:
            episodes = Path(folder) / "episodes.sqlite"
            make_file(episodes)
            worker = {**asdict(serving), "port": port, "episodes": str(episodes)}
            _Workers(worker, serving.workers).run(lambda: told(f"http://{shown}:{port}"))


class _Workers:
    """The processes that serve. They end with this one, since each reads from it and stops when nothing is there."""

    def __init__(self, settings: dict[str, Any], count: int) -> None:
        self._settings, self._count = settings, count
        self._processes: list[subprocess.Popen[bytes]] = []
        self._stop = threading.Event()

    def run(self, ready: Callable[[], object]) -> None:
        before = [(name, signal.signal(name, self._interrupted)) for name in (signal.SIGINT, signal.SIGTERM)]
        try:
            self._processes = [self._start() for _ in range(self._count)]
            if not all(_is_ready(process) for process in self._processes):
                raise CannotServe("A process of the service could not start; its message stands above.")
            ready()
            self._watch()
        finally:
            self._end()
            for name, handler in before:
                signal.signal(name, handler)

    def _interrupted(self, _: int, __: FrameType | None) -> None:
        self._stop.set()

    def _start(self) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "archstudio.services.worker"]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert process.stdin is not None
        process.stdin.write(json.dumps(self._settings).encode() + b"\n")  # not as arguments: it holds the token
        process.stdin.flush()
        return process

    def _watch(self) -> None:
        restarts = 0
        while not self._stop.wait(0.2):
            for place, process in enumerate(self._processes):
                if process.poll() is not None and not self._stop.is_set():
                    restarts += 1
                    if restarts > _MOST_RESTARTS:
                        raise CannotServe("Processes of the service end again and again; it is given up.")
                    _close(process)
                    self._processes[place] = self._start()
                    _is_ready(self._processes[place])

    def _end(self) -> None:
        until = time.monotonic() + _STOP_S
        for process in self._processes:
            _close(process, reading=False)
        for process in self._processes:
            try:
                process.wait(max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            _close(process)


def _is_ready(process: "subprocess.Popen[bytes]") -> bool:
    assert process.stdout is not None
    return process.stdout.readline() == READY


def _close(process: "subprocess.Popen[bytes]", *, reading: bool = True) -> None:
    streams: Sequence[Any] = (process.stdin, process.stdout) if reading else (process.stdin,)
    for stream in streams:
        if stream is not None and not stream.closed:
            stream.close()


READY: Final = b"ready\n"
"""What a worker says when it answers requests."""
