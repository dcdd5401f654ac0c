"""Named pieces of bytes on a stream: a line with name and length, then the bytes."""

from typing import IO, Final

SPENT: Final = "spent"
"""The name of a frame that says: there was no memory left, and the process ends."""


def write_frame(stream: IO[bytes], name: str, body: bytes) -> None:
    """Write one frame and hand it over."""
    stream.write(f"{name} {len(body)}\n".encode() + body)
    stream.flush()


def read_frame(stream: IO[bytes]) -> tuple[str, bytes] | None:
    """The next frame; None at the end of the stream, also in the middle of a frame."""
    head = stream.readline(256).split()
    if len(head) != 2:
        return None
    length = int(head[1])
    body = stream.read(length)
    return (head[0].decode(), body) if len(body) == length else None
