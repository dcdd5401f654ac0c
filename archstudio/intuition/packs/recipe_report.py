"""The report of a pack that was made from a recipe: what is in it, how far shortcuts get, how clear the winners are."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Sequence

import numpy as np

import archstudio
from archstudio.intuition.packs.pack import QuestionPack
from archstudio.intuition.packs.recipe import DRAWS, Asked, Recipe
from archstudio.intuition.profile import LoadedProfile
from archstudio.intuition.questions.choose import Chosen
from archstudio.intuition.questions.scoring import proportion
from archstudio.intuition.questions.shortcuts import RULES, pick


def report(
    recipe: Recipe, profile: LoadedProfile, asked: Sequence[Asked], pack: QuestionPack, seconds: float | None
) -> str:
    """Return the report as Markdown; `seconds` is what the workers spent on training, None if that is not known."""
    chosen = [one for each in asked for one in each.chosen]
    parts = [
        f"# {recipe.title}",
        _summary(recipe, profile, pack, chosen),
        "## Questions",
        _counts(asked),
        "## How far shortcuts get",
        "Each rule picks the choice with the largest value, the earliest letter where several have it. "
        f"Intervals are Wilson's, 95 %. Where a ceiling stands, it was met by choice: of {DRAWS} draws for a data set "
        "one was taken so that the rule stays below. Such a share says what the rule gets here, not what it would get "
        "on other questions.",
        *([recipe.note] if recipe.note else []),
        _shortcuts(recipe, chosen),
        "## How clear the winners are",
        _gaps(asked),
        "## What it took",
        _cost(recipe, profile, asked, seconds),
    ]
    return "\n\n".join(parts) + "\n"


def _summary(recipe: Recipe, profile: LoadedProfile, pack: QuestionPack, chosen: Sequence[Chosen]) -> str:
    within = sum(one.ratio <= 2 for one in chosen)
    return (
        f"{len(chosen)} questions of {recipe.choices} choices under profile `{profile.name}` ({profile.hash}); pack "
        f"`{pack.manifest.id}`. {recipe.choices * len(chosen)} different candidates, each in one question. In "
        f"{within} questions ({within / len(chosen):.0%}) the largest number of trainable parameters is at most twice "
        "the smallest. In every question the worst seed of the winner beats the best seed of every rival."
    )


def _counts(asked: Sequence[Asked]) -> str:
    rows = Counter((each.material.order.family, q.record.type) for each in asked for q in each.questions)
    families = list(dict.fromkeys(family for family, _ in rows))
    types = sorted({kind for _, kind in rows})
    body: list[list[object]] = []
    for family in families:
        data = sum(each.material.order.family == family for each in asked)
        counts = [rows[family, kind] for kind in types]
        body.append([family, data, *counts, sum(counts)])
    body.append(["all", len(asked), *(sum(rows[f, kind] for f in families) for kind in types), sum(rows.values())])
    return _table(["family", "data sets", *types, "questions"], body)


def _shortcuts(recipe: Recipe, chosen: Sequence[Chosen]) -> str:
    body: list[list[object]] = [["chance", "", len(chosen), f"{1 / recipe.choices:.1%}", "", ""]]
    for rule in RULES:
        right = sum(pick(rule, [c.spec for c in one.candidates]) == one.judged.winner for one in chosen)
        share = proportion(right, len(chosen))
        ceiling = f"{recipe.ceiling:.0%}" if rule in recipe.below else "none"
        interval = f"{share.low:.1%}–{share.high:.1%}"
        body.append([f"`{rule}`", right, len(chosen), f"{share.share:.1%}", interval, ceiling])
    return _table(["rule", "right", "n", "share", "interval", "ceiling"], body)


def _gaps(asked: Sequence[Asked]) -> str:
    body = []
    for family in dict.fromkeys(each.material.order.family for each in asked):
        gaps = [q.judged.relative_gap for each in asked if each.material.order.family == family for q in each.chosen]
        low, middle, high = np.quantile(np.array(gaps, dtype=float), [0.1, 0.5, 0.9])
        body.append([family, len(gaps), f"{low:.1%}", f"{middle:.1%}", f"{high:.1%}"])
    told = (
        "Distance of the winner's mean to the next one's, in parts of the winner's: tenth, median and ninetieth "
        "percentile."
    )
    return f"{told}\n\n" + _table(["family", "n", "10 %", "50 %", "90 %"], body)


def _cost(recipe: Recipe, profile: LoadedProfile, asked: Sequence[Asked], seconds: float | None) -> str:
    truth = profile.content.ground_truth
    trained = [c.summary for each in asked for of in each.material.sets for c in of.candidates]
    failed = sum(summary.failed_seeds for summary in trained)
    excluded = sum(summary.excluded for summary in trained)
    clocks = "" if seconds is None else f"{seconds / 60:.0f} minutes by the clocks of its one-thread runs, added up"
    spent = clocks or "not known any more"
    environment = sorted({str(s.environment["torch"]) for s in trained if "torch" in s.environment})
    return (
        f"{len(trained)} candidates were trained with {truth.n_seeds} seeds each ({truth.base_seed} to "
        f"{truth.base_seed + truth.n_seeds - 1}); {failed} of {len(trained) * truth.n_seeds} runs failed, {excluded} "
        f"candidates were left out for it. Training took {spent}. PyTorch {', '.join(environment) or 'unknown'}, "
        f"Python {platform.python_version()}, Arch Studio {archstudio.__version__}.\n\n"
        "Made by `archstudio iq pack build recipe.json OUT`; the draw of the questions follows from the recipe: the "
        f"first of {recipe.seed} and the seeds after it that keeps the rules with a ceiling below it."
    )


def _table(head: Sequence[object], rows: Sequence[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
