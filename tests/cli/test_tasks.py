"""Tasks can be made, listed, shown and graded from the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def split(archstudio: Callable[..., Any], tmp_path: Path) -> Path:
    """Twelve generated core tasks in a file."""
    out = tmp_path / "split.jsonl"
    made = archstudio("tasks", "generate", "--tier", "core", "--count", 12, "--seed", 7, "--out", out)
    assert made.code == 0, made.err
    return out


def test_generated_tasks_are_lines_of_json_that_list_and_show_can_read(
    archstudio: Callable[..., Any], split: Path
) -> None:
    lines = split.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines][:2] == ["gen-mlp-0", "gen-ae-1"]
    printed = archstudio("tasks", "generate", "--tier", "core", "--count", 12, "--seed", 7, "--json")
    assert printed.out.splitlines() == lines
    assert len(archstudio("tasks", "list", "--file", split, "--json").json["tasks"]) == 12
    assert "1512" in archstudio("tasks", "show", "gen-ae-1", "--file", split).out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--tier", "core", "--count", 0, "--seed", 1), "--count is 0; it must be at least 1"),
        (("--tier", "core", "--count", -3, "--seed", 1), "--count is -3"),
        (("--tier", "core", "--count", 1, "--seed", -1), "--seed is -1; it must be from 0 to 4294967295"),
        (("--tier", "core", "--count", 1, "--seed", 2**32), "--seed is 4294967296"),
        (("--tier", "hard", "--count", 1, "--seed", 1), "no tier 'hard'. Choose one of: core, frontier, edge"),
        (("--tier", "core", "--count", 1, "--seed", 1, "--brief", "short"), "no wording of briefs 'short'"),
    ],
)
def test_what_cannot_be_generated_is_refused_in_one_line(
    archstudio: Callable[..., Any], arguments: tuple[Any, ...], words: str
) -> None:
    ran = archstudio("tasks", "generate", *arguments)
    assert ran.code == 2
    assert words in ran.err
    assert len(ran.err.splitlines()) == 1


def test_rejected_rows_are_told_with_their_reason(archstudio: Callable[..., Any], split: Path) -> None:
    with split.open("a", encoding="utf-8") as stream:
        stream.write('{"id": "odd", "spec": "?"}\n')
    ran = archstudio("tasks", "list", "--file", split)
    assert ran.code == 1
    assert "split.jsonl, line 13: rejected: constraints: must be an object of limits" in ran.err
    assert len(ran.out.splitlines()) == 12


def test_difficulty_is_what_published_models_made_of_it(archstudio: Callable[..., Any], split: Path) -> None:
    assert archstudio("tasks", "show", "bst-sequence-ranking", "--json").json["difficulty"]["total"] == 5
    assert (
        archstudio("tasks", "show", "gen-tower-8", "--file", split, "--json").json["difficulty"]["band"] == "too hard"
    )
    assert "Difficulty for published models: saturated (" in archstudio("tasks", "show", "cnn-cifar").out
