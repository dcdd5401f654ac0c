"""Finds layer types by what a person types: names, other spellings, first letters, words of the description."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from archstudio.app.words import said
from archstudio.layers import Layer, entries

COMMON = (
    "input", "output", "linear", "relu", "conv2d", "batchNorm2d", "maxPool2d", "dropout", "flatten", "add",
    "concatenate", "globalAvgPool2d", "embedding", "multiHeadAttention", "layerNorm", "gelu", "softmax", "lstm",
    "transformerBlock", "positionalEncoding", "feedForward", "conv1d", "sigmoid", "tanh", "avgPool2d", "reshape",
)  # fmt: skip
"""Types that people add most, first in the list when nothing is typed; the others follow in the catalogue's order."""

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+[a-z]*")


def search_layers(
    text: str, *, recent: Sequence[str] = (), among: Iterable[type[Layer]] | None = None
) -> list[type[Layer]]:
    """Layer types that match, best first; with nothing typed all of them, common ones first.

    `recent` are type names used lately, newest first: they lead the list when nothing is typed and break ties
    otherwise. `among` limits and pre-orders the candidates (what fits a port, likeliest first).
    """
    candidates = _by_custom() if among is None else list(among)
    place = {name: k for k, name in enumerate(recent)}
    wanted = text.strip()
    scored = [(_score(entry, wanted), place.get(entry.type, len(place)), k) for k, entry in enumerate(candidates)]
    return [candidates[k] for score, _, k in sorted((-s, r, k) for s, r, k in scored if s > 0)]


@cache
def _by_custom() -> list[type[Layer]]:
    """The catalogue with the common types first."""
    place = {name: k for k, name in enumerate(COMMON)}
    return sorted(entries(), key=lambda entry: place.get(entry.type, len(place)))


def summary(entry: type[Layer]) -> str:
    """The first sentence of an entry's description."""
    return (entry.__doc__ or "").strip().split("\n")[0].split("    ")[0].rstrip(".")


def spoken_summary(entry: type[Layer]) -> str:
    """The same in the language of the window."""
    return said(summary(entry))


def description(entry: type[Layer]) -> str:
    """An entry's whole description with its indentation removed."""
    lines = (entry.__doc__ or "").strip().split("\n")
    return "\n".join(line.strip() for line in lines)


def spoken_description(entry: type[Layer]) -> str:
    """The same with its first sentence in the language of the window; shapes and formulas stay."""
    return description(entry).replace(summary(entry), spoken_summary(entry), 1)


def _score(entry: type[Layer], wanted: str) -> float:
    """How well an entry matches, 0 if not at all."""
    if not wanted:
        return 1.0
    best = max((_name_score(name, wanted) for name in _names(entry)), default=0.0)
    return best or _summary_score(entry, wanted)


def _names(entry: type[Layer]) -> tuple[str, ...]:
    torch = () if entry.torch is None else (entry.torch.rsplit(".", 1)[-1],)
    return (entry.type, *entry.aliases, *torch)


@cache
def _name_score(name: str, wanted: str) -> float:
    folded, typed = _folded(name), _folded(wanted)
    if not typed:
        return 0.0
    shortness = 1 / (1 + len(folded))
    if folded == typed:
        return 100.0
    if folded.startswith(typed):
        return 80 + shortness
    if _initials(name).startswith(typed):
        return 70 + shortness
    if any(part.startswith(typed) for part in _parts(name)):
        return 60 + shortness
    if typed in folded:
        return 50 + shortness
    return _scattered(folded, typed)


def _folded(text: str) -> str:
    return re.sub(r"[\s_\-.]", "", text).casefold()


def _parts(name: str) -> tuple[str, ...]:
    return tuple(part.casefold() for part in _WORDS.findall(name))


def _initials(name: str) -> str:
    return "".join(part[0] for part in _parts(name))


def _scattered(folded: str, typed: str) -> float:
    """Letters in order with gaps: nearer letters score higher, at most 40; too loose a match scores 0."""
    if folded[0] != typed[0]:
        return 0.0
    at, gaps = -1, 0
    for letter in typed:
        found = folded.find(letter, at + 1)
        if found < 0:
            return 0.0
        gaps += found - at - 1
        at = found
    return max(40 - 4 * gaps, 0.0) if gaps <= 2 * len(typed) else 0.0


def _summary_score(entry: type[Layer], wanted: str) -> float:
    told = f"{summary(entry)} {spoken_summary(entry)} {entry.family}".casefold()
    words = wanted.casefold().split()
    if len(wanted) < 3 or not all(re.search(rf"\b{re.escape(word)}", told) for word in words):
        return 0.0
    return 20.0
