"""The pseudo-random stream Arch-Bench draws its tasks from: mulberry32 by Tommy Ettinger (public domain)."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
_MASK = 0xFFFFFFFF


class Mulberry32:
    """A 32-bit generator; the same seed gives the same draws in any language. Fractions of a seed are dropped."""

    def __init__(self, seed: float) -> None:
        self._state = int(seed) & _MASK

    @property
    def state(self) -> int:
        """A seed from which the draws go on as from here."""
        return self._state

    def draw(self) -> float:
        """The next number in [0, 1), a multiple of 2⁻³²."""
        self._state = s = (self._state + 0x6D2B79F5) & _MASK
        t = ((s ^ (s >> 15)) * (s | 1)) & _MASK
        t ^= (t + ((t ^ (t >> 7)) * (t | 61) & _MASK)) & _MASK
        return (t ^ (t >> 14)) / 2**32

    def integer(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included; one draw."""
        return low + int(self.draw() * (high - low + 1))

    def pick(self, choices: Sequence[T]) -> T:
        """One of `choices`; one draw even where there is only one."""
        return choices[int(self.draw() * len(choices))]
