"""Reads JSON strictly, within limits, and writes it in one readable and one canonical form."""

import json
import math
import re
from importlib.resources.abc import Traversable
from json.encoder import encode_basestring
from pathlib import Path
from typing import NoReturn

from archstudio.files.json_places import LONE_SURROGATE, first_fault
from archstudio.files.limits import MIB, Limits
from archstudio.files.unusable import UnusableFile, shortened

_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_LINE_WIDTH = 100


def read_json(source: Traversable | bytes, *, name: str | None = None, limits: Limits | None = None) -> object:
    """Return the value of a JSON file (or of its bytes), or raise `UnusableFile` with the place.

    Refused: NaN and Infinity (also 1e999), a key given twice, half surrogate pairs, text that is not UTF-8, and
    anything over `limits`. `name` is what messages call the file; by default its own name.
    """
    limits = limits or Limits()
    file = name or _name_of(source)
    text = _decoded(_bytes_of(source, file, limits), file)
    _check_count(text, file, limits)
    try:
        value: object = json.loads(
            text, object_pairs_hook=_object_without_twins, parse_constant=_refuse_constant, parse_float=_finite
        )
    except json.JSONDecodeError as error:
        raise _syntax_fault(error, file) from error
    except (ValueError, RecursionError) as error:
        raise _located_fault(text, file, limits) from error
    if not _within(value, limits, with_texts="\\u" in text):
        raise _located_fault(text, file, limits)
    return value


def dump_json(value: object) -> str:
    """Return `value` as readable JSON: indent 2, keys in the order given, short lists of scalars on one line.

    The same value always gives the same text. NaN and Infinity raise `ValueError`.
    """
    return _readable(value, 0) + "\n"


def canonical_json(value: object) -> str:
    """Return `value` as the JSON that digests are taken of: no spaces, keys sorted, 12.0 written as 12."""
    return json.dumps(
        _canonical(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, default=_refused
    )


class _RuleBroken(ValueError):
    """Valid to a lax parser but not to us; `first_fault` then says what and where."""


def _name_of(source: Traversable | bytes) -> str:
    if isinstance(source, bytes):
        return "the text"
    return str(source) if isinstance(source, Path) else source.name


def _bytes_of(source: Traversable | bytes, file: str, limits: Limits) -> bytes:
    if isinstance(source, bytes):
        data = source
    else:
        try:
            if not source.is_file():
                problem = "is a folder, not a file" if source.is_dir() else "does not exist or is not a plain file"
                raise UnusableFile(file, problem=problem, remedy="Check the name and the folder.")
            with source.open("rb") as stream:
                data = stream.read(limits.size_bytes + 1)
        except OSError as error:
            reason = error.strerror or str(error)
            raise UnusableFile(file, problem=f"cannot be read: {reason}", remedy="Check its permissions.") from error
    if len(data) > limits.size_bytes:
        problem = f"is longer than the limit of {limits.size_bytes / MIB:,.3g} MiB"
        raise UnusableFile(file, problem=problem, remedy="Split it or remove what is not needed.")
    return data


def _decoded(data: bytes, file: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise UnusableFile(
            file,
            problem="is not UTF-8 text",
            place=f"line {line}, byte {column}",
            value=f"0x{data[error.start]:02x}",
            remedy="Save it again with the encoding UTF-8.",
        ) from error


def _check_count(text: str, file: str, limits: Limits) -> None:
    """Refuse by counting punctuation, before a parser builds millions of objects."""
    if _values_at_most(text) > limits.values:
        count = _values_at_most(_STRING.sub("", text))
        if count > limits.values:
            problem = f"holds more than {limits.values:,} values (about {count:,})"
            raise UnusableFile(file, problem=problem, remedy="Split it or remove what is not needed.")


def _values_at_most(text: str) -> int:
    return text.count(",") + text.count("[") + text.count("{") + 1


def _object_without_twins(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) < len(pairs):
        raise _RuleBroken
    return result


def _refuse_constant(literal: str) -> NoReturn:
    raise _RuleBroken(literal)


def _finite(literal: str) -> float:
    value = float(literal)
    if math.isinf(value):
        raise _RuleBroken(literal)
    return value


def _syntax_fault(error: json.JSONDecodeError, file: str) -> UnusableFile:
    found = error.doc[error.pos : error.pos + 20].split("\n")[0]
    return UnusableFile(
        file,
        problem=f"is not valid JSON: {error.msg[:1].lower()}{error.msg[1:]}",
        place=f"line {error.lineno}, column {error.colno}",
        value=found or "the end of the line",
        remedy="Correct the text there, or open a backup copy of the file.",
    )


def _located_fault(text: str, file: str, limits: Limits) -> UnusableFile:
    fault = first_fault(text, limits)
    return UnusableFile(file, problem=fault.problem, place=fault.place, value=fault.token, remedy=fault.remedy)


def _within(value: object, limits: Limits, *, with_texts: bool) -> bool:
    """Say whether a parsed value keeps to the depth, to the list lengths and, if asked, to whole characters."""
    level, depth = [value], 0
    while level:
        inner: list[object] = []
        for item in level:
            if isinstance(item, dict):
                inner.extend(item.values())
                if not _keeps_to(item, limits) or (with_texts and any(map(LONE_SURROGATE.search, item))):
                    return False
            elif isinstance(item, list):
                inner.extend(item)
            elif with_texts and isinstance(item, str) and LONE_SURROGATE.search(item):
                return False
        depth += any(isinstance(item, dict | list) for item in level)
        level = inner
    return depth <= limits.depth


def _keeps_to(item: dict[str, object], limits: Limits) -> bool:
    for key, most in limits.items.items():
        listed = item.get(key)
        if isinstance(listed, dict | list) and len(listed) > most:
            return False
    return True


def _readable(value: object, indent: int) -> str:
    if type(value) is str:  # most of a large graph
        return encode_basestring(value)
    if isinstance(value, dict) and value:
        pad = "  " * (indent + 1)
        lines = [f"{pad}{_key(key)}: {_readable(inner, indent + 1)}" for key, inner in value.items()]
        return "{\n" + ",\n".join(lines) + "\n" + "  " * indent + "}"
    if isinstance(value, list | tuple) and value:
        if not any(isinstance(item, dict | list | tuple) for item in value):
            line = "[" + ", ".join(map(_scalar, value)) + "]"
            if len(line) + 2 * indent <= _LINE_WIDTH:
                return line
        pad = "  " * (indent + 1)
        return "[\n" + ",\n".join([pad + _readable(item, indent + 1) for item in value]) + "\n" + "  " * indent + "]"
    return _scalar(value)


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise TypeError(f"A JSON key must be text, not {shortened(repr(key))}.")
    return encode_basestring(key)


def _scalar(value: object) -> str:
    if type(value) is str:  # for these two `dumps` would make an encoder each time
        return encode_basestring(value)
    if type(value) is int:
        return repr(value)
    return json.dumps(value, ensure_ascii=False, allow_nan=False, default=_refused)


def _canonical(value: object) -> object:
    if isinstance(value, dict):
        for key in value:
            _key(key)
        return {key: _canonical(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_canonical(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _refused(value: object) -> NoReturn:
    raise TypeError(f"{type(value).__name__} cannot be written as JSON: {shortened(repr(value))}.")
