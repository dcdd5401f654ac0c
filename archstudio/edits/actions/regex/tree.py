"""What a parsed pattern is made of."""

from dataclasses import dataclass
from typing import TypeAlias

Ranges: TypeAlias = tuple[tuple[str, str], ...]

ANYTHING: Ranges = (("\0", "\U0010ffff"),)
DIGITS: Ranges = (("0", "9"),)
WORD: Ranges = (("0", "9"), ("A", "Z"), ("_", "_"), ("a", "z"))
SPACE: Ranges = (
    ("\t", "\r"),
    (" ", " "),
    ("\u00a0", "\u00a0"),
    ("\u1680", "\u1680"),
    ("\u2000", "\u200a"),
    ("\u2028", "\u2029"),
    ("\u202f", "\u202f"),
    ("\u205f", "\u205f"),
    ("\u3000", "\u3000"),
    ("\ufeff", "\ufeff"),
)
LINE_ENDS: Ranges = (("\n", "\n"), ("\r", "\r"), ("\u2028", "\u2029"))


def complement(ranges: Ranges) -> Ranges:
    """Every character that is in none of `ranges`."""
    outside: list[tuple[str, str]] = []
    next_free = 0
    for low, high in sorted(ranges):
        if ord(low) > next_free:
            outside.append((chr(next_free), chr(ord(low) - 1)))
        next_free = max(next_free, ord(high) + 1)
    if next_free <= 0x10FFFF:
        outside.append((chr(next_free), "\U0010ffff"))
    return tuple(outside)


def merged(ranges: Ranges) -> Ranges:
    """The same characters as sorted ranges that do not overlap."""
    return complement(complement(ranges))


@dataclass(frozen=True)
class Chars:
    """One character within any of the ranges."""

    ranges: Ranges


@dataclass(frozen=True)
class Sequence:
    """Nodes one after the other; the empty sequence matches the empty text."""

    items: "tuple[Node, ...]"


@dataclass(frozen=True)
class Choice:
    """The first option that lets the rest match."""

    options: "tuple[Node, ...]"


@dataclass(frozen=True)
class Repeat:
    """`node` from `low` to `high` times (None: without end); `groups` are the capture groups inside, [first, last)."""

    node: "Node"
    low: int
    high: int | None
    greedy: bool
    groups: tuple[int, int]


@dataclass(frozen=True)
class Group:
    """A capture group."""

    index: int
    node: "Node"


@dataclass(frozen=True)
class Look:
    """A look ahead or behind that must match, or must not."""

    node: "Node"
    ahead: bool
    negated: bool


@dataclass(frozen=True)
class BackReference:
    """The text a group captured; `group` is a number, or a name until parsing has ended."""

    group: int | str


@dataclass(frozen=True)
class Edge:
    """A position: "start" or "end" of the text, a word "boundary" or an "inside" (its opposite)."""

    kind: str


Node: TypeAlias = Chars | Sequence | Choice | Repeat | Group | Look | BackReference | Edge
