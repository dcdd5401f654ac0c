"""The corners of JavaScript that decide Arch-Bench verdicts: numbers, text, truth and equality.

Arch-Bench is defined by a JavaScript program, so a value that is missing, not a number, or of the wrong type must
mean here what it means there [ECMA-262, sections 7.1 and 7.2]. `UNDEFINED` stands for an absent value and is not None,
which is JSON's null.
"""

import json
import math
import re
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Final, TypeGuard


class _Undefined:
    """The type of `UNDEFINED`, the value of an absent key."""

    def __repr__(self) -> str:
        return "UNDEFINED"

    def __deepcopy__(self, memo: dict[int, Any]) -> "_Undefined":
        return self


UNDEFINED: Final = _Undefined()

_SPACE = "\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_TRIM = re.compile(f"^[{_SPACE}]+|[{_SPACE}]+\\Z")
_DECIMAL = re.compile(r"[+-]?(?:Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\Z")
_RADIX = re.compile(r"0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)\Z")
_ARRAY_INDEX = re.compile(r"(?:0|[1-9][0-9]{0,9})\Z")


def is_number(value: Any) -> TypeGuard[float]:
    """Whether JavaScript's `typeof value` is "number"; booleans and digits in quotes are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def double(value: float) -> float:
    """The 64-bit float that JavaScript reads `value` as; integers beyond its range become infinite."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def plain(value: float) -> float:
    """`value` as an int where JavaScript would print it without a fraction exactly, else unchanged."""
    return int(value) if math.isfinite(value) and value == int(value) and abs(value) <= 2**53 else value


def truthy(value: Any) -> bool:
    """JavaScript's truth: empty lists and objects are true; 0, NaN, "", null and undefined are false."""
    if isinstance(value, list | dict):
        return True
    if isinstance(value, float) and math.isnan(value):
        return False
    return value is not UNDEFINED and bool(value)


def same(left: Any, right: Any) -> bool:
    """JavaScript's `===`: 1 equals 1.0, true does not equal 1, lists and objects equal only themselves."""
    if is_number(left) and is_number(right):
        return double(left) == double(right)
    if type(left) is not type(right) or isinstance(left, list | dict):
        return left is right
    return bool(left == right)


def key(value: Any) -> Hashable:
    """Something hashable that is equal for two values exactly when `same` holds (NaN apart)."""
    if isinstance(value, str):
        return value
    if is_number(value):
        return ("number", double(value))
    if isinstance(value, bool) or value is None or value is UNDEFINED:
        return (type(value).__name__, value)
    return ("object", id(value))


def to_number(value: Any) -> float:
    """JavaScript's `Number(value)`: "0x10" is 16, "" is 0, [64] is 64, true is 1, absent is NaN."""
    if value is None:
        return 0.0
    if isinstance(value, bool | int | float):
        return double(value)
    if isinstance(value, str | list):
        return _text_to_number(to_text(value))
    return math.nan


def _text_to_number(text: str) -> float:
    digits = _TRIM.sub("", text)
    if not digits:
        return 0.0
    if _RADIX.match(digits):
        return double(int(digits[2:], {"x": 16, "o": 8, "b": 2}[digits[1].lower()]))
    return float(digits.replace("Infinity", "inf")) if _DECIMAL.match(digits) else math.nan


def to_text(value: Any) -> str:
    """JavaScript's `String(value)`, as it appears inside a template string."""
    if isinstance(value, str):
        return value
    if value is UNDEFINED:
        return "undefined"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return number_text(value)
    if isinstance(value, list):
        return ",".join("" if item is None or item is UNDEFINED else to_text(item) for item in value)
    return "[object Object]"


def number_text(value: float) -> str:
    """A number as JavaScript prints it: 64.0 is "64", 1e21 is "1e+21", NaN is "NaN" [ECMA-262 6.1.6.1.20]."""
    number = double(value)
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if number == 0:
        return "0"
    mantissa, exponent = f"{number!r}e0".split("e")[:2] if "e" not in repr(number) else repr(number).split("e")
    return ("-" if number < 0 else "") + _positional(mantissa.lstrip("-"), int(exponent))


def _positional(mantissa: str, exponent: int) -> str:
    whole, _, fraction = mantissa.partition(".")
    fraction = fraction.rstrip("0")
    point = len(whole) + exponent
    digits = (whole + fraction).lstrip("0")
    point -= len(whole + fraction) - len(digits)
    digits = digits.rstrip("0")
    if len(digits) <= point <= 21:
        return digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    head = digits[0] + (f".{digits[1:]}" if len(digits) > 1 else "")
    return f"{head}e{point - 1:+d}"


def round_half_up(value: float) -> float:
    """JavaScript's `Math.round`: halves go up (62.5 is 63, -2.5 is -2); NaN and infinities stay."""
    if not math.isfinite(value):
        return value
    below = math.floor(value)
    return plain(float(below + 1 if value - below >= 0.5 else below))


def largest(*values: float) -> float:
    """JavaScript's `Math.max`: NaN wins."""
    return math.nan if any(math.isnan(value) for value in values) else max(values)


def smallest(*values: float) -> float:
    """JavaScript's `Math.min`: NaN wins."""
    return math.nan if any(math.isnan(value) for value in values) else min(values)


def remainder(dividend: float, divisor: float) -> float:
    """JavaScript's `%`: the sign of the dividend, NaN where there is no remainder."""
    if math.isinf(dividend) or divisor == 0:
        return math.nan
    return math.fmod(dividend, divisor)


def spread(value: Any) -> dict[str, Any]:
    """JavaScript's `{...value}`: lists and text spread into index keys, other non-objects into nothing."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, str):
        units = value.encode("utf-16-le", "surrogatepass")
        return {str(i): units[2 * i : 2 * i + 2].decode("utf-16-le", "surrogatepass") for i in range(len(units) // 2)}
    if isinstance(value, list):
        return {str(i): item for i, item in enumerate(value)}
    return {}


def ordered_keys(keys: Iterable[str]) -> list[str]:
    """Keys in the order a JavaScript object lists them: array indices ascending, then the rest as inserted."""
    listed = list(keys)
    indices = [name for name in listed if _ARRAY_INDEX.match(name) and int(name) < 2**32 - 1]
    chosen = set(indices)
    return sorted(indices, key=int) + [name for name in listed if name not in chosen]


def json_text(value: Any) -> str:
    """JavaScript's `JSON.stringify(value)`: no spaces, NaN and infinities as null, absent keys left out."""
    if isinstance(value, dict):
        inside = (f"{json_text(name)}:{json_text(value[name])}" for name in _present(value))
        return "{" + ",".join(inside) + "}"
    if isinstance(value, list):
        return "[" + ",".join(json_text(item) for item in value) + "]"
    if is_number(value):
        return number_text(value) if math.isfinite(double(value)) else "null"
    if value is UNDEFINED:
        return "null"
    return json.dumps(value, ensure_ascii=False)


def _present(value: dict[str, Any]) -> list[str]:
    return [name for name in ordered_keys(value) if value[name] is not UNDEFINED]
