"""A broken graph counts as mended when it runs with its layers in place, not when the fault was cut away."""

from __future__ import annotations

import pytest

from archstudio.bench.broken import Exercise, exercise, exercise_names
from archstudio.bench.broken.mended import unmended
from archstudio.edits.actions import apply
from archstudio.edits.actions.model import Model
from archstudio.graph.document import from_document
from archstudio.verify.session import check

ALL = [exercise(name) for name in exercise_names()]


def told(made: Exercise, model: Model) -> list[str]:
    return unmended(made, model, check(from_document(model)))


@pytest.mark.parametrize("made", ALL, ids=lambda made: made.name)
def test_the_repair_mends_and_the_start_does_not(made: Exercise) -> None:
    assert told(made, made.model()) != []
    assert told(made, apply(made.model(), made.actions()).model) == []


@pytest.mark.parametrize("made", ALL, ids=lambda made: made.name)
def test_cutting_everything_away_is_no_repair(made: Exercise) -> None:
    middle = [item["name"] for item in made.model()["components"] if item["type"] not in ("input", "output")]
    cut = apply(made.model(), [{"type": "delete_component", "name": name} for name in middle]).model
    assert told(made, cut) != []


def test_another_repair_than_the_one_on_file_counts_too() -> None:
    made = exercise("seven-heads-for-a-hundred")
    name = str(made.repair[0]["name"])
    other = [{"type": "update_params", "name": name, "params": {"numHeads": 10}}]
    assert made.actions() != other
    assert told(made, apply(made.model(), other).model) == []


def test_a_layer_left_beside_the_path_is_named() -> None:
    made = exercise("seven-heads-for-a-hundred")
    name = str(made.repair[0]["name"])
    cut = apply(made.model(), [{"type": "delete_component", "name": name}]).model
    assert told(made, cut) == [f"{name} is gone: mend it instead of leaving it out."]
