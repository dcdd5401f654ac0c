"""Packs of ranking questions: what takers see, and, in packs that give feedback, the results apart from it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from archstudio.intuition.datasets.folder import Dataset
from archstudio.intuition.packs.bake import BakedDataset
from archstudio.intuition.packs.export import baked_dataset
from archstudio.intuition.questions.ranking import MOST_CURVE_POINTS, Layout, RankingTask
from archstudio.intuition.questions.words import loss_lines, model_lines, optimizer_lines, settings
from archstudio.intuition.records import Number, Record, checked
from archstudio.intuition.truth.sets import Candidate

SCHEMA: Literal["archstudio.ranking_pack/1"] = "archstudio.ranking_pack/1"
BUNDLE = "ranking_blind_bundle_v1"
Label = Annotated[str, Field(pattern=r"^[A-Z][0-9]{1,3}$")]


class RankingCurve(Record):
    """A mean curve with its deviation."""

    samples: list[Number]
    mean: list[Number]
    std: list[Number]

    @model_validator(mode="after")
    def _lengths_agree(self) -> Self:
        if not len(self.samples) == len(self.mean) == len(self.std):
            raise ValueError("samples, mean and std have different lengths")
        return self


class RankedSetUp(Record):
    """A set-up; those to calibrate on carry their curve and final mean."""

    label: Label
    setting: list[str]
    budget: dict[str, Any] | None = None
    settings: dict[str, str] | None = None
    curve: RankingCurve | None = None
    final_mean: Number | None = None


class RankingQuestion(Record):
    """One task."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_]{1,40}$")]
    calibration: list[RankedSetUp]
    targets: Annotated[list[RankedSetUp], Field(min_length=2, max_length=26)]

    @model_validator(mode="after")
    def _labels_differ(self) -> Self:
        labels = [one.label for one in (*self.calibration, *self.targets)]
        if len(set(labels)) < len(labels):
            raise ValueError(f"a label is given twice: {labels}")
        if any(one.curve is not None or one.final_mean is not None for one in self.targets):
            raise ValueError("a target carries its result, which would give the answer away")
        if any(one.curve is None or one.final_mean is None for one in self.calibration):
            raise ValueError("a set-up to calibrate on has no curve or no final mean")
        return self


class TargetResult(Record):
    """How a target ended."""

    label: Label
    mean: Number
    std: Number
    curve: RankingCurve | None = None


class RankingPack(Record):
    """Ranking questions over one data set. `results` is absent from packs that must not tell; best first."""

    schema_name: Literal["archstudio.ranking_pack/1"] = Field(default=SCHEMA, alias="schema")
    title: str
    layout: Layout
    metric: str
    n_seeds: Annotated[int, Field(ge=1)] | None = None
    dataset: BakedDataset
    questions: Annotated[list[RankingQuestion], Field(min_length=1)]
    results: dict[str, list[TargetResult]] | None = None

    @model_validator(mode="after")
    def _results_are_of_the_targets(self) -> Self:
        names = [question.name for question in self.questions]
        if len(set(names)) < len(names):
            raise ValueError("a question is listed twice")
        if self.results is None:
            return self
        if set(self.results) != set(names):
            raise ValueError("questions and results differ")
        for question in self.questions:
            rows = self.results[question.name]
            if sorted(row.label for row in rows) != sorted(target.label for target in question.targets):
                raise ValueError(f"the results of {question.name} are not those of its targets")
            if [row.mean for row in rows] != sorted(row.mean for row in rows):
                raise ValueError(f"the results of {question.name} are not best first")
        return self


class RankingBundle(Record):
    """A blind bundle: questions alone, of a data set that is not named."""

    schema_version: Literal["ranking_blind_bundle_v1"]
    questions: Annotated[list[RankingQuestion], Field(min_length=1)]


def ranking_pack(
    tasks: Sequence[RankingTask], dataset: Dataset, *, title: str, layout: Layout, seed: int, with_results: bool
) -> RankingPack:
    """Return tasks as a pack, themselves and their targets shuffled by `seed`. Raises `UnusableFile`; imports torch."""
    rng = Random(seed)
    shuffled = list(tasks)
    rng.shuffle(shuffled)
    questions: list[dict[str, Any]] = []
    results: dict[str, Any] = {}
    for number, task in enumerate(shuffled, 1):
        targets = list(task.targets)
        rng.shuffle(targets)
        labelled = {f"T{place}": candidate for place, candidate in enumerate(targets, 1)}
        anchors = [_calibration(f"K{place}", one) for place, one in enumerate(task.calibration, 1)]
        shown = [_set_up(label, one) for label, one in labelled.items()]
        name = f"rq_{number:02d}"
        questions.append({"name": name, "calibration": anchors, "targets": shown})
        best_first = sorted(labelled, key=lambda label: _final(labelled[label]))
        results[name] = [_result(label, labelled[label]) for label in best_first]
    first = tasks[0].targets[0]
    content: dict[str, Any] = {
        "schema": SCHEMA, "title": title, "layout": layout, "metric": first.spec.metric,
        "n_seeds": first.summary.n_seeds, "dataset": baked_dataset(dataset), "questions": questions,
    }  # fmt: skip
    return RankingPack.model_validate({**content, "results": results} if with_results else content)


def _set_up(label: str, candidate: Candidate) -> dict[str, Any]:
    spec = candidate.spec
    lines = [*model_lines(spec.model), *optimizer_lines(spec.optimizer), *loss_lines(spec.loss)]
    return {"label": label, "setting": lines, "budget": spec.budget.as_json(), "settings": settings(spec)}


def _calibration(label: str, candidate: Candidate) -> dict[str, Any]:
    return {**_set_up(label, candidate), "curve": _curve(candidate), "final_mean": _final(candidate)}


def _result(label: str, candidate: Candidate) -> dict[str, Any]:
    return {"label": label, "mean": _final(candidate), "std": candidate.summary.std, "curve": _curve(candidate)}


def _final(candidate: Candidate) -> float:
    assert candidate.summary.mean is not None  # an excluded candidate is in no task
    return candidate.summary.mean


def _curve(candidate: Candidate) -> dict[str, Any]:
    curves = candidate.curves()
    points = np.unique(np.linspace(0, len(curves.samples) - 1, MOST_CURVE_POINTS).round().astype(int))
    mean, std = curves.mean[points], curves.std[points]
    return {"samples": curves.samples[points].tolist(), "mean": mean.tolist(), "std": std.tolist()}


def parse_ranking(content: object, name: str) -> RankingPack | RankingBundle:
    """Read a ranking pack or a blind bundle from JSON values; raises `UnusableFile` with the place."""
    if isinstance(content, dict) and content.get("schema_version") == BUNDLE:
        return checked(RankingBundle, content, name)
    return checked(RankingPack, content, name)
