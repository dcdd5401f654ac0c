"""The settings proposed for a model: loss, target and data follow from its shapes, and are said in words."""

import pytest

from archstudio.training.description import InputSpec, ModelSource, OutputSpec
from archstudio.training.fitting import NothingFits
from archstudio.training.recommend import fitting_losses, recommend

X = InputSpec("x", (1, 16), "float32")
IMAGE = InputSpec("image", (1, 3, 8, 8), "float32")
IDS = InputSpec("ids", (1, 12), "int64", max_index=99)


def out(*shape: int, dtype: str = "float32") -> OutputSpec:
    return OutputSpec(shape, dtype)


@pytest.mark.parametrize(
    ("inputs", "output", "loss", "task"),
    [
        ((X,), out(1, 10), "cross_entropy", "classes"),
        ((IMAGE,), out(1, 10), "cross_entropy", "classes"),
        ((X,), out(1, 1), "bce_logits", "classes"),
        ((X,), out(1), "bce_logits", "classes"),
        ((X, X), out(1, 1), "bce_logits", "pairs"),
        ((IDS,), out(1, 12, 100), "cross_entropy_per_position", "next_token"),
        ((IDS,), out(1, 12, 7), "cross_entropy_per_position", "tagging"),
        ((IMAGE,), out(1, 4, 9), "cross_entropy_per_position", "classes"),
        ((IMAGE,), out(1, 3, 8, 8), "mse", "reconstruction"),
        ((X,), out(1, 16), "mse", "reconstruction"),
        ((IMAGE,), out(1, 1, 4, 4), "mse", "regression"),
    ],
)
def test_loss_and_data_follow_from_the_shapes(inputs, output, loss, task) -> None:
    chosen = recommend(inputs, (output,))
    assert [part.kind for part in chosen.losses] == [loss]
    assert chosen.data.task == task
    assert fitting_losses(inputs, output)[0] == loss


def test_the_choice_is_said_in_words() -> None:
    reasons = recommend((IDS,), (out(1, 12, 100),)).reasons
    assert reasons[0] == (
        "The output 1×12×100 is taken as raw scores for 100 classes at each position: cross-entropy per position, "
        "classes on the last axis, one class a position."
    )
    assert "next token" in reasons[1]


def test_positions_and_masks_are_no_second_tower() -> None:
    positions = InputSpec("position_ids", (1, 12), "int64", max_index=511)
    mask = InputSpec("attention_mask", (1, 12), "bool")
    assert recommend((IDS, positions, mask), (out(1, 1),)).data.task == "classes"


def test_every_output_that_can_learn_gets_a_loss() -> None:
    chosen = recommend((X,), (out(1, 5), out(1, 4, dtype="int64"), out(1, 1)))
    assert [(loss.output, loss.kind) for loss in chosen.losses] == [(0, "cross_entropy"), (2, "bce_logits")]
    assert "No loss is set on output 2." in chosen.reasons


def test_a_batch_written_into_the_shape_is_kept() -> None:
    chosen = recommend((InputSpec("x", (24, 16), "float32"),), (out(24, 3),))
    assert chosen.batch_size == 24
    assert chosen.data.train_size % 24 == chosen.data.validation_size % 24 == 0


def test_large_samples_make_small_data_sets() -> None:
    photo = InputSpec("photo", (1, 3, 512, 512), "float32")
    assert recommend((photo,), (out(1, 10),)).data.train_size < 100
    with pytest.raises(NothingFits, match="exceed"):
        recommend((InputSpec("scan", (1, 8192, 8192), "float32"),), (out(1, 10),))


@pytest.mark.parametrize(
    ("inputs", "outputs", "words"),
    [
        ((), (out(1, 2),), "it has no input"),
        ((InputSpec("n", (1, 3), "int64"),), (out(1, 2),), "input 'n'.*how large"),
        ((X,), (out(1, 2, dtype="int64"),), "no gradient flows"),
        ((X, InputSpec("v", (16,), "float32", batch_axis=None)), (out(1, 2),), "input 'v'.*no batch axis"),
        ((InputSpec("mask", (1, 3), "bool"),), (out(1, 2),), "only positions and masks"),
    ],
)
def test_where_nothing_fits_the_part_and_the_reason_are_named(inputs, outputs, words) -> None:
    with pytest.raises(NothingFits, match=words):
        recommend(inputs, outputs)


def test_a_recommendation_becomes_a_description() -> None:
    model = ModelSource(digest="d", source="...")
    described = recommend((X,), (out(1, 10),)).describe(model, (X,), (out(1, 10),), seeds=(1, 2), title="t")
    assert described.seeds == (1, 2)
    assert described.steps == 1024
