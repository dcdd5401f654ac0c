"""Filters: every part that is set must hold, and words are looked for everywhere."""

from __future__ import annotations

import pytest

from archstudio.app.tasks.details import difficulty_text, duration_text, limits_text
from archstudio.app.tasks.entry import make_entry
from archstudio.app.tasks.filters import TaskFilter
from archstudio.bench.results.difficulty import UNRATED, rated
from archstudio.bench.tasks import curated_task

ENTRY = make_entry("core-7", "core", "gen-mlp-0", "design", "Build a perceptron for 13 features.")


@pytest.mark.parametrize(
    ("wanted", "takes"),
    [
        (TaskFilter(), True),
        (TaskFilter(text="perceptron 13"), True),
        (TaskFilter(text="MLP-0"), True),
        (TaskFilter(text="perceptron 14"), False),
        (TaskFilter(family="mlp"), True),
        (TaskFilter(family="ae"), False),
        (TaskFilter(tier="core", band="easy", state="tried"), True),
        (TaskFilter(tier="core", band="easy", state="done"), False),
        (TaskFilter(band="unrated"), False),
    ],
)
def test_a_filter_lets_through_what_it_says(wanted: TaskFilter, takes: bool) -> None:
    assert wanted.takes(ENTRY, "easy", "tried") is takes


def test_a_filter_is_described_in_words() -> None:
    assert TaskFilter(text="x").described() == ""
    assert not TaskFilter(text="x").is_narrow
    assert TaskFilter(family="mlp", state="untouched").described() == "mlp, not tried"


def test_limits_say_what_a_brief_leaves_unsaid() -> None:
    assert limits_text(curated_task("fix-broken-attention")) == "Graded with: at most 4 actions"
    assert "at least 15,000,000 parameters" in limits_text(curated_task("scale-under-budget"))


def test_difficulty_tells_counts_and_interval_or_that_there_are_none() -> None:
    assert difficulty_text(UNRATED) == "Difficulty: unrated"
    assert difficulty_text(rated(1, 2)) == "Difficulty: easy (1 of 2 model replies pass, 9–91 %)"


@pytest.mark.parametrize(("seconds", "told"), [(None, ""), (45.2, "45 s"), (720.0, "12 min"), (11_520.0, "3.2 h")])
def test_durations_are_short(seconds: float | None, told: str) -> None:
    assert duration_text(seconds) == told
