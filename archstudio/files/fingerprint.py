"""Says whether a file still holds what was read from it or written to it."""

import hashlib
from pathlib import Path


def fingerprint(path: Path) -> str | None:
    """The sha256 of a file's content; None if there is no such file or it cannot be read."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return None


def fingerprint_of(data: bytes) -> str:
    """The same of bytes that a file is about to hold."""
    return hashlib.sha256(data).hexdigest()
