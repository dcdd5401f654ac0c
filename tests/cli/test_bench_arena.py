"""Two meet on the command line: policies, commands, or the files of two runs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def test_two_policies_meet(archstudio: Callable[..., Any]) -> None:
    made = archstudio("bench", "arena", "--a", "corrected", "--b", "number-blind", "--json")
    assert made.code == 0, made.err
    assert made.json["winsA"] + made.json["winsB"] + made.json["draws"] == 12
    assert all(row["a"]["passesAllThree"] and not row["b"]["passesAllThree"] for row in made.json["rows"])
    shown = archstudio("bench", "arena", "--a", "corrected", "--b", "noop")
    assert "a wins 12, b wins 0, drawn 0" in shown.out


def test_two_runs_meet(archstudio: Callable[..., Any], tmp_path: Path) -> None:
    for policy in ("corrected", "noop"):
        archstudio("bench", "run", "--policy", policy, "--out", tmp_path / policy)
    made = archstudio("bench", "arena", "--a", tmp_path / "noop", "--b", tmp_path / "corrected", "--json")
    assert (made.json["winsA"], made.json["winsB"], made.json["unmatched"]) == (0, 12, 0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--a", "noop", "--b", " "), "name a policy or a command"),
        (("--a", "llm", "--b", "noop"), "a language model is run first"),
        (("--a", "noop", "--b", "noop", "--suite", "nowhere"), "There is no suite 'nowhere'"),
    ],
)
def test_what_cannot_meet_is_told(archstudio: Callable[..., Any], arguments: tuple[str, ...], words: str) -> None:
    made = archstudio("bench", "arena", *arguments)
    assert made.code == 2
    assert words in made.err


def test_a_run_and_a_policy_do_not_meet(archstudio: Callable[..., Any], tmp_path: Path) -> None:
    archstudio("bench", "run", "--policy", "noop", "--out", tmp_path / "run")
    made = archstudio("bench", "arena", "--a", tmp_path / "run", "--b", "noop")
    assert made.code == 2
    assert "not one of each" in made.err
