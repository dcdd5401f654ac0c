"""Stands before every endpoint: who may ask, how often, how many at once, and how much they may send and how slowly."""

import asyncio
import hmac
import ipaddress
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

from archstudio.services.limits import DEFAULT_LIMITS, ServiceLimits
from archstudio.services.requests import BadRequest
from archstudio.services.work import encoded

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
OPEN_PATHS: Final = frozenset({"/health"})
"""What is told without a token: that the service is there."""
_CLIENTS_REMEMBERED: Final = 4_096


@dataclass(frozen=True)
class Access:
    """Who may ask. Without a token everybody who reaches the service by a known name may."""

    token: str | None = field(default=None, repr=False)
    hosts: frozenset[str] = LOOPBACK_NAMES
    """Names by which the service is known; its own address always is one."""


class Refused(BadRequest):
    """A request that is not let in, with a header that says more."""

    def __init__(self, text: str, status: int, header: tuple[bytes, bytes] | None = None) -> None:
        super().__init__(text, status=status)
        self.header = header


class Guard:
    """An ASGI application around another, which only ever sees whole, small, permitted requests."""

    def __init__(self, app: App, access: Access, limits: ServiceLimits = DEFAULT_LIMITS) -> None:
        self._app, self._access, self._limits = app, access, limits
        self._rates = Rates(limits.rate_per_s, limits.burst)
        self._running = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        answering = _Answering(send)
        try:
            self._admit(scope)
            self._running += 1
            try:
                async with asyncio.timeout(self._limits.request_s):
                    body = await self._body(scope, receive)
                    await self._app(scope, _Whole(body, receive), answering)
            finally:
                self._running -= 1
        except BadRequest as bad:
            await answering.refuse(bad)
        except TimeoutError:
            await answering.refuse(BadRequest("The request took too long.", status=408))

    def _admit(self, scope: Scope) -> None:
        """Let a request in, or raise Refused. No page of another origin may ask, whatever it knows."""
        if self._running >= self._limits.requests_at_once:
            raise Refused("Too many requests at once. Try again.", 503, (b"retry-after", b"1"))
        client = scope.get("client")
        if not self._rates.take(client[0] if client else ""):
            raise Refused("Too many requests. Slow down.", 429, (b"retry-after", b"1"))
        headers = _Headers(scope)
        host = headers.one(b"host")
        if not self._knows(scope, host):
            raise Refused("This service does not answer under that Host.", 421)
        if headers.has(b"origin") and headers.one(b"origin") != f"{scope.get('scheme', 'http')}://{host}":
            raise Refused("This service does not answer that Origin.", 403)
        if self._access.token is not None and scope["path"] not in OPEN_PATHS:
            self._check_token(headers.one(b"authorization"))
        if scope["method"] == "POST" and not headers.one(b"content-type").lower().startswith("application/json"):
            raise Refused("Send JSON, and say so: Content-Type: application/json.", 415)

    def _knows(self, scope: Scope, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in self._access.hosts:
            return True
        server = scope.get("server")
        return server is not None and _is_address(name) and name == server[0]

    def _check_token(self, given: str) -> None:
        scheme, _, token = given.partition(" ")
        wanted = (self._access.token or "").encode()
        if scheme.lower() != "bearer" or not hmac.compare_digest(token.strip().encode(), wanted):
            raise Refused("Send the token: Authorization: Bearer TOKEN.", 401, (b"www-authenticate", b"Bearer"))

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        most = self._limits.body_bytes
        told = _Headers(scope).one(b"content-length")
        if told.isdigit() and (len(told) > 15 or int(told) > most):
            raise _too_large(most)
        if not told and not _Headers(scope).one(b"transfer-encoding"):
            return b""
        pieces, size = [], 0
        try:
            async with asyncio.timeout(self._limits.body_s):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise BadRequest("The client left.")
                    piece = message.get("body", b"")
                    size += len(piece)
                    if size > most:
                        raise _too_large(most)
                    pieces.append(piece)
                    if not message.get("more_body", False):
                        return b"".join(pieces)
        except TimeoutError:
            raise BadRequest("The body took too long to arrive.", status=408) from None


def _too_large(most: int) -> BadRequest:
    return BadRequest(f"The body is longer than {most:,} bytes.", status=413)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class _Headers:
    """The headers of a request; one that is given twice with different values is as good as none."""

    def __init__(self, scope: Scope) -> None:
        self._headers: list[tuple[bytes, bytes]] = scope["headers"]

    def has(self, name: bytes) -> bool:
        return any(key == name for key, _ in self._headers)

    def one(self, name: bytes) -> str:
        values = {value for key, value in self._headers if key == name}
        return values.pop().decode("latin-1") if len(values) == 1 else ""


class _Whole:
    """Hands on a body that is there already; then whatever else the client does."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> MutableMapping[str, Any]:
        if self._body is None:
            return await self._receive()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}


class _Answering:
    """Sends an answer on, adding what every answer carries; knows whether one has begun."""

    def __init__(self, send: Send) -> None:
        self._send, self._begun = send, False

    async def __call__(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self._begun = True
            message["headers"] = [*message.get("headers", []), (b"x-content-type-options", b"nosniff")]
        await self._send(message)

    async def refuse(self, bad: BadRequest) -> None:
        """Say why there is no answer; where one has begun, all that is left is to break it off."""
        if self._begun:
            raise bad
        body = encoded(bad.as_json())
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        if isinstance(bad, Refused) and bad.header is not None:
            headers.append(bad.header)
        if bad.status in (408, 413):
            headers.append((b"connection", b"close"))
        await self({"type": "http.response.start", "status": bad.status, "headers": headers})
        await self({"type": "http.response.body", "body": body})


class Rates:
    """A bucket of tokens for each client: `per_s` flow in, `burst` is the most it holds. 0 a second is no limit."""

    def __init__(self, per_s: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_s, self._burst, self._clock = per_s, burst, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str) -> bool:
        """Whether this client may ask now."""
        if self._per_s <= 0:
            return True
        now = self._clock()
        held, since = self._buckets.pop(client, (float(self._burst), now))
        held = min(self._burst, held + (now - since) * self._per_s)
        allowed = held >= 1
        self._buckets[client] = (held - 1 if allowed else held, now)
        if len(self._buckets) > _CLIENTS_REMEMBERED:
            self._buckets.popitem(last=False)
        return allowed
