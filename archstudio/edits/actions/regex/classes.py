"""Reads what stands between [ and ]."""

from archstudio.edits.actions.regex.scan import Scanner
from archstudio.edits.actions.regex.tree import Ranges, complement


class ClassReader:
    """Reads one character class from a scanner that stands behind its opening bracket."""

    def __init__(self, scan: Scanner) -> None:
        self.scan = scan

    def read(self) -> Ranges:
        negated = self.scan.take("^")
        ranges: list[tuple[str, str]] = []
        while not self.scan.take("]"):
            ranges.extend(self._item())
        return complement(tuple(ranges)) if negated else tuple(ranges)

    def _item(self) -> Ranges:
        left = self._member()
        if not self.scan.starts("-") or self.scan.starts("-]"):
            return left
        self.scan.next()
        right = self._member()
        if not (_single(left) and _single(right)):
            return (*left, ("-", "-"), *right)
        low, high = left[0][0], right[0][0]
        if low > high:
            raise self.scan.error("range out of order in character class")
        return ((low, high),)

    def _member(self) -> Ranges:
        if self.scan.done:
            raise self.scan.error("unterminated character class")
        char = self.scan.next()
        return self.scan.escaped(in_class=True) if char == "\\" else ((char, char),)


def _single(ranges: Ranges) -> bool:
    return len(ranges) == 1 and ranges[0][0] == ranges[0][1]
