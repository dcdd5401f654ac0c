"""Reads answers that were given elsewhere to the questions of a pack: a session's export, or letters by question."""

from __future__ import annotations

from pathlib import Path

from archstudio.files.strict_json import read_json
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.packs.pack import QuestionPack

_REMEDY = "Choose a session's exported answers, or a JSON object of letters by question id."


def read_given(path: Path, pack: QuestionPack) -> dict[str, str]:
    """Return the letters of a file by question id; raises `UnusableFile` where it answers no question of the pack."""
    value = read_json(path)
    said = value.get("answers", value) if isinstance(value, dict) else value
    if isinstance(said, list):
        rows = [(row.get("item"), row.get("choice")) for row in said if isinstance(row, dict)]
    elif isinstance(said, dict):
        rows = list(said.items())
    else:
        rows = []
    told = [(name, letter) for name, letter in rows if isinstance(name, str) and isinstance(letter, str)]
    letters = {name: letter.strip().upper() for name, letter in told}
    if not letters.keys() & {question.id for question in pack.questions}:
        raise UnusableFile(path.name, problem=f"answers no question of the pack {pack.manifest.id}", remedy=_REMEDY)
    return letters
