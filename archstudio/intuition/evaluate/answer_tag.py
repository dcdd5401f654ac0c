"""How a letter is asked for, and how it is read: from an answer tag alone, never guessed from prose."""

import re
from collections.abc import Sequence
from typing import Final

MORE: Final = """\
Your reply was cut off. Go on where it stopped, briefly, and end with your answer tag."""

# Emphasis around the letter, inside the tag, is meant for people: **B**, _B_, `B`, and the same with a bracket or dot.
_TAG = re.compile(r"<answer>[\s*_`(\[]{0,16}([A-Za-z])[\s*_`)\].]{0,16}</answer>", re.IGNORECASE)


def reply_format(letters: Sequence[str]) -> str:
    """What is put behind a question. It names no letter before others, so that none is favoured."""
    listed = ", ".join(letters)
    return (
        "\n## Form of your reply\n\n"
        "Reason first, as long as you like. Then end with the letter of your choice alone inside an answer tag, "
        f"<answer>LETTER</answer> with LETTER one of {listed}. Only the last such tag counts.\n"
    )


def read_letter(letters: Sequence[str], text: str, reasoning: str = "") -> str | None:
    """The letter in the last answer tag of the reply, else of the reasoning; None where there is no choice in one."""
    for part in (text, reasoning):
        found = _TAG.findall(part)
        if found:
            letter: str = found[-1].upper()
            return letter if letter in letters else None
    return None
