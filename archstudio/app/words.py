"""The language of what people read, for code that knows no window: texts are written in English and looked up here."""

from __future__ import annotations

from collections.abc import Callable

_translate: Callable[[str], str] | None = None


def set_words(translate: Callable[[str], str] | None) -> None:
    """Look texts up with this function from now on; None leaves them in English."""
    global _translate
    _translate = translate


def said(text: str) -> str:
    """A text in the language of the window; itself where that has none for it."""
    return text if _translate is None else _translate(text)
