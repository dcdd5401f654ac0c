"""Strict records in JSON files: read with the place of a fault, written in the layout of the reference."""

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from archstudio.files.atomic import save_atomic
from archstudio.files.strict_json import read_json
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.strict_yaml import dotted

Number = int | float
_R = TypeVar("_R", bound=BaseModel)


class Record(BaseModel):
    """A frozen, strict piece of a file; numbers keep their kind, since ids are digests of the text."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False, populate_by_name=True)

    def as_json(self) -> dict[str, Any]:
        """Return the record as JSON values, without what is absent."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


MADE_ANEW: Final = "The file was changed by hand or is of another version; make it again."
"""What mends a file that only the program writes."""
BY_HAND: Final = "Correct the value there."
"""What mends a file that people write."""


def read_record(model: type[_R], path: Path, *, remedy: str = MADE_ANEW) -> _R:
    """Read a JSON file as a record; raises `UnusableFile` with the place in the file."""
    return checked(model, read_json(path), str(path), remedy=remedy)


def checked(
    model: type[_R], value: object, name: str, at: tuple[str | int, ...] = (), *, remedy: str = MADE_ANEW
) -> _R:
    """Return `value`, which stands at `at` in file `name`, as a record; raises `UnusableFile` with the place."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        raise UnusableFile(
            name,
            problem=first["msg"].removeprefix("Value error, "),
            place=dotted((*at, *first["loc"])),
            value="" if isinstance(first["input"], dict) else repr(first["input"]),
            remedy=remedy,
        ) from error


def json_bytes(value: object) -> bytes:
    """Return `value` as JSON with indent 2 and a newline at the end; NaN and Infinity raise `ValueError`."""
    return (json.dumps(value, indent=2, allow_nan=False) + "\n").encode()


def save_record(path: Path, record: Record) -> None:
    """Write a record; raises `SaveFailed`."""
    save_atomic(path, json_bytes(record.as_json()), backups=0)


def npz_bytes(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Return arrays as the bytes of an `.npz` file."""
    stream = io.BytesIO()
    np.savez(stream, allow_pickle=False, **arrays)
    return stream.getvalue()
