"""A small service of the same protocol on this machine, for rehearsals without a key: it answers as it is told to.

It can also behave as services do on bad days: stall, answer 429 or 500, stop in the middle, babble, or never end.
"""

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Final, Self

Answers = Callable[[Mapping[str, Any]], "Behaviour"]
Behaviour = Callable[[BaseHTTPRequestHandler], None]
_PIECE: Final = b" " * 65_536


class StandIn:
    """Serves on a free loopback port while it is entered; remembers what it was asked, and with which headers."""

    def __init__(self, answers: Answers) -> None:
        self.asked: list[Mapping[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.closing = threading.Event()
        lock = threading.Lock()
        stand_in = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with lock:
                    stand_in.asked.append(body)
                    stand_in.headers.append(dict(self.headers))
                    behaviour = answers(body)
                behaviour(self)

            def log_message(self, format: str, *values: object) -> None:
                """Say nothing."""

        self._server = _Quiet(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def base_url(self) -> str:
        """Where it can be asked."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def stalls(self, seconds: float) -> Behaviour:
        """Silence, then a closed connection."""
        return lambda handler: _ended(handler, self.closing.wait(seconds))


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that left is no event."""


def says(text: str, finish: str = "stop", reasoning: str = "", tokens: tuple[int, int] | None = (10, 5)) -> Behaviour:
    """An answer of text; `tokens` are those read and written, None for a service that does not count."""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if reasoning:
        message["reasoning_content"] = reasoning
    return completes(message, finish, tokens)


def calls(name: str, arguments: object, tokens: tuple[int, int] | None = (10, 5)) -> Behaviour:
    """An answer that calls a tool."""
    function = {"name": name, "arguments": arguments if isinstance(arguments, str) else json.dumps(arguments)}
    call = {"id": "call_1", "type": "function", "function": function}
    return completes({"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls", tokens)


def completes(message: Mapping[str, Any], finish: str, tokens: tuple[int, int] | None) -> Behaviour:
    """A whole completion."""
    body: dict[str, Any] = {
        "id": "c",
        "model": "stand-in",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }
    if tokens is not None:
        body["usage"] = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
    return sends(json.dumps(body).encode())


def sends(body: bytes, status: int = 200, headers: Iterable[tuple[str, str]] = ()) -> Behaviour:
    """Any body with any status."""

    def behave(handler: BaseHTTPRequestHandler) -> None:
        _head(handler, status, len(body), headers)
        handler.wfile.write(body)

    return behave


def stops_within(body: bytes) -> Behaviour:
    """A body that is announced twice as long as it is."""

    def behave(handler: BaseHTTPRequestHandler) -> None:
        _head(handler, 200, 2 * len(body), ())
        handler.wfile.write(body)
        _ended(handler, True)

    return behave


def floods(size: int, status: int = 200) -> Behaviour:
    """A body of `size` bytes of blanks."""

    def behave(handler: BaseHTTPRequestHandler) -> None:
        _head(handler, status, size, ())
        for _ in range(size // len(_PIECE)):
            handler.wfile.write(_PIECE)

    return behave


def _head(handler: BaseHTTPRequestHandler, status: int, length: int, headers: Iterable[tuple[str, str]]) -> None:
    handler.send_response(status)
    handler.send_header("Content-Length", str(length))
    for name, value in headers:
        handler.send_header(name, value)
    handler.end_headers()


def _ended(handler: BaseHTTPRequestHandler, _: object) -> None:
    handler.close_connection = True
