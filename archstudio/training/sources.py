"""Gives a run its arrays: built-in synthetic data or a tensor file, split into training and validation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from archstudio.files.unusable import UnusableFile
from archstudio.training.description import TENSORS_FILE, RunDescription, SyntheticData, target_shape
from archstudio.training.identity import file_sha256

Array = NDArray[Any]


@dataclass(frozen=True)
class Split:
    """Inputs in the model's order and targets in the order of the losses; every array has the samples first."""

    inputs: tuple[Array, ...]
    targets: tuple[Array, ...]

    def __len__(self) -> int:
        return len(self.inputs[0])


@dataclass(frozen=True)
class Ceiling:
    """The best that any model can reach on the validation split: a metric's name, its value, and a sentence."""

    metric: str
    value: float
    words: str


@dataclass(frozen=True)
class Dataset:
    """A training and a validation split, the ceiling where theory knows it, and a test split if one was set apart."""

    train: Split
    validation: Split
    ceiling: Ceiling | None = None
    test: Split | None = None


def load_dataset(description: RunDescription, folder: Path) -> Dataset:
    """Return the data a run asks for.

    Raises `NothingFits` for synthetic data that do not fit, `UnusableFile` for a tensor file that is missing, was
    changed, or has not the keys, shapes or types described.
    """
    if isinstance(description.data, SyntheticData):
        from archstudio.training.synthetic import generate

        return generate(description)
    return _from_tensors(description, folder / TENSORS_FILE, description.data.sha256)


def tensor_names(part: str, inputs: int, targets: int) -> list[str]:
    """Return the keys of one split ("train", "validation" or "test") in a tensor file."""
    return [f"{part}.inputs.{i}" for i in range(inputs)] + [f"{part}.targets.{i}" for i in range(targets)]


def save_dataset(
    path: Path, train: Split, validation: Split, test: Split | None = None, *, notes: Mapping[str, str] | None = None
) -> str:
    """Write the splits as a tensor file, with notes, and return its sha256, which `TensorData` wants."""
    from safetensors.numpy import save_file

    tensors: dict[str, Array] = {}
    splits = [("train", train), ("validation", validation), *([("test", test)] if test else [])]
    for part, split in splits:
        arrays = (*split.inputs, *split.targets)
        names = tensor_names(part, len(split.inputs), len(split.targets))
        tensors.update({name: np.ascontiguousarray(array) for name, array in zip(names, arrays, strict=True)})
    save_file(tensors, path, dict(notes) if notes else None)
    return file_sha256(path)


def _from_tensors(description: RunDescription, path: Path, sha256: str) -> Dataset:
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    remedy = "Make the data again, then a new run."
    if not path.is_file():
        raise UnusableFile(str(path), problem="The data file is missing", remedy=remedy)
    if (found := file_sha256(path)) != sha256:
        raise UnusableFile(
            str(path), problem="The data were changed since the run was described", value=found, remedy=remedy
        )
    try:
        tensors: dict[str, Array] = load_file(path)
    except SafetensorError as error:
        raise UnusableFile(str(path), problem=f"This is no tensor file: {error}", remedy=remedy) from error
    train, validation = (_split(description, tensors, part, path) for part in ("train", "validation"))
    test = _split(description, tensors, "test", path) if "test.inputs.0" in tensors else None
    return Dataset(train, validation, test=test)


def _split(description: RunDescription, tensors: dict[str, Array], part: str, path: Path) -> Split:
    names = tensor_names(part, len(description.inputs), len(description.losses))
    if missing := [name for name in names if name not in tensors]:
        raise UnusableFile(str(path), problem="A tensor is missing", place=missing[0], remedy="It is needed.")
    arrays = [tensors[name] for name in names]
    _check_arrays(description, names, arrays, path)
    count = len(description.inputs)
    return Split(tuple(arrays[:count]), tuple(arrays[count:]))


def _check_arrays(description: RunDescription, names: Sequence[str], arrays: Sequence[Array], path: Path) -> None:
    shapes = [spec.sample_shape for spec in description.inputs]
    shapes += [target_shape(loss, description.outputs[loss.output]) for loss in description.losses]
    samples = len(arrays[0]) if arrays[0].ndim else 0
    for name, array, shape in zip(names, arrays, shapes, strict=True):
        if array.shape != (samples, *shape) or samples == 0:
            raise UnusableFile(
                str(path),
                problem=f"The tensor should be (samples, {', '.join(map(str, shape))}) with {samples} samples",
                place=name,
                value=str(array.shape),
                remedy="Every tensor of a split needs the same samples, at least one.",
            )
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise UnusableFile(str(path), problem="The tensor holds NaN or Infinity", place=name, remedy="Remove them.")
    _check_ranges(description, names, arrays, path)


def _check_ranges(description: RunDescription, names: Sequence[str], arrays: Sequence[Array], path: Path) -> None:
    """Indices out of range would end in an error deep inside torch, or in silence."""
    limits = [spec.max_index for spec in description.inputs]
    limits += [
        description.outputs[loss.output].sample_shape[-1] - 1 if loss.counts_classes else None
        for loss in description.losses
    ]
    for name, array, limit in zip(names, arrays, limits, strict=True):
        if limit is None:
            continue
        if array.dtype.kind not in "iu" or array.min() < 0 or array.max() > limit:
            raise UnusableFile(
                str(path),
                problem=f"The tensor should hold whole numbers from 0 to {limit:,}",
                place=name,
                value=f"{array.dtype}, {array.min()} to {array.max()}",
                remedy="Number the classes from 0.",
            )
