"""The pack that ships keeps every promise that is made of it; all is recomputed from its own files."""

from __future__ import annotations

from collections import Counter
from importlib.resources.abc import Traversable

import pytest

from archstudio.files.data import data_path
from archstudio.files.strict_json import read_json
from archstudio.intuition.candidates.sizes import parameter_count
from archstudio.intuition.candidates.spec import CandidateSpec, identified
from archstudio.intuition.packs.leaks import check_pack
from archstudio.intuition.packs.pack import QuestionPack
from archstudio.intuition.packs.read import read_pack
from archstudio.intuition.packs.recipe import Recipe
from archstudio.intuition.packs.unfold import data_id
from archstudio.intuition.profile import LoadedProfile
from archstudio.intuition.questions.shortcuts import RULES, pick
from archstudio.intuition.records import checked

FOLDER = ("fixtures", "packs", "studio-60")
Questions = list[tuple[list[CandidateSpec], int]]


@pytest.fixture(scope="module")
def folder() -> Traversable:
    return data_path(*FOLDER)


@pytest.fixture(scope="module")
def pack(folder: Traversable) -> QuestionPack:
    return read_pack(folder)


@pytest.fixture(scope="module")
def recipe(folder: Traversable) -> Recipe:
    return checked(Recipe, read_json(folder.joinpath("recipe.json")), "recipe.json")


@pytest.fixture(scope="module")
def asked(pack: QuestionPack) -> Questions:
    """The set-ups of each question, and which of them is the winner."""
    assert pack.answers is not None
    found = []
    for question in pack.questions:
        data = data_id(pack.items.data[question.data])
        specs = [identified({**choice.spec, "dataset_id": data}, 16) for choice in question.choices if choice.spec]
        found.append((specs, ord(pack.answers[question.id].correct) - ord("A")))
    return found


def test_there_are_sixty_questions_of_three_over_four_families(pack: QuestionPack) -> None:
    assert [len(question.choices) for question in pack.questions] == [3] * 60
    families = Counter(question.family for question in pack.questions)
    assert len(families) == 4
    assert max(families.values()) <= 20
    sources = Counter((question.family, question.data) for question in pack.questions)
    assert min(Counter(family for family, _ in sources).values()) >= 3


def test_it_is_of_the_profile_as_it_ships_and_of_the_recipe_beside_it(
    pack: QuestionPack, recipe: Recipe, studio: LoadedProfile
) -> None:
    assert [(one.name, one.hash) for one in pack.manifest.profiles] == [("studio", studio.hash)]
    assert (recipe.title, recipe.questions, recipe.seed) == (pack.manifest.title, 60, pack.manifest.seed)
    assert {question.seeds["n_seeds"] for question in pack.questions} == {10}


def test_every_candidate_is_used_once(asked: Questions) -> None:
    names = [spec.candidate_id for specs, _ in asked for spec in specs]
    assert len(names) == len(set(names)) == 180


def test_in_half_of_the_questions_sizes_are_within_a_factor_of_two(asked: Questions) -> None:
    counts = [[parameter_count(spec.model) for spec in specs] for specs, _ in asked]
    assert sum(max(sizes) / min(sizes) <= 2 for sizes in counts) >= 30


@pytest.mark.parametrize("rule", RULES)
def test_no_shortcut_is_right_in_more_than_45_percent(asked: Questions, recipe: Recipe, rule: str) -> None:
    assert recipe.ceiling == 0.45
    assert sum(pick(rule, specs) == winner for specs, winner in asked) <= 27


def test_nothing_tells_the_answers(pack: QuestionPack) -> None:
    assert [check.told for check in check_pack(pack) if check.holds is not True] == []


def test_the_means_say_who_wins(pack: QuestionPack) -> None:
    assert pack.answers is not None
    for answer in pack.answers.values():
        means = {row.letter: row.mean for row in answer.ranked if row.mean is not None}
        assert min(means, key=lambda letter: means[letter]) == answer.correct


def test_the_report_is_of_this_pack(folder: Traversable, pack: QuestionPack, asked: Questions) -> None:
    text = folder.joinpath("REPORT.md").read_text("utf-8")
    assert f"pack `{pack.manifest.id}`" in text
    for rule in RULES:
        right = sum(pick(rule, specs) == winner for specs, winner in asked)
        assert f"| `{rule}` | {right} | 60 |" in text
