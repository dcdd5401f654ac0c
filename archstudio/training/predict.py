"""Puts trained weights into the graph's code and says what it makes of samples, or of a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from archstudio.files.unusable import UnusableFile
from archstudio.training.checkpoint import load_model
from archstudio.training.description import InputSpec, RunDescription
from archstudio.training.own_data.columns import Array, Columns
from archstudio.training.own_data.fit import fit_inputs
from archstudio.training.own_data.prepare import Preparation, preparation_of, scaled
from archstudio.training.own_data.roles import Roles
from archstudio.training.sources import Split, load_dataset
from archstudio.training.store import StoredRun
from archstudio.training.trainer import Forward, build_model, seed_everything

if TYPE_CHECKING:
    from torch import Tensor

_BATCH = 64


@dataclass(frozen=True)
class Predictions:
    """What a trained model says of samples: raw `outputs` (one array an output, samples first) and the first as words.

    `targets` are those the samples came with, None for samples of a file.
    """

    inputs: tuple[Array, ...]
    outputs: tuple[Array, ...]
    targets: tuple[Array, ...] | None
    class_names: tuple[str, ...]
    is_classes: bool
    is_yes_or_no: bool

    def __len__(self) -> int:
        return len(self.outputs[0])

    def answers(self) -> Array:
        """The first trained output as answers: class numbers, 0 or 1, or the values themselves."""
        scores = self.outputs[0]
        if self.is_classes:
            return np.asarray(scores.argmax(axis=-1))
        return np.asarray((scores > 0).astype(np.int64)) if self.is_yes_or_no else scores

    def sure(self) -> Array | None:
        """The probability of each answer, None where the model gives values."""
        scores = self.outputs[0].astype(np.float64)
        if self.is_classes:
            powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
            return np.asarray((powers / powers.sum(axis=-1, keepdims=True)).max(axis=-1))
        if self.is_yes_or_no:
            yes = 1 / (1 + np.exp(-scores))
            return np.asarray(np.where(scores > 0, yes, 1 - yes))
        return None

    def words(self, sample: int) -> str:
        """One sample's answer, short; classes by name where there are names."""
        return self._word(self.answers()[sample])

    def target_words(self, sample: int) -> str:
        """What the sample came with, in the same words; empty if nothing."""
        return "" if self.targets is None else self._word(self.targets[0][sample])

    def _word(self, value: Any) -> str:
        flat = np.asarray(value).reshape(-1)
        if not (self.is_classes or self.is_yes_or_no):
            return ", ".join(f"{v:.4g}" for v in flat[:4]) + (", …" if len(flat) > 4 else "")
        names = [self.class_names[int(v)] if 0 <= int(v) < len(self.class_names) else str(int(v)) for v in flat[:12]]
        return " ".join(names) + (" …" if len(flat) > 12 else "")


def predict_sample(run: StoredRun, seed: int, *, best: bool = False, count: int = 16) -> Predictions:
    """Return what the trained model says of the first validation samples, with their targets. Imports torch.

    Raises `UnusableFile` if there are no weights or they do not fit.
    """
    split = load_dataset(run.description, run.folder).validation
    chosen = Split(tuple(a[:count] for a in split.inputs), tuple(t[:count] for t in split.targets))
    return _predicted(run, seed, chosen.inputs, chosen.targets, best=best)


def predict_columns(
    run: StoredRun, seed: int, columns: Columns, roles: Roles | None = None, *, best: bool = False
) -> Predictions:
    """Return what the trained model says of a file's samples, prepared as the training data were. Imports torch.

    Without `roles`, columns are found by the names they had in training, or else by the inputs' names and shapes.
    Raises `UnusableFile` naming what does not fit.
    """
    preparation = preparation_of(run.folder / "data.safetensors") if _has_file(run) else None
    inputs = prepared_inputs(columns, run.description, preparation, roles)
    return _predicted(run, seed, inputs, None, best=best)


def prepared_inputs(
    columns: Columns, description: RunDescription, preparation: Preparation | None, roles: Roles | None
) -> tuple[Array, ...]:
    """Return a file's samples as the model takes them; raises `UnusableFile` naming all that does not fit."""
    names = roles.inputs if roles else preparation.roles.inputs if preparation else None
    names = names or _by_place(columns, description.inputs)
    vocabularies = preparation.vocabularies if preparation else ()
    arrays, misfits = fit_inputs(columns, names, description.inputs, vocabularies)
    if misfits:
        told = " ".join(str(misfit) for misfit in misfits)
        raise UnusableFile(str(columns.path), problem=told.rstrip("."), remedy="")
    scaling = preparation.scaling if preparation else (None,) * len(arrays)
    return tuple(scaled(array, scale) for array, scale in zip(arrays, scaling, strict=True))


def _by_place(columns: Columns, inputs: tuple[InputSpec, ...]) -> tuple[tuple[str, ...], ...]:
    if len(inputs) == 1 and columns.is_table:
        return (columns.names,)
    named = {name.casefold(): name for name in columns.names}
    if all(spec.name.casefold() in named for spec in inputs):
        return tuple((named[spec.name.casefold()],) for spec in inputs)
    if len(columns.names) < len(inputs):
        problem = f"The graph has {len(inputs)} inputs, the file {len(columns.names)} columns"
        raise UnusableFile(str(columns.path), problem=problem, remedy="Give a column for each input.")
    return tuple((name,) for name in columns.names[: len(inputs)])


def _has_file(run: StoredRun) -> bool:
    return (run.folder / "data.safetensors").exists()


def _predicted(
    run: StoredRun, seed: int, inputs: tuple[Array, ...], targets: tuple[Array, ...] | None, *, best: bool
) -> Predictions:
    import torch

    files = run.seed(seed)
    weights = files.best_model if best else files.model
    if not weights.exists():
        remedy = "Train it to its end, or choose another seed; weights that were freed come back by training again."
        raise UnusableFile(str(weights), problem="There are no weights of this seed", remedy=remedy)
    seed_everything(seed)
    description = run.description
    model = build_model(run.folder, description.model.source)
    load_model(weights, model)
    model.eval()
    forward = Forward(description, model)
    parts: list[list[Tensor]] = []
    with torch.no_grad():
        for start in range(0, len(inputs[0]), _BATCH):
            batch = [
                torch.from_numpy(np.ascontiguousarray(a[start : start + _BATCH])).to(getattr(torch, spec.dtype))
                for a, spec in zip(inputs, description.inputs, strict=True)
            ]
            parts.append(forward(batch))
    first = description.losses[0]
    order = [first.output, *(k for k in range(len(parts[0])) if k != first.output)]
    outputs = tuple(torch.cat([part[k] for part in parts]).float().numpy() for k in order)
    preparation = preparation_of(run.folder / "data.safetensors") if _has_file(run) else None
    names = preparation.class_names[0] if preparation and preparation.class_names else ()
    return Predictions(inputs, outputs, targets, names, first.counts_classes, first.kind == "bce_logits")
