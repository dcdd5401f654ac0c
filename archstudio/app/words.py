"""The language of what people read, for code that knows no window: texts are written in English and looked up here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

_translate: Callable[[str], str] | None = None
_patterns: tuple[Pattern, ...] = ()
_parts: Mapping[str, str] = {}

_HOLE = re.compile(r"\{(\w+)\}")
_NUMBER = r"(?:[\d.,×−-]+(?:e[+-]\d+)?|-?inf)"
_COUNTS = frozenset("nm")
"""Holes that hold a number: `1,024`, `3.5`, `−1`; `counts` holds one or some: `1 or 2`."""
_LONG = frozenset(
    {"layer", "layers", "noun", "title", "shape", "sum", "first", "source", "target", "rest", "value", "why"}
)
"""Holes that may hold several words: names that people gave, and lists; all others hold one."""
_SAID = frozenset({"noun", "rest", "counts", "why"})
"""Holes whose words are looked up as well. Names are not: a layer called *Move* stays that."""
_WORDS = frozenset({"what", "needs", "gets", "reason", "why", "gives", "axis", "kind", "whole_name", "other", "others"})
"""Facts of problems that may be words of ours, not names, and so are looked up."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """How texts made of parts are said: `Delete {layer}` as `{layer} löschen`."""

    source: str
    target: str

    def said(self, text: str) -> str | None:
        """The text in the other language, None if it is not made like this."""
        found = _expression(self.source).fullmatch(text)
        if found is None:
            return None
        parts = {name: said_made(part) if name in _SAID else part for name, part in found.groupdict().items()}
        return self.target.format_map(parts)


@cache
def _expression(source: str) -> re.Pattern[str]:
    pieces = re.split(r"(\{\w+\})", source)
    return re.compile("".join(_hole(hole) if (hole := _HOLE.fullmatch(p)) else re.escape(p) for p in pieces), re.DOTALL)


def _hole(hole: re.Match[str]) -> str:
    name = hole[1]
    if name == "counts":
        body = rf"{_NUMBER}(?: or {_NUMBER})*"
    elif name in _COUNTS:
        body = _NUMBER
    else:
        body = ".+" if name in _LONG else r"\S+(?:, \S+)*"
    return f"(?P<{name}>{body})"


def set_words(
    translate: Callable[[str], str] | None, patterns: Iterable[Pattern] = (), parts: Mapping[str, str] | None = None
) -> None:
    """Look texts up with this function and these patterns from now on; None leaves them in English.

    `parts` are words that occur only within made texts, such as `features`; alone such a word may be a layer's name.
    """
    global _translate, _patterns, _parts
    _translate, _patterns, _parts = translate, tuple(patterns), parts or {}
    _said_made.cache_clear()


def said(text: str) -> str:
    """A text in the language of the window; itself where that has none for it."""
    return text if _translate is None else _translate(text)


def said_made(text: str) -> str:
    """A text that was made of words and names elsewhere, in the language of the window: `Delete conv1`.

    Such texts are kept in English (in the history, in fixes) and are known again by how they are made. The first
    pattern that fits counts, so narrower ones stand first in the catalogue.
    """
    return text if _translate is None else _said_made(text)


@lru_cache(maxsize=1 << 15)
def _said_made(text: str) -> str:
    known = _parts.get(text) or said(text)
    if known != text:
        return known
    return next((made for pattern in _patterns if (made := pattern.said(text)) is not None), text)


def said_with(template: str, facts: Mapping[str, Any]) -> str:
    """A template in the language of the window, filled with facts; those that are words of ours are said too."""
    if _translate is None:
        return template.format_map(facts)
    told = {name: said_made(v) if name in _WORDS and isinstance(v, str) else v for name, v in facts.items()}
    try:
        return said(template).format_map(told)
    except (LookupError, ValueError):  # a translation that asks for more than there is must not hide the problem
        return template.format_map(facts)
