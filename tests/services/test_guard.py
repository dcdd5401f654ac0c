"""Who is let in: known names, the token, no foreign pages, and each client only so much and so fast."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from archstudio.services.guard import Rates
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


def test_the_service_is_not_exposed_without_a_token() -> None:
    for host in ("0.0.0.0", "::", "192.168.1.5", "studio.example"):
        with pytest.raises(CannotServe, match="--token-file"):
            Serving(host, 0, None).checked()
        assert Serving(host, 0, TOKEN).checked().limits.rate_per_s == 50
    for host in ("127.0.0.1", "localhost", "::1", "127.8.8.8"):
        assert Serving(host, 0, None).checked().limits.rate_per_s == 0


def test_the_token_shows_in_no_text_of_the_settings(tmp_path: Path) -> None:
    assert TOKEN not in repr(Serving("127.0.0.1", 0, TOKEN).access)
