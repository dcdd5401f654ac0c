"""Who is let in: known names, the token, no foreign pages, and each client only so much and so fast."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from archstudio.services.guard import Access, Guard, Rates
from archstudio.services.limits import DEFAULT_LIMITS
from archstudio.services.serving import CannotServe, Serving

TOKEN = "a-token-of-at-least-16"
BODY = {"taskId": "cnn-cifar", "actions": []}


def test_with_a_token_nothing_but_health_is_told_without_it(service: Any) -> None:
    client = service(token=TOKEN)
    assert client.get("/health").status_code == 200
    for path in ("/tasks", "/docs", "/openapi.json", "/nothing"):
        refused = client.get(path)
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"] == "Bearer"
    assert client.post("/grade", json=BODY).status_code == 401


@pytest.mark.parametrize(
    "given", ["", "Bearer", "Bearer ", "Bearer wrong", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN}x", "Bearer é"]
)
def test_a_wrong_token_is_none(service: Any, given: str) -> None:
    answer = service(token=TOKEN).post("/grade", json=BODY, headers={"Authorization": given.encode("latin-1")})
    assert answer.status_code == 401
    assert TOKEN not in answer.text


def test_the_right_token_lets_in(service: Any) -> None:
    for given in (f"Bearer {TOKEN}", f"bearer  {TOKEN} "):
        assert service(token=TOKEN).post("/grade", json=BODY, headers={"Authorization": given}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "8.8.8.8", "", "[::"]
)
def test_under_an_unknown_name_nothing_is_answered(service: Any, host: str) -> None:
    assert service().post("/grade", json=BODY, headers={"Host": host}).status_code == 421


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8737", "127.0.0.1:1", "[::1]:8737", "LOCALHOST", "studio.example"]
)
def test_known_names_are_answered(service: Any, host: str) -> None:
    assert service(hosts=("studio.example",)).get("/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://localhost", "http://localhost:3000", ""])
def test_pages_from_elsewhere_are_refused_and_never_invited(service: Any, origin: str) -> None:
    client = service()
    refused = client.post("/grade", json=BODY, headers={"Origin": origin})
    assert refused.status_code == 403
    asked = client.options("/grade", headers={"Origin": origin, "Access-Control-Request-Method": "POST"})
    for answer in (refused, asked, client.get("/health")):
        assert not [name for name in answer.headers if name.startswith("access-control")]


def test_a_page_of_the_service_itself_may_ask(service: Any) -> None:
    assert service().post("/grade", json=BODY, headers={"Origin": "http://localhost"}).status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_what_a_form_could_send_is_refused(service: Any, kind: str) -> None:
    answer = service().post("/grade", content=b'{"taskId": "cnn-cifar"}', headers={"Content-Type": kind})
    assert answer.status_code == 415


def test_a_long_body_is_refused_by_what_it_says_and_by_what_it_is(service: Any) -> None:
    client = service(body_bytes=1_000)
    headers = {"content-type": "application/json"}
    assert client.post("/grade", content=b" " * 1_001, headers=headers).status_code == 413

    def pieces() -> Iterator[bytes]:
        for _ in range(100):
            yield b" " * 100

    assert client.post("/grade", content=pieces(), headers=headers).status_code == 413
    absurd = {**headers, "content-length": "9" * 400}
    assert client.post("/grade", content=b"{}", headers=absurd).status_code == 413


def test_a_client_that_asks_too_often_is_slowed(service: Any) -> None:
    client = service(rate_per_s=0.01, burst=3)
    states = [client.get("/health").status_code for _ in range(5)]
    assert states == [200, 200, 200, 429, 429]


def test_a_bucket_fills_again_and_each_client_has_its_own() -> None:
    now = [0.0]
    rates = Rates(2.0, 3, clock=lambda: now[0])
    assert [rates.take("a") for _ in range(4)] == [True, True, True, False]
    assert rates.take("b")
    now[0] = 0.5
    assert [rates.take("a"), rates.take("a")] == [True, False]
    now[0] = 1_000.0
    assert [rates.take("a") for _ in range(4)] == [True, True, True, False]


def test_many_clients_take_bounded_memory() -> None:
    rates = Rates(1.0, 1)
    assert all(rates.take(str(n)) for n in range(20_000))
    assert len(rates._buckets) <= 4_096


# Slowness ------------------------------------------------------------------------------------------------------------

SCOPE = {
    "type": "http",
    "method": "POST",
    "path": "/grade",
    "scheme": "http",
    "client": ("127.0.0.1", 1),
    "server": ("127.0.0.1", 80),
    "headers": [(b"host", b"localhost"), (b"content-type", b"application/json"), (b"content-length", b"9")],
}


def answered(app: Any, receive: Callable[[], Awaitable[Any]], **limits: Any) -> tuple[int, Any]:
    """The status and the body a guarded application answers with."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(Guard(app, Access(), replace(DEFAULT_LIMITS, **limits))(dict(SCOPE), receive, send))
    return sent[0]["status"], json.loads(b"".join(part.get("body", b"") for part in sent))


async def never(*_: Any) -> Any:
    await asyncio.sleep(60)


async def at_once() -> Any:
    return {"type": "http.request", "body": b"{}", "more_body": False}


def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    status, told = answered(never, never, body_s=0.1)
    assert (status, told["error"]) == (408, "The body took too long to arrive.")


def test_an_answer_that_takes_too_long_is_given_up() -> None:
    assert answered(never, at_once, request_s=0.1)[0] == 408


def test_only_so_many_are_served_at_once() -> None:
    async def main() -> list[int]:
        guard, states = Guard(never, Access(), replace(DEFAULT_LIMITS, requests_at_once=3, request_s=0.3)), []

        async def send(message: Any) -> None:
            if "status" in message:
                states.append(message["status"])

        await asyncio.gather(*(guard(dict(SCOPE), at_once, send) for _ in range(5)))
        return states

    assert asyncio.run(main()) == [503, 503, 408, 408, 408]


@contextmanager
def listening(header_s: float) -> Iterator[int]:
    """A server with an application that says yes, and its port."""
    import uvicorn

    from archstudio.services.worker import configured

    async def yes(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"3")]})
            await send({"type": "http.response.body", "body": b"yes"})

    config = configured(yes, replace(DEFAULT_LIMITS, header_s=header_s))
    config.lifespan = "off"
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as bound:
        thread = threading.Thread(target=server.run, args=[[bound]])
        thread.start()
        try:
            while not server.started:
                time.sleep(0.01)
            yield bound.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


HALF_HEADS = [b"", b"GET / HTTP/1.1\r\nHost: loc", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET"]


@pytest.mark.parametrize("start", HALF_HEADS)
def test_a_head_that_drips_is_cut_off(start: bytes) -> None:
    with listening(header_s=0.3) as port, socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(start)
        received = b""
        while piece := connection.recv(1_000):
            received += piece
        assert received.endswith(b"yes") == start.endswith(b"GET")


def test_a_connection_that_is_used_stays_open() -> None:
    with listening(header_s=0.3) as port, socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        for _ in range(3):
            connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            received = b""
            while not received.endswith(b"yes"):
                received += connection.recv(1_000)
            time.sleep(0.4)


def test_the_service_is_not_exposed_without_a_token() -> None:
    for host in ("0.0.0.0", "::", "192.168.1.5", "studio.example"):
        with pytest.raises(CannotServe, match="--token-file"):
            Serving(host, 0, None).checked()
        assert Serving(host, 0, TOKEN).checked().limits.rate_per_s == 50
    for host in ("127.0.0.1", "localhost", "::1", "127.8.8.8"):
        assert Serving(host, 0, None).checked().limits.rate_per_s == 0


def test_the_token_shows_in_no_text_of_the_settings(tmp_path: Path) -> None:
    assert TOKEN not in repr(Serving("127.0.0.1", 0, TOKEN).access)
