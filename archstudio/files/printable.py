"""Names from files as they can be shown: they may hold line breaks, commands to a terminal, marks that turn text."""

import re

_UNPRINTABLE = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufeff]")


def printable(text: str) -> str:
    """The text with a replacement character for each letter that would act instead of being seen."""
    if text.isascii() and text.isprintable():
        return text
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)
