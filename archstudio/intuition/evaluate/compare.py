"""Two runs over the same questions: where they agree, which answers flip, and how far apart they are."""

from collections.abc import Sequence
from math import comb, sqrt
from typing import Any

from archstudio.intuition.evaluate.scores import Scored, share
from archstudio.stats.proportions import Z_95


class NothingInCommon(ValueError):
    """Two runs share no question with the same text."""

    def __init__(self) -> None:
        super().__init__("The two runs have no question with the same text in common.")


def compared(first: Sequence[Scored], second: Sequence[Scored]) -> dict[str, Any]:
    """The comparison over questions whose text is the same in both. Raises NothingInCommon.

    The difference is second minus first; agreement counts the same letter, two without a letter do not agree.
    """
    theirs = {row.question_id: row for row in second}
    shared = [(row, theirs[row.question_id]) for row in first if row.question_id in theirs]
    pairs = [(a, b) for a, b in shared if a.prompt_hash == b.prompt_hash]
    if not pairs:
        raise NothingInCommon
    families = sorted({a.family for a, _ in pairs})
    return {
        "questions": len(pairs),
        "other_text": len(shared) - len(pairs),
        "only_first": len(first) - len(shared),
        "only_second": len(second) - len(shared),
        "agreement": share(sum(a.letter is not None and a.letter == b.letter for a, b in pairs), len(pairs)),
        "first": share(sum(a.right for a, _ in pairs), len(pairs)),
        "second": share(sum(b.right for _, b in pairs), len(pairs)),
        **_paired(pairs),
        "by_family": {name: _paired([(a, b) for a, b in pairs if a.family == name]) for name in families},
        "flips": [_flip(a, b) for a, b in pairs if a.right != b.right],
    }


def _paired(pairs: Sequence[tuple[Scored, Scored]]) -> dict[str, Any]:
    lost = sum(a.right and not b.right for a, b in pairs)
    won = sum(b.right and not a.right for a, b in pairs)
    low, high = paired_interval(won, lost, len(pairs))
    return {
        "n": len(pairs),
        "both_right": sum(a.right and b.right for a, b in pairs),
        "both_wrong": sum(not a.right and not b.right for a, b in pairs),
        "right_to_wrong": lost,
        "wrong_to_right": won,
        "difference": (won - lost) / len(pairs),
        "low": low,
        "high": high,
        "p": sign_test(won, lost),
    }


def paired_interval(won: int, lost: int, n: int, z: float = Z_95) -> tuple[float, float]:
    """The interval of a difference of paired shares, with half a pair added to each cell.

    [A. Agresti, Y. Min, Statistics in Medicine 24, 2005]
    """
    b, c, total = won + 0.5, lost + 0.5, n + 2
    difference = (b - c) / total
    half = z * sqrt((b + c) - (b - c) ** 2 / total) / total
    return max(-1.0, difference - half), min(1.0, difference + half)


def sign_test(won: int, lost: int) -> float:
    """The exact two-sided probability of flips as uneven as these, were both equally good    [Q. McNemar, 1947]."""
    n, most = won + lost, max(won, lost)
    tail: int = sum(comb(n, k) for k in range(most, n + 1))
    return min(1.0, float(2 * tail / 2**n))


def _flip(a: Scored, b: Scored) -> dict[str, Any]:
    return {
        "question_id": a.question_id,
        "family": a.family,
        "type": a.type,
        "right": a.right_letter,
        "first": a.letter,
        "second": b.letter,
    }
