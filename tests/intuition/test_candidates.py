"""Candidates: recorded ids regenerate, the files define what the spec says, and a bad spec is told with its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from archstudio.files.unusable import UnusableFile
from archstudio.intuition.candidates.sampling import CannotSample, SetRequest, compatible_models, sample_set
from archstudio.intuition.candidates.sizes import parameter_count
from archstudio.intuition.candidates.source import candidate_sources, model_source
from archstudio.intuition.candidates.spec import (
    CandidateSpec,
    LossSpec,
    MlpModel,
    candidate_id,
    identified,
    read_candidate_spec,
)
from archstudio.intuition.datasets.drawing import Pins, draw_spec
from archstudio.intuition.ids import short_hash
from archstudio.intuition.profile import FAMILIES, Family, LoadedProfile
from archstudio.intuition.truth.program import imported, joined, parted

ALL = frozenset({"model", "optimizer", "loss"})


def _built(source: str) -> torch.nn.Module:
    space: dict[str, Any] = {}
    exec(source, space)
    made: torch.nn.Module = space["Model"]()
    return made


def test_the_candidates_of_a_recorded_set_regenerate_from_its_seed(v1: LoadedProfile) -> None:
    dataset = draw_spec(v1.content, "bigram_lm", 1410009409)
    request = SetRequest(
        budget=5120, count=64, vary=frozenset({"model", "optimizer"}), seed=1654615998,
        batch_size=64, pinned={"loss": LossSpec(loss_id="cross_entropy")},
    )  # fmt: skip
    later = {"profile", "profile_hash", "execution", "trainable_parameter_count", "candidate_id"}
    made = sample_set(v1, dataset, request)
    old = {"c_" + short_hash({k: v for k, v in spec.as_json().items() if k not in later}) for spec in made.candidates}
    assert {"c_ca03bf", "c_ab85ec", "c_a47b05", "c_db6901", "c_efd6a1", "c_bbc43e", "c_541556", "c_7f74eb"} <= old


def test_a_recorded_spec_keeps_its_id_and_its_layout(tmp_path: Path) -> None:
    recorded = {
        "schema_version": "1.0", "dataset_id": "bg_0021c1", "family": "bigram_lm",
        "budget": {"training_steps": 80, "batch_size": 64, "total_samples_seen": 5120},
        "model": {"type": "transformer_lm", "vocab_size": 32, "context_length": 16, "d_model": 32,
                  "num_layers": 1, "num_heads": 2, "d_ff": 256},
        "optimizer": {"type": "Adagrad", "lr": 0.003, "weight_decay": 0.001},
        "loss": {"loss_id": "cross_entropy"},
        "files": {"model": "model.py", "train": "train.py", "loss": "loss.py", "optimizer": "optimizer.py"},
        "candidate_id": "c_541556",
    }  # fmt: skip
    (tmp_path / "candidate_spec.json").write_text(json.dumps(recorded))
    spec = read_candidate_spec(tmp_path)
    assert json.dumps(spec.as_json()) == json.dumps(recorded)


@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6))
def test_the_files_define_the_model_the_spec_counts(studio: LoadedProfile, family: Family, seed: int) -> None:
    dataset = draw_spec(studio.content, family, seed % 7)
    (spec,) = sample_set(studio, dataset, SetRequest(2048, 1, ALL, seed=seed)).candidates
    model = _built(model_source(spec.model))
    counted = sum(weight.numel() for weight in model.parameters() if weight.requires_grad)
    assert counted == spec.trainable_parameter_count == parameter_count(spec.model)
    assert spec.candidate_id == candidate_id(spec, 16)


@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6))
def test_every_drawn_program_runs_and_its_loss_has_a_gradient(
    studio: LoadedProfile, tmp_path_factory: pytest.TempPathFactory, family: Family, seed: int
) -> None:
    """Also penalised cross-entropy, for which the reference writes a program that cannot run."""
    dataset = draw_spec(studio.content, family, 0)
    (spec,) = sample_set(studio, dataset, SetRequest(2048, 1, ALL, seed=seed)).candidates
    folder = tmp_path_factory.mktemp("program")
    for name, text in candidate_sources(spec).items():
        (folder / name).write_text(text)
    x, y = _few(family, dataset.params)
    with imported(folder) as train_and_eval:
        made = train_and_eval(x, y, x, y, x, y, steps=3, batch_size=4)
    assert len(made["step_metrics"]) == 3
    assert made[f"final_{spec.metric}"] == made["step_metrics"][-1]


def _few(family: Family, params: Any) -> tuple[torch.Tensor, torch.Tensor]:
    if family == "bigram_lm":
        tokens = torch.arange(8 * 16).reshape(8, 16) % 32
        return tokens, tokens
    x = torch.linspace(-1, 1, 8 * (params.input_dim or 1)).reshape(8, -1)
    return x, (torch.arange(8) % 2 if family == "synthetic_tabular_classification" else x[:, :1] ** 2)


def test_penalties_are_means_over_parameter_tensors() -> None:
    model = torch.nn.Linear(2, 1)
    torch.nn.init.constant_(model.weight, 3.0)
    torch.nn.init.constant_(model.bias, -1.0)
    zero = torch.zeros(4, 1)
    for loss_id, expected in (("mse_l1", 0.5 * (3 + 1) / 2), ("mse_l2", 0.5 * (9 + 1) / 2)):
        space: dict[str, Any] = {}
        exec(candidate_sources(_mlp_spec(loss={"loss_id": loss_id, "lambda": 0.5}))["loss.py"], space)
        assert space["loss_fn"](model, zero, zero).item() == pytest.approx(expected)


def test_a_spline_layer_sums_to_one_inside_its_grid_and_is_silent_outside(studio: LoadedProfile) -> None:
    model = {"type": "kan", "variant": "efficient_spline_v1", "input_dim": 1, "output_dim": 1, "depth": 1, "width": 4,
             "grid_size": 5, "spline_order": 3, "grid_range": [-1.0, 1.0], "base_activation": "silu"}  # fmt: skip
    first = _built(model_source(_mlp_spec(model=model).model)).get_submodule("layers.0")
    inside = first.splines(torch.linspace(-1, 0.999, 50)[:, None])  # type: ignore[operator]
    assert inside.shape == (50, 1, 8)
    torch.testing.assert_close(inside.sum(-1), torch.ones(50, 1))
    assert first.splines(torch.tensor([[9.0], [-9.0]])).abs().max() == 0  # type: ignore[operator]


def _mlp_spec(**parts: Any) -> CandidateSpec:
    content: dict[str, Any] = {
        "dataset_id": "sym_000000",
        "family": "univariate_regression",
        "budget": {"training_steps": 4, "batch_size": 8, "total_samples_seen": 32},
        "model": {"type": "mlp", "depth": 1, "width": 16, "residual": True, "layer_norm": [True],
                  "activations": ["leaky_relu"], "input_dim": 1, "output_dim": 1},
        "optimizer": {"type": "SGD", "lr": 0.01, "weight_decay": 0, "momentum": 0.9},
        "loss": {"loss_id": "mse"},
    }  # fmt: skip
    return identified({**content, **parts}, 6)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda c: c["budget"].update(training_steps=5), "$.budget"),
        (lambda c: c["optimizer"].update(momentum=None), "$.optimizer"),
        (lambda c: c["optimizer"].update(lr=-1), "$.optimizer.lr"),
        (lambda c: c["optimizer"].update(lr="0.1); import os; os.system('x'"), "$.optimizer.lr"),
        (lambda c: c["loss"].update(loss_id="mse_l1"), "$.loss"),
        (lambda c: c["loss"].update(loss_id="cross_entropy"), "$"),
        (lambda c: c["model"].update(depth=2), "$.model.mlp"),
        (lambda c: c["model"].update(type="gru"), "$.model"),
        (lambda c: c["model"]["activations"].__setitem__(0, "exec"), "$.model.mlp.activations[0]"),
        (lambda c: c["files"].update(model="/etc/passwd"), "$.files.model"),
        (lambda c: c["model"].update(width=17), "$.candidate_id"),
    ],
)
def test_a_spec_changed_by_hand_is_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], place: str
) -> None:
    content = _mlp_spec().as_json()
    change(content)
    (tmp_path / "candidate_spec.json").write_text(json.dumps(content))
    with pytest.raises(UnusableFile) as told:
        read_candidate_spec(tmp_path)
    assert told.value.place.startswith(place)


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        (SetRequest(1000, 2, ALL), r"No batch size of the profile \(16, 32, 64\) divides the budget 1000"),
        (SetRequest(0, 2, ALL), "divides the budget 0"),
        (SetRequest(1024, 2, frozenset()), "Nothing varies"),
        (SetRequest(1024, 0, ALL), "at least one candidate"),
        (SetRequest(1024, 8, frozenset({"loss"})), "Only 7 different candidates"),
        (SetRequest(1024, 2, ALL, pinned={"loss": LossSpec(loss_id="mse")}), "vary and be pinned"),
        (SetRequest(1024, 2, ALL, batch_size=10), "does not divide"),
    ],
)
def test_a_set_that_cannot_be_drawn_says_why(v1: LoadedProfile, request_: SetRequest, told: str) -> None:
    dataset = draw_spec(v1.content, "univariate_regression", 0)
    with pytest.raises(CannotSample, match=told):
        sample_set(v1, dataset, request_)


def test_studio_needs_data_with_a_validation_split(v1: LoadedProfile, studio: LoadedProfile) -> None:
    dataset = draw_spec(v1.content, "univariate_regression", 0)
    with pytest.raises(CannotSample, match="validation split"):
        sample_set(studio, dataset, SetRequest(2048, 2, ALL))


def test_the_same_request_gives_the_same_set_and_another_seed_another(studio: LoadedProfile) -> None:
    dataset = draw_spec(studio.content, "multivariate_regression", 0, Pins(input_dim=8))
    first, again = (sample_set(studio, dataset, SetRequest(4096, 6, ALL, seed=2)) for _ in range(2))
    assert first == again
    assert len({spec.candidate_id for spec in first.candidates}) == 6
    assert sample_set(studio, dataset, SetRequest(4096, 6, ALL, seed=3)).set_id != first.set_id
    assert len({spec.budget.batch_size for spec in first.candidates}) == 1


def test_models_are_those_of_family_and_profile(v1: LoadedProfile, studio: LoadedProfile) -> None:
    assert compatible_models(v1.content, "univariate_regression") == ["mlp"]
    assert compatible_models(studio.content, "univariate_regression") == ["mlp", "kan"]
    assert compatible_models(studio.content, "bigram_lm") == ["transformer_lm"]


def test_a_pinned_part_is_shared_and_not_drawn(v1: LoadedProfile) -> None:
    model = MlpModel(
        depth=1, width=8, residual=False, layer_norm=[False], activations=["relu"], input_dim=1, output_dim=1
    )
    request = SetRequest(1024, 5, frozenset({"optimizer"}), pinned={"model": model})
    made = sample_set(v1, draw_spec(v1.content, "univariate_regression", 0), request)
    assert all(spec.model == model for spec in made.candidates)


def test_files_joined_to_one_text_come_apart_as_they_were() -> None:
    sources = candidate_sources(_mlp_spec())
    assert parted(joined(sources)) == sources
