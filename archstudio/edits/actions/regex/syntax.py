"""Reads JavaScript's regular-expression syntax (no flags, annex B included) into a tree."""

import re

from archstudio.edits.actions.regex.classes import ClassReader
from archstudio.edits.actions.regex.scan import PatternError, Scanner
from archstudio.edits.actions.regex.tree import (
    LINE_ENDS,
    BackReference,
    Chars,
    Choice,
    Edge,
    Group,
    Look,
    Node,
    Repeat,
    Sequence,
    complement,
)

__all__ = ["PatternError", "parse"]

MAX_LENGTH = 2_000
MAX_NESTING = 60

_GROUPS = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]?|(\((?!\?)|\(\?<(?![=!]))", re.DOTALL)
_NAME = re.compile(r"([^\W\d]|\$)(\w|\$)*\Z")
_BRACES = re.compile(r"\{([0-9]+)(?:(,)([0-9]*))?\}")
_LOOKS = {"(?=": (True, False), "(?!": (True, True), "(?<=": (False, False), "(?<!": (False, True)}


def parse(source: str) -> Node:
    """The tree of `source`; raises PatternError where JavaScript would (or beyond the limits above)."""
    if len(source) > MAX_LENGTH:
        raise PatternError(source[:40] + "…", f"longer than {MAX_LENGTH:,} characters")
    return _Parser(source).whole()


class _Parser:
    """Recursive descent over one pattern."""

    def __init__(self, source: str) -> None:
        self.scan = Scanner(source)
        openings = [match for match in _GROUPS.finditer(source) if match[1]]
        self.group_count = len(openings)
        self.has_names = any(match[1].startswith("(?<") for match in openings)
        self.opened = 0
        self.nesting = 0
        self.names: dict[str, int] = {}
        self.wanted: list[str] = []

    def whole(self) -> Node:
        node = self.choice()
        if not self.scan.done:
            raise self.scan.error("unmatched ')'")
        for name in self.wanted:
            if name not in self.names:
                raise self.scan.error(f"no group is named {name!r}")
        return _resolved(node, self.names)

    def choice(self) -> Node:
        self.nesting += 1
        if self.nesting > MAX_NESTING:
            raise self.scan.error(f"nested deeper than {MAX_NESTING}")
        options = [self.sequence()]
        while self.scan.take("|"):
            options.append(self.sequence())
        self.nesting -= 1
        return options[0] if len(options) == 1 else Choice(tuple(options))

    def sequence(self) -> Node:
        items: list[Node] = []
        while not self.scan.done and self.scan.peek() not in "|)":
            items.append(self.term())
        return items[0] if len(items) == 1 else Sequence(tuple(items))

    def term(self) -> Node:
        first_group = self.opened + 1
        node = self.atom()
        bounds = self.quantifier()
        if bounds is None:
            return node
        if isinstance(node, Edge) or (isinstance(node, Look) and not node.ahead):
            raise self.scan.error("nothing to repeat")
        low, high = bounds
        greedy = not self.scan.take("?")
        return Repeat(node, low, high, greedy, (first_group, self.opened + 1))

    def quantifier(self) -> tuple[int, int | None] | None:
        for sign, bounds in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self.scan.take(sign):
                return bounds
        match = self.scan.take_match(_BRACES)
        if match is None:
            return None
        low = int(match[1])
        high = low if match[2] is None else int(match[3]) if match[3] else None
        if high is not None and high < low:
            raise self.scan.error("numbers out of order in {}")
        return low, high

    def atom(self) -> Node:
        scan = self.scan
        if scan.peek() in "*+?" or scan.at_match(_BRACES):
            raise scan.error("nothing to repeat")
        if scan.peek() == "(":
            return self.group()
        char = scan.next()
        if char in "^$":
            return Edge("start" if char == "^" else "end")
        if char == ".":
            return Chars(complement(LINE_ENDS))
        if char == "[":
            return Chars(ClassReader(scan).read())
        return self.escape() if char == "\\" else Chars(((char, char),))

    def group(self) -> Node:
        for opening, (ahead, negated) in _LOOKS.items():
            if self.scan.take(opening):
                return Look(self.closed(), ahead, negated)
        if self.scan.take("(?:"):
            return Sequence((self.closed(),))
        named = self.scan.take("(?<")
        if not named and self.scan.starts("(?"):
            raise self.scan.error("invalid group")
        if not named:
            self.scan.next()
        self.opened += 1
        index = self.opened
        if named:
            self.name_group(index)
        return Group(index, self.closed())

    def name_group(self, index: int) -> None:
        name = self.scan.until(">")
        if name is None or not _NAME.match(name):
            raise self.scan.error("invalid capture group name")
        if name in self.names:
            raise self.scan.error("duplicate capture group name")
        self.names[name] = index

    def closed(self) -> Node:
        node = self.choice()
        if not self.scan.take(")"):
            raise self.scan.error("unterminated group")
        return node

    def escape(self) -> Node:
        scan = self.scan
        if scan.done:
            raise scan.error("\\ at the end")
        if scan.take("b"):
            return Edge("boundary")
        if scan.take("B"):
            return Edge("inside")
        if scan.peek() == "k" and self.has_names:
            return self.named_reference()
        number = scan.backreference(self.group_count)
        return BackReference(number) if number else Chars(scan.escaped())

    def named_reference(self) -> Node:
        self.scan.next()
        name = self.scan.until(">") if self.scan.take("<") else None
        if name is None:
            raise self.scan.error("invalid named reference")
        self.wanted.append(name)
        return BackReference(name)


def _resolved(node: Node, names: dict[str, int]) -> Node:
    """The tree with every named reference replaced by its number."""
    match node:
        case BackReference(str(name)):
            return BackReference(names[name])
        case Sequence(items):
            return Sequence(tuple(_resolved(item, names) for item in items))
        case Choice(options):
            return Choice(tuple(_resolved(option, names) for option in options))
        case Repeat(inner, low, high, greedy, groups):
            return Repeat(_resolved(inner, names), low, high, greedy, groups)
        case Group(index, inner):
            return Group(index, _resolved(inner, names))
        case Look(inner, ahead, negated):
            return Look(_resolved(inner, names), ahead, negated)
    return node
