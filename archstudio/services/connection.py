"""A connection that is closed when the head of a request does not come, or comes too slowly."""

import asyncio
from typing import Any


def impatient(header_s: float) -> type[asyncio.Protocol]:
    """uvicorn's protocol with a limit on the time for the head of a request; it has none for a head that drips."""
    import h11
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Impatient(H11Protocol):
        _head_timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._head_timer = self.loop.call_later(header_s, self.transport.close)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            waiting = self.conn.their_state is h11.IDLE
            if not waiting and self._head_timer is not None:
                self._head_timer.cancel()
                self._head_timer = None
            elif waiting and self._head_timer is None:
                self._head_timer = self.loop.call_later(header_s, self.transport.close)

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            if self._head_timer is not None:
                self._head_timer.cancel()

    return Impatient
