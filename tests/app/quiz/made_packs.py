"""Small packs whose data sets and set-ups are drawn as everywhere and whose results are made up; nothing is trained."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from archstudio.intuition.candidates.sampling import SetRequest, sample_set
from archstudio.intuition.candidates.source import candidate_sources
from archstudio.intuition.candidates.spec import CandidateSpec
from archstudio.intuition.datasets.drawing import draw_spec
from archstudio.intuition.datasets.folder import create_dataset
from archstudio.intuition.datasets.source import synthesize_source
from archstudio.intuition.datasets.spec import BigramParams, DatasetSpec, TabularParams, UnivariateParams
from archstudio.intuition.ids import short_hash
from archstudio.intuition.profile import FAMILIES, Family
from archstudio.intuition.profile_file import load_profile
from archstudio.intuition.questions.words import loss_lines, model_lines, optimizer_lines, settings
from archstudio.intuition.records import json_bytes
from archstudio.intuition.truth.runs import Truth, save_truth
from archstudio.intuition.truth.sets import SetRecord, write_candidate
from archstudio.intuition.truth.summary import Curves, SeedEnd, summarise

SAMPLES = [64, 128, 256, 512, 1024, 2048]


def bake_content(families: tuple[Family, ...] = FAMILIES, choices: int = 3) -> dict[str, Any]:
    """A BakeFile of one question a family, whose right answer is B."""
    questions = [_question(family, choices) for family in families]
    return {
        "schema_version": 1,
        "ordered": True,
        "collection": {"title": "A small pack"},
        "questions": [{"id": q["id"], "family": q["family"], "order": k} for k, q in enumerate(questions)],
        "byId": {q["id"]: q for q in questions},
    }


def ranking_content(family: Family = "univariate_regression", *, with_results: bool = True) -> dict[str, Any]:
    """A ranking pack of one task: two set-ups to calibrate on, four to rank, best first T3, T1, T4, T2."""
    dataset, specs = _drawn(family, 6)
    order = ("T3", "T1", "T4", "T2")
    made: dict[str, Any] = {
        "schema": "archstudio.ranking_pack/1",
        "title": "A small ranking",
        "layout": "anchored",
        "metric": specs[0].metric,
        "n_seeds": 10,
        "dataset": _baked(dataset),
        "questions": [
            {
                "name": "rq_01",
                "calibration": [
                    {**_set_up(f"K{k + 1}", spec), "curve": _curve(0.2 + k), "final_mean": 0.2 + k}
                    for k, spec in enumerate(specs[:2])
                ],
                "targets": [_set_up(f"T{k + 1}", spec) for k, spec in enumerate(specs[2:])],
            }
        ],
    }
    if with_results:
        rows = [
            {"label": label, "mean": 0.1 * (k + 1), "std": 0.01, "curve": _curve(0.1 * (k + 1))}
            for k, label in enumerate(order)
        ]
        made["results"] = {"rq_01": rows}
    return made


def write_pack(content: object, path: Path) -> Path:
    """Write a pack's content to a file."""
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


@cache
def _drawn(family: Family, count: int) -> tuple[DatasetSpec, tuple[CandidateSpec, ...]]:
    profile = load_profile("studio")
    dataset = draw_spec(profile.content, family, 5)
    request = SetRequest(2048, count, frozenset({"model", "optimizer"}), seed=2)
    return dataset, sample_set(profile, dataset, request).candidates


def _question(family: Family, count: int) -> dict[str, Any]:
    dataset, specs = _drawn(family, count)
    letters = [chr(ord("A") + k) for k in range(count)]
    finals = {letter: 0.3 + 0.2 * ((k - 1) % count) for k, letter in enumerate(letters)}
    tables = [settings(spec) for spec in specs]
    shared = {k: v for k, v in tables[0].items() if all(table.get(k) == v for table in tables)}
    return {
        "id": "q_" + short_hash([family, count], 16),
        "title": "Which set-up ends best?",
        "family": family,
        "datasetId": dataset.dataset_id,
        "type": "mixed",
        "budget": {"total_samples_seen": 2048},
        "metric": dataset.selection_metric,
        "evaluation": {"n_seeds": 10},
        "detail": {
            "prompt": "The whole question as text.",
            "shared": _rows(shared),
            "dataset": _baked(dataset),
            "choices": [
                {
                    "letter": letter,
                    "candidateId": spec.candidate_id,
                    "color": "#7c6cff",
                    "variant": _rows({k: v for k, v in table.items() if k not in shared}),
                    "modelLines": model_lines(spec.model),
                    "optimizerLines": optimizer_lines(spec.optimizer),
                    "lossLines": loss_lines(spec.loss),
                    "files": {"candidate_spec.json": spec.as_json(), **candidate_sources(spec)},
                }
                for letter, spec, table in zip(letters, specs, tables, strict=True)
            ],
        },
        "reveal": {
            "correctLetter": "B",
            "ranked": [
                {
                    "letter": letter, "candidateId": specs[ord(letter) - ord("A")].candidate_id,
                    "metric": dataset.selection_metric, "mean": finals[letter], "std": 0.01, "label": "",
                }
                for letter in sorted(letters, key=lambda one: finals[one])
            ],
            "curves": [{"letter": letter, **_curve(finals[letter])} for letter in letters],
        },
    }  # fmt: skip


def _rows(table: dict[str, str]) -> list[dict[str, str]]:
    return [{"label": label, "value": value} for label, value in table.items()]


def _set_up(label: str, spec: CandidateSpec) -> dict[str, Any]:
    lines = [*model_lines(spec.model), *optimizer_lines(spec.optimizer), *loss_lines(spec.loss)]
    return {"label": label, "setting": lines, "budget": spec.budget.as_json(), "settings": settings(spec)}


def _curve(final: float) -> dict[str, list[float]]:
    mean = [final + 2.0 * (1 - k / (len(SAMPLES) - 1)) for k in range(len(SAMPLES))]
    return {"samples": [float(s) for s in SAMPLES], "mean": mean, "std": [0.05] * len(SAMPLES)}


def _baked(dataset: DatasetSpec) -> dict[str, Any]:
    return {
        "family": dataset.family,
        "datasetId": dataset.dataset_id,
        "selectionMetric": dataset.selection_metric,
        "params": dataset.params.as_json(),
        "plot": _plot(dataset),
        "files": {"synthesize.py": synthesize_source(dataset)},
    }


def _plot(dataset: DatasetSpec) -> dict[str, Any]:
    params = dataset.params
    places = [k / 20 for k in range(21)]
    if isinstance(params, UnivariateParams):
        return {"kind": "scatter", "train": [{"x": x, "y": x * x} for x in places], "test": [{"x": 0.5, "y": 0.25}]}
    if isinstance(params, TabularParams):
        points = [{"x": 4 * x - 2, "y": 2 - 3 * x, "label": int(x > 0.5)} for x in places]
        first, second = (params.active_features * 2)[:2]
        axes = {"xLabel": f"feature {first}", "yLabel": f"feature {second}", "featurePair": [first, second]}
        return {"kind": "classification", "train": points, "test": points[:3], **axes}
    if isinstance(params, BigramParams):
        return {"kind": "heatmap", "matrix": [[0.5, 0.5], [0.25, 0.75]], "xLabel": "next", "yLabel": "previous"}
    return {"kind": "none"}


def pretended_set(root: Path) -> Path:
    """A set of three candidates with made-up results: one far better than anything, two far worse."""
    profile = load_profile("studio")
    dataset = create_dataset(draw_spec(profile.content, "univariate_regression", 5), root / "data")
    sampled = sample_set(profile, dataset.spec, SetRequest(512, 3, frozenset({"model"}), seed=2))
    folder = dataset.folder / "candidates" / sampled.set_id
    for spec, mean in zip(sampled.candidates, (1e-12, 100.0, 200.0), strict=True):
        write_candidate(folder / spec.candidate_id, spec)
        save_truth(folder / spec.candidate_id, pretended(spec, mean))
    record = SetRecord(
        set_id=sampled.set_id, dataset_id=dataset.id, family="univariate_regression",
        budget={"total_samples_seen": 512}, count=3, varying_axes=["model"], invariant_axes=["optimizer", "loss"],
        fixed_shared={}, seed=2, profile=profile.name, profile_hash=profile.hash,
        created_at="2026-01-01T00:00:00+00:00",
    )  # type: ignore[arg-type] # fmt: skip
    (folder / "set.json").write_bytes(json_bytes(record.as_json()))
    return folder


def pretended(spec: CandidateSpec, mean: float) -> Truth:
    end = SeedEnd.model_validate({"seed": 0, "failed": False, f"final_{spec.metric}": mean})
    return Truth(
        summarise(spec.candidate_id, spec.metric, [end], 1, {}), Curves(np.array([[mean]]), np.array([64]), 64)
    )
