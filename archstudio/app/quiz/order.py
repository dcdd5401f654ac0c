"""The order questions are asked in: from a seed alone, the same in every version and language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from archstudio.bench.mulberry import Mulberry32

T = TypeVar("T")


def ordered_by(seed: int | None, things: Sequence[T]) -> list[T]:
    """Return `things` shuffled by a seed (Fisher and Yates over a mulberry32 stream), or as they are for None."""
    made = list(things)
    if seed is None:
        return made
    stream = Mulberry32(seed)
    for last in range(len(made) - 1, 0, -1):
        other = stream.integer(0, last)
        made[last], made[other] = made[other], made[last]
    return made
