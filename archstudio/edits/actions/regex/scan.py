"""Walks through the text of a pattern and reads its escapes."""

import re

from archstudio.edits.actions.regex.tree import DIGITS, SPACE, WORD, Ranges, complement

_CLASSES: dict[str, Ranges] = {
    "d": DIGITS,
    "D": complement(DIGITS),
    "w": WORD,
    "W": complement(WORD),
    "s": SPACE,
    "S": complement(SPACE),
}
_CONTROLS = {"t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
_NUMBER = re.compile(r"[1-9][0-9]*")
_OCTAL = re.compile(r"[0-3][0-7]{0,2}|[4-7][0-7]?")
_HEX = re.compile(r"x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})")
_CONTROL_LETTER = re.compile(r"c([A-Za-z])")
_CONTROL_IN_CLASS = re.compile(r"c([A-Za-z0-9_])")


class PatternError(ValueError):
    """A pattern JavaScript would refuse to compile, or one beyond our limits; `reason` says which."""

    def __init__(self, pattern: str, reason: str) -> None:
        super().__init__(f"pattern {pattern!r}: {reason}")
        self.pattern = pattern
        self.reason = reason


class Scanner:
    """A position in the text of a pattern."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0

    @property
    def done(self) -> bool:
        return self.at >= len(self.source)

    def error(self, reason: str) -> PatternError:
        return PatternError(self.source, reason)

    def peek(self) -> str:
        return self.source[self.at : self.at + 1]

    def next(self) -> str:
        self.at += 1
        return self.source[self.at - 1]

    def starts(self, text: str) -> bool:
        return self.source.startswith(text, self.at)

    def take(self, text: str) -> bool:
        """Step over `text` if it comes next."""
        found = self.starts(text)
        self.at += len(text) * found
        return found

    def at_match(self, pattern: re.Pattern[str]) -> bool:
        return pattern.match(self.source, self.at) is not None

    def take_match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self.source, self.at)
        if match:
            self.at = match.end()
        return match

    def until(self, end: str) -> str | None:
        """The text before the next `end`, stepping over both; None when there is none."""
        stop = self.source.find(end, self.at)
        if stop < 0:
            return None
        text = self.source[self.at : stop]
        self.at = stop + len(end)
        return text

    def backreference(self, groups: int) -> int | None:
        """The number of an existing group after a backslash; a larger number is an old-style octal escape."""
        match = _NUMBER.match(self.source, self.at)
        if match is None or int(match[0]) > groups:
            return None
        self.at = match.end()
        return int(match[0])

    def escaped(self, in_class: bool = False) -> Ranges:
        """What the escape after a backslash stands for: a class, or one character."""
        if self.done:
            raise self.error("\\ at the end")
        if self.peek() in _CLASSES:
            return _CLASSES[self.next()]
        char = self._one(in_class)
        return ((char, char),)

    def _one(self, in_class: bool) -> str:
        if control := self.take_match(_CONTROL_IN_CLASS if in_class else _CONTROL_LETTER):
            return chr(ord(control[1]) % 32)
        if self.peek() == "c":
            return "\\"
        if octal := self.take_match(_OCTAL):
            return chr(int(octal[0], 8))
        if code := self.take_match(_HEX):
            return chr(int(code[1] or code[2], 16))
        if in_class and self.take("b"):
            return "\b"
        char = self.next()
        return _CONTROLS.get(char, char)
