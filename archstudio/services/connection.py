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
            self._wait_for_head(True)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._wait_for_head(self.conn.their_state is h11.IDLE)

        def on_response_complete(self) -> None:
            super().on_response_complete()
            begun, _ = self.conn.trailing_data  # a head that came with the request before, but not all of it
            self._wait_for_head(self.conn.their_state is h11.IDLE and bool(begun))

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            self._wait_for_head(False)

        def _wait_for_head(self, waiting: bool) -> None:
            """Keep the timer running from the first moment of waiting to the last."""
            if not waiting and self._head_timer is not None:
                self._head_timer.cancel()
                self._head_timer = None
            elif waiting and self._head_timer is None:
                self._head_timer = self.loop.call_later(header_s, self.transport.close)

    return Impatient
