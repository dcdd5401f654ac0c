"""A formula as a tree of frozen nodes, and its value in float64."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

Function = Literal["sin", "cos", "tanh", "abs", "square", "cube"]
Operator = Literal["+", "-", "*", "/"]
Array = NDArray[np.float64]

FUNCTIONS: tuple[Function, ...] = get_args(Function)
OPERATORS: tuple[Operator, ...] = get_args(Operator)
TWO_PI = 6.283185307179586

GUARD = 0.1
"""A divisor nearer to zero than this is moved there, keeping its sign: a / max(|b|, 0.1) · sign(b + 1e-12)."""
NUDGE = 1e-12
"""Makes the sign of a divisor of exactly zero +1."""


@dataclass(frozen=True)
class Constant:
    """A number, and how it is printed; what is printed is what the generated code computes with."""

    value: float
    text: str


@dataclass(frozen=True)
class Variable:
    """Coordinate number `index` of the input."""

    index: int


@dataclass(frozen=True)
class Call:
    """sin(2π·a), cos(2π·a), tanh(2·a), |a|, a² or a³."""

    function: Function
    argument: "Node"


@dataclass(frozen=True)
class Binary:
    """Two formulas joined; the division is guarded."""

    operator: Operator
    left: "Node"
    right: "Node"


Node = Constant | Variable | Call | Binary

_CALLS: dict[Function, Callable[[Any], Any]] = {
    "sin": lambda a: np.sin(TWO_PI * a),
    "cos": lambda a: np.cos(TWO_PI * a),
    "tanh": lambda a: np.tanh(2 * a),
    "abs": np.abs,
    "square": lambda a: a**2,
    "cube": lambda a: a**3,
}


def guarded_division(a: Any, b: Any) -> Any:
    """Return a / b with |b| at least `GUARD`."""
    return a / np.maximum(np.abs(b), GUARD) * np.sign(b + NUDGE)


_JOINS: dict[Operator, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": guarded_division,
}


def evaluate(node: Node, points: Array) -> Array:
    """Return the values at `points` (N, coordinates), shape (N,)."""
    with np.errstate(all="ignore"):  # whether they are finite is for the caller to judge
        return np.broadcast_to(np.asarray(_value(node, points), np.float64), (len(points),))


def _value(node: Node, points: Array) -> Any:
    match node:
        case Constant(value=value):
            return np.float64(value)
        case Variable(index=index):
            return points[:, index]
        case Call(function=function, argument=argument):
            return _CALLS[function](_value(argument, points))
        case Binary(operator=operator, left=left, right=right):
            return _JOINS[operator](_value(left, points), _value(right, points))


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and everything inside it."""
    yield node
    if isinstance(node, Call):
        yield from walk(node.argument)
    elif isinstance(node, Binary):
        yield from walk(node.left)
        yield from walk(node.right)


def variables(node: Node) -> set[int]:
    """Return the coordinates a formula uses."""
    return {inner.index for inner in walk(node) if isinstance(inner, Variable)}


def is_curved(node: Node) -> bool:
    """Whether a function or a division stands in it; a test of structure only."""
    return any(isinstance(inner, Call) or (isinstance(inner, Binary) and inner.operator == "/") for inner in walk(node))


def simplifies(node: Node) -> bool:
    """Whether some part could be written shorter: a constant result, a - a, a / a, or a neutral or absorbing number."""
    return any(_simplifies_here(inner) for inner in walk(node))


def _simplifies_here(node: Node) -> bool:
    if isinstance(node, Call):
        return isinstance(node.argument, Constant) or (node.function == "abs" and _is_never_negative(node.argument))
    if not isinstance(node, Binary):
        return False
    left, right = _number(node.left), _number(node.right)
    if left is not None and right is not None:
        return True
    if node.left == node.right:
        return node.operator != "*"  # a + a is 2·a; a · a has no shorter form in this grammar
    if node.operator in "+-":
        return left == 0 or right == 0
    return left in (0, 1) or right in (0, 1, -1)


def _number(node: Node) -> float | None:
    return node.value if isinstance(node, Constant) else None


def _is_never_negative(node: Node) -> bool:
    return isinstance(node, Call) and node.function in ("abs", "square")
