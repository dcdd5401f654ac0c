"""A recipe makes the same pack each time, goes on where it was interrupted, and keeps shortcuts below its ceiling."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from archstudio.files.unusable import UnusableFile
from archstudio.intuition.packs.export import bake
from archstudio.intuition.packs.make import make_pack
from archstudio.intuition.packs.pack import QuestionPack
from archstudio.intuition.packs.recipe import Asked, Recipe, RecipeData, ask, gather, read_recipe, trained_seconds
from archstudio.intuition.packs.recipe_report import report
from archstudio.intuition.profile import LoadedProfile
from archstudio.intuition.questions.choose import CannotAsk
from archstudio.intuition.questions.shortcuts import pick
from archstudio.intuition.truth.sets import SetProgress
from archstudio.training.engine import LocalEngine


def data(family: str, seed: int) -> dict[str, Any]:
    sets = [{"count": 6, "vary": ["model", "optimizer"], "seed": 1}, {"count": 4, "vary": ["optimizer"], "seed": 2}]
    return {"family": family, "seed": seed, "budget": 512, "questions": 2, "sets": sets}


CONTENT: dict[str, Any] = {
    "schema": "archstudio.recipe/1",
    "title": "Four questions",
    "licence": "MIT",
    "profile": "studio",
    "seed": 7,
    "choices": 2,
    "ceiling": 0.5,
    "below": ["most_parameters", "highest_rate"],
    "data": [data("univariate_regression", 4), data("synthetic_tabular_classification", 1)],
}
RECIPE = Recipe.model_validate(CONTENT)


class Interrupted(Exception):
    """Somebody pressed Ctrl+C."""


def made(engine: LocalEngine, quick: LoadedProfile, root: Path) -> tuple[QuestionPack, list[Asked]]:
    asked = ask(RECIPE, quick, list(gather(engine, RECIPE, quick, root)))
    bakes = [bake(each.questions, each.material.dataset, title=RECIPE.title) for each in asked]
    return make_pack(bakes, title=RECIPE.title, seed=RECIPE.seed), asked


@pytest.fixture(scope="module")
def whole(
    engine: LocalEngine, quick: LoadedProfile, tmp_path_factory: pytest.TempPathFactory
) -> tuple[QuestionPack, list[Asked]]:
    return made(engine, quick, tmp_path_factory.mktemp("whole"))


def test_an_interrupted_recipe_goes_on_to_the_same_bytes(
    whole: tuple[QuestionPack, list[Asked]], engine: LocalEngine, quick: LoadedProfile, tmp_path: Path
) -> None:
    def stop(order: RecipeData, progress: SetProgress) -> None:
        if order.family == "synthetic_tabular_classification" and progress.number == 2:
            raise Interrupted

    with pytest.raises(Interrupted):
        list(gather(engine, RECIPE, quick, tmp_path, stop))
    assert made(engine, quick, tmp_path)[0].file_bytes() == whole[0].file_bytes()


def test_no_candidate_is_in_two_questions_and_no_shortcut_above_the_ceiling(
    whole: tuple[QuestionPack, list[Asked]],
) -> None:
    chosen = [one for each in whole[1] for one in each.chosen]
    names = [candidate.id for one in chosen for candidate in one.candidates]
    assert (len(chosen), len(set(names))) == (4, 8)
    for rule in RECIPE.below:
        assert sum(pick(rule, [c.spec for c in one.candidates]) == one.judged.winner for one in chosen) <= 2


def test_the_report_counts_what_is_there(
    whole: tuple[QuestionPack, list[Asked]], engine: LocalEngine, quick: LoadedProfile
) -> None:
    pack, asked = whole
    seconds = trained_seconds(engine, [each.material for each in asked], range(2))
    assert seconds is not None
    assert seconds > 0
    text = report(RECIPE, quick, asked, pack, seconds)
    assert "4 questions of 2 choices under profile `quick`" in text
    assert pack.manifest.id in text
    assert "20 candidates were trained with 2 seeds each" in text
    assert "| chance |  | 4 | 50.0% |" in text
    assert "not known any more" in report(RECIPE, quick, asked, pack, None)


def test_a_ceiling_that_cannot_be_kept_is_told_with_the_counts(
    whole: tuple[QuestionPack, list[Asked]], quick: LoadedProfile
) -> None:
    strict = RECIPE.model_copy(
        update={"ceiling": 1e-6, "below": ["most_parameters", "highest_rate", "highest_effective_rate"]}
    )
    with pytest.raises(CannotAsk, match=r"is right \d+ times.*of 0 allowed. Train more candidates"):
        ask(strict, quick, [each.material for each in whole[1]])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"below": ["luck"]}, "there is no rule 'luck'; choose from most_parameters"),
        ({"ceiling": 1.5}, r"\$\.ceiling"),
        ({"data": []}, r"\$\.data"),
        ({"profile": "nobody"}, "nobody"),
    ],
)
def test_a_recipe_that_makes_no_sense_is_refused_with_the_place(
    tmp_path: Path, change: dict[str, Any], told: str
) -> None:
    path = tmp_path / "recipe.json"
    path.write_text(json.dumps({**CONTENT, **change}))
    with pytest.raises((UnusableFile, CannotAsk), match=told) as refused:
        read_recipe(path)
    assert "make it again" not in str(refused.value)  # people write recipes: what mends one is correcting it
