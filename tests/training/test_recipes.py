"""Recipes: schedules end where they say, rare classes count more, half precision trains, the best weights are kept."""

import numpy as np
import pytest
from pydantic import ValidationError

from archstudio.training.checkpoint import load_model
from archstudio.training.description import EarlyStop, Evaluation, Loss, Schedule
from archstudio.training.identity import spec_sha256
from archstudio.training.losses import class_weights
from archstudio.training.trainer import build_model, lr_at

PATIENCE = 60.0


@pytest.mark.parametrize("kind", ["cosine", "linear", "exponential"])
def test_a_schedule_falls_from_the_rate_to_its_final_fraction(describe, kind) -> None:
    run = describe(schedule=Schedule(kind=kind, warmup_samples=320, final_fraction=0.1), lr=1.0)
    rates = [lr_at(run, samples) for samples in range(320, 1281, 32)]
    assert rates[0] == 1.0
    assert rates[-1] == pytest.approx(0.1)
    assert (np.diff(rates) < 0).all()


def test_an_exponential_that_should_reach_zero_is_refused() -> None:
    with pytest.raises(ValidationError, match="final fraction above 0"):
        Schedule(kind="exponential")


def test_balanced_weights_let_every_class_count_alike() -> None:
    import torch

    target = torch.tensor([0] * 6 + [1] * 2 + [3])
    weights = class_weights(Loss(kind="cross_entropy", class_weights="balanced"), 5, target)
    assert weights.tolist() == pytest.approx([9 / 18, 9 / 6, 1, 9 / 3, 1])
    assert class_weights(Loss(kind="cross_entropy"), 5, target) is None
    given = Loss(kind="cross_entropy", class_weights=(1.0, 2.0, 1.0, 1.0))
    assert class_weights(given, 4, target).tolist() == [1, 2, 1, 1]


def test_weights_that_do_not_fit_the_classes_are_refused(describe) -> None:
    with pytest.raises(ValidationError, match="2 class weights are given for 4 classes"):
        describe(losses=(Loss(kind="cross_entropy", class_weights=(1.0, 2.0)),))
    with pytest.raises(ValidationError, match="no meaning"):
        describe(losses=(Loss(kind="mse", class_weights="balanced"),))


def test_weighted_classes_and_half_precision_train(engine, describe) -> None:
    plain = engine.submit(describe())
    weighted = engine.submit(describe(losses=(Loss(kind="cross_entropy", class_weights=(1.0, 5.0, 1.0, 1.0)),)))
    half = engine.submit(describe(precision="bfloat16"))
    finals = []
    for run in (plain, weighted, half):
        assert run.wait(PATIENCE).state == "finished"
        finals.append(run.stored.seed(0).result().metrics["val_loss"])
        assert run.stored.seed(0).result().metrics["val_accuracy"] > 0.8
    assert len(set(finals)) == 3


def test_the_best_weights_are_those_of_the_lowest_validation_loss(engine, describe) -> None:
    run = describe(keep_best=True, lr=0.3, budget_samples=3200, evaluation=Evaluation(every_samples=64))
    handle = engine.submit(run)
    handle.wait(PATIENCE)
    files = handle.stored.seed(0)
    losses = files.series("val_loss")
    facts = load_model(files.best_model, build_model(handle.stored.folder, run.model.source))
    assert int(facts["step"]) == losses["step"][np.argmin(losses["value"])]
    assert files.best_model.read_bytes() != files.model.read_bytes()


def test_patience_counts_evaluations(engine, describe) -> None:
    run = describe(lr=1e-9, budget_samples=64_000, early_stop=EarlyStop(patience=3, min_delta=0.01))
    result_of = engine.submit(run)
    result_of.wait(PATIENCE)
    result = result_of.stored.seed(0).result()
    assert result.early_stopped
    assert result.samples == 3 * 320


def test_runs_described_before_there_were_more_choices_keep_their_key(describe) -> None:
    run = describe()
    usual = spec_sha256(run, "data")
    assert spec_sha256(describe(precision="float32", keep_best=False), "data") == usual
    assert spec_sha256(describe(precision="bfloat16"), "data") != usual
    assert spec_sha256(describe(losses=(Loss(kind="cross_entropy", class_weights="balanced"),)), "data") != usual
