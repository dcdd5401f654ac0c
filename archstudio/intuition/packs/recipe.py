"""Makes a pack of questions from a recipe: data sets, candidates trained with every seed, questions, and a report.

Everything random follows from the recipe, so that the same recipe gives the same pack; what was trained before is not
trained again. Questions are drawn, not picked by hand: each data set has several draws, and the search takes, data set
after data set, the draw that brings the shortcuts nearest to the ceiling that the recipe states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from archstudio.intuition.candidates.sampling import SetRequest
from archstudio.intuition.candidates.spec import Axis
from archstudio.intuition.datasets.drawing import Pins, draw_spec
from archstudio.intuition.datasets.folder import Dataset, create_dataset
from archstudio.intuition.profile import Family, LoadedProfile
from archstudio.intuition.profile_file import load_profile
from archstudio.intuition.questions.choose import CannotAsk, Chosen
from archstudio.intuition.questions.record import Question, chosen_questions, make_questions
from archstudio.intuition.questions.shortcuts import RULES, pick
from archstudio.intuition.records import BY_HAND, Record, read_record
from archstudio.intuition.truth.runs import bench
from archstudio.intuition.truth.sets import CandidateSet, SetProgress, make_set
from archstudio.training.engine import Engine

DRAWS = 60
"""Draws of questions that are looked at for each data set."""

Count = Annotated[int, Field(ge=1)]
Seed = Annotated[int, Field(ge=0)]


class RecipeSet(Record):
    """Candidates to draw and train: how many, along which axes they vary, from which seed."""

    count: Count
    vary: Annotated[list[Axis], Field(min_length=1)]
    seed: Seed = 0


class RecipeData(Record):
    """A data set, its candidates, and how many questions it gives."""

    family: Family
    seed: Seed
    input_dim: Count | None = None
    budget: Count
    questions: Count
    sets: Annotated[list[RecipeSet], Field(min_length=1)]


class Recipe(Record):
    """What a pack is made of. `ceiling` is the largest share of questions that each rule in `below` may get right."""

    schema_: Annotated[Literal["archstudio.recipe/1"], Field(alias="schema")]
    title: str
    licence: str
    profile: str
    seed: Seed
    choices: Annotated[int, Field(ge=2, le=26)]
    ceiling: Annotated[float, Field(gt=0, le=1)]
    below: list[str]
    note: str = ""
    """What a reader of the report should know of how the recipe came about."""
    data: Annotated[list[RecipeData], Field(min_length=1)]

    @property
    def questions(self) -> int:
        """How many questions the pack has."""
        return sum(each.questions for each in self.data)

    @property
    def candidates(self) -> int:
        """How many candidates are trained."""
        return sum(of.count for each in self.data for of in each.sets)


@dataclass(frozen=True)
class Material:
    """A data set with its trained candidates."""

    order: RecipeData
    dataset: Dataset
    sets: tuple[CandidateSet, ...]


@dataclass(frozen=True)
class Asked:
    """The questions of one data set, as chosen and as written."""

    material: Material
    questions: list[Question]
    chosen: list[Chosen]


@dataclass
class _Draw:
    """One way of asking about a data set: its seed, and how often each rule is right."""

    seed: int
    right: dict[str, int] = field(default_factory=dict)


def read_recipe(path: Path) -> tuple[Recipe, LoadedProfile]:
    """Read a recipe and the profile it names; raises `UnusableFile`, and `CannotAsk` for a rule nobody knows."""
    recipe = read_record(Recipe, path, remedy=BY_HAND)
    unknown = [rule for rule in recipe.below if rule not in RULES]
    if unknown:
        raise CannotAsk(f"{path.name}: there is no rule {unknown[0]!r}; choose from {', '.join(RULES)}.")
    return recipe, load_profile(recipe.profile)


def gather(
    engine: Engine,
    recipe: Recipe,
    profile: LoadedProfile,
    root: Path,
    told: Callable[[RecipeData, SetProgress], None] = lambda order, progress: None,
) -> Iterator[Material]:
    """Make data sets and train candidates, one data set after another; what is there already is only read.

    Raises what `create_dataset` and `make_set` do. Imports torch.
    """
    for order in recipe.data:
        spec = draw_spec(profile.content, order.family, order.seed, Pins(input_dim=order.input_dim))
        dataset = create_dataset(spec, root)
        sets = []
        for of in order.sets:
            request = SetRequest(budget=order.budget, count=of.count, vary=frozenset(of.vary), seed=of.seed)
            sets.append(make_set(engine, profile, dataset, request, lambda made, order=order: told(order, made)))  # type: ignore[misc]
        yield Material(order, dataset, tuple(sets))


def ask(recipe: Recipe, profile: LoadedProfile, materials: Sequence[Material]) -> list[Asked]:
    """Choose the questions and write them beside their data sets; raises `CannotAsk`, `SaveFailed`."""
    draws = [_draws(recipe, profile, material) for material in materials]
    taken = _balanced(recipe, draws)
    asked = []
    for material, draw in zip(materials, taken, strict=True):
        count = material.order.questions
        _, chosen = _chosen(recipe, profile, material, draw.seed)
        made = make_questions(
            profile, material.dataset, material.sets, count=count, choices=recipe.choices, seed=draw.seed
        )
        asked.append(Asked(material, made, chosen))
    return asked


def trained_seconds(engine: Engine, materials: Sequence[Material], seeds: Sequence[int]) -> float | None:
    """Time that workers spent on all candidates, as the engine recorded it; None if it no longer has the runs."""
    total = 0.0
    for material in materials:
        with bench(engine, material.dataset) as here:
            for candidate in (c for of in material.sets for c in of.candidates):
                stored = here.submit(candidate.spec, seeds).stored
                results = [stored.seed(seed).result() for seed in seeds]
                if None in results:
                    return None
                total += sum(result.seconds for result in results if result is not None)
    return total


def _chosen(
    recipe: Recipe, profile: LoadedProfile, material: Material, seed: int
) -> tuple[list[Question], list[Chosen]]:
    return chosen_questions(
        profile, material.dataset, material.sets, count=material.order.questions, choices=recipe.choices, seed=seed
    )


def _draws(recipe: Recipe, profile: LoadedProfile, material: Material) -> list[_Draw]:
    draws = []
    for seed in range(recipe.seed, recipe.seed + DRAWS):
        _, chosen = _chosen(recipe, profile, material, seed)
        draws.append(_Draw(seed, {rule: _right(rule, chosen) for rule in recipe.below}))
    return draws


def _right(rule: str, chosen: Sequence[Chosen]) -> int:
    return sum(pick(rule, [c.spec for c in one.candidates]) == one.judged.winner for one in chosen)


def _balanced(recipe: Recipe, draws: Sequence[Sequence[_Draw]]) -> list[_Draw]:
    """One draw for each data set, so that no rule is right more often than the ceiling allows."""
    most = int(recipe.ceiling * recipe.questions)
    taken = [of[0] for of in draws]

    def excess(having: Sequence[_Draw]) -> int:
        return sum(max(0, sum(draw.right[rule] for draw in having) - most) for rule in recipe.below)

    while excess(taken):
        before = excess(taken)
        for place, of in enumerate(draws):
            taken[place] = min(of, key=lambda draw, at=place: excess([*taken[:at], draw, *taken[at + 1 :]]))  # type: ignore[misc]
        if excess(taken) == before:
            over = {rule: sum(draw.right[rule] for draw in taken) for rule in recipe.below}
            told = ", ".join(f"{rule} is right {right} times" for rule, right in over.items() if right > most)
            raise CannotAsk(f"In {DRAWS} draws of each data set {told}, of {most} allowed. Train more candidates.")
    return taken
