"""A data set on disk: made by running its generated program, and read back with every tensor checked."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from archstudio.files.atomic import save_atomic
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.datasets.source import synthesize_source
from archstudio.intuition.datasets.spec import (
    SPEC_FILE,
    BigramParams,
    DatasetSpec,
    FormulaParams,
    Params,
    TabularParams,
    read_dataset_spec,
)
from archstudio.intuition.records import json_bytes, npz_bytes

if TYPE_CHECKING:
    from torch import Tensor

SplitName = Literal["train", "test", "validation"]
DATASETS_FOLDER = "datasets"
MOST_TENSOR_BYTES = 512 * 1024 * 1024


@dataclass(frozen=True)
class Split:
    """Inputs and targets, samples first."""

    x: Tensor
    y: Tensor


@dataclass(frozen=True)
class Dataset:
    """A data set's spec and where its files are."""

    spec: DatasetSpec
    folder: Path

    @property
    def id(self) -> str:
        """The data set's id."""
        return self.spec.dataset_id

    @property
    def root(self) -> Path:
        """The data root, which paths in questions are relative to."""
        return self.folder.parents[2]

    def load(self, split: SplitName) -> Split:
        """Return a split, checked against the spec; raises `UnusableFile`. Imports torch."""
        name = getattr(self.spec.files, split)
        if name is None:
            raise UnusableFile(
                str(self.folder), problem=f"The data set has no {split} split", remedy="Make it under another profile."
            )
        return _read_split(self.folder / name, self.spec.params, cast(int, getattr(self.spec.params, f"{split}_size")))

    def splits(self) -> dict[SplitName, Split]:
        """Return every split there is, checked; raises `UnusableFile`. Imports torch."""
        names: list[SplitName] = ["train", "test"]
        if self.spec.files.validation:
            names.append("validation")
        return {name: self.load(name) for name in names}


def open_dataset(folder: Path) -> Dataset:
    """Return the data set in a folder, its spec checked; raises `UnusableFile`."""
    return Dataset(read_dataset_spec(folder), folder)


def create_dataset(spec: DatasetSpec, root: Path) -> Dataset:
    """Make the data set under the data root by running its program; making it again gives the same files.

    The spec is written last, so a folder that has one is whole. Raises `SaveFailed`, and `UnusableFile` if other
    content has this id. Imports torch.
    """
    folder = root / DATASETS_FOLDER / spec.family / spec.dataset_id
    if (folder / SPEC_FILE).exists():
        _refuse_twin(read_dataset_spec(folder), spec, folder)
    folder.mkdir(parents=True, exist_ok=True)
    source = synthesize_source(spec)
    program = _run(source)
    tensors = program["synthesize"]()
    save_atomic(folder / spec.files.synthesize, source.encode(), backups=0)
    for number, name in enumerate(filter(None, (spec.files.train, spec.files.test, spec.files.validation))):
        x, y = tensors[2 * number : 2 * number + 2]
        save_atomic(folder / name, _tensor_bytes({"x": x, "y": y}), backups=0)
    if spec.files.transition:
        probs, pi = program["build_transition"]()
        save_atomic(folder / spec.files.transition, npz_bytes({"probs": probs, "pi": pi}), backups=0)
    save_atomic(folder / SPEC_FILE, json_bytes(spec.as_json()), backups=0)
    return Dataset(spec, folder)


def remade_splits(spec: DatasetSpec) -> dict[SplitName, Split]:
    """Return the splits as the program makes them now, for comparison with stored ones. Imports torch."""
    tensors = _run(synthesize_source(spec))["synthesize"]()
    names: tuple[SplitName, ...] = ("train", "test", "validation")
    return {name: Split(*tensors[2 * i : 2 * i + 2]) for i, name in enumerate(names[: len(tensors) // 2])}


def _refuse_twin(known: DatasetSpec, spec: DatasetSpec, folder: Path) -> None:
    if known.params != spec.params:
        raise UnusableFile(
            str(folder / SPEC_FILE),
            problem=f"Another data set already has the id {spec.dataset_id}",
            value=f"seed {known.params.instance_seed}",
            remedy="Take another seed, or a profile with longer ids.",
        )


def _run(source: str) -> dict[str, Callable[..., Any]]:
    """Execute a generated program: our own text, in which nothing but checked numbers and a parsed formula vary."""
    space: dict[str, Any] = {"__name__": "synthesize"}
    exec(compile(source, "synthesize.py", "exec"), space)
    return space


def _tensor_bytes(tensors: dict[str, Tensor]) -> bytes:
    import torch

    stream = io.BytesIO()
    torch.save({name: tensor.contiguous() for name, tensor in tensors.items()}, stream)
    return stream.getvalue()


def _read_split(path: Path, params: Params, size: int) -> Split:
    loaded = _loaded(path)
    if not isinstance(loaded, dict) or set(loaded) != {"x", "y"}:
        raise _unusable(path, "holds no tensors x and y", "")
    x, y = loaded["x"], loaded["y"]
    for name, tensor, (shape, dtype) in zip("xy", (x, y), _expected(params, size), strict=True):
        found = f"{getattr(tensor, 'dtype', type(tensor).__name__)} {tuple(getattr(tensor, 'shape', ()))}"
        if found != f"torch.{dtype} {shape}":
            raise _unusable(path, f"tensor {name} is not {dtype} {shape} as the spec says", found)
    _check_values(path, params, x, y)
    return Split(x, y)


def _loaded(path: Path) -> object:
    import pickle

    import torch

    if not path.is_file():
        raise UnusableFile(str(path), problem="There is no such file", remedy="Make the data set again from its spec.")
    if path.stat().st_size > MOST_TENSOR_BYTES:
        raise _unusable(path, f"is longer than {MOST_TENSOR_BYTES:,} bytes", "")
    try:
        return cast(object, torch.load(path, map_location="cpu", weights_only=True))
    except (RuntimeError, pickle.UnpicklingError, EOFError, ValueError, KeyError) as error:
        raise _unusable(path, "is damaged, or holds something else than tensors", str(error).split("\n")[0]) from error


def _expected(params: Params, size: int) -> tuple[tuple[tuple[int, ...], str], tuple[tuple[int, ...], str]]:
    """Return shape and dtype of x and of y."""
    if isinstance(params, BigramParams):
        windows = (size, params.context_length)
        return (windows, "int64"), (windows, "int64")
    if isinstance(params, TabularParams):
        return ((size, params.input_dim), "float32"), ((size,), "int64")
    return ((size, params.input_dim or 1), "float32"), ((size, 1), "float32")


def _check_values(path: Path, params: Params, x: Tensor, y: Tensor) -> None:
    import torch

    for name, tensor in (("x", x), ("y", y)):
        if tensor.is_floating_point():
            if not bool(torch.isfinite(tensor).all()):
                raise _unusable(path, f"tensor {name} holds values that are not finite", "")
            continue
        most = _kinds(params)
        low, high = int(tensor.min()), int(tensor.max())
        if low < 0 or high >= most:
            raise _unusable(path, f"tensor {name} holds numbers outside 0 … {most - 1}", f"{low} … {high}")


def _kinds(params: Params) -> int:
    """How many different tokens or classes there are."""
    return params.vocab_size if isinstance(params, BigramParams) else 2


def _unusable(path: Path, problem: str, found: str) -> UnusableFile:
    return UnusableFile(str(path), problem=problem, value=found, remedy="Make the data set again from its spec.")


def read_transition(dataset: Dataset) -> NDArray[np.float64] | None:
    """Return the transition matrix of a bigram data set, None for other families; raises `UnusableFile`."""
    if not isinstance(dataset.spec.params, BigramParams) or dataset.spec.files.transition is None:
        return None
    path = dataset.folder / dataset.spec.files.transition
    size = dataset.spec.params.vocab_size
    try:
        with np.load(path, allow_pickle=False) as arrays:
            probs: NDArray[np.float64] = arrays["probs"]
    except (OSError, ValueError, KeyError) as error:
        raise _unusable(path, "holds no transition matrix", str(error)) from error
    if probs.shape != (size, size) or not np.allclose(probs.sum(axis=1), 1):
        raise _unusable(path, f"is no {size} × {size} matrix whose rows sum to 1", str(probs.shape))
    return probs


def is_regression(params: Params) -> bool:
    """Whether targets are real numbers."""
    return isinstance(params, FormulaParams)
