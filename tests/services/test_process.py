"""The service as real processes: it outlives garbage, stalled clients, endless bodies and the death of a worker."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import psutil
import pytest

BODY = {"taskId": "cnn-cifar", "actions": []}


def raw(address: str, data: bytes, wait: float = 10.0) -> bytes:
    """What comes back for plain bytes, until the other side closes or `wait` seconds pass in silence."""
    with socket.create_connection(("127.0.0.1", urlsplit(address).port or 0), timeout=wait) as connection:
        connection.sendall(data)
        received = b""
        try:
            while piece := connection.recv(65_536):
                received += piece
        except (TimeoutError, ConnectionError):
            pass
        return received


def test_an_episode_goes_on_whichever_process_answers(address: str) -> None:
    begun = httpx.post(f"{address}/episode/start", json={"taskId": "cnn-cifar", "maxTurns": 16}).json()
    step = {"episodeId": begun["episodeId"], "actions": []}
    turns = [httpx.post(f"{address}/episode/step", json=step).json()["turn"] for _ in range(15)]  # a connection each
    assert turns == list(range(1, 16))


def test_many_clients_are_answered_at_once(address: str) -> None:
    def grades(_: int) -> set[int]:
        with httpx.Client(base_url=address, timeout=60) as client:
            return {client.post("/grade", json=BODY).status_code for _ in range(20)}

    with ThreadPoolExecutor(8) as pool:
        assert set().union(*pool.map(grades, range(8))) == {200}


@pytest.mark.parametrize(
    "garbage",
    [
        b"\x00" * 1_000,
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /grade HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
        b"POST /grade HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcde",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ],
)
def test_garbage_is_refused(http: Any, address: str, garbage: bytes) -> None:
    answer = raw(address, garbage, wait=1.0)
    assert not answer or answer.split()[1].startswith(b"4")
    assert http.get("/health").json()["ok"]


def test_a_body_of_a_gigabyte_is_left_unread(http: Any, address: str) -> None:
    head = b"POST /grade HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    assert raw(address, head + b"Content-Length: 1073741824\r\n\r\n").startswith(b"HTTP/1.1 413")
    sent = 0
    with socket.create_connection(("127.0.0.1", urlsplit(address).port or 0), timeout=10) as connection:
        connection.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n")
        piece = b"100000\r\n" + b" " * 0x100000 + b"\r\n"
        try:
            for _ in range(1_024):
                connection.sendall(piece)
                sent += len(piece)
        except OSError:
            pass
    assert sent < 64 * 2**20
    assert http.get("/health").json()["ok"]


def test_clients_that_stall_stand_in_nobodys_way(http: Any, address: str) -> None:
    port = urlsplit(address).port or 0
    stalled = [socket.create_connection(("127.0.0.1", port)) for _ in range(40)]
    try:
        for number, connection in enumerate(stalled):
            starts = (b"", b"GET / HT", b"POST /grade HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                      b"Content-Length: 900\r\n\r\n{")  # fmt: skip
            connection.sendall(starts[number % 3])
        assert [http.post("/grade", json=BODY).status_code for _ in range(20)] == [200] * 20
    finally:
        for connection in stalled:
            connection.close()


def test_a_client_that_reads_nothing_holds_no_memory(http: Any, address: str) -> None:
    port = urlsplit(address).port or 0
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"GET /tasks?count=100000 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        time.sleep(1.0)
        assert http.post("/grade", json=BODY).status_code == 200


def served(settings: dict[str, Any]) -> subprocess.Popen[str]:
    code = (
        "import json, sys; from archstudio.services.serving import Serving, serve; "
        "serve(Serving(**json.loads(sys.argv[1])), lambda at: print(at, flush=True))"
    )
    return subprocess.Popen([sys.executable, "-c", code, json.dumps(settings)], stdout=subprocess.PIPE, text=True)


@pytest.mark.skipif(not hasattr(socket, "SO_REUSEPORT"), reason="several workers share a port")
def test_a_worker_that_dies_is_started_again_and_all_end_with_the_service() -> None:
    with served({"host": "127.0.0.1", "port": 0, "token": None, "workers": 2}) as service:
        assert service.stdout is not None
        address = service.stdout.readline().strip()
        workers = psutil.Process(service.pid).children()
        assert len(workers) == 2
        workers[0].kill()
        until = time.monotonic() + 60
        while time.monotonic() < until:
            alive = [child for child in psutil.Process(service.pid).children() if child.status() != "zombie"]
            if len(alive) == 2 and workers[0] not in alive:
                break
            time.sleep(0.1)
        everybody = psutil.Process(service.pid).children(recursive=True)
        assert httpx.get(f"{address}/health").json()["ok"]
        service.terminate()
        assert service.wait(30) == 0
    _, alive = psutil.wait_procs(everybody, timeout=15)
    assert not alive


def test_workers_end_when_the_service_is_killed() -> None:
    with served({"host": "127.0.0.1", "port": 0, "token": None}) as service:
        assert service.stdout is not None
        address = service.stdout.readline().strip()
        assert httpx.post(f"{address}/api/v1/check", json={"components": [], "connections": []}).status_code == 200
        everybody = psutil.Process(service.pid).children(recursive=True)
        assert len(everybody) == 2  # a worker, and its process for large work
        service.kill()
    _, alive = psutil.wait_procs(everybody, timeout=30)
    assert not alive


# The command ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--host", "0.0.0.0"), "give a --token-file"),
        (("--host", "no.such.host.invalid", "--token-file", "good"), "Cannot serve at"),
        (("--token-file", "none"), "none"),
        (("--token-file", "short"), "16 to 4,096 characters"),
        (("--token-file", "open"), "chmod 600"),
        (("--token-file", "binary"), "ASCII"),
    ],
)
def test_what_cannot_be_served_is_told(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    for name, text, mode in (
        *(("good", b"0123456789abcdef\n", 0o600), ("short", b"x", 0o600)),
        *(("open", b"0123456789abcdef", 0o644), ("binary", b"\xff" * 20, 0o600)),
    ):
        (tmp_path / name).write_bytes(text)
        os.chmod(tmp_path / name, mode)
    command = [sys.executable, "-m", "archstudio", "serve", "--port", "0", *arguments]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert (ran.returncode, words in ran.stderr) == (2, True), ran.stderr


def test_a_taken_port_is_told(address: str) -> None:
    port = str(urlsplit(address).port)
    command = [sys.executable, "-m", "archstudio", "serve", "--port", port]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert ran.returncode == 2
    assert f"Cannot serve at 127.0.0.1 port {port}" in ran.stderr
