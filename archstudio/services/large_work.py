"""A process of its own for large work: `python -m archstudio.services.large_work BYTES`, frames on its streams.

It may be ended at any moment: whoever started it does so when time is up, and starts another.
"""

import sys
from typing import BinaryIO

from archstudio.services.environment import Environment
from archstudio.services.frames import SPENT, read_frame, write_frame
from archstudio.services.work import do


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Do what comes, until nothing more does. After a lack of memory the process is spent and ends."""
    environment = Environment()
    write_frame(sink, "ready", b"")
    while (frame := read_frame(source)) is not None:
        name, body = frame
        try:
            answer = do(name, environment, body)
        except MemoryError:
            write_frame(sink, SPENT, b"")
            return
        write_frame(sink, str(answer.status), answer.body)


def limit_memory(most_bytes: int) -> None:
    """Let the system refuse more memory than this, where it can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = most_bytes if hard == resource.RLIM_INFINITY else min(most_bytes, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


if __name__ == "__main__":
    limit_memory(int(sys.argv[1]))
    serve(sys.stdin.buffer, sys.stdout.buffer)
