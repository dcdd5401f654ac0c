"""Numbers that are too long to be read, cut in texts: a file may give a layer a width of hundreds of digits."""

from __future__ import annotations

import re

LONGEST_DIGITS = 24
"""More digits than the sizes and counts of any network have."""
_LONG = re.compile(rf"\d(?:,?\d){{{LONGEST_DIGITS},}}")


def with_short_numbers(text: str) -> str:
    """The text with each whole number of more than 24 digits as `100000…007 (201 digits)`."""
    return _LONG.sub(_short, text) if len(text) > LONGEST_DIGITS else text


def _short(found: re.Match[str]) -> str:
    digits = found[0].replace(",", "")
    return f"{digits[:6]}…{digits[-3:]} ({len(digits)} digits)"
