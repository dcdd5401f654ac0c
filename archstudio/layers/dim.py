"""Sizes that remember how they depend on the batch B and the sequence length T."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

Terms: TypeAlias = tuple[tuple[tuple[int, int], int], ...]
"""A polynomial: sorted pairs of (power of B, power of T) and coefficient."""


class Dim(int):
    """An int that is also a polynomial in B and T, so that rules are written as plain integer arithmetic.

    It compares, hashes and prints as its value. Sums, differences and products keep the polynomial; a floor division
    keeps it where every coefficient divides, and otherwise gives a Dim whose `terms` are None: it still depends on B
    or T, in a way a polynomial does not say.
    """

    terms: Terms | None

    def __new__(cls, value: int, terms: Terms | None) -> Dim:
        self = super().__new__(cls, value)
        self.terms = terms
        return self

    def __add__(self, other: int) -> int:
        return _make(int(self) + int(other), _sum(self.terms, terms_of(other), 1))

    __radd__ = __add__

    def __sub__(self, other: int) -> int:
        return _make(int(self) - int(other), _sum(self.terms, terms_of(other), -1))

    def __rsub__(self, other: int) -> int:
        return _make(int(other) - int(self), _sum(terms_of(other), self.terms, -1))

    def __mul__(self, other: int) -> int:
        if not isinstance(other, Dim) and other and self.terms is not None:  # by far the most frequent
            return _make(int(self) * other, tuple([(powers, c * other) for powers, c in self.terms]))
        return _make(int(self) * int(other), _product(self.terms, terms_of(other)))

    __rmul__ = __mul__

    def __floordiv__(self, other: int) -> int:
        value = int(self) // int(other)
        if isinstance(other, Dim):
            return _make(value, ((((0, 0), value),) if other.terms == self.terms is not None else None))
        if self.terms is not None and all(c % other == 0 for _, c in self.terms):
            return _make(value, tuple((powers, c // other) for powers, c in self.terms))
        return Dim(value, None)

    def __rfloordiv__(self, other: int) -> int:
        return Dim(int(other) // int(self), None)

    def __neg__(self) -> int:
        return self * -1

    def __reduce__(self) -> tuple[type[Dim], tuple[int, Terms | None]]:
        return (Dim, (int(self), self.terms))


def batch(value: int) -> Dim:
    """The batch size B, at its present value."""
    return Dim(value, (((1, 0), 1),))


def sequence(value: int) -> Dim:
    """The sequence length T, at its present value."""
    return Dim(value, (((0, 1), 1),))


def terms_of(value: int) -> Terms | None:
    """The polynomial of any int: its own for a Dim, a constant otherwise."""
    if isinstance(value, Dim):
        return value.terms
    return (((0, 0), int(value)),) if value else ()


def product(sizes: Iterable[int]) -> int:
    """Product that keeps polynomials, as math.prod does; numbers are multiplied first, for polynomials are dear."""
    number, dims = 1, []
    for size in sizes:
        if isinstance(size, Dim):
            dims.append(size)
        else:
            number *= size
    result = number
    for dim in dims:
        result = dim * result
    return result


def dim_text(value: int, *, thousands: bool = False) -> str:
    """How a size is shown: `B`, `T`, `B·T`, `2·B`, or the number."""
    number = f"{int(value):,}" if thousands else str(int(value))
    if not isinstance(value, Dim) or value.terms is None or len(value.terms) != 1:
        return number
    ((b, t), coefficient) = value.terms[0]
    parts = [] if coefficient == 1 else [str(coefficient)]
    parts += [letter if power == 1 else f"{letter}^{power}" for letter, power in (("B", b), ("T", t)) if power]
    return "·".join(parts) or number


def _make(value: int, terms: Terms | None) -> int:
    if terms is not None and (not terms or (len(terms) == 1 and terms[0][0] == (0, 0))):
        return value
    return Dim(value, terms)


def _sum(a: Terms | None, b: Terms | None, sign: int) -> Terms | None:
    if a is None or b is None:
        return None
    total = dict(a)
    for powers, c in b:
        total[powers] = total.get(powers, 0) + sign * c
    return tuple(sorted((p, c) for p, c in total.items() if c))


def _product(a: Terms | None, b: Terms | None) -> Terms | None:
    if a is None or b is None:
        return None
    total: dict[tuple[int, int], int] = {}
    for (b1, t1), c1 in a:
        for (b2, t2), c2 in b:
            powers = (b1 + b2, t1 + t2)
            total[powers] = total.get(powers, 0) + c1 * c2
    return tuple(sorted((p, c) for p, c in total.items() if c))
