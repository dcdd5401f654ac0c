"""The run description: what it refuses, how it is kept, and when two of them are the same run."""

import pytest
from pydantic import ValidationError

from archstudio.files.unusable import UnusableFile
from archstudio.training.description import (
    EarlyStop,
    Evaluation,
    InputSpec,
    Loss,
    OutputSpec,
    RmsProp,
    Sgd,
    parse_description,
    read_description,
    target_shape,
    write_run_folder,
)
from archstudio.training.identity import NumericEnvironment, data_sha256, numeric_environment, run_key, spec_sha256


def test_a_description_survives_its_file(describe, tmp_path) -> None:
    described = describe(optimiser=RmsProp(momentum=0.5), early_stop=EarlyStop(), seeds=(3, 1))
    write_run_folder(tmp_path, described)
    assert read_description(tmp_path) == described
    assert (tmp_path / "model.py").read_text() == described.model.source


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"batch_size": 0}, "greater than or equal to 1"),
        ({"lr": float("nan")}, "finite"),
        ({"lr": "0.1"}, "valid number"),
        ({"seeds": (1, 1)}, "listed twice"),
        ({"budget_samples": 8}, "below one batch"),
        ({"losses": (Loss(kind="mse", output=1),)}, "the model has 1"),
        ({"losses": (Loss(kind="cross_entropy_per_position"),)}, "positions"),
        ({"losses": (Loss(kind="mse", label_smoothing=0.1),)}, "no meaning"),
        ({"outputs": (OutputSpec((1, 4), "int64"),)}, "no gradient"),
        ({"early_stop": EarlyStop(), "evaluation": Evaluation()}, "early stopping needs"),
        ({"nonsense": 1}, "Extra inputs"),
    ],
)
def test_what_cannot_be_trained_is_refused_in_words(describe, parts, words) -> None:
    with pytest.raises(ValidationError, match=words):
        describe(**parts)


def test_nesterov_without_momentum_is_refused() -> None:
    with pytest.raises(ValidationError, match="Nesterov"):
        Sgd(nesterov=True)


def test_a_batch_axis_must_exist() -> None:
    with pytest.raises(ValidationError, match="batch axis 2"):
        InputSpec("x", (1, 3), "float32", batch_axis=2)
    assert InputSpec("x", (5, 1, 3), "float32", batch_axis=1).sample_shape == (5, 3)


def test_a_broken_file_names_field_and_value(describe) -> None:
    text = describe().model_dump_json().replace('"lr":0.01', '"lr":-1')
    with pytest.raises(UnusableFile, match=r"\$\.lr.*greater than 0.*-1"):
        parse_description(text.encode())
    with pytest.raises(UnusableFile, match="twice"):
        parse_description(b'{"lr": 1, "lr": 2}')


def test_class_targets_drop_the_class_axis() -> None:
    output = OutputSpec((1, 7, 5), "float32")
    assert target_shape(Loss(kind="cross_entropy_per_position"), output) == (7,)
    assert target_shape(Loss(kind="mse"), output) == (7, 5)


def test_title_and_seeds_do_not_make_another_run_but_everything_else_does(describe) -> None:
    def key(**parts: object) -> str:
        described = describe(**parts)
        return spec_sha256(described, data_sha256(described))

    assert key(title="a", seeds=(1,)) == key(title="b", seeds=(2,))
    others = [key(lr=0.02), key(batch_size=16), key(optimiser=Sgd()), key(fail_threshold=1.0), key(budget_samples=2560)]
    assert len({key(), *others}) == 6


def test_the_key_depends_on_data_and_numeric_environment(describe) -> None:
    here = numeric_environment()
    elsewhere = NumericEnvironment(here.torch, here.numpy, here.threads + 1, here.cpu)
    described = describe()
    keys = {
        run_key(described, "d" * 64, here),
        run_key(described, "e" * 64, here),
        run_key(described, "d" * 64, elsewhere),
    }
    assert len(keys) == 3
    assert numeric_environment() == here
