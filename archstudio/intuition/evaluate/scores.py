"""What a run comes to: shares with intervals, over all, by family and by type, and what a change of order does."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from archstudio.stats import wilson


@dataclass(frozen=True)
class Scored:
    """As much of an answer as scores need."""

    question_id: str
    prompt_hash: str
    family: str
    type: str
    choices: int
    letter: str | None
    right_letter: str
    candidate: str | None
    fault: str | None = None

    @property
    def right(self) -> bool:
        """Whether it is the right letter."""
        return self.letter == self.right_letter


def share(right: int, total: int) -> dict[str, Any]:
    """A share and its 95 % Wilson interval."""
    low, high = wilson(right, total)
    return {"right": right, "n": total, "share": right / total if total else None, "low": low, "high": high}


def summary(rows: Sequence[Scored]) -> dict[str, Any]:
    """The figures of a run. A question without a letter is wrong; the share among those with one stands beside it."""
    parsed = [row for row in rows if row.letter is not None]
    right = sum(row.right for row in rows)
    letters = sorted({row.right_letter for row in rows} | {row.letter for row in parsed if row.letter})
    return {
        "total_questions": len(rows),
        "parsed": len(parsed),
        "unparsed": len(rows) - len(parsed),
        "without_reply": sum(row.fault is not None for row in rows),
        "correct": right,
        "accuracy": share(right, len(rows)),
        "accuracy_of_parsed": share(right, len(parsed)),
        "chance": _chance(rows),
        "by_family": _grouped(rows, lambda row: row.family),
        "by_type": _grouped(rows, lambda row: row.type),
        "letters": {
            letter: {
                "chosen": sum(row.letter == letter for row in rows),
                "right": sum(row.right_letter == letter for row in rows),
            }
            for letter in letters
        },
    }


def order_check(asked: Sequence[Scored], moved: Sequence[Scored]) -> dict[str, Any]:
    """What became of the answers when the choices stood in another order: the same candidate should be chosen."""
    later = {row.question_id: row for row in moved}
    pairs = [(row, later[row.question_id]) for row in asked if row.question_id in later]
    both = [(a, b) for a, b in pairs if a.letter is not None and b.letter is not None]
    return {
        "n": len(pairs),
        "same_candidate": share(sum(a.candidate == b.candidate for a, b in both), len(both)),
        "same_letter": share(sum(a.letter == b.letter for a, b in both), len(both)),
        "accuracy": share(sum(a.right for a, _ in pairs), len(pairs)),
        "accuracy_moved": share(sum(b.right for _, b in pairs), len(pairs)),
        "right_in_both": share(sum(a.right and b.right for a, b in pairs), len(pairs)),
    }


def _grouped(rows: Iterable[Scored], key: Callable[[Scored], str]) -> dict[str, Any]:
    groups: dict[str, list[Scored]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return {
        name: {**share(sum(row.right for row in mine), len(mine)), "chance": _chance(mine)}
        for name, mine in sorted(groups.items())
    }


def _chance(rows: Sequence[Scored]) -> float | None:
    return sum(1 / row.choices for row in rows) / len(rows) if rows else None
