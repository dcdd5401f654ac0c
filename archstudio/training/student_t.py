"""Quantiles of Student's t distribution for whole degrees of freedom, exact and without scipy."""

import math
from functools import cache

_STEPS = 200


def t_probability(t: float, freedom: int) -> float:
    """Return P(T <= t) for `freedom` >= 1 degrees of freedom, by the finite series of the distribution.

    Abramowitz & Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
    """
    angle = math.atan(t / math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    if freedom % 2:
        term = total = cosine if freedom > 1 else 0.0
        for k in range(2, freedom - 1, 2):
            term *= cosine**2 * k / (k + 1)
            total += term
        inside = 2 / math.pi * (angle + sine * total)
    else:
        term = total = 1.0
        for k in range(1, freedom - 2, 2):
            term *= cosine**2 * k / (k + 1)
            total += term
        inside = sine * total
    return (1 + inside) / 2


@cache
def t_quantile(probability: float, freedom: int) -> float:
    """Return t with P(T <= t) = `probability`, 0.5 <= probability < 1, to the last digits of a float."""
    if freedom < 1 or not 0.5 <= probability < 1:
        raise ValueError(f"no t quantile for probability {probability} and {freedom} degrees of freedom")
    low, high = 0.0, 1.0
    while t_probability(high, freedom) < probability:
        high *= 2
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if t_probability(middle, freedom) < probability:
            low = middle
        else:
            high = middle
    return high
