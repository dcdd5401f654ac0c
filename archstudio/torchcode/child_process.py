"""What the processes that run PyTorch for the program have in common: their streams, their messages, their bounds."""

from __future__ import annotations

import os
import sys
from typing import BinaryIO, TypeVar

import psutil
from pydantic import BaseModel, TypeAdapter, ValidationError

_LOWEST_USEFUL_NICENESS = 10
_LONGEST_SHOWN = 200

_T = TypeVar("_T")


class NotAMessage(ValueError):
    """A line that is no message of this version."""

    def __init__(self, line: bytes, reason: str) -> None:
        self.line = line[:_LONGEST_SHOWN].decode(errors="replace")
        self.reason = reason
        super().__init__(f"The line {self.line!r} is no message of version 1: {reason}")


def to_line(message: BaseModel) -> bytes:
    """Return a message as one line of JSON, newline included."""
    return message.model_dump_json().encode() + b"\n"


def from_line(adapter: TypeAdapter[_T], line: bytes) -> _T:
    """Read a message from a line; raises `NotAMessage`."""
    try:
        return adapter.validate_json(line)
    except ValidationError as error:
        raise NotAMessage(line, error.errors()[0]["msg"]) from error


def claim_stdout() -> BinaryIO:
    """Keep the real stdout for messages and let everything that prints, C libraries included, go to stderr."""
    stream = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return stream


def lower_priority() -> None:
    """Let everything a person works with go first."""
    if sys.platform == "win32":
        psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
    else:
        os.nice(_LOWEST_USEFUL_NICENESS)


def limit_memory(more_bytes: int) -> None:
    """Make an allocation fail, as an error with a stack, that would take `more_bytes` beyond what is used now.

    Where the system has no such limit (Windows; macOS accepts and ignores it) nothing is bounded.
    """
    if sys.platform == "win32":
        return
    import resource

    used = getattr(psutil.Process().memory_info(), "data", 0)
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    bound = used + more_bytes if hard == resource.RLIM_INFINITY else min(used + more_bytes, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (bound, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
