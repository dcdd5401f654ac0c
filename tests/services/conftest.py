"""The service as clients meet it: in this process through its ASGI face, and as real processes on a real port."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from archstudio.services.guard import Access
from archstudio.services.http_service import ServiceSettings, create_app
from archstudio.services.limits import DEFAULT_LIMITS

Client = Callable[..., TestClient]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Client]:
    """`service()` is a client of a new service; `service(token="…", rate_per_s=1)` of one with other settings."""
    opened: list[TestClient] = []

    def start(token: str | None = None, hosts: tuple[str, ...] = (), **limits: Any) -> TestClient:
        access = Access(token, Access().hosts | set(hosts))
        settings = ServiceSettings(tmp_path / "episodes.sqlite", access, replace(DEFAULT_LIMITS, **limits))
        client = TestClient(create_app(settings), base_url="http://localhost", raise_server_exceptions=False)  # type: ignore[arg-type]
        client.__enter__()
        opened.append(client)
        return client

    yield start
    for client in opened:
        client.__exit__(None, None, None)


SERVE = (
    "import json, sys; from archstudio.services.serving import Serving, serve; "
    "serve(Serving(**json.loads(sys.argv[1])), lambda at: print(at, flush=True))"
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a service of two processes."""
    settings = {"host": "127.0.0.1", "port": 0, "token": None, "workers": 2}
    with subprocess.Popen(
        [sys.executable, "-c", SERVE, json.dumps(settings)], stdout=subprocess.PIPE, text=True
    ) as ran:
        assert ran.stdout is not None
        try:
            yield ran.stdout.readline().strip()
        finally:
            ran.terminate()


@pytest.fixture
def http(address: str) -> Iterator[httpx.Client]:
    """A client of the service of two processes."""
    with httpx.Client(base_url=address, timeout=60) as client:
        yield client
