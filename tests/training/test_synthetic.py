"""The built-in data: deterministic, of the right form, and really learnable up to the ceiling they state."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archstudio.training.description import (
    InputSpec,
    Loss,
    ModelSource,
    OutputSpec,
    RunDescription,
    SyntheticData,
    target_shape,
)
from archstudio.training.fitting import NothingFits
from archstudio.training.recommend import recommend
from archstudio.training.synthetic import generate

MODEL = ModelSource(digest="", source="")
X = InputSpec("x", (1, 16), "float32")
IDS = InputSpec("ids", (1, 12), "int64", max_index=49)


def described(inputs, output, **data) -> RunDescription:
    inputs = tuple(inputs)
    whole = recommend(inputs, (output,)).describe(MODEL, inputs, (output,))
    settings = {"train_size": 512, "validation_size": 256} | data
    return whole.model_copy(update={"data": whole.data.model_copy(update=settings)})


def arrays(dataset):
    return [array for split in (dataset.train, dataset.validation) for array in (*split.inputs, *split.targets)]


INPUTS = st.one_of(
    st.builds(
        lambda shape: InputSpec("x", (1, *shape), "float32"),
        st.lists(st.integers(1, 9), max_size=4).map(tuple),
    ),
    st.builds(
        lambda shape, top: InputSpec("ids", (1, *shape), "int64", max_index=top),
        st.lists(st.integers(1, 9), max_size=2).map(tuple),
        st.integers(0, 200),
    ),
    st.builds(lambda size: InputSpec("flags", (1, size), "bool"), st.integers(1, 9)),
)
OUTPUTS = st.lists(st.integers(1, 9), max_size=3).map(lambda shape: OutputSpec((1, *shape), "float32"))


@settings(deadline=None, max_examples=60)
@given(st.lists(INPUTS, min_size=1, max_size=3), OUTPUTS)
def test_whatever_can_be_trained_gets_data_of_its_form(inputs, output) -> None:
    description = described(inputs, output, train_size=40, validation_size=24)
    dataset = generate(description)
    for split, size in ((dataset.train, 40), (dataset.validation, 24)):
        for array, spec in zip(split.inputs, inputs, strict=True):
            assert array.shape == (size, *spec.sample_shape)
            assert np.isfinite(array).all()
            if spec.max_index is not None:
                assert array.min() >= 0
                assert array.max() <= spec.max_index
        (loss,), (target,) = description.losses, split.targets
        assert target.shape == (size, *target_shape(loss, output))
        if loss.counts_classes:
            assert target.min() >= 0
            assert target.max() < output.shape[-1]


def test_the_same_description_gives_the_same_arrays_and_another_seed_others() -> None:
    first, again, other = (arrays(generate(described([X], OutputSpec((1, 4), "float32"), seed=s))) for s in (1, 1, 2))
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert not np.array_equal(first[0], other[0])


def test_the_validation_split_does_not_depend_on_how_much_is_trained_on() -> None:
    output = OutputSpec((1, 4), "float32")
    few, many = (generate(described([X], output, train_size=n)).validation for n in (64, 512))
    assert np.array_equal(few.inputs[0], many.inputs[0])


def nearest_mean_accuracy(dataset) -> float:
    flat = [split.inputs[0].reshape(len(split), -1) for split in (dataset.train, dataset.validation)]
    labels = [split.targets[0].reshape(len(split)).astype(int) for split in (dataset.train, dataset.validation)]
    means = np.stack([flat[0][labels[0] == label].mean(axis=0) for label in range(labels[0].max() + 1)])
    distance = ((flat[1][:, None] - means[None]) ** 2).sum(axis=-1)
    return float(np.mean(distance.argmin(axis=1) == labels[1]))


@pytest.mark.parametrize("shape", [(16,), (3, 12, 12), (10, 6)])
@pytest.mark.parametrize("difficulty", [0.0, 0.5, 1.0])
def test_a_simple_rule_comes_close_to_the_ceiling_and_never_far_above(shape, difficulty) -> None:
    description = described([InputSpec("x", (1, *shape), "float32")], OutputSpec((1, 5), "float32"))
    data = SyntheticData(task="classes", difficulty=difficulty, train_size=4096, validation_size=1024)
    dataset = generate(description.model_copy(update={"data": data}))
    reached = nearest_mean_accuracy(dataset)
    assert dataset.ceiling.metric == "val_accuracy"
    assert dataset.ceiling.value - 0.06 < reached <= dataset.ceiling.value + 0.03


def test_difficulty_lowers_the_ceiling_from_near_one_to_near_chance() -> None:
    output = OutputSpec((1, 5), "float32")
    ceilings = [generate(described([X], output, difficulty=d)).ceiling.value for d in (0.0, 0.5, 0.8, 1.0)]
    assert ceilings == sorted(ceilings, reverse=True)
    assert ceilings[0] > 0.99
    assert 0.2 < ceilings[-1] < 0.45


def test_next_tokens_are_the_input_moved_by_one() -> None:
    split = generate(described([IDS], OutputSpec((1, 12, 50), "float32"))).train
    assert np.array_equal(split.inputs[0][:, 1:], split.targets[0][:, :-1])


def test_the_last_token_tells_the_next_as_well_as_the_ceiling_says() -> None:
    dataset = generate(described([IDS], OutputSpec((1, 12, 50), "float32"), train_size=4096))
    counts = np.zeros((50, 50))
    np.add.at(counts, (dataset.train.inputs[0], dataset.train.targets[0]), 1)
    guess = counts.argmax(axis=1)[dataset.validation.inputs[0]]
    assert abs(np.mean(guess == dataset.validation.targets[0]) - dataset.ceiling.value) < 0.02


def test_pairs_are_half_matches() -> None:
    other = InputSpec("y", (1, 8), "int64", max_index=30)
    dataset = generate(described([X, other], OutputSpec((1, 1), "float32")))
    assert dataset.train.targets[0].mean() == 0.5
    assert dataset.ceiling.value > 0.9


def test_an_autoencoder_gets_its_input_back() -> None:
    split = generate(described([X], OutputSpec((1, 16), "float32"))).train
    assert split.targets[0] is split.inputs[0]
    assert 0.8 < split.inputs[0].std() < 1.2


def test_regression_targets_have_the_stated_noise() -> None:
    output = OutputSpec((1, 2, 3), "float32")
    loss = {"losses": (Loss(kind="mse"),)}
    description = described([X], output, difficulty=0.8, task="regression", train_size=4096).model_copy(update=loss)
    dataset = generate(description)
    assert abs(np.var(dataset.train.targets[0]) - (1 + 0.4**2)) < 0.05
    assert dataset.ceiling.value == pytest.approx(0.4**2)


def test_positions_count_up_and_masks_mask_nothing() -> None:
    inputs = [IDS, InputSpec("position", (1, 12), "int64", max_index=20), InputSpec("pad_mask", (1, 12), "bool")]
    split = generate(described(inputs, OutputSpec((1, 3), "float32"))).train
    assert (split.inputs[1] == np.arange(12)).all()
    assert not split.inputs[2].any()


@pytest.mark.parametrize(
    ("task", "words"),
    [
        ("pairs", "two inputs"),
        ("next_token", "per position"),
        ("tagging", "per position"),
        ("regression", "needs classes"),
        ("reconstruction", "no float input"),
    ],
)
def test_a_task_that_does_not_fit_says_why(task, words) -> None:
    with pytest.raises(NothingFits, match=words):
        generate(described([X], OutputSpec((1, 4), "float32"), task=task))


def test_too_much_data_is_refused_before_it_is_made() -> None:
    with pytest.raises(NothingFits, match="bytes"):
        generate(described([X], OutputSpec((1, 4), "float32"), train_size=10**9))
