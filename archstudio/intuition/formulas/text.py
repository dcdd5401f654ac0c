"""A formula as text: the one line kept in specs, mathematics for people, PyTorch code; and read back from the line."""

import ast

from archstudio.files.unusable import UnusableFile, shortened
from archstudio.intuition.formulas.tree import (
    GUARD,
    OPERATORS,
    TWO_PI,
    Binary,
    Call,
    Constant,
    Function,
    Node,
    Operator,
    Variable,
    walk,
)

_PRECEDENCE: dict[Operator, int] = {"+": 1, "-": 1, "*": 2, "/": 2}
_ARGUMENT = 99
"""What an argument is asked for, so that every joined one gets brackets."""
_AROUND: dict[Function, tuple[str, str]] = {
    "sin": (f"sin({TWO_PI}*", ")"),
    "cos": (f"cos({TWO_PI}*", ")"),
    "tanh": ("tanh(2*", ")"),
    "abs": ("abs(", ")"),
    "square": ("(", ")**2"),
    "cube": ("(", ")**3"),
}
_MATHEMATICS: dict[Function, tuple[str, str]] = {
    "sin": ("sin(2π·", ")"),
    "cos": ("cos(2π·", ")"),
    "tanh": ("tanh(2·", ")"),
    "abs": ("|", "|"),
    "square": ("(", ")²"),
    "cube": ("(", ")³"),
}
_SIGNS: dict[Operator, str] = {"+": "+", "-": "−", "*": "·", "/": "÷"}
_TORCH: dict[Function, str] = {
    "sin": f"torch.sin({TWO_PI} * {{}})",
    "cos": f"torch.cos({TWO_PI} * {{}})",
    "tanh": "torch.tanh(2.0 * {})",
    "abs": "torch.abs({})",
    "square": "({}) ** 2",
    "cube": "({}) ** 3",
}
LONGEST = 4000
MOST_NESTED = 60


def printed(node: Node, *, many: bool) -> str:
    """Return the line that specs keep; variables are x0, x1, … if `many`, else x."""
    return _printed(node, 0, many)


def _printed(node: Node, asked: int, many: bool) -> str:
    match node:
        case Constant(text=text):
            return text
        case Variable(index=index):
            return f"x{index}" if many else "x"
        case Call(function=function, argument=argument):
            before, after = _AROUND[function]
            return before + _printed(argument, _ARGUMENT, many) + after
        case Binary(operator=operator, left=left, right=right):
            own = _PRECEDENCE[operator]
            line = f"{_printed(left, own, many)} {operator} {_printed(right, own + 1, many)}"
            return f"({line})" if own < asked else line


def mathematics(node: Node, *, many: bool) -> str:
    """Return the formula for people, each guarded division as ÷, followed by what ÷ means if it occurs."""
    line = _mathematics(node, 0, many)
    divides = any(isinstance(inner, Binary) and inner.operator == "/" for inner in walk(node))
    return f"{line}\nwhere a ÷ b = sign(b) · a / max(|b|, {GUARD})" if divides else line


def _mathematics(node: Node, asked: int, many: bool) -> str:
    match node:
        case Constant(text=text):
            return f"(−{text[1:]})" if text.startswith("-") else text
        case Variable(index=index):
            return "x" + "".join(chr(0x2080 + int(digit)) for digit in str(index)) if many else "x"
        case Call(function=function, argument=argument):
            before, after = _MATHEMATICS[function]
            return before + _mathematics(argument, _ARGUMENT if before.endswith("·") else 0, many) + after
        case Binary(operator=operator, left=left, right=right):
            own = _PRECEDENCE[operator]
            line = f"{_mathematics(left, own, many)} {_SIGNS[operator]} {_mathematics(right, own + 1, many)}"
            return f"({line})" if own < asked else line


def torch_code(node: Node) -> str:
    """Return an expression of float32 tensors `x0`, `x1`, …, of `number(c)` and of `divide(a, b)`."""
    match node:
        case Constant(text=text):
            return f"number({text})"
        case Variable(index=index):
            return f"x{index}"
        case Call(function=function, argument=argument):
            return _TORCH[function].format(_bracketed(argument))
        case Binary(operator="/", left=left, right=right):
            return f"divide({torch_code(left)}, {torch_code(right)})"
        case Binary(operator=operator, left=left, right=right):
            return f"{_bracketed(left)} {operator} {_bracketed(right)}"


def _bracketed(node: Node) -> str:
    code = torch_code(node)
    return f"({code})" if isinstance(node, Binary) and node.operator != "/" else code


def parse(line: str, *, coordinates: int, name: str) -> Node:
    """Read a printed formula of `coordinates` variables (x if it is one); raises `UnusableFile`, executes nothing."""
    if len(line) > LONGEST:
        raise _refused(name, f"the formula is longer than {LONGEST:,} characters", line)
    try:
        parsed = ast.parse(line, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise _refused(name, "the formula cannot be read", line) from error
    return _Parser(coordinates, name, line).node(parsed, 0)


def _refused(name: str, problem: str, line: str) -> UnusableFile:
    remedy = "Make the data set again from its seed."
    return UnusableFile(name, problem=problem, place="$.params.expression", value=line, remedy=remedy)


_BINARY: dict[type[ast.operator], Operator] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
assert set(_BINARY.values()) == set(OPERATORS)


class _Parser:
    """Accepts the grammar of `printed` and nothing else."""

    def __init__(self, coordinates: int, name: str, line: str) -> None:
        self._names = {"x": 0} if coordinates == 1 else {f"x{index}": index for index in range(coordinates)}
        self._name = name
        self._line = line

    def node(self, part: ast.expr, depth: int) -> Node:
        if depth > MOST_NESTED:
            raise _refused(self._name, f"the formula is nested more than {MOST_NESTED} deep", self._line)
        match part:
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                return self._constant(part, value)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return self._constant(part, -value)
            case ast.Name(id=name) if name in self._names:
                return Variable(self._names[name])
            case ast.Call(func=ast.Name(id=function), args=[argument], keywords=[]):
                return self._call(function, argument, depth)
            case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=2 | 3 as power)):
                return Call("square" if power == 2 else "cube", self.node(left, depth + 1))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
                return Binary(_BINARY[type(op)], self.node(left, depth + 1), self.node(right, depth + 1))
        raise self._refusal(part)

    def _constant(self, part: ast.expr, value: float) -> Constant:
        if not -1e6 < value < 1e6:
            raise self._refusal(part)
        return Constant(float(value), ast.unparse(part))

    def _call(self, function: str, argument: ast.expr, depth: int) -> Node:
        if function == "abs":
            return Call("abs", self.node(argument, depth + 1))
        factor = {"sin": TWO_PI, "cos": TWO_PI, "tanh": 2}.get(function)
        match argument:
            case ast.BinOp(left=ast.Constant(value=found), op=ast.Mult(), right=inner) if found == factor:
                return Call(function, self.node(inner, depth + 1))  # type: ignore[arg-type]
        raise self._refusal(argument)

    def _refusal(self, part: ast.expr) -> UnusableFile:
        found = shortened(ast.unparse(part), 30)
        return _refused(self._name, f"the formula holds '{found}', which this grammar has not", self._line)
