"""In the arena a pass beats a failure, then the higher score wins, then fewer tokens where both are counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from archstudio.bench.policies import POLICIES
from archstudio.bench.results.runs import read_run
from archstudio.bench.run import BuiltIn, RunFile, RunSettings, play
from archstudio.bench.run.arena import Arena, Bout, Corner, fight, meet, meet_files
from archstudio.bench.tasks import curated_task, curated_tasks


@pytest.mark.parametrize(
    ("a", "b", "winner"),
    [
        (Corner(True, 50), Corner(False, 90), "a"),
        (Corner(False, 10), Corner(True, 5), "b"),
        (Corner(True, 60), Corner(True, 80), "b"),
        (Corner(False, 30), Corner(False, 20), "a"),
        (Corner(True, 60, 900), Corner(True, 60, 400), "b"),
        (Corner(True, 60, 900), Corner(True, 60, None), "draw"),
        (Corner(True, 60, 900), Corner(True, 60, 0), "draw"),
        (Corner(True, 60), Corner(True, 60), "draw"),
    ],
)
def test_who_wins_a_bout(a: Corner, b: Corner, winner: str) -> None:
    assert Bout("t", a, b).winner == winner
    turned = {"a": "b", "b": "a", "draw": "draw"}[winner]
    assert Bout("t", b, a).winner == turned


def test_two_policies_meet_over_the_curated_tasks() -> None:
    made = Arena(list(fight(curated_tasks(), BuiltIn(POLICIES["corrected"]), BuiltIn(POLICIES["noop"]))))
    assert made.wins("a") == 12
    assert made.wins("b") == made.wins("draw") == 0
    assert all(bout.a.passes_all for bout in made.bouts)


def test_hollow_answers_are_told_apart() -> None:
    (bout,) = fight([curated_task("cnn-cifar")], BuiltIn(POLICIES["number-blind"]), BuiltIn(POLICIES["corrected"]))
    assert (bout.a.passed, bout.a.passes_all) == (True, False)
    assert (bout.b.passed, bout.b.passes_all) == (True, True)


def run(path: Path, policy: str, *tasks: str, suite: str = "curated") -> Path:
    kept = RunFile(path, RunSettings(policy, suite, 1, 0, 1.0))
    for name in tasks:
        kept.keep(play(curated_task(name), BuiltIn(POLICIES[policy])))
    return path


def test_two_runs_meet_over_the_tasks_both_have(tmp_path: Path) -> None:
    a = run(tmp_path / "a.jsonl", "corrected", "cnn-cifar", "mlp-tabular", "autoencoder")
    b = run(tmp_path / "b.jsonl", "noop", "mlp-tabular", "cnn-cifar", "text-encoder")
    made = meet_files(a, b)
    assert [(bout.task_id, bout.winner) for bout in made.bouts] == [("cnn-cifar", "a"), ("mlp-tabular", "a")]
    assert made.unmatched == 2


def test_runs_over_two_suites_do_not_meet(tmp_path: Path) -> None:
    a = run(tmp_path / "a.jsonl", "noop", "cnn-cifar")
    b = run(tmp_path / "b.jsonl", "noop", "cnn-cifar", suite="other")
    with pytest.raises(ValueError, match="two suites, curated and other"):
        meet(read_run(a), read_run(b))
