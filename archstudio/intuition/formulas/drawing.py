"""Draws random formulas, number by number as the reference does, so that a seed gives the recorded formula."""

from dataclasses import dataclass
from random import Random

import numpy as np

from archstudio.intuition.formulas.tree import (
    FUNCTIONS,
    OPERATORS,
    Array,
    Binary,
    Call,
    Constant,
    Function,
    Node,
    Variable,
    evaluate,
    is_curved,
    simplifies,
    variables,
)

_NUMBERS = [round(sixths / 6, 4) for sixths in range(-12, 13)]


class NoFormula(ValueError):
    """So many formulas were drawn and none was accepted."""

    def __init__(self, seed: int, tries: int) -> None:
        self.seed = seed
        self.tries = tries
        super().__init__(f"None of {tries} formulas drawn from seed {seed} is usable. Take another seed.")


@dataclass(frozen=True)
class Drawn:
    """An accepted formula, and how many were rejected before it."""

    formula: Node
    retry: int


def draw_univariate(
    seed: int, *, max_depth: int, max_retries: int, domain: tuple[float, float], canonical: bool = False
) -> Drawn:
    """Return the first usable formula of one variable; raises `NoFormula`."""
    rng = Random(seed)
    points = np.linspace(*domain, 128)[:, None]
    for retry in range(max_retries):
        formula = _univariate(rng, 0, max_depth)
        if _is_usable(formula, points, scale=1.0) and not (canonical and simplifies(formula)):
            return Drawn(formula, retry)
    raise NoFormula(seed, max_retries)


def draw_multivariate(
    seed: int,
    coordinates: int,
    *,
    max_depth: int,
    max_retries: int,
    domain: tuple[float, float],
    canonical: bool = False,
) -> Drawn:
    """Return the first usable formula of `coordinates` variables, all of them used; raises `NoFormula`."""
    rng = Random(seed)
    points = np.random.default_rng(0).uniform(*domain, (64, coordinates))
    for retry in range(max_retries):
        formula = _multivariate(rng, coordinates, max(2, max_depth))
        usable = variables(formula) == set(range(coordinates)) and _is_usable(formula, points, coordinates**0.5)
        if usable and not (canonical and simplifies(formula)):
            return Drawn(formula, retry)
    raise NoFormula(seed, max_retries)


def _is_usable(formula: Node, points: Array, scale: float) -> bool:
    values = evaluate(formula, points)
    return bool(
        np.isfinite(values).all()
        and is_curved(formula)
        and np.ptp(values) >= 0.4 * scale
        and np.abs(values).max() <= 5.0 * scale
        and (np.abs(values) <= 4.5 * scale).mean() >= 0.95
    )


def _univariate(rng: Random, depth: int, max_depth: int) -> Node:
    if depth >= max_depth:
        return _leaf(rng)
    share = rng.random()
    if depth == 0 or share < 0.45:
        operator = rng.choice(OPERATORS)
        left = _univariate(rng, depth + 1, max_depth)
        return Binary(operator, left, _univariate(rng, depth + 1, max_depth))
    if share < 0.75:
        function = rng.choice(FUNCTIONS)
        return Call(function, _univariate(rng, depth + 1, max_depth))
    return _leaf(rng)


def _leaf(rng: Random) -> Node:
    if rng.random() < 0.55:
        return Variable(0)
    number = rng.choice(_NUMBERS)
    return Constant(number, f"{number:.4f}".rstrip("0").rstrip("."))


def _multivariate(rng: Random, coordinates: int, depth: int) -> Node:
    terms = [_term(rng, depth, Variable(index)) for index in range(coordinates)]
    count = 1 if coordinates == 2 else rng.randint(1, min(2, coordinates - 1))
    order = list(range(coordinates))
    rng.shuffle(order)
    for number in range(count):
        first, second = order[number % coordinates], order[(number + 1) % coordinates]
        terms.append(_interaction(rng, depth, Variable(first), Variable(second)))
    total = terms[0]
    for term in terms[1:]:
        total = Binary("+", total, term)
    return total


def _term(rng: Random, depth: int, x: Variable) -> Node:
    if depth <= 1:
        return Call(_function(rng), x)
    share = rng.random()
    if share < 0.45:
        inner = _term(rng, depth - 1, x) if rng.random() < 0.4 else x
        return Call(_function(rng), inner)
    if share < 0.8:
        operator = rng.choice(OPERATORS)
        left: Node = Call(_function(rng), x) if rng.random() < 0.65 else x
        number = rng.choice(_NUMBERS)
        return Binary(operator, left, Constant(number, f"{number:.4g}"))
    inner = _term(rng, depth - 1, x)
    return Call(_function(rng), inner)


def _interaction(rng: Random, depth: int, first: Variable, second: Variable) -> Node:
    if rng.random() < 0.55:
        left: Node = Call(_function(rng), first) if rng.random() < 0.5 else first
        right: Node = Call(_function(rng), second) if rng.random() < 0.5 else second
        return Binary("*" if rng.random() < 0.7 else rng.choice(OPERATORS), left, right)
    if depth > 1 and rng.random() < 0.5:
        left = _term(rng, depth - 1, first)
        return Binary("+", left, _term(rng, depth - 1, second))
    return Binary("*", Call("sin", first), Call("cos", second))


def _function(rng: Random) -> Function:
    return rng.choice(FUNCTIONS)
