"""Makes the data file of a run out of fitted columns: split, standardised, with a note of how, for predictions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from archstudio.files.unusable import UnusableFile
from archstudio.training.description import InputSpec, Part, TensorData
from archstudio.training.own_data.columns import Array, Columns
from archstudio.training.own_data.fit import Fitted
from archstudio.training.own_data.roles import Roles
from archstudio.training.sources import Split, save_dataset

_NOTE = "preparation"


class Scaling(Part):
    """How the columns of one input were brought to mean 0 and spread 1."""

    mean: tuple[float, ...]
    spread: tuple[float, ...]


class Preparation(Part):
    """What was done to a file, so that it can be done again to another one before a prediction."""

    file: str
    roles: Roles
    class_names: tuple[tuple[str, ...], ...]
    vocabularies: tuple[tuple[str, ...], ...]
    scaling: tuple[Scaling | None, ...]
    samples: tuple[int, int, int]
    """Training, validation, test."""


@dataclass(frozen=True)
class Prepared:
    """A data file for `RunDescription.data`, and what was done."""

    path: Path
    data: TensorData
    preparation: Preparation

    @property
    def words(self) -> str:
        """One sentence: how many samples of what."""
        train, validation, test = self.preparation.samples
        tested = f", {test:,} to test once at the end" if test else ""
        return f"Data: {self.preparation.file}, {train:,} samples to train on, {validation:,} to validate{tested}."


def prepare(columns: Columns, roles: Roles, fitted: Fitted, inputs: tuple[InputSpec, ...], path: Path) -> Prepared:
    """Split and write; raises `UnusableFile` if something does not fit or there are too few samples."""
    if fitted.misfits:
        raise UnusableFile(str(columns.path), problem=str(fitted.misfits[0]).rstrip("."), remedy="")
    train, validation, test = _places(len(columns), roles, columns.path)
    arrays, scaling = [], []
    for spec, array in zip(inputs, fitted.inputs, strict=True):
        scales = roles.standardise and columns.is_table and spec.is_float
        scale = _scaling(array[train]) if scales else None
        arrays.append(scaled(array, scale))
        scaling.append(scale)
    preparation = Preparation(
        file=columns.path.name,
        roles=roles,
        class_names=tuple(fitted.class_names),
        vocabularies=tuple(fitted.vocabularies),
        scaling=tuple(scaling),
        samples=(len(train), len(validation), len(test)),
    )
    splits = [Split(tuple(a[part] for a in arrays), tuple(t[part] for t in fitted.targets)) for part in
              (train, validation, test)]  # fmt: skip
    note = {_NOTE: json.dumps(preparation.model_dump(mode="json"), sort_keys=True)}
    sha = save_dataset(path, splits[0], splits[1], splits[2] if len(test) else None, notes=note)
    return Prepared(path, TensorData(sha256=sha), preparation)


def preparation_of(path: Path) -> Preparation | None:
    """Return how a run's data file was made, None if it was not made from columns."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="np") as file:
            note = (file.metadata() or {}).get(_NOTE)
        return None if note is None else Preparation.model_validate_json(note)
    except (SafetensorError, ValidationError) as error:
        raise UnusableFile(str(path), problem=f"This is no data file of a run: {error}", remedy="") from error


def scaled(array: Array, scale: Scaling | None) -> Array:
    """Apply a scaling, if there is one."""
    if scale is None:
        return array
    mean, spread = (np.array(part).reshape(array.shape[1:]) for part in (scale.mean, scale.spread))
    return np.asarray((array - mean) / spread, np.float32)


def _scaling(train: Array) -> Scaling:
    spread = train.std(axis=0, dtype=np.float64).reshape(-1)
    mean = train.mean(axis=0, dtype=np.float64).reshape(-1)
    return Scaling(mean=tuple(mean.tolist()), spread=tuple(np.where(spread > 0, spread, 1.0).tolist()))


def _places(samples: int, roles: Roles, path: Path) -> tuple[Any, Any, Any]:
    held, tested = (round(samples * share) for share in (roles.validation_share, roles.test_share))
    held = max(1, held)
    if samples - held - tested < 1 or (roles.test_share and not tested):
        problem = f"{samples} samples cannot be split with shares {roles.validation_share} and {roles.test_share}"
        raise UnusableFile(str(path), problem=problem, remedy="Use more samples or other shares.")
    order = np.random.Generator(np.random.PCG64(roles.seed)).permutation(samples)
    return order[tested + held :], order[tested : tested + held], order[:tested]
