"""A formula as boxes to be set like mathematics: fractions with a bar, exponents raised, guarded divisions marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from archstudio.app.words import said
from archstudio.intuition.datasets.spec import TabularParams
from archstudio.intuition.formulas.tree import GUARD, Binary, Call, Constant, Function, Node, Variable, walk


@dataclass(frozen=True)
class Symbol:
    """A piece of text; names of quantities are slanted, `low` stands below the line."""

    text: str
    slanted: bool = False
    low: str = ""


@dataclass(frozen=True)
class Line:
    """Pieces side by side."""

    parts: tuple[Math, ...]


@dataclass(frozen=True)
class Over:
    """A fraction. A guarded one has a double bar: its divisor is kept away from zero."""

    top: Math
    bottom: Math
    guarded: bool = True


@dataclass(frozen=True)
class Raised:
    """A base with an exponent."""

    base: Math
    exponent: str


@dataclass(frozen=True)
class Fenced:
    """Something between brackets or bars as high as itself."""

    inner: Math
    left: str = "("
    right: str = ")"


Math = Symbol | Line | Over | Raised | Fenced

_PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 3}
_SIGNS = {"+": " + ", "-": " − ", "*": " · "}
_FACTORS: dict[Function, str] = {"sin": "2π", "cos": "2π", "tanh": "2"}


def guard_note() -> str:
    """What a double bar means; shown under every formula that has one."""
    return said("a ⫽ b (double bar) is a guarded division: a · sign(b) / max(|b|, {guard}).").format(guard=GUARD)


def formula_boxes(node: Node, *, many: bool) -> Math:
    """Return a regression formula as boxes; variables are x₀, x₁, … if `many`, else x."""
    return _boxes(node, 0, many)


def has_guarded_division(node: Node) -> bool:
    """Whether the guard of some division can ever act: its divisor is not a constant that is far enough from zero."""
    return any(isinstance(inner, Binary) and inner.operator == "/" and _can_act(inner.right) for inner in walk(node))


def _can_act(divisor: Node) -> bool:
    return not (isinstance(divisor, Constant) and abs(divisor.value) >= GUARD)


def _boxes(node: Node, asked: int, many: bool) -> Math:
    match node:
        case Constant(value=value, text=text):
            shown = Symbol(text.replace("-", "−"))
            return Fenced(shown) if value < 0 and asked else shown
        case Variable(index=index):
            return Symbol("x", slanted=True, low=str(index) if many else "")
        case Call(function=function, argument=argument):
            return _call(function, argument, many)
        case Binary(operator="/", left=left, right=right):
            return Over(_boxes(left, 0, many), _boxes(right, 0, many), guarded=_can_act(right))
        case Binary(operator=operator, left=left, right=right):
            own = _PRECEDENCE[operator]
            line = Line((_boxes(left, own, many), Symbol(_SIGNS[operator]), _boxes(right, own + 1, many)))
            return Fenced(line) if own < asked else line


def _call(function: Function, argument: Node, many: bool) -> Math:
    if function == "abs":
        return Fenced(_boxes(argument, 0, many), "|", "|")
    if function in ("square", "cube"):
        simple = isinstance(argument, Variable) or (isinstance(argument, Constant) and argument.value >= 0)
        base = _boxes(argument, 0, many)
        return Raised(base if simple else Fenced(base), "2" if function == "square" else "3")
    inner = Line((Symbol(_FACTORS[function] + " "), _boxes(argument, 3, many)))
    return Line((Symbol(function), Fenced(inner)))


def rule_boxes(params: TabularParams) -> tuple[Math, Math]:
    """Return the score of a tabular rule, and when the label is 1."""
    match params.rule_family:
        case "smooth_additive":
            pairs = zip(params.rule_weights, params.active_features, strict=True)
            score = _sum([(weight, _smooth(feature)) for weight, feature in pairs])
        case "sparse_interaction":
            products = zip(params.rule_weights, params.interaction_pairs, strict=True)
            score = _sum([(weight, Line((_feature(a), Symbol(" "), _feature(b)))) for weight, (a, b) in products])
        case "piecewise_boundary":
            score = _piecewise(params)
    told = said("label 1 where s + ε > {threshold},  ε ~ N(0, {noise}²)")
    label = told.format(threshold=_number(params.decision_threshold), noise=f"{params.noise_std:g}")
    return Line((Symbol("s", slanted=True), Symbol(" = "), score)), Symbol(label)


def _piecewise(params: TabularParams) -> Math:
    (first, second), (below, above, offset) = params.active_features[:2], params.rule_weights
    breakpoint_ = _number(params.piecewise_breakpoint)
    slope = Line(
        (
            Symbol(f"{_number(below)} {said('if')} "),
            _feature(first),
            Symbol(f" < {breakpoint_}, {said('else')} {_number(above)}"),
        )
    )  # fmt: skip
    return Line((Fenced(slope), Symbol(" "), _feature(second), *_signed(offset, _feature(first), first=False)))


def _sum(terms: Sequence[tuple[float, Math]]) -> Math:
    parts = [part for place, (weight, term) in enumerate(terms) for part in _signed(weight, term, first=place == 0)]
    return Line(tuple(parts))


def _signed(weight: float, term: Math, *, first: bool) -> tuple[Math, ...]:
    sign = ("−" if weight < 0 else "") if first else (" − " if weight < 0 else " + ")
    return Symbol(f"{sign}{abs(weight):.3g} "), term


def _smooth(feature: int) -> Math:
    square = Raised(_feature(feature), "2")
    return Fenced(Line((Symbol("sin "), _feature(feature), Symbol(" + ¼ "), square)))


def _feature(index: int) -> Symbol:
    return Symbol("x", slanted=True, low=str(index))


def _number(value: float) -> str:
    return f"{value:.3g}".replace("-", "−")


def plain(math: Math) -> str:
    """Return the boxes as one line of text, for those who listen or copy; guarded divisions are ⫽."""
    match math:
        case Symbol(text=text, low=low):
            return text + "".join(chr(0x2080 + int(digit)) for digit in low)
        case Line(parts=parts):
            return "".join(plain(part) for part in parts)
        case Over(top=top, bottom=bottom, guarded=guarded):
            return f"({plain(top)}) {'⫽' if guarded else '/'} ({plain(bottom)})"
        case Raised(base=base, exponent=exponent):
            return plain(base) + ("²" if exponent == "2" else "³")
        case Fenced(inner=inner, left=left, right=right):
            return f"{left}{plain(inner)}{right}"
