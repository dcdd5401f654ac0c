"""The benchmark is run, and its results are read, from the command line."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def test_a_run_is_summed_up_kept_and_read(archstudio: Callable[..., Any], tmp_path: Path) -> None:
    out = tmp_path / "run.jsonl"
    ran = archstudio("bench", "run", "--policy", "corrected", "--out", out, "--json")
    assert ran.code == 0, ran.err
    assert (ran.json["passed"], ran.json["passedAllThree"], ran.json["before"]) == (12, 12, 0)
    again = archstudio("bench", "run", "--policy", "corrected", "--out", out, "--json")
    assert (again.json["tasks"], again.json["before"]) == (0, 12)
    told = archstudio("bench", "results", out, "--json").json
    assert [(row["passed"], row["total"]) for row in told["summaries"]] == [(12, 12)]
    assert archstudio("bench", "results", out, "--csv").out.startswith("model,way,split,passed,total")
    assert "12 of 12" in archstudio("bench", "results", out, "--markdown").out


def test_a_command_answers_a_file_of_tasks(archstudio: Callable[..., Any], tmp_path: Path) -> None:
    split = tmp_path / "split.jsonl"
    archstudio("tasks", "generate", "--tier", "edge", "--count", 2, "--seed", 1, "--out", split)
    echo = tmp_path / "echo.py"
    echo.write_text("print('{\"actions\": []}')", encoding="utf-8")
    policy = f"'{sys.executable}' '{echo}'"
    ran = archstudio("bench", "run", "--policy", policy, "--suite", split, "--rounds", 2, "--json")
    assert ran.code == 0, ran.err
    assert [(row["status"], row["rounds"]) for row in ran.json["results"]] == [("FAIL", 2), ("FAIL", 2)]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--policy", "no-such-program"), 2, "no-such-program: is no policy (reference, corrected, noop"),
        (("--policy", "noop", "--suite", "nowhere.jsonl"), 2, "There is no suite 'nowhere.jsonl'"),
        (("--policy", "'"), 2, "is no command line"),
        (("--policy", " "), 2, "--policy is empty"),
    ],
)
def test_what_cannot_be_run_is_told(
    archstudio: Callable[..., Any], arguments: tuple[str, ...], code: int, words: str
) -> None:
    ran = archstudio("bench", "run", *arguments)
    assert ran.code == code
    assert words in ran.err


def test_a_file_whose_rows_make_other_totals_is_named(archstudio: Callable[..., Any], tmp_path: Path) -> None:
    row = {"provider": "a", "taskId": "t", "status": "PASS", "score": 9, "failureCategories": [], "tokens": 1, "ms": 1}
    board = {"provider": "a", "passed": 2, "total": 1, "avgScore": 9, "tokensPerSolve": 1, "failureCategories": {}}
    split = {"kind": "curated", "count": 1}
    file = tmp_path / "board.json"
    content = {"benchmark": 1, "split": split, "models": {"a": "A"}, "generatedAt": "", "board": [board], "rows": [row]}
    file.write_text(json.dumps(content), encoding="utf-8")
    ran = archstudio("bench", "results", file)
    assert (ran.code, "board.json: its rows make other totals" in ran.err) == (1, True)
    file.write_text(json.dumps({**content, "board": [{**board, "passed": 1}]}), encoding="utf-8")
    assert archstudio("bench", "results", file).code == 0
    assert archstudio("bench", "results", file, "--csv", "--json").code == 2
