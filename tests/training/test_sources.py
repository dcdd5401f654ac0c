"""Data files: what is written is read again, and what does not fit is refused with tensor, value and remedy."""

import numpy as np
import pytest

from archstudio.files.unusable import UnusableFile
from archstudio.training.description import TensorData
from archstudio.training.sources import Split, load_dataset, save_dataset


def split(samples: int = 8, width: int = 12, top: int = 3, dtype: type = np.float32) -> Split:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((samples, width)).astype(dtype)
    return Split((x,), (rng.integers(0, top + 1, samples),))


def stored(folder, describe, train: Split, validation: Split):
    digest = save_dataset(folder / "data.safetensors", train, validation)
    return describe(data=TensorData(sha256=digest))


def test_a_data_file_comes_back_as_it_was(describe, tmp_path) -> None:
    train, validation = split(16), split(8)
    dataset = load_dataset(stored(tmp_path, describe, train, validation), tmp_path)
    assert np.array_equal(dataset.train.inputs[0], train.inputs[0])
    assert np.array_equal(dataset.validation.targets[0], validation.targets[0])
    assert dataset.ceiling is None


def test_a_changed_or_missing_file_is_refused(describe, tmp_path) -> None:
    description = stored(tmp_path, describe, split(), split())
    save_dataset(tmp_path / "data.safetensors", split(9), split())
    with pytest.raises(UnusableFile, match="changed since"):
        load_dataset(description, tmp_path)
    (tmp_path / "data.safetensors").unlink()
    with pytest.raises(UnusableFile, match="missing"):
        load_dataset(description, tmp_path)


@pytest.mark.parametrize(
    ("train", "words"),
    [
        (split(width=11), r"train.inputs.0.*\(8, 11\)"),
        (Split(split().inputs, split(7).targets), r"train.targets.0.*\(7,\)"),
        (Split(split().inputs, (np.full(8, 4),)), r"train.targets.0.*from 0 to 3.*4 to 4"),
        (Split(split().inputs, (np.full(8, 0.5),)), "whole numbers"),
        (Split((np.full((8, 12), np.nan, np.float32),), split().targets), "NaN"),
        (Split(split().inputs, ()), "train.targets.0"),
    ],
)
def test_tensors_that_do_not_fit_are_named(describe, tmp_path, train, words) -> None:
    with pytest.raises(UnusableFile, match=words):
        load_dataset(stored(tmp_path, describe, train, split()), tmp_path)


def test_a_file_that_holds_no_tensors_is_refused(describe, tmp_path) -> None:
    from archstudio.training.identity import file_sha256

    path = tmp_path / "data.safetensors"
    path.write_bytes(b"not tensors at all")
    with pytest.raises(UnusableFile, match="no tensor file"):
        load_dataset(describe(data=TensorData(sha256=file_sha256(path))), tmp_path)
