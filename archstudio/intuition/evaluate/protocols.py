"""The two ways of asking a list of questions: each alone, or one after another with what came of those before."""

from collections.abc import Iterator, Sequence

from archstudio.intuition.evaluate.items import Item
from archstudio.intuition.evaluate.talk import Answered, Examinee, Protocol, put
from archstudio.llm import in_threads


def ask_all(items: Sequence[Item], examinee: Examinee, protocol: Protocol, workers: int) -> Iterator[Answered]:
    """Ask every question; blind ones come back in the order in which they are answered.

    A sequence is asked by one worker whatever `workers` says, because each question tells of those before it.
    """
    if protocol == "blind":
        yield from in_threads(lambda item: put(item, examinee), items, workers)
        return
    lines: list[str] = []
    for item in items:
        made = put(item, examinee, _history(lines))
        lines.append(_line(len(lines) + 1, made))
        yield made


def _history(lines: Sequence[str]) -> str:
    if not lines:
        return ""
    listed = "\n".join(lines)
    return f"## What came of the questions before\n\n{listed}\n\n## The question now\n\n"


def _line(number: int, made: Answered) -> str:
    item = made.item
    said = "gave no letter" if made.letter is None else f"chose {made.letter}"
    verdict = "right" if made.right else f"wrong, {item.correct} was right"
    return f"- Question {number} ({item.family}, {item.type}): you {said}: {verdict}."
