"""Finds where in a JSON text one of our rules is broken; slow and exact, so it runs only on a file already refused."""

import json
import math
import re
import sys
from dataclasses import dataclass, field

from archstudio.files.limits import Limits

_NUMBER = r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"
_TOKEN = re.compile(rf'"[^"\\]*(?:\\.[^"\\]*)*"|[{{}}\[\],:]|NaN|-?Infinity|{_NUMBER}|[^\s{{}}\[\],:"]+', re.DOTALL)
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Fault:
    """The first broken rule: what is wrong, where ("line 3, column 7 ($.nodes[4])"), the token there, the remedy."""

    problem: str
    place: str
    token: str
    remedy: str


@dataclass
class _Level:
    """One open object or list, and how far we are in it."""

    is_object: bool
    most: int | None
    keys: set[str] = field(default_factory=set)
    key: str | None = None
    index: int = 0


def line_and_column(text: str, position: int) -> tuple[int, int]:
    """Return the line and column of a position, both counted from one."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


def first_fault(text: str, limits: Limits) -> Fault:
    """Return the first broken rule of a text known to break one: a key given twice, a number that is not finite or
    has too many digits, half of a surrogate pair, too deep nesting, too long a list."""
    levels: list[_Level] = []
    for found in _TOKEN.finditer(text):
        token = found[0]
        broken = _step(token, levels, limits)
        if broken is not None:
            line, column = line_and_column(text, found.start())
            problem, remedy = broken
            return Fault(problem, f"line {line}, column {column} ({_path(levels)})", token, remedy)
    raise AssertionError("This text breaks no rule.")


def _step(token: str, levels: list[_Level], limits: Limits) -> tuple[str, str] | None:
    """Take one token; return the problem and the remedy if it breaks a rule."""
    level = levels[-1] if levels else None
    if token in "{[":
        most = limits.items.get(level.key) if level is not None and level.key is not None else None
        levels.append(_Level(token == "{", most))
        if len(levels) > limits.depth:
            return f"lists and objects are nested more than {limits.depth} deep", "Flatten the structure there."
    elif token in "}]":
        levels.pop()
    elif token == "," and level is not None:
        level.index += 1
        if level.most is not None and level.index >= level.most:
            return f"holds more than {level.most:,} {levels[-2].key}", "Split it into smaller files."
        level.key = None
    elif token.startswith('"'):
        return _broken_by_text(json.loads(token), level)
    elif token != ":":
        return _broken_by_literal(token)
    return None


def _broken_by_text(text: str, level: _Level | None) -> tuple[str, str] | None:
    if level is not None and level.is_object and level.key is None:
        level.key = text
        if text in level.keys:
            return "a key is given twice in one object", "Keep one of the two and delete the other."
        level.keys.add(text)
    if LONE_SURROGATE.search(text):
        return "a text holds half of a surrogate pair", "Write the whole character."
    return None


def _broken_by_literal(token: str) -> tuple[str, str] | None:
    digits = token.lstrip("-")
    if digits in {"NaN", "Infinity"}:
        return f"{token} is not a JSON number", "Write a finite number or null."
    if digits.isdigit():
        most = sys.get_int_max_str_digits()
        too_long = 0 < most < len(digits)
        return (f"a number has more than {most:,} digits", "Write it with fewer.") if too_long else None
    if token[-1].isdigit() and math.isinf(float(token)):
        return "the number is too large", "Write a number below 1.8e308."
    return None


def _path(levels: list[_Level]) -> str:
    path = "$"
    for level in levels:
        if not level.is_object:
            path += f"[{level.index}]"
        elif level.key is not None:
            path += f".{level.key}" if _PLAIN_KEY.fullmatch(level.key) else f"[{level.key!r}]"
    return path
