"""Tasks by their place in a split: any order, several threads, and the same tasks as drawn one after another."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from archstudio.bench.generate import TIERS, SplitReader, Tier, generate
from archstudio.bench.tasks import UnknownName


@pytest.mark.parametrize("tier", TIERS)
def test_any_order_gives_the_tasks_of_the_stream(tier: Tier) -> None:
    tasks = list(generate(tier, 60, 7))
    places = random.Random(0).sample(range(60), 60)
    reader = SplitReader()
    assert all(reader.task(tier, 7, place) == tasks[place] for place in places)


def test_threads_may_share_a_reader() -> None:
    tasks = list(generate("core", 200, 3))
    reader = SplitReader()
    places = random.Random(1).choices(range(200), k=400)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda place: reader.task("core", 3, place), places))
    assert found == [tasks[place] for place in places]


def test_a_task_is_drawn_once_on_the_way_and_then_at_hand() -> None:
    reader = SplitReader()
    assert reader.known("core", 9) == 0
    reader.task("core", 9, 50)
    assert reader.known("core", 9) == 51
    reader.task("core", 9, 20)
    assert reader.known("core", 9) == 51


def test_only_the_splits_asked_for_last_are_remembered() -> None:
    reader = SplitReader(most_splits=2)
    for seed in (1, 2, 1, 3):
        reader.task("edge", seed, 4)
    assert [reader.known("edge", seed) for seed in (1, 2, 3)] == [5, 0, 5]
    assert reader.task("edge", 2, 4) == list(generate("edge", 5, 2))[4]


def test_what_is_in_no_split_is_told() -> None:
    with pytest.raises(IndexError):
        SplitReader().task("core", 1, -1)
    with pytest.raises(UnknownName):
        SplitReader().task("impossible", 1, 0)  # type: ignore[arg-type]
