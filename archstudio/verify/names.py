"""Which layer types a misspelled one may mean."""

from __future__ import annotations

from difflib import get_close_matches

from archstudio.layers import entries


def nearest_types(name: str, count: int = 3) -> tuple[str, ...]:
    """Up to `count` type names that look like `name`, best first."""
    spellings = {spelling.casefold(): entry.type for entry in entries() for spelling in (entry.type, *entry.aliases)}
    close = get_close_matches(name.casefold(), list(spellings), n=count * 2, cutoff=0.6)
    return tuple(dict.fromkeys(spellings[c] for c in close))[:count]
