"""Prepares a data set for runs in a process of its own, since that needs torch: `-m … REQUEST OUT`."""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from archstudio.files.atomic import SaveFailed, save_atomic
from archstudio.files.strict_json import read_json
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.datasets.folder import create_dataset, open_dataset
from archstudio.intuition.datasets.spec import Envelope, dataset_spec_of
from archstudio.intuition.records import Record, checked, json_bytes
from archstudio.intuition.truth.description import tensor_file
from archstudio.training.description import TENSORS_FILE
from archstudio.training.devices import found_devices

READY_FILE = "ready.json"


class PrepareRequest(Record):
    """Which data set: one in a folder, or one to be made from its spec."""

    folder: str | None = None
    spec: dict[str, Any] | None = None


class Prepared(Record):
    """Where the tensors are, their digest, and the devices there are."""

    folder: str
    tensors: str
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    devices: list[str]


def prepare(request: PrepareRequest, out: Path) -> Prepared:
    """Write a data set's tensors as runs take them, making the data set under `out` if it is given by its spec.

    Raises `UnusableFile`, `SaveFailed`. Imports torch.
    """
    if request.spec is not None:
        spec = dataset_spec_of(checked(Envelope, request.spec, "the data set"), "the data set")
        dataset = create_dataset(spec, out / "data")
    else:
        dataset = open_dataset(Path(request.folder or ""))
    content = tensor_file(dataset)
    out.mkdir(parents=True, exist_ok=True)
    save_atomic(out / TENSORS_FILE, content, backups=0)
    made = Prepared(
        folder=str(dataset.folder),
        tensors=str(out / TENSORS_FILE),
        sha256=sha256(content).hexdigest(),
        devices=list(found_devices()),
    )
    save_atomic(out / READY_FILE, json_bytes(made.as_json()), backups=0)
    return made


def main() -> int:
    """Prepare and say on standard output where, as one line of JSON; 1 if that is impossible."""
    request_file, out = Path(sys.argv[1]), Path(sys.argv[2])
    try:
        request = checked(PrepareRequest, read_json(request_file), request_file.name)
        made = prepare(request, out)
    except (UnusableFile, SaveFailed) as fault:
        sys.stdout.write(json.dumps({"fault": str(fault)}) + "\n")
        return 1
    sys.stdout.write(json.dumps(made.as_json()) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
