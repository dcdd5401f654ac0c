"""Numbers near a wrong one: divisors, multiples."""

from __future__ import annotations

from math import isqrt


def divisors(number: int) -> list[int]:
    """All divisors of a number above zero, ascending."""
    if number < 1:
        return []
    small = [d for d in range(1, isqrt(number) + 1) if number % d == 0]
    large = [number // d for d in reversed(small) if d * d != number]
    return small + large


def nearest_divisors(number: int, near: int) -> list[int]:
    """The divisors of a number without 1, those near to `near` first: the next below, the next above, and so on."""
    below = [d for d in reversed(divisors(number)) if 1 < d < near]
    above = [d for d in divisors(number) if d >= max(near, 2)]
    if not below or (above and above[0] - near < near - below[0]):
        return _in_turn(above, below) or [1]
    return _in_turn(below, above)


def nearest_multiples(of: int, near: int) -> list[int]:
    """The multiples on both sides of a number, the nearer first; never 0."""
    if of < 1:
        return []
    low = near // of * of
    return sorted({low, low + of} - {0}, key=lambda m: (abs(m - near), m))


def _in_turn(first: list[int], second: list[int]) -> list[int]:
    longest = max(len(first), len(second))
    return [side[k] for k in range(longest) for side in (first, second) if k < len(side)]
