"""A service is asked with patience and limits: it answers, or there is a clear fault in bounded time."""

import json
import logging
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from archstudio.files.unusable import UnusableFile
from archstudio.llm import (
    Asker,
    AskFailed,
    Backoff,
    ChatRequest,
    Client,
    Endpoint,
    Ledger,
    Limits,
    Message,
    Prices,
    ReplyStore,
    Sampling,
    UnusableEndpoint,
    endpoint_from,
    in_threads,
)
from archstudio.llm.retry import asked_delay_s
from archstudio.llm.stand_in import Behaviour, StandIn, calls, floods, says, sends, stops_within

KEY = "sk-very-secret-1234"
QUESTION = ChatRequest("m", (Message("user", "2 + 2?"),), Sampling(temperature=0.2, max_tokens=64))
QUICK = Limits(connect_s=1, silence_s=0.3, total_s=2, body_bytes=1_000_000)


class Waits:
    """Remembers how long was to be waited, and does not."""

    def __init__(self) -> None:
        self.delays: list[float] = []

    def __call__(self, seconds: float) -> None:
        self.delays.append(seconds)


@pytest.fixture
def waits() -> Waits:
    return Waits()


Scripted = Callable[..., tuple[StandIn, Client]]


@pytest.fixture
def scripted(waits: Waits) -> Iterator[Scripted]:
    """`scripted(a, b, c)` starts a service that behaves so, one behaviour a request, the last one for ever."""
    opened: list[StandIn | Client] = []

    def start(*behaviours: Behaviour | str, limits: Limits = QUICK, attempts: int = 4) -> tuple[StandIn, Client]:
        left = list(behaviours)

        def next_one(_: object) -> Behaviour:
            chosen = left.pop(0) if len(left) > 1 else left[0]
            return service.stalls(5) if isinstance(chosen, str) else chosen

        service = StandIn(next_one)
        service.__enter__()
        backoff = Backoff(attempts=attempts, draw=lambda: 1.0)
        client = Client(Endpoint(service.base_url, KEY), limits, backoff, sleep=waits)
        opened.extend([client, service])
        return service, client

    yield start
    for each in opened:
        each.__exit__(None, None, None)


def fault(client: Client) -> AskFailed:
    with pytest.raises(AskFailed) as failed:
        client.ask(QUESTION)
    return failed.value


def test_the_question_goes_out_whole_and_the_answer_comes_back(scripted: Scripted) -> None:
    service, client = scripted(says("4", reasoning="two and two", tokens=(12, 3)))
    reply = client.ask(QUESTION)
    assert (reply.text, reply.reasoning, reply.finish_reason, reply.attempts) == ("4", "two and two", "stop", 1)
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.total) == (12, 3, 15)
    assert service.asked == [
        {"model": "m", "messages": [{"role": "user", "content": "2 + 2?"}], "temperature": 0.2, "max_tokens": 64}
    ]
    assert service.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_a_call_of_a_tool_is_read(scripted: Scripted) -> None:
    _, client = scripted(calls("audit", {"actions": []}))
    (call,) = client.ask(QUESTION).calls
    assert (call.name, json.loads(call.arguments)) == ("audit", {"actions": []})


@pytest.mark.parametrize(
    "bad_day",
    [
        pytest.param(sends(b"overloaded", 500), id="500"),
        pytest.param(sends(b"{}", 429), id="429"),
        pytest.param(sends(b"<html>not yours</html>"), id="garbage"),
        pytest.param(sends(b'{"choices": []}'), id="no choices"),
        pytest.param(sends(b'{"choices": [{"message": "hi"}]}'), id="no message"),
        pytest.param(sends(b"[" * 100_000), id="nested"),
        pytest.param(stops_within(b'{"choices": [{'), id="truncated"),
        pytest.param("stall", id="stall"),
    ],
)
def test_a_bad_moment_is_waited_out(scripted: Scripted, waits: Waits, bad_day: Behaviour | str) -> None:
    service, client = scripted(bad_day, bad_day, says("4"))
    reply = client.ask(QUESTION)
    assert (reply.text, reply.attempts, len(service.asked)) == ("4", 3, 3)
    assert waits.delays == [1.0, 2.0]


@pytest.mark.parametrize(
    ("behaviour", "kind", "attempts", "status"),
    [
        (sends(b"no such model", 404), "refused", 1, 404),
        (sends(b"bad key", 401), "refused", 1, 401),
        (sends(b"", 302, [("Location", "http://elsewhere.invalid/")]), "refused", 1, 302),
        (sends(b"down", 503), "server", 4, 503),
        (sends(b"slow down", 429), "busy", 4, 429),
        (sends(b"\xff\x00"), "garbage", 4, None),
        ("stall", "slow", 4, None),
    ],
)
def test_what_does_not_get_better_is_given_up(
    scripted: Scripted, behaviour: Behaviour | str, kind: str, attempts: int, status: int | None
) -> None:
    service, client = scripted(behaviour)
    told = fault(client)
    assert (told.kind, told.attempts, told.status, len(service.asked)) == (kind, attempts, status, attempts)


def test_an_answer_of_a_gigabyte_is_left_at_the_limit(scripted: Scripted) -> None:
    _, client = scripted(floods(2**30))
    assert fault(client).kind == "too long"
    _, client = scripted(floods(2**30, status=500), attempts=1)
    assert fault(client).kind == "server"


def test_a_service_that_drips_is_left_in_time(scripted: Scripted) -> None:
    def drips(handler: object) -> None:
        handler.send_response(200)  # type: ignore[attr-defined]
        handler.send_header("Content-Length", "1000")  # type: ignore[attr-defined]
        handler.end_headers()  # type: ignore[attr-defined]
        for _ in range(50):
            handler.wfile.write(b" ")  # type: ignore[attr-defined]
            time.sleep(0.05)

    _, client = scripted(drips, limits=Limits(silence_s=1, total_s=0.3), attempts=1)
    assert "took more than 0.3 s" in fault(client).reason


def test_a_service_that_is_not_there_is_told(waits: Waits) -> None:
    with Client(Endpoint("http://127.0.0.1:9/v1"), QUICK, Backoff(attempts=2), waits) as client:
        told = fault(client)
    assert (told.kind, told.attempts, len(waits.delays)) == ("unreachable", 2, 1)


def test_what_the_service_asks_for_is_waited(scripted: Scripted, waits: Waits) -> None:
    _, client = scripted(sends(b"", 429, [("Retry-After", "7")]), says("4"))
    assert client.ask(QUESTION).text == "4"
    assert waits.delays == [8.0]
    _, impatient = scripted(sends(b"", 429, [("Retry-After", "86400")]))
    assert fault(impatient).attempts == 1


def test_retry_after_may_be_a_date_or_nonsense() -> None:
    now = datetime(2030, 1, 1, tzinfo=UTC)
    assert asked_delay_s(format_datetime(now + timedelta(seconds=30), usegmt=True), now) == 30
    assert asked_delay_s(format_datetime(now - timedelta(days=1), usegmt=True), now) == 0
    assert [asked_delay_s(text) for text in (None, "soon", "inf", "nan")] == [None, None, None, None]


def test_delays_grow_to_a_limit_and_are_drawn() -> None:
    patient = Backoff(attempts=100, first_s=1, most_s=60, draw=lambda: 0.5)
    assert [patient.delay_s(n, None) for n in (1, 2, 3, 50)] == [0.5, 1.0, 2.0, 30.0]
    assert patient.delay_s(100, None) is None


# The key -------------------------------------------------------------------------------------------------------------


def test_the_key_shows_nowhere(scripted: Scripted, caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    caplog.set_level(logging.DEBUG)
    service, client = scripted(sends(f"bad key {KEY}".encode(), 401))
    assert KEY not in str(fault(client))
    assert "***" in str(fault(client))
    assert KEY not in repr(Endpoint(service.base_url, KEY))
    _, client = scripted(says("4"))
    Asker(client, ReplyStore(tmp_path / "replies.jsonl")).ask(QUESTION)
    assert KEY not in (tmp_path / "replies.jsonl").read_text()
    assert KEY not in caplog.text


@pytest.mark.parametrize(
    ("url", "key", "words"),
    [
        ("ftp://host/v1", "", "must start with"),
        ("host/v1", "", "must start with"),
        ("https://user:pass@host/v1", "", "no user, password"),
        ("https://host/v1?key=1", "", "no user, password"),
        ("http://far.example/v1", KEY, "without encryption"),
        ("https://host:port/v1", "", "cannot be read"),
        ("https://host/v1", "two\nlines", "no header can carry"),
    ],
)
def test_an_unsafe_address_is_refused(url: str, key: str, words: str) -> None:
    with pytest.raises(UnusableEndpoint, match=words):
        Endpoint(url, key)


def test_address_and_key_come_from_the_environment() -> None:
    around = {"OPENAI_BASE_URL": "https://a.example/v1", "OPENAI_API_KEY": "k", "OTHER": "o"}
    assert endpoint_from(None, environment=around).headers() == {"Authorization": "Bearer k"}
    chosen = endpoint_from("https://b.example/v1/", "OTHER", around)
    assert (chosen.completions_url, chosen.key) == ("https://b.example/v1/chat/completions", "o")
    assert endpoint_from("http://localhost:1/v1", environment={}).headers() == {}
    assert endpoint_from("http://far.example/v1", "", around).headers() == {}
    for url, variable in ((None, "OPENAI_API_KEY"), ("https://b.example", "NOT_THERE")):
        with pytest.raises(UnusableEndpoint):
            endpoint_from(url, variable, {})


# Replies kept, tokens counted ----------------------------------------------------------------------------------------


def test_nothing_is_asked_twice(scripted: Scripted, tmp_path: Path) -> None:
    service, client = scripted(says("4", tokens=(100, 10)))
    file = tmp_path / "replies.jsonl"
    first = Asker(client, ReplyStore(file)).ask(QUESTION)
    again = Asker(client, ReplyStore(file), Ledger(Prices(2.0, 10.0, "EUR")))
    assert again.ask(QUESTION) == first
    assert len(service.asked) == 1
    other = ChatRequest(QUESTION.model, QUESTION.messages, QUESTION.sampling, repeat=1)
    again.ask(other)
    assert len(service.asked) == 2
    told = again.ledger.as_json()
    assert (told["replies"], told["knownBefore"], told["attempts"]) == (2, 1, 1)
    assert told["cost"] == pytest.approx(2 * (100 * 2 + 10 * 10) / 1e6)
    assert "EUR" in again.ledger.text()


def test_a_line_cut_short_is_asked_again_and_other_files_are_refused(scripted: Scripted, tmp_path: Path) -> None:
    service, client = scripted(says("4"))
    file = tmp_path / "replies.jsonl"
    Asker(client, ReplyStore(file)).ask(QUESTION)
    whole = file.read_bytes()
    file.write_bytes(whole + whole[:-20])
    store = ReplyStore(file)
    assert (len(store), file.read_bytes()) == (1, whole)
    file.write_text('{"schema": "something else"}\n')
    with pytest.raises(UnusableFile, match="line 1"):
        ReplyStore(file)
    assert len(service.asked) == 1


def test_failures_and_replies_without_a_count_are_told(scripted: Scripted) -> None:
    _, client = scripted(says("4", tokens=None), sends(b"", 500))
    asker = Asker(client)
    asker.ask(QUESTION)
    with pytest.raises(AskFailed):
        asker.ask(QUESTION)
    told = asker.ledger.as_json()
    assert (told["withoutUsage"], told["failed"], told["attempts"], told["cost"]) == (1, 1, 5, None)


# Threads -------------------------------------------------------------------------------------------------------------


def test_many_are_asked_at_once(scripted: Scripted) -> None:
    service, client = scripted(says("4"))
    questions = [ChatRequest("m", (Message("user", str(n)),)) for n in range(20)]
    assert [r.text for r in in_threads(client.ask, questions, 8)] == ["4"] * 20
    assert sorted(int(asked["messages"][0]["content"]) for asked in service.asked) == list(range(20))


@pytest.mark.parametrize("workers", [1, 4])
def test_an_error_in_a_thread_ends_the_work_and_is_told(workers: int) -> None:
    done: list[int] = []

    def work(n: int) -> int:
        if n == 3:
            raise KeyError(n)
        done.append(n)
        return n

    with pytest.raises(KeyError):
        list(in_threads(work, range(1_000_000), workers))
    assert len(done) < 1_000_000
