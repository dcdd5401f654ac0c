"""Brings columns into the shapes and types a graph takes, or says for each one why that is impossible."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from archstudio.training.description import InputSpec, Loss, OutputSpec, target_shape
from archstudio.training.own_data.columns import Array, Column, Columns
from archstudio.training.own_data.roles import Roles

_MOST_CLASSES_SHOWN = 6


@dataclass(frozen=True)
class Misfit:
    """What of the file does not fit which part of the graph, why, and what would help."""

    part: str
    reason: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.part}: {self.reason}. {self.remedy}".rstrip(". ") + "."


@dataclass
class Fitted:
    """Arrays as the graph takes them, samples first; what was done to them; and what does not fit."""

    inputs: list[Array] = field(default_factory=list)
    targets: list[Array] = field(default_factory=list)
    class_names: list[tuple[str, ...]] = field(default_factory=list)
    """For each loss the names of its classes by number, empty where it has none."""
    vocabularies: list[tuple[str, ...]] = field(default_factory=list)
    """For each input the texts by number, empty where it holds numbers."""
    notes: list[str] = field(default_factory=list)
    misfits: list[Misfit] = field(default_factory=list)


class _DoesNotFit(Exception):
    def __init__(self, reason: str, remedy: str) -> None:
        self.reason, self.remedy = reason, remedy
        super().__init__(reason)


def fit(
    columns: Columns,
    roles: Roles,
    inputs: tuple[InputSpec, ...],
    outputs: tuple[OutputSpec, ...],
    losses: tuple[Loss, ...],
) -> Fitted:
    """Return what fits, with everything that does not; nothing is left out in silence.

    Raises `UnusableFile` for a column that the file has not.
    """
    made = Fitted()
    for spec, names in zip(inputs, roles.inputs, strict=False):
        part = f"Input '{spec.name}'"
        with _noting(made, part):
            made.inputs.append(_input(made, spec, [columns.column(name) for name in names], part))
    for number, (loss, names) in enumerate(zip(losses, roles.targets, strict=False), start=1):
        part = "Target" if len(losses) == 1 else f"Target {number}"
        with _noting(made, part):
            made.targets.append(_target(made, loss, outputs[loss.output], [columns.column(n) for n in names], part))
    for kind, wanted, given in (("inputs", inputs, roles.inputs), ("targets", losses, roles.targets)):
        if len(wanted) != len(given):
            reason = f"the graph has {len(wanted)} {kind}, columns are chosen for {len(given)}"
            made.misfits.append(Misfit(f"The {kind}", reason, "Choose columns for each."))
    return made


def fit_inputs(
    columns: Columns,
    names: tuple[tuple[str, ...], ...],
    inputs: tuple[InputSpec, ...],
    vocabularies: tuple[tuple[str, ...], ...],
) -> tuple[list[Array], list[Misfit]]:
    """Return the inputs alone, texts numbered as they were in training, and what does not fit."""
    made = Fitted()
    for number, (spec, chosen) in enumerate(zip(inputs, names, strict=True)):
        known = vocabularies[number] if number < len(vocabularies) else ()
        part = f"Input '{spec.name}'"
        with _noting(made, part):
            made.inputs.append(_input(made, spec, [columns.column(name) for name in chosen], part, known))
    return made.inputs, made.misfits


class _noting:
    def __init__(self, made: Fitted, part: str) -> None:
        self._made, self._part = made, part

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> bool:
        if not isinstance(error, _DoesNotFit):
            return False
        self._made.misfits.append(Misfit(self._part, error.reason, error.remedy))
        return True


def _input(made: Fitted, spec: InputSpec, columns: list[Column], part: str, known: tuple[str, ...] = ()) -> Array:
    if known:
        columns = [_renumbered(columns[0], known)]
    values, words = _together(columns, allow_text=not spec.is_float)
    made.vocabularies.append(words)
    values = _shaped(made, values, spec.sample_shape, part, [c.name for c in columns])
    if spec.is_float:
        _check_finite(values, columns)
        if values.dtype == np.uint8:
            made.notes.append(f"{part}: bytes 0 to 255 are divided by 255.")
            return np.asarray(values / np.float32(255), np.float32)
        return values.astype(np.float32)
    if spec.dtype == "bool":
        return values.astype(bool)
    return _indices(values, spec, columns)


def _together(columns: list[Column], *, allow_text: bool) -> tuple[Array, tuple[str, ...]]:
    """Put columns side by side; texts become numbers in sorted order, if they may."""
    texts = [column.name for column in columns if column.is_text]
    if texts and not (allow_text and len(columns) == 1):
        reason = f"column '{texts[0]}' holds text, and numbers are needed"
        raise _DoesNotFit(reason, "Leave the column out, make it the target, or lead it to an embedding")
    if texts:
        names, numbers = np.unique(columns[0].values, return_inverse=True)
        return numbers.astype(np.int64), tuple(map(str, names))
    if len(columns) == 1:
        return columns[0].values, ()
    flat = [column.values.reshape(len(column.values), -1) for column in columns]
    return np.concatenate(flat, axis=1), ()


def _renumbered(column: Column, known: tuple[str, ...]) -> Column:
    """Texts as the numbers they had in training."""
    number = {word: k for k, word in enumerate(known)}
    if strange := [str(word) for word in np.unique(column.values) if str(word) not in number]:
        raise _DoesNotFit(f"column '{column.name}' has '{strange[0]}', which training never saw", "Leave it out")
    return Column(column.name, np.array([number[str(word)] for word in column.values], np.int64))


def _shaped(made: Fitted, values: Array, shape: tuple[int, ...], part: str, names: list[str]) -> Array:
    have = values.shape[1:]
    if have == shape:
        return values
    told, wanted = ("×".join(map(str, s)) or "one number" for s in (have, shape))
    if len(shape) == 3 and len(have) == 3 and (have[2], have[0], have[1]) == shape:
        made.notes.append(f"{part}: {told} is read as height × width × channels, and the channels are put first.")
        return np.moveaxis(values, 3, 1)
    if prod(have) == prod(shape) and (1 in (*have, *shape) or len(have) < 2 or len(shape) < 2):
        if tuple(s for s in have if s > 1) != tuple(s for s in shape if s > 1):
            made.notes.append(f"{part}: each sample's {told} numbers are laid out as {wanted}, row by row.")
        return values.reshape(len(values), *shape)
    from_ = f"column '{names[0]}'" if len(names) == 1 else f"the {len(names)} columns chosen"
    reason = f"one sample of it is {wanted} ({prod(shape):,} numbers), {from_} give {told} ({prod(have):,})"
    raise _DoesNotFit(reason, "Choose other columns, or give the graph's input that size")


def _check_finite(values: Array, columns: list[Column]) -> None:
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        for column in columns:
            bad = np.argwhere(~np.isfinite(column.values.reshape(len(column.values), -1)).all(axis=1))
            if len(bad):
                raise _DoesNotFit(
                    f"column '{column.name}' has {len(bad):,} samples without a finite number, the first is "
                    f"number {int(bad[0, 0]) + 1}",
                    "Fill these in or take them out",
                )


def _indices(values: Array, spec: InputSpec, columns: list[Column]) -> NDArray[np.int64]:
    numbers = _whole(values, columns[0].name)
    limit = spec.max_index
    if limit is not None and (numbers.min() < 0 or numbers.max() > limit):
        raise _DoesNotFit(
            f"it takes indices from 0 to {limit:,}, the file has {numbers.min():,} to {numbers.max():,}",
            f"Give the embedding {int(numbers.max()) + 1:,} rows, or number the values from 0",
        )
    return numbers


def _whole(values: Array, name: str) -> NDArray[np.int64]:
    if values.dtype.kind == "f" and not (np.isfinite(values).all() and (values == np.floor(values)).all()):
        raise _DoesNotFit(f"column '{name}' holds numbers that are not whole", "Choose a column of whole numbers")
    return values.astype(np.int64)


def _target(made: Fitted, loss: Loss, output: OutputSpec, columns: list[Column], part: str) -> Array:
    shape = target_shape(loss, output)
    if loss.counts_classes:
        return _classes(made, columns, shape, output.sample_shape[-1], part)
    if loss.kind == "bce_logits":
        return _yes_or_no(made, columns, shape, part)
    made.class_names.append(())
    values, _ = _together(columns, allow_text=False)
    values = _shaped(made, values, shape, part, [c.name for c in columns])
    _check_finite(values, columns)
    return values.astype(np.float32)


def _classes(made: Fitted, columns: list[Column], shape: tuple[int, ...], room: int, part: str) -> Array:
    values, names = _together(columns, allow_text=True)
    numbers = _shaped(made, _whole(values, columns[0].name), shape, part, [c.name for c in columns])
    if not names:
        seen = np.unique(numbers)
        if seen[0] < 0 or seen[-1] >= room:
            if len(seen) > room:
                raise _too_many(len(seen), room)
            numbers = np.searchsorted(seen, numbers)
            made.notes.append(f"{part}: the {len(seen)} different values are numbered from 0.")
            names = tuple(map(str, seen.tolist()))
        else:
            names = tuple(str(k) for k in range(int(seen[-1]) + 1))
    if len(names) > room:
        raise _too_many(len(names), room)
    if len(names) < room:
        made.notes.append(f"{part}: the graph has {room:,} outputs, the file {len(names)} classes; the rest is unused.")
    made.class_names.append(names)
    return numbers.astype(np.int64)


def _too_many(found: int, room: int) -> _DoesNotFit:
    reason = f"the file has {found:,} classes, the graph's output has room for {room:,}"
    return _DoesNotFit(reason, f"Give the last layer {found:,} outputs, or choose another target or loss")


def _yes_or_no(made: Fitted, columns: list[Column], shape: tuple[int, ...], part: str) -> Array:
    values, names = _together(columns, allow_text=True)
    values = _shaped(made, values, shape, part, [c.name for c in columns])
    seen = np.unique(values)
    if len(seen) > 2:
        raise _DoesNotFit(f"yes or no is needed, the file has {len(seen):,} different values", "Choose another loss")
    if not names and not set(seen.tolist()) <= {0, 1}:
        names = tuple(map(str, seen.tolist()))
        values = np.searchsorted(seen, values)
        made.notes.append(f"{part}: {names[0]} is taken as no, {names[-1]} as yes.")
    made.class_names.append(names)
    return values.astype(np.float32)
