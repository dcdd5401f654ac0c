"""Questions and curves with known answers, without training anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from archstudio.intuition.analysis.material import Material, SetMaterial, Traced
from archstudio.intuition.candidates.spec import CandidateSpec, identified
from archstudio.intuition.datasets.drawing import draw_spec
from archstudio.intuition.profile import LoadedProfile
from archstudio.intuition.questions.record import Question
from archstudio.intuition.truth.sets import Candidate
from archstudio.intuition.truth.summary import Curves, SeedEnd, summarise

Trace = Callable[..., Traced]
SAMPLES = (10, 100, 1000)


def spec_of(dataset_id: str, *, width: int, depth: int, rate: float, optimizer: str) -> CandidateSpec:
    extras: dict[str, dict[str, Any]] = {"SGD": {"momentum": 0.9}, "Adam": {"betas": [0.9, 0.999]}}
    return identified(
        {
            "dataset_id": dataset_id,
            "family": "univariate_regression",
            "budget": {"training_steps": 100, "batch_size": 10, "total_samples_seen": 1000},
            "model": {
                "type": "mlp", "depth": depth, "width": width, "residual": False, "layer_norm": [False] * depth,
                "activations": ["relu"] * depth, "input_dim": 1, "output_dim": 1,
            },
            "optimizer": {"type": optimizer, "lr": rate, "weight_decay": 0, **extras.get(optimizer, {})},
            "loss": {"loss_id": "mse"},
        },
        16,
    )  # fmt: skip


@pytest.fixture
def trace() -> Trace:
    """Makes a candidate of two seeds whose mean curve is given; its final is the curve's end."""

    def make(
        curve: Sequence[float] = (1.0, 0.5, 0.2),
        *,
        dataset_id: str = "sym_0123456789abcdef",
        width: int = 16,
        depth: int = 1,
        rate: float = 0.001,
        optimizer: str = "Adam",
        spread: float = 0.0,
        samples: Sequence[int] = SAMPLES,
    ) -> Traced:
        spec = spec_of(dataset_id, width=width, depth=depth, rate=rate, optimizer=optimizer)
        ends = [
            SeedEnd(seed=seed, failed=False, final_test_mse=curve[-1] + sign * spread)
            for seed, sign in enumerate((-1, 1))
        ]
        summary = summarise(spec.candidate_id, "test_mse", ends, 1, {})
        values = np.array([np.array(curve) - spread, np.array(curve) + spread])
        curves = Curves(values, np.array(samples, np.int64), 10)
        return Traced(Candidate(Path("nowhere"), spec, summary), curves)

    return make


def question_of(name: str, traced: Sequence[Traced], correct: str, kind: str = "mixed") -> Question:
    letters = [SimpleNamespace(letter=chr(ord("A") + place)) for place in range(len(traced))]
    record = SimpleNamespace(
        question_id=name,
        family="univariate_regression",
        type=kind,
        num_choices=len(traced),
        choices=letters,
        correct_letter=correct,
    )
    return Question(Path("nowhere"), cast(Any, record), tuple(each.candidate for each in traced))


def set_of(traced: Sequence[Traced]) -> SetMaterial:
    record = SimpleNamespace(
        set_id="set_0", dataset_id=traced[0].candidate.spec.dataset_id, budget=SimpleNamespace(total_samples_seen=1000)
    )
    candidates = tuple(each.candidate for each in traced)
    return SetMaterial(cast(Any, SimpleNamespace(record=record, id="set_0", candidates=candidates)), tuple(traced))


@pytest.fixture
def two_data_sets(trace: Trace, studio: LoadedProfile) -> Material:
    """Sixteen candidates on two data sets and four questions; the higher rate always ends lower."""
    sets, questions, specs = [], [], {}
    for number in (3, 4):
        dataset = draw_spec(studio.content, "univariate_regression", number)
        specs[dataset.dataset_id] = dataset
        rates = [0.0001 * 2**place for place in range(8)]
        mine = [trace((1.0, 0.9, 0.001 / rate), dataset_id=dataset.dataset_id, rate=rate) for rate in rates]
        sets.append(set_of(mine))
        questions += [question_of(f"q_{number}_{k}", [mine[k], mine[7 - k]], "B") for k in (0, 1)]
    return Material(tuple(sets), tuple(questions), specs)
