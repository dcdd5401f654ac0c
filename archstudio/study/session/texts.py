"""What people type, as it may be kept: of bounded length, and without what tells who or where they are."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from archstudio.study.redaction import Redactor

LONGEST: Final = 4_000
"""Characters of a comment that are kept; how long it was is kept beside it."""


def kept_text(text: str) -> dict[str, Any]:
    """A comment as the fields of an event: `text`, and `length` where it was cut."""
    kept = {"text": without_names(text[:LONGEST])}
    return {**kept, "length": len(text)} if len(text) > LONGEST else kept


def without_names(text: str) -> str:
    """`text` without addresses, paths, and the names of this machine and its user."""
    return _redactor().text(text)


@cache
def _redactor() -> Redactor:
    """The names are looked up once: they do not change while the program runs."""
    return Redactor()
