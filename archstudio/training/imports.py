"""Makes data for a run out of people's own files: tables (CSV) and numpy archives (npz)."""

import csv
import math
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from archstudio.files.unusable import UnusableFile
from archstudio.training.sources import Array, Split

MAX_BYTES = 2**31
"""The most that a file may hold, unpacked."""


@dataclass(frozen=True)
class Imported:
    """Both splits, and the names of the classes in the order of their numbers (empty for real-valued targets)."""

    train: Split
    validation: Split
    class_names: tuple[str, ...] = ()


def import_csv(path: Path, target: str, *, classes: bool, validation_share: float = 0.2, seed: int = 0) -> Imported:
    """Read a table with a header line: one input of all columns but `target`, standardised over the training rows.

    With `classes` the target's different values become class numbers, in sorted order; otherwise it must be numbers,
    and has the shape (rows, 1). Raises `UnusableFile` with line and column.
    """
    header, rows = _table(path)
    if target not in header:
        raise UnusableFile(
            str(path), problem=f"There is no column '{target}'", value=", ".join(header), remedy="Choose one of these."
        )
    at = header.index(target)
    features = _numbers(path, header, rows, [column for column in range(len(header)) if column != at])
    if not classes:
        return _shuffled((features,), _numbers(path, header, rows, [at]), validation_share, seed, standardise=True)
    names = sorted({row[at] for row in rows})
    number = {name: index for index, name in enumerate(names)}
    labels = np.array([number[row[at]] for row in rows], np.int64)
    return _shuffled((features,), labels, validation_share, seed, tuple(names), standardise=True)


def import_npz(
    path: Path, inputs: Sequence[str], target: str, *, validation_share: float = 0.2, seed: int = 0
) -> Imported:
    """Read the arrays named from a numpy archive, samples first; pickled objects are refused. Raises `UnusableFile`."""
    arrays = _archive(path, [*inputs, target])
    if len({len(array) if array.ndim else 0 for array in arrays}) != 1:
        sizes = ", ".join(f"{name} {array.shape}" for name, array in zip([*inputs, target], arrays, strict=True))
        raise UnusableFile(
            str(path), problem="The arrays have not the same samples", value=sizes, remedy="Put the samples first."
        )
    narrow = [array.astype(np.float32) if array.dtype.kind == "f" else array for array in arrays]
    return _shuffled(tuple(narrow[:-1]), narrow[-1], validation_share, seed)


def _table(path: Path) -> tuple[list[str], list[list[str]]]:
    _check_size(path, path.stat().st_size)
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            header, *rows = [row for row in csv.reader(stream) if row]
    except (UnicodeDecodeError, csv.Error, ValueError) as error:
        raise UnusableFile(
            str(path), problem=f"This is no table: {error}", remedy="Save it as CSV, UTF-8, with a header line."
        ) from error
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise UnusableFile(
                str(path),
                problem=f"There are {len(row)} cells, the header has {len(header)}",
                place=f"row {number}",
                remedy="Complete the row or remove it.",
            )
    return header, rows


def _numbers(path: Path, header: list[str], rows: list[list[str]], columns: list[int]) -> Array:
    numbers = np.empty((len(rows), len(columns)), np.float32)
    for number, row in enumerate(rows):
        for place, column in enumerate(columns):
            numbers[number, place] = _number(path, header[column], number + 2, row[column])
    return numbers


def _number(path: Path, column: str, row: int, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UnusableFile(
            str(path),
            problem="A number is needed here",
            place=f"row {row}, column '{column}'",
            value=text or "an empty cell",
            remedy="Fill it in, or leave the row or the column out.",
        )
    return value


def _archive(path: Path, names: Sequence[str]) -> list[Array]:
    try:
        with zipfile.ZipFile(path) as packed:
            _check_size(path, sum(entry.file_size for entry in packed.infolist()))
        with np.load(path, allow_pickle=False) as archive:
            if missing := [name for name in names if name not in archive]:
                found = ", ".join(archive.files)
                raise UnusableFile(
                    str(path), problem=f"There is no array '{missing[0]}'", value=found, remedy="Choose one of these."
                )
            return [archive[name] for name in names]
    except (zipfile.BadZipFile, ValueError) as error:
        raise UnusableFile(
            str(path), problem=f"This is no numpy archive of plain arrays: {error}", remedy="Write it with numpy.savez."
        ) from error


def _check_size(path: Path, size: int) -> None:
    if size > MAX_BYTES:
        raise UnusableFile(
            str(path), problem=f"It holds {size:,} bytes, more than {MAX_BYTES:,}", remedy="Use a part of it."
        )


def _shuffled(
    inputs: tuple[Array, ...],
    target: Array,
    validation_share: float,
    seed: int,
    class_names: tuple[str, ...] = (),
    *,
    standardise: bool = False,
) -> Imported:
    """Split at random; column means and spreads are those of the training rows alone."""
    rows = len(target)
    held_out = round(rows * validation_share)
    if not 0 < held_out < rows:
        raise ValueError(f"{rows} samples cannot be split with a validation share of {validation_share}")
    order = np.random.Generator(np.random.PCG64(seed)).permutation(rows)
    validation, train = order[:held_out], order[held_out:]
    if standardise:
        inputs = tuple(_standardised(array, array[train]) for array in inputs)
    train_split, validation_split = (
        Split(tuple(a[part] for a in inputs), (target[part],)) for part in (train, validation)
    )
    return Imported(train_split, validation_split, class_names)


def _standardised(array: Array, of: Array) -> Array:
    spread = of.std(axis=0)
    return np.asarray((array - of.mean(axis=0)) / np.where(spread > 0, spread, 1), np.float32)
