"""What a file may hold at most."""

from collections.abc import Mapping
from dataclasses import dataclass, field

MIB = 1024 * 1024

_LONGEST = {
    "components": 20_000,
    "nodes": 20_000,
    "layout": 20_000,
    "frames": 20_000,
    "notes": 20_000,
    "connections": 100_000,
}


@dataclass(frozen=True)
class Limits:
    """What a file may hold at most; anything over is refused with the place and the limit."""

    size_bytes: int = 64 * MIB
    depth: int = 64
    values: int = 4_000_000
    """Objects, lists and scalars together; counted before anything is built in memory."""
    items: Mapping[str, int] = field(default_factory=lambda: dict(_LONGEST))
    """The longest list or object allowed under a key of that name, wherever it stands."""
