"""Keeps what could name a person or a machine out of everything that is exported."""

from __future__ import annotations

import getpass
import re
import socket
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

REMOVED: Final = "[removed]"
RARE: Final = "[rare]"
_LEAST_SHARING: Final = 2
"""A free answer is shown if at least so many people gave it: what one person alone says may tell who they are."""

_PATTERNS: Final = re.compile(
    r"""[\w.+-]+@[\w-]+(?:\.[\w-]+)*            # e-mail address, user@host
    |   \b[A-Za-z]:\\+[^\s"'|]+                 # C:\folder\file
    |   \\\\+[\w.-]+\\+[^\s"'|]+                # \\host\share
    |   ~[\w-]*/[^\s"'|]+                       # ~/file
    |   (?<![\w:/.<])/(?:[\w.@+-]+/)+[\w.@+-]*  # /folder/file, no part of an address of the web
    |   \b(?:\d{1,3}\.){3}\d{1,3}\b             # IPv4
    |   \b(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}\b              # MAC
    |   \b(?:[0-9A-Fa-f]{1,4}:){3,7}[0-9A-Fa-f]{1,4}\b           # IPv6
    |   \b[\w-]+\.(?:local|lan|home|internal|intranet|localdomain)\b  # names of machines in a private network
    """,
    re.VERBOSE,
)
_SYSTEM: Final = re.compile(r"(Linux|Windows|macOS|Darwin)(?: (\d[\d.]*))?")


class Redactor:
    """Replaces addresses, paths and known names in text by "[removed]"."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        """`words` are further names to remove, whole and in any case; this machine's own are always removed."""
        known = {word for word in (*words, *_own_names()) if len(word) > 2 and not word.isdigit()}
        longest_first = sorted(known, key=lambda word: (-len(word), word))
        union = "|".join(map(re.escape, longest_first))
        self._words = re.compile(rf"(?<![A-Za-z0-9])(?:{union})(?![A-Za-z0-9])", re.IGNORECASE) if union else None

    def text(self, text: str) -> str:
        """The text without them."""
        cleaned = _PATTERNS.sub(REMOVED, text)
        return cleaned if self._words is None else self._words.sub(REMOVED, cleaned)

    def value(self, value: Any) -> Any:
        """The same for every text within lists and mappings, keys included."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.text(str(key)): self.value(each) for key, each in value.items()}
        return [self.value(each) for each in value] if isinstance(value, list | tuple) else value


def _own_names() -> set[str]:
    """The host, the user and the home folder's name of this machine; "root" and "localhost" name nobody."""
    names = {socket.gethostname(), socket.gethostname().partition(".")[0], Path.home().name}
    try:
        names.add(getpass.getuser())
    except (OSError, KeyError):  # no entry for this user: there is no name to remove
        names.discard("")
    return names - {"root", "localhost", "home", "user", "main"}


def system_of(text: str | None) -> str | None:
    """The operating system and its version's numbers, and nothing else that such a text may hold."""
    found = _SYSTEM.match(text or "")
    return None if not text else " ".join(part for part in found.groups() if part) if found else "other"


class Shared:
    """Free answers, shown only where at least two people gave the same."""

    def __init__(self, answers: Iterable[str | None]) -> None:
        self._counts = Counter(answer for answer in answers if answer)

    def shown(self, answer: str | None) -> str | None:
        """The answer, or "[rare]"."""
        return answer if not answer or self._counts[answer] >= _LEAST_SHARING else RARE
