"""Reads tables, arrays, tensors and folders of images as columns: a name, and a value for each sample."""

from __future__ import annotations

import csv
import pickle
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from archstudio.files.unusable import UnusableFile

Array = NDArray[Any]

MAX_BYTES = 2**31
"""The most that a file may hold, unpacked."""
IMAGE_COLUMN, LABEL_COLUMN = "image", "folder"
_DEFAULT_NAME = "data"
_SHOWN_CHARACTERS = 24


@dataclass(frozen=True)
class Column:
    """A name, and `values`: (samples, ...) numbers, or (samples,) texts."""

    name: str
    values: Array

    @property
    def is_text(self) -> bool:
        """Whether it holds words."""
        return bool(self.values.dtype.kind == "U")

    @property
    def sample_shape(self) -> tuple[int, ...]:
        """The shape of one sample's value."""
        return self.values.shape[1:]

    @property
    def summary(self) -> str:
        """What it holds, in a few words."""
        if self.is_text:
            return f"text, {len(np.unique(self.values))} different"
        shape = "×".join(map(str, self.sample_shape)) or "one number"
        if self.values.size == 0 or not np.isfinite(self.values).any():
            return f"{self.values.dtype}, {shape}"
        low, high = np.nanmin(self.values), np.nanmax(self.values)
        return f"{self.values.dtype}, {shape}, {low:.4g} to {high:.4g}"

    def shown(self, sample: int) -> str:
        """One sample's value, short."""
        value = self.values[sample]
        if self.sample_shape:
            return "×".join(map(str, self.sample_shape))
        text = str(value) if self.is_text else f"{value:g}"
        return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…"


@dataclass(frozen=True)
class Columns:
    """A file's columns; all have the same samples. `is_table`: columns are numbers of a table, not whole arrays."""

    path: Path
    columns: tuple[Column, ...]
    is_table: bool = False

    def __len__(self) -> int:
        return len(self.columns[0].values)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names, in the file's order."""
        return tuple(column.name for column in self.columns)

    def column(self, name: str) -> Column:
        """A column by name; raises `UnusableFile` naming those there are."""
        for column in self.columns:
            if column.name == name:
                return column
        found = ", ".join(self.names)
        raise UnusableFile(
            str(self.path), problem=f"There is no column '{name}'", value=found, remedy="Choose one of these."
        )

    def preview(self, rows: int = 5) -> list[tuple[str, ...]]:
        """The first samples, as texts."""
        return [tuple(column.shown(k) for column in self.columns) for k in range(min(rows, len(self)))]


def read_columns(path: Path, image_shape: tuple[int, ...] | None = None) -> Columns:
    """Read a `.csv`, `.npy`, `.npz`, `.pt` or `.safetensors` file, or a folder with a folder of images for each class.

    Images are brought to `image_shape` (channels, height, width), needed for folders only. Nothing in a file is ever
    executed. Raises `UnusableFile` naming row and column, array or picture.
    """
    if path.is_dir():
        from archstudio.training.own_data.images import read_images

        return read_images(path, image_shape)
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        offered = ", ".join(_READERS)
        raise UnusableFile(
            str(path), problem="This kind of file holds no data known here", remedy=f"Known: {offered}, image folders."
        )
    if not path.is_file():
        raise UnusableFile(str(path), problem="There is no such file", remedy="Choose another.")
    check_size(path, path.stat().st_size)
    return reader(path)


def check_size(path: Path, size: int) -> None:
    """Refuse what would not fit in memory; raises `UnusableFile`."""
    if size > MAX_BYTES:
        raise UnusableFile(
            str(path), problem=f"It holds {size:,} bytes, more than {MAX_BYTES:,}", remedy="Use a part of it."
        )


def _csv(path: Path) -> Columns:
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            lines = [row for row in csv.reader(stream) if row]
    except (UnicodeDecodeError, csv.Error) as error:
        raise UnusableFile(
            str(path), problem=f"This is no table: {error}", remedy="Save it as CSV, UTF-8, with a header line."
        ) from error
    if not lines:
        raise UnusableFile(
            str(path), problem="This is no table: it is empty", remedy="Save it as CSV, UTF-8, with a header line."
        )
    header, *rows = lines
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            problem = f"There are {len(row)} cells, the header has {len(header)}"
            raise UnusableFile(str(path), problem=problem, place=f"row {number}", remedy="Complete or remove the row.")
    _check_names(path, header)
    if not rows:
        raise UnusableFile(str(path), problem="There is no row under the header", remedy="Add some.")
    cells = np.array(rows, dtype=np.str_)
    return Columns(path, tuple(Column(name, _typed(cells[:, k])) for k, name in enumerate(header)), is_table=True)


def _check_names(path: Path, header: list[str]) -> None:
    for name in header:
        if not name.strip() or header.count(name) > 1:
            remedy = "Give every column a name of its own."
            raise UnusableFile(str(path), problem="A column has no name of its own", value=name or "''", remedy=remedy)


def _typed(cells: Array) -> Array:
    """Numbers where every cell is one or empty (NaN); else the texts."""
    texts = np.char.strip(cells)
    try:
        return np.where(texts == "", "nan", texts).astype(np.float64) if (texts != "").any() else texts
    except ValueError:
        return texts


def _npy(path: Path) -> Columns:
    return _of_arrays(path, {_DEFAULT_NAME: _unpickled(path, lambda: np.load(path, allow_pickle=False))})


def _npz(path: Path) -> Columns:
    def load() -> dict[str, Array]:
        with zipfile.ZipFile(path) as packed:
            check_size(path, sum(entry.file_size for entry in packed.infolist()))
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}

    return _of_arrays(path, _unpickled(path, load))


def _unpickled(path: Path, load: Callable[[], Any]) -> Any:
    try:
        return load()
    except (zipfile.BadZipFile, ValueError, EOFError, OSError) as error:
        # numpy's own words advise to load the objects unsafely, which is never done here
        why = "it holds Python objects, which are never loaded" if "pickle" in str(error) else str(error)
        problem = f"This is no file of plain numpy arrays: {why}"
        raise UnusableFile(str(path), problem=problem, remedy="Write it with numpy.save or numpy.savez.") from error


def _safetensors(path: Path) -> Columns:
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        return _of_arrays(path, dict(sorted(load_file(path).items())))  # the file keeps no order
    except (SafetensorError, KeyError, TypeError) as error:
        problem = f"This is no tensor file that numpy can hold: {error}"
        raise UnusableFile(str(path), problem=problem, remedy="Use float32, float64 or integers.") from error


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


def _torch(path: Path) -> Columns:
    import torch

    try:
        loaded = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # unpickling fails in as many ways as there are files
        # PyTorch's own words advise to run the file's code, which is never done here
        objects = isinstance(error, pickle.UnpicklingError)
        why = "it holds more than tensors, and Python objects are never loaded" if objects else _first_line(error)
        problem = f"PyTorch refuses to read it as plain tensors: {why}"
        raise UnusableFile(str(path), problem=problem, remedy="Save a dict of tensors with torch.save.") from error
    if isinstance(loaded, torch.Tensor):
        loaded = {_DEFAULT_NAME: loaded}
    elif isinstance(loaded, list | tuple):
        loaded = {f"{_DEFAULT_NAME} {k + 1}": part for k, part in enumerate(loaded)}
    if not isinstance(loaded, Mapping) or not all(isinstance(part, torch.Tensor) for part in loaded.values()):
        remedy = "Save one tensor, or a dict or list of tensors, with the samples first."
        raise UnusableFile(str(path), problem="It holds something else than tensors", remedy=remedy)
    floats = (torch.bfloat16, torch.float16)
    arrays = {str(name): (t.float() if t.dtype in floats else t).detach().numpy() for name, t in loaded.items()}
    return _of_arrays(path, arrays)


def _of_arrays(path: Path, arrays: Mapping[str, Array]) -> Columns:
    if not arrays:
        raise UnusableFile(str(path), problem="It holds no array", remedy="Choose another file.")
    for name, array in arrays.items():
        if array.dtype.kind not in "fiubU" or array.ndim == 0:
            problem = "This array holds no numbers with the samples first"
            raise UnusableFile(str(path), problem=problem, place=name, value=f"{array.dtype} {array.shape}")
    sizes = {len(array) for array in arrays.values()}
    if len(sizes) != 1 or 0 in sizes:
        told = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        problem = "The arrays have not the same samples, at least one"
        raise UnusableFile(str(path), problem=problem, value=told, remedy="Put the samples first in every array.")
    return Columns(path, tuple(Column(name, array) for name, array in arrays.items()))


_READERS: dict[str, Callable[[Path], Columns]] = {
    ".csv": _csv,
    ".npy": _npy,
    ".npz": _npz,
    ".pt": _torch,
    ".safetensors": _safetensors,
}
