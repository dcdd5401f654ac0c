"""One process of the HTTP service: `python -m archstudio.services.worker`, its settings on standard input.

It stops when standard input ends, that is also when whoever started it is gone.
"""

import asyncio
import gc
import json
import socket
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from archstudio.services.http_service import ServiceSettings, create_app
from archstudio.services.limits import ServiceLimits
from archstudio.services.serving import READY, CannotServe, Serving, bound

if TYPE_CHECKING:
    import uvicorn


def configured(app: Any, limits: ServiceLimits) -> "uvicorn.Config":
    """How the server treats connections; nothing it says of requests goes anywhere."""
    import uvicorn

    from archstudio.services.connection import impatient

    return uvicorn.Config(
        app,
        http=impatient(limits.header_s),
        ws="none",
        lifespan="on",
        access_log=False,
        log_level="critical",
        server_header=False,
        date_header=False,
        limit_concurrency=limits.connections,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=3,
    )


def main() -> int:
    """Serve until standard input ends."""
    import uvicorn

    try:
        given = json.loads(sys.stdin.buffer.readline())
        episodes = Path(given.pop("episodes"))
        serving = Serving(**{**given, "hosts": tuple(given["hosts"])})
        app = create_app(ServiceSettings(episodes, serving.access, serving.limits))
        listening = bound(serving.host, serving.port, shared=serving.workers > 1)
    except CannotServe as reason:
        sys.stderr.write(f"archstudio: {reason}\n")
        return 1
    server = uvicorn.Server(configured(app, serving.limits))
    gc.collect()
    gc.freeze()  # what is there now stays for good: looking through it again and again would only hold up answers
    threading.Thread(target=_stop_at_the_end, args=[server], daemon=True).start()
    asyncio.run(_serve(server, listening))
    return 0


async def _serve(server: "uvicorn.Server", listening: socket.socket) -> None:
    running = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started and not running.done():
        await asyncio.sleep(0.01)
    if server.started:
        sys.stdout.buffer.write(READY)
        sys.stdout.buffer.flush()
    await running


def _stop_at_the_end(server: "uvicorn.Server") -> None:
    sys.stdin.buffer.read()
    server.should_exit = True


if __name__ == "__main__":
    raise SystemExit(main())
