"""Questions with made-up results on drawn set-ups, so that packs of any size are there without training."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from archstudio.intuition.candidates.sampling import SetRequest, sample_set
from archstudio.intuition.candidates.source import candidate_sources
from archstudio.intuition.candidates.spec import CandidateSpec
from archstudio.intuition.datasets.drawing import draw_spec
from archstudio.intuition.datasets.source import synthesize_source
from archstudio.intuition.datasets.spec import DatasetSpec
from archstudio.intuition.ids import short_hash
from archstudio.intuition.packs.bake import BakeFile
from archstudio.intuition.profile import LoadedProfile
from archstudio.intuition.questions.words import loss_lines, model_lines, optimizer_lines, settings

CHOICES = 3
Bake = Callable[..., BakeFile]


@pytest.fixture(scope="session")
def bake(studio: LoadedProfile) -> Bake:
    """`bake(6, right="ABCABC", seed=1)` makes six questions on one data set, with these right letters."""

    def make(count: int, *, right: str = "", seed: int = 1) -> BakeFile:
        dataset = draw_spec(studio.content, "univariate_regression", seed)
        request = SetRequest(2048, count * CHOICES, frozenset({"model", "optimizer"}), seed=seed)
        specs = sample_set(studio, dataset, request).candidates
        letters = right or "ABC" * count
        rows = [specs[CHOICES * k : CHOICES * (k + 1)] for k in range(count)]
        questions = [_question(dataset, row, letters[k], k) for k, row in enumerate(rows)]
        content = {
            "schema_version": 1,
            "questions": [{"id": one["id"]} for one in questions],
            "byId": {one["id"]: one for one in questions},
        }
        return BakeFile.model_validate(content)

    return make


def _question(dataset: DatasetSpec, specs: Sequence[CandidateSpec], right: str, number: int) -> dict[str, Any]:
    letters = [chr(ord("A") + place) for place in range(len(specs))]
    # Right, then the others in an order that turns from question to question.
    others = [letter for letter in letters if letter != right][:: 1 if number % 2 else -1]
    means = {
        letter: 0.1234567 + 0.1000003 * place + 0.0000011 * number for place, letter in enumerate([right, *others])
    }
    return {
        "id": "q_" + short_hash([dataset.dataset_id, number], 16),
        "title": "Which set-up ends best?",
        "family": dataset.family,
        "datasetId": dataset.dataset_id,
        "type": "mixed",
        "profile": "studio",
        "profileHash": "0123456789abcdef",
        "sourceRun": "data/datasets/sym_1/questions/run_6q_3c_0123",
        "budget": {"total_samples_seen": 2048},
        "metric": dataset.selection_metric,
        "evaluation": {"n_seeds": 10, "base_seed": 0, "device": "cpu"},
        "detail": {
            "prompt": f"Question {number} as models read it.",
            "shared": [{"label": "loss", "value": "MSE"}],
            "dataset": _dataset(dataset),
            "choices": [_choice(letter, spec) for letter, spec in zip(letters, specs, strict=True)],
        },
        "reveal": {
            "correctLetter": right,
            "ranked": [
                {
                    "letter": letter,
                    "candidateId": specs[letters.index(letter)].candidate_id,
                    "metric": dataset.selection_metric,
                    "mean": mean,
                    "std": 0.0123456,
                    "label": f"{mean:.6f}",
                }
                for letter, mean in means.items()
            ],
            "curves": [
                {"letter": letter, "samples": [1024, 2048], "mean": [1.0, mean], "std": [0.5, 0.25]}
                for letter, mean in means.items()
            ],
        },
    }


def _dataset(dataset: DatasetSpec) -> dict[str, Any]:
    return {
        "family": dataset.family,
        "datasetId": dataset.dataset_id,
        "selectionMetric": dataset.selection_metric,
        "params": dataset.params.as_json(),
        "files": {"dataset_spec.json": dataset.as_json(), "synthesize.py": synthesize_source(dataset)},
        "plot": {"kind": "scatter", "train": [{"x": 0.25, "y": 1.0}], "test": [{"x": 0.5, "y": 0.75}]},
    }


def _choice(letter: str, spec: CandidateSpec) -> dict[str, Any]:
    return {
        "letter": letter,
        "candidateId": spec.candidate_id,
        "color": "#7c6cff",
        "variant": [{"label": label, "value": value} for label, value in settings(spec).items()],
        "modelLines": model_lines(spec.model),
        "optimizerLines": optimizer_lines(spec.optimizer),
        "lossLines": loss_lines(spec.loss),
        "files": {"candidate_spec.json": spec.as_json(), **candidate_sources(spec)},
    }
