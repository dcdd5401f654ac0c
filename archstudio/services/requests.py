"""Reads what a client sends, strictly; whatever is wrong with it is told with its place and costs little."""

from typing import Any, Final, cast

from archstudio.bench.generate import TIERS, Tier
from archstudio.files.strict_json import read_json
from archstudio.files.unusable import UnusableFile, shortened
from archstudio.services.limits import LARGEST_SEED, MOST_ACTIONS, MOST_TASKS, REQUEST_JSON

CURATED: Final = "curated"
GENERATED: Final = "generated"
"""The original's name of the core tier."""
SPLITS: Final = (GENERATED, *TIERS, CURATED)


class BadRequest(Exception):
    """A request that is not carried out: an HTTP status, a sentence, and the field it is about."""

    def __init__(self, text: str, *, status: int = 400, field: str | None = None) -> None:
        super().__init__(text)
        self.text, self.status, self.field = text, status, field

    def as_json(self) -> dict[str, Any]:
        """The body of the answer."""
        return {"error": self.text} if self.field is None else {"error": self.text, "field": self.field}


def read_body(body: bytes) -> dict[str, Any]:
    """The JSON object of a body; BadRequest for anything else, duplicate keys, NaN and what is nested too deeply."""
    try:
        value = read_json(body, name="the body", limits=REQUEST_JSON)
    except UnusableFile as fault:
        raise BadRequest(str(fault)) from None
    if not isinstance(value, dict):
        raise BadRequest("The body must be a JSON object.")
    return value


def whole(value: Any, field: str, low: int, high: int, default: int | None = None) -> int:
    """A whole number within bounds; `default` where it is absent. BadRequest."""
    if value is None and default is not None:
        return default
    given: Any = value
    if isinstance(given, float) and given.is_integer():
        given = int(given)
    if not isinstance(given, int) or isinstance(given, bool):
        raise BadRequest(f"{field} must be a whole number, not {_shown(value)}.", field=field)
    if not low <= given <= high:
        raise BadRequest(f"{field} is {_shown(given)}; it must be from {low:,} to {high:,}.", field=field)
    return given


def query_number(text: str | None, field: str, low: int, high: int, default: int) -> int:
    """The same from a query."""
    if text is None:
        return default
    if not text.isascii() or not text.removeprefix("-").isdigit() or len(text) > 20:
        raise BadRequest(f"{field} must be a whole number, not {_shown(text)}.", field=field)
    return whole(int(text), field, low, high)


def seed_of(value: Any) -> int:
    """The seed of a split."""
    return whole(value, "seed", 0, LARGEST_SEED, default=1)


def count_of(value: Any) -> int:
    """The number of tasks of a split."""
    return whole(value, "count", 1, MOST_TASKS, default=256)


def split_of(value: Any) -> Tier | None:
    """The tier of a split; None is the curated tasks."""
    name = GENERATED if value is None else value
    if name not in SPLITS:
        known = ", ".join(SPLITS)
        raise BadRequest(f"There is no split {_shown(name)}. Choose one of: {known}.", field="split")
    if name == CURATED:
        return None
    return "core" if name == GENERATED else cast(Tier, name)


def actions_of(body: dict[str, Any]) -> list[Any]:
    """The list of actions."""
    listed = body.get("actions")
    if not isinstance(listed, list):
        raise BadRequest(f"actions must be a list, not {_shown(listed)}.", field="actions")
    if len(listed) > MOST_ACTIONS:
        raise BadRequest(f"There are {len(listed):,} actions; at most {MOST_ACTIONS:,} are taken.", field="actions")
    return listed


def text_of(value: Any, field: str) -> str:
    """A text that is not empty."""
    if not isinstance(value, str) or not value:
        raise BadRequest(f"{field} must be text, not {_shown(value)}.", field=field)
    return value


def _shown(value: Any) -> str:
    return shortened(repr(value)) if not isinstance(value, int) or abs(value) < 10**30 else "a number of 30 digits"
