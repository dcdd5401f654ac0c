"""Asks one service of the OpenAI protocol, patiently but within limits of time, size and number."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, Any, Final, Literal, Self

from archstudio.files.limits import MIB
from archstudio.llm.chat import ChatReply, ChatRequest
from archstudio.llm.endpoint import Endpoint
from archstudio.llm.reading import Garbage, read_reply
from archstudio.llm.retry import RETRIED_STATUSES, Backoff, asked_delay_s

if TYPE_CHECKING:
    import httpx

FaultKind = Literal["unreachable", "slow", "busy", "server", "refused", "garbage", "too long"]
_LONGEST_QUOTE: Final = 300
_READ_FOR_AN_ERROR: Final = 65_536


class MissingExtra(ImportError):
    """The extra `llm` is not installed."""

    def __init__(self) -> None:
        super().__init__("Asking a model needs the extra 'llm': pip install archstudio[llm]")


class AskFailed(Exception):
    """A model gave no answer: what kind of fault, after how many attempts, and the status if there was one."""

    def __init__(self, kind: FaultKind, reason: str, attempts: int, status: int | None = None) -> None:
        self.kind, self.reason, self.attempts, self.status = kind, reason, attempts, status
        super().__init__(f"{reason} (after {attempts} attempt{'s' * (attempts != 1)})")


@dataclass(frozen=True)
class Limits:
    """What one attempt may take."""

    connect_s: float = 10.0
    silence_s: float = 120.0
    """Between two pieces of an answer."""
    total_s: float = 600.0
    body_bytes: int = 16 * MIB


class Client:
    """A service to ask; several threads may use it at once."""

    def __init__(
        self,
        endpoint: Endpoint,
        limits: Limits | None = None,
        backoff: Backoff | None = None,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        """Make it ready; nothing is sent. Raises MissingExtra."""
        self._httpx = _httpx()
        self._endpoint, self._limits, self._backoff, self._sleep = (
            endpoint,
            limits or Limits(),
            backoff or Backoff(),
            sleep,
        )
        quiet, connect = self._limits.silence_s, self._limits.connect_s
        timeout = self._httpx.Timeout(quiet, connect=connect)
        pool = self._httpx.Limits(max_connections=None, max_keepalive_connections=64)
        # Redirects are not followed: they would carry the key elsewhere.
        self._http: httpx.Client = self._httpx.Client(timeout=timeout, limits=pool, follow_redirects=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all connections."""
        self._http.close()

    def ask(self, request: ChatRequest) -> ChatReply:
        """The model's answer, asked for again where that may help. Raises AskFailed."""
        attempts = 0
        while True:
            attempts += 1
            began = time.monotonic()
            try:
                reply = self._once(request)
            except _Failed as failed:
                delay = self._backoff.delay_s(attempts, failed.asked_s) if failed.again else None
                if delay is None:
                    reason = self._endpoint.hidden(failed.reason)
                    raise AskFailed(failed.kind, reason, attempts, failed.status) from None
                self._sleep(delay)
                continue
            return replace(reply, attempts=attempts, seconds=round(time.monotonic() - began, 3))

    def _once(self, request: ChatRequest) -> ChatReply:
        until = time.monotonic() + self._limits.total_s
        try:
            with self._http.stream(
                "POST", self._endpoint.completions_url, json=request.body(), headers=self._endpoint.headers()
            ) as response:
                if response.status_code != 200:
                    raise self._refused(response, until)
                body = self._body(response, until, self._limits.body_bytes)
        except self._httpx.TimeoutException as error:
            raise _Failed("slow", f"the service is silent ({type(error).__name__})", again=True) from None
        except (self._httpx.HTTPError, self._httpx.InvalidURL) as error:
            said = str(error) or type(error).__name__
            raise _Failed("unreachable", f"the connection failed: {said}", again=True) from None
        try:
            return read_reply(body)
        except Garbage as garbage:
            raise _Failed("garbage", f"no chat completion came back: {garbage}", again=True) from None

    def _body(self, response: "httpx.Response", until: float, most: int) -> bytes:
        body = bytearray()
        for piece in response.iter_bytes():
            body += piece
            if len(body) > most:
                raise _Failed("too long", f"the answer is longer than {most / MIB:,.3g} MiB", again=False)
            if time.monotonic() > until:
                raise _Failed("slow", f"the answer took more than {self._limits.total_s:g} s", again=True)
        return bytes(body)

    def _refused(self, response: "httpx.Response", until: float) -> "_Failed":
        """The fault an HTTP status tells of, with the start of what was said beside it."""
        status = response.status_code
        try:
            said = self._body(response, until, _READ_FOR_AN_ERROR).decode("utf-8", "replace")
        except _Failed:
            said = ""
        kind: FaultKind = "busy" if status == 429 else "server" if status >= 500 else "refused"
        reason = f"HTTP {status} {' '.join(said.split())[:_LONGEST_QUOTE]}".rstrip()
        asked = asked_delay_s(response.headers.get("retry-after"))
        return _Failed(kind, reason, again=status in RETRIED_STATUSES, status=status, asked_s=asked)


class _Failed(Exception):
    """One attempt that brought no answer."""

    def __init__(
        self, kind: FaultKind, reason: str, *, again: bool, status: int | None = None, asked_s: float | None = None
    ) -> None:
        super().__init__(reason)
        self.kind, self.reason, self.again, self.status, self.asked_s = kind, reason, again, status, asked_s


def _httpx() -> Any:
    try:
        import httpx
    except ImportError:
        raise MissingExtra from None
    module: ModuleType = httpx
    return module
