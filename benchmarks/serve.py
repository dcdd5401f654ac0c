"""How many grades a second the HTTP service gives, and how long one takes at a steady pace.

Usage: python benchmarks/serve.py [--workers 2] [--seconds 5] [--pace 1000] [--connections 32] [--json]
The service runs in processes of its own; the client is one more process on the same machine, with plain sockets. Every
request is a POST /grade with the reference's actions for one of the first 120 core tasks of seed 7. At a pace, latency
counts from the moment a request was due, so that a late request is not forgiven. The load of the machine before is
told, because whatever else runs on it takes its share.
"""

from __future__ import annotations

import argparse
import json
import os
import selectors
import socket
import subprocess
import sys
from collections import deque
from dataclasses import asdict, dataclass
from time import perf_counter, process_time

import psutil

from archstudio.bench.generate import generate

TARGET_PEAK_PER_S = 2_500
TARGET_P99_MS = 20.0
SPLIT = {"seed": 7, "count": 120}
_SERVE = (
    "import sys; from archstudio.services.serving import Serving, serve; "
    "serve(Serving('127.0.0.1', 0, None, workers=int(sys.argv[1])), lambda at: print(at, flush=True))"
)


@dataclass(frozen=True)
class Figures:
    """What was measured; latencies in milliseconds."""

    what: str
    grades_per_s: float
    median_ms: float
    p99_ms: float
    worst_ms: float
    grades: int
    failed: int
    client_cores: float
    service_us: float
    """Processor time of the service for one grade, in microseconds: what does not depend on who else is at work."""


class Connection:
    """One connection that is kept open and carries one request at a time."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.due = 0.0
        self._received = bytearray()
        self._wanted: int | None = None

    def send(self, request: bytes, due: float) -> None:
        self.due = due
        self.socket.sendall(request)

    def answer(self) -> bool | None:
        """Take what is there: None while the answer is not whole, else whether it is a grade."""
        self._received += self.socket.recv(65_536)
        if self._wanted is None:
            end = self._received.find(b"\r\n\r\n")
            if end < 0:
                return None
            at = self._received.find(b"content-length: ") + 16
            self._wanted = end + 4 + int(self._received[at : self._received.find(b"\r\n", at)])
        if len(self._received) < self._wanted:
            return None
        fine = self._received.startswith(b"HTTP/1.1 200") and b'"pass":true' in self._received
        self._received.clear()
        self._wanted = None
        return fine


def requests() -> list[bytes]:
    """The requests that are sent in turn."""
    made = []
    for index, task in enumerate(generate("core", SPLIT["count"], SPLIT["seed"])):
        body = json.dumps({**SPLIT, "index": index, "actions": task.reference()}, separators=(",", ":")).encode()
        head = (
            f"POST /grade HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        made.append(head.encode() + body)
    return made


def driven(
    what: str, service: psutil.Process, port: int, connections: int, seconds: float, pace: float | None
) -> Figures:
    """Send as fast as answers come (`pace` None), or so many a second whatever comes back."""
    bodies = requests()
    free = deque(Connection(port) for _ in range(connections))
    took: list[float] = []
    sent = failed = 0
    with selectors.DefaultSelector() as selector:
        for each in free:
            selector.register(each.socket, selectors.EVENT_READ, each)
        began, used, spent = perf_counter(), process_time(), worked(service)
        until = began + seconds
        while (now := perf_counter()) < until or len(free) < connections:
            while free and now < until:
                due = now if pace is None else began + sent / pace
                if due > now:
                    break
                free.popleft().send(bodies[sent % len(bodies)], due)
                sent += 1
            wait = 1.0 if pace is None or not free else max(0.0, began + sent / pace - now)
            for key, _ in selector.select(min(wait, 1.0)):
                fine = key.data.answer()
                if fine is not None:
                    took.append(perf_counter() - key.data.due)
                    failed += not fine
                    free.append(key.data)
        lasted, used, spent = perf_counter() - began, process_time() - used, worked(service) - spent
    for each in free:
        each.socket.close()
    took.sort()

    def at(share: float) -> float:
        return 1_000 * took[min(len(took) - 1, int(share * len(took)))]

    rate = len(took) / lasted
    each = 1e6 * spent / len(took)
    return Figures(what, rate, at(0.5), at(0.99), 1_000 * took[-1], len(took), failed, used / lasted, each)


def worked(service: psutil.Process) -> float:
    """Seconds of processor time that the processes of the service have had."""
    return sum(sum(child.cpu_times()[:2]) for child in service.children(recursive=True))


def measure(workers: int, seconds: float, pace: float, connections: int) -> list[Figures]:
    """Both figures, against a service that is started and ended here."""
    command = [sys.executable, "-c", _SERVE, str(workers)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as service:
        assert service.stdout is not None
        try:
            port = int(service.stdout.readline().rsplit(":", 1)[1])
            processes = psutil.Process(service.pid)
            driven("warm-up", processes, port, connections, 1.0, None)
            return [
                driven("peak", processes, port, connections, seconds, None),
                driven(f"paced at {pace:g}/s", processes, port, connections, seconds, pace),
            ]
        finally:
            service.terminate()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--pace", type=float, default=1_000.0)
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    rows = measure(options.workers, options.seconds, options.pace, options.connections)
    if options.json:
        told = {"load_before": load, "cores": os.cpu_count(), "workers": options.workers}
        print(json.dumps({**told, "rows": [asdict(row) for row in rows]}, indent=2))
        return
    print(f"{os.cpu_count()} cores, load before {load if load is None else f'{load:.2f}'}, {options.workers} workers")
    for row in rows:
        cost = f"{row.service_us:.0f} µs of processor each; client {row.client_cores:.2f} cores"
        speed = f"{row.what:16} {row.grades_per_s:8.0f} grades/s ({cost})"
        latency = f"median {row.median_ms:.2f} ms, p99 {row.p99_ms:.2f} ms, worst {row.worst_ms:.2f} ms"
        print(f"{speed}   {latency}   {row.failed} of {row.grades:,} failed")
    peak, paced = rows
    met = {True: "met", False: "MISSED"}
    print(f"target {TARGET_PEAK_PER_S:,}/s at peak: {met[peak.grades_per_s >= TARGET_PEAK_PER_S]}")
    print(f"target p99 of {TARGET_P99_MS:g} ms at a pace: {met[paced.p99_ms <= TARGET_P99_MS]}")


if __name__ == "__main__":
    main()
