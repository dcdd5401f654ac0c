"""Every exercise has one fault of a kind of its own, at one root, and a short repair after which PyTorch runs it."""

from pathlib import Path

import pytest

from archstudio.bench.broken import Exercise, exercise, exercise_names
from archstudio.bench.broken.__main__ import write
from archstudio.bench.broken.drafts import drafts
from archstudio.bench.tasks import UnknownName
from archstudio.edits.actions import apply
from archstudio.files.data import data_path
from archstudio.graph.document import from_document
from archstudio.layers import Severity
from archstudio.layers.problem import KINDS
from archstudio.verify.session import check

ALL = [exercise(name) for name in exercise_names()]


@pytest.mark.parametrize("made", ALL, ids=lambda made: made.name)
def test_an_exercise_has_exactly_its_fault_and_a_short_repair(made: Exercise) -> None:
    verdict = check(from_document(made.model()))
    assert [problem.kind.code for problem in verdict.errors] == [made.code]
    assert 1 <= len(made.repair) <= 3
    done = apply(made.model(), made.actions())
    assert done.errors == []
    mended = check(from_document(done.model))
    assert mended.errors == ()
    assert mended.parameters is not None


@pytest.mark.parametrize("made", ALL, ids=lambda made: made.name)
def test_hints_tell_more_and_more_and_the_last_names_the_place(made: Exercise) -> None:
    assert len(set(made.hints)) == 3
    changed = {action.get("name") or action.get("toName") for action in made.repair}
    touched = changed | {action.get("afterName") for action in made.repair}
    assert any(name and name in made.hints[-1] for name in touched)
    assert not any(hint.startswith("Set ") for hint in made.hints[:2])
    assert made.goal
    assert made.explanation
    assert made.title


STRUCTURAL = {
    *("E-CYCLE", "E-NO-INPUT", "E-UNKNOWN-TYPE", "E-NO-TARGET", "E-SHARED-WEIGHT"),
    *("E-INPUT-COUNT", "E-INPUT-DTYPE", "E-TUPLE-IN"),
}
"""Faults for which no program can be written, so that PyTorch is not asked."""


@pytest.mark.parametrize("made", ALL, ids=lambda made: made.name)
def test_pytorch_itself_refuses_the_graph_and_runs_the_mended_one(made: Exercise) -> None:
    import torch

    from archstudio.torchcode.judge import judge

    torch.set_num_threads(1)
    broken = from_document(made.model())
    if made.code not in STRUCTURAL:
        refused = judge(broken).first_error
        assert refused is not None
        assert refused[0] == check(broken).errors[0].node
    mended = judge(from_document(apply(made.model(), made.actions()).model))
    assert mended.first_error is None
    assert all(ran.value is not None for ran in mended.nodes.values())


def test_there_are_many_kinds_of_faults_and_each_occurs_once() -> None:
    codes = [made.code for made in ALL]
    assert len(codes) == len(set(codes)) >= 40
    assert all(KINDS[code].severity is Severity.ERROR for code in codes)


def test_the_files_are_what_the_builder_draws(tmp_path: Path) -> None:
    assert write(tmp_path) == len(drafts()) == len(ALL)
    for drawn in tmp_path.iterdir():
        shipped = data_path("fixtures", "broken", drawn.name)
        assert shipped.read_text(encoding="utf-8") == drawn.read_text(encoding="utf-8"), drawn.name
    assert len(list(tmp_path.iterdir())) == sum(1 for _ in data_path("fixtures", "broken").iterdir())


def test_an_exercise_is_a_fresh_copy_every_time() -> None:
    exercise("seven-heads-for-a-hundred").model()["components"].clear()
    assert exercise("seven-heads-for-a-hundred").model()["components"]


def test_unknown_names_are_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match=r"no exercise 'nope'.*seven-heads-for-a-hundred"):
        exercise("nope")
