"""What people type, as it may be kept: of bounded length, and without what tells who or where they are."""

from __future__ import annotations

import getpass
import os
import re
import socket
from functools import cache
from pathlib import Path
from typing import Any, Final

LONGEST: Final = 4_000
"""Characters of a comment that are kept; how long it was is kept beside it."""

_HIDDEN: Final = (
    (re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"), "[address]"),
    (re.compile(r"\bhttps?://\S+|\bwww\.\S+"), "[link]"),
    (re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b"), "[address]"),
    (re.compile(r"(?<![\w/])(?:/(?:home|Users|root|mnt|media|tmp|var|private)(?:/[^\s,;:\"')\]]+)+)"), "[path]"),
    (re.compile(r"\b[A-Za-z]:\\[^\s,;\"')\]]*|\\\\[^\s,;\"')\]]+"), "[path]"),
)
_COMMON: Final = frozenset({"root", "user", "users", "admin", "localhost", "linux", "ubuntu", "home", "runner", "test"})
_SHORTEST_NAME: Final = 4


def kept_text(text: str) -> dict[str, Any]:
    """A comment as the fields of an event: `text`, and `length` where it was cut."""
    kept = {"text": without_names(text[:LONGEST])}
    return {**kept, "length": len(text)} if len(text) > LONGEST else kept


def without_names(text: str) -> str:
    """`text` without e-mail addresses, links, network addresses, paths, and this machine's and its user's names."""
    for pattern, word in _HIDDEN:
        text = pattern.sub(word, text)
    names = _own_names()
    return names.sub("[name]", text) if names is not None else text


@cache
def _own_names() -> re.Pattern[str] | None:
    """Names that would tell who works here; common words and very short names are left, they would tell nothing."""
    found = {socket.gethostname(), socket.gethostname().split(".")[0], Path.home().name, os.environ.get("USER", "")}
    try:
        found.add(getpass.getuser())
    except (OSError, KeyError, ImportError):  # no such user, or no environment that says so
        found.discard("")
    telling = [name for name in found if len(name) >= _SHORTEST_NAME and name.casefold() not in _COMMON]
    if not telling:
        return None
    listed = "|".join(re.escape(name) for name in sorted(telling, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{listed})(?!\w)", re.IGNORECASE)
