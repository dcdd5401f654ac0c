"""Finds the action list in a model's reply, as forgivingly as Arch-Bench does."""

import json
import re
from math import prod
from typing import Any, Final, NoReturn

from archstudio.bench.taxonomy import category
from archstudio.edits.actions.javascript import json_text

MAX_REPLY: Final = 2_000_000
_MAX_TOKENS: Final = 1_000_000

_OPENING_FENCE = re.compile(r"^```[A-Za-z0-9_-]*+[ \t]*+\r?\n?")
# Possessive, and content with an unclosed string: no reply can make these backtrack.
_STRING = r'"(?:[^"\\]|\\.)*+"?'
_TOKEN = re.compile(rf"{_STRING}|[{{}}]", re.DOTALL)
_VALUE = r"-?[0-9]++(?:\.[0-9]++)?"
_ARITHMETIC = re.compile(rf"{_STRING}|(?<=[:\[,])(\s*+)({_VALUE}(?:\s*+[*+]\s*+{_VALUE})++)(?=\s*+[,\]}}])", re.DOTALL)
_STRING_BEFORE_KEY = re.compile(rf"({_STRING})(?=(\s*+{_STRING}\s*+:)?)", re.DOTALL)


class BadReply(ValueError):
    """No action list could be read from a reply; `category` is the taxonomy's."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text
        self.category = category(text)


def parse_reply(reply: str) -> list[Any]:
    """The `actions` of the JSON object in `reply`; raises BadReply."""
    actions: list[Any] = parse_object(reply)["actions"]
    return actions


def parse_object(reply: str) -> dict[str, Any]:
    """The JSON object in `reply` that holds a list of `actions`; raises BadReply."""
    if len(reply) > MAX_REPLY:
        raise BadReply(f"bad JSON (the reply is longer than {MAX_REPLY:,} characters)")
    block = _json_block(_without_fences(reply.strip()))
    try:
        value = _strict(block)
    except ValueError:
        value = _repaired(block)
    if not isinstance(value, dict) or not isinstance(value.get("actions"), list):
        raise BadReply('reply has no "actions" array')
    return value


def _without_fences(text: str) -> str:
    if not text.startswith("```"):
        return text
    return _OPENING_FENCE.sub("", text).removesuffix("```")


def _json_block(text: str) -> str:
    """The first balanced block that mentions "actions", else everything from the first to the last brace."""
    first, last = text.find("{"), text.rfind("}")
    if first < 0 or last < first:
        raise BadReply("no JSON object in reply")
    mention = text.rfind('"actions"')
    left = _MAX_TOKENS
    start = first
    while 0 <= start < mention and left > 0:
        end, used = _balanced_end(text, start, left)
        left -= used
        if end is not None and '"actions"' in text[start:end]:
            return text[start:end]
        start = text.find("{", start + 1)
    return text[first : last + 1]


def _balanced_end(text: str, start: int, limit: int) -> tuple[int | None, int]:
    """Where the block that opens at `start` closes (None: nowhere), and how many tokens it took to find out."""
    depth = used = 0
    for token in _TOKEN.finditer(text, start):
        used += 1
        if token[0] == "{":
            depth += 1
        elif token[0] == "}":
            depth -= 1
            if depth == 0:
                return token.end(), used
        if used >= limit:
            break
    return None, used


def _strict(text: str) -> Any:
    """JSON as JavaScript reads it: no NaN, no Infinity."""

    def refuse(name: str) -> NoReturn:
        raise ValueError(f"{name} is not JSON")

    try:
        return json.loads(text, parse_constant=refuse)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _repaired(block: str) -> Any:
    """The block once more with products and sums worked out and missing commas put in."""
    mended = _STRING_BEFORE_KEY.sub(_with_comma, _ARITHMETIC.sub(_worked_out, block))
    try:
        return _strict(mended)
    except ValueError as error:
        raise BadReply(f"bad JSON ({error}); near >>>{_near(mended, error)}<<<") from error


def _with_comma(match: re.Match[str]) -> str:
    return match[1] if match[2] is None else match[1] + ","


def _worked_out(match: re.Match[str]) -> str:
    if match[2] is None:
        return match[0]
    products = [[float(factor) for factor in term.split("*")] for term in match[2].split("+")]
    return match[1] + json_text(sum(prod(factors) for factors in products))


def _near(text: str, error: ValueError) -> str:
    at = error.pos if isinstance(error, json.JSONDecodeError) else 0
    return text[max(0, at - 40) : at + 40]
