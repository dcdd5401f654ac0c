"""Where runs live on disk: one folder a run, named by its key, with one folder a seed inside."""

import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from archstudio.files.atomic import save_atomic, saving
from archstudio.files.strict_json import dump_json, read_json
from archstudio.files.unusable import UnusableFile
from archstudio.training.checkpoint import BEST_MODEL_FILE, CHECKPOINT_FILE, FINAL_MODEL_FILE
from archstudio.training.description import (
    DESCRIPTION_FILE,
    TENSORS_FILE,
    Part,
    RunDescription,
    TensorData,
    read_description,
    write_run_folder,
)
from archstudio.training.identity import (
    NumericEnvironment,
    data_sha256,
    file_sha256,
    numeric_environment,
    run_key,
    spec_sha256,
)
from archstudio.training.metrics import RECORD, SUFFIX, metric_names, read_metric
from archstudio.training.protocol import Failure
from archstudio.training.sources import Ceiling

ENVIRONMENT_FILE = "environment.json"
_FIRST_INPUT = "train.inputs.0"
"""The tensor of `TensorData` that every run has."""
LOG_FILE = "log.txt"
RESULT_FILE = "result.json"

_ID_LENGTH = 24


class SeedResult(Part):
    """How one seed ended. `above_threshold`: the final validation loss is over the run's fail threshold."""

    state: Literal["finished", "failed"]
    step: int = 0
    samples: int = 0
    seconds: float = 0.0
    parameters: int = 0
    metrics: dict[str, float] = {}
    device: str = ""
    """The name of what it was computed on, where that was not the CPU."""
    failure: Failure | None = None
    early_stopped: bool = False
    above_threshold: bool | None = None
    ceiling_metric: str = ""
    ceiling: float | None = None
    ceiling_words: str = ""


def ceiling_fields(ceiling: Ceiling | None) -> dict[str, Any]:
    """Return a data set's ceiling as fields of a `SeedResult`."""
    if ceiling is None:
        return {}
    return {"ceiling_metric": ceiling.metric, "ceiling": ceiling.value, "ceiling_words": ceiling.words}


@dataclass(frozen=True)
class SeedFolder:
    """The files of one seed: metrics, log, checkpoint while it lasts, final model, result."""

    path: Path

    @classmethod
    def of(cls, run_folder: Path, seed: int) -> "SeedFolder":
        """Return the folder of a seed of a run, which may not exist yet."""
        return cls(run_folder / "seeds" / str(seed))

    @property
    def metrics(self) -> Path:
        """The folder of the metric files."""
        return self.path / "metrics"

    @property
    def log(self) -> Path:
        """What the model and the worker printed."""
        return self.path / LOG_FILE

    @property
    def checkpoint(self) -> Path:
        """The state between two steps to go on from; there is none before the first and after the last."""
        return self.path / CHECKPOINT_FILE

    @property
    def model(self) -> Path:
        """The trained model's tensors."""
        return self.path / FINAL_MODEL_FILE

    @property
    def best_model(self) -> Path:
        """The tensors at the lowest validation loss, if these were asked for."""
        return self.path / BEST_MODEL_FILE

    def series(self, metric: str, start: int = 0) -> NDArray[Any]:
        """Return records (step, samples, seconds, value) from number `start` on, empty if there are none yet."""
        path = self.metrics / f"{metric}{SUFFIX}"
        return read_metric(path, start) if path.exists() else np.empty(0, RECORD)

    def metric_names(self) -> list[str]:
        """Return the names of the metrics written so far."""
        return metric_names(self.metrics)

    def result(self) -> SeedResult | None:
        """Return how the seed ended, None if it has not; raises `UnusableFile` if the file is damaged."""
        path = self.path / RESULT_FILE
        if not path.exists():
            return None
        read_json(path)
        try:
            return SeedResult.model_validate_json(path.read_bytes())
        except ValidationError as error:
            reason = error.errors()[0]["msg"]
            raise UnusableFile(
                str(path), problem=f"The result is damaged: {reason}", remedy="Delete it and run again."
            ) from error

    def save_result(self, result: SeedResult) -> None:
        """Write how the seed ended; raises `SaveFailed`."""
        text = dump_json(result.model_dump(mode="json"))
        save_atomic(self.path / RESULT_FILE, text.encode(), backups=0)

    def forget_result(self) -> None:
        """Delete the result, before the seed is tried again."""
        (self.path / RESULT_FILE).unlink(missing_ok=True)


@dataclass(frozen=True)
class StoredRun:
    """One run on disk: its id, folder and description."""

    run_id: str
    folder: Path
    description: RunDescription
    spec_sha256: str
    environment_sha256: str

    def seed(self, seed: int) -> SeedFolder:
        """Return the folder of one seed, which may not exist yet."""
        return SeedFolder.of(self.folder, seed)

    def bytes_used(self) -> int:
        """Return what the run takes on disk."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())

    def train_size(self) -> int | None:
        """Return how many training samples there are, None where the file with them is gone."""
        data = self.description.data
        if not isinstance(data, TensorData):
            return data.train_size
        from safetensors import SafetensorError, safe_open

        try:
            with safe_open(self.folder / TENSORS_FILE, framework="np") as tensors:
                return int(tensors.get_slice(_FIRST_INPUT).get_shape()[0])
        except (OSError, SafetensorError):
            return None

    def free_weights(self) -> int:
        """Delete checkpoints and weights, keep description, curves and results; return the bytes freed.

        A run that is not finished then begins again instead of going on.
        """
        freed = 0
        for path in self.folder.glob("seeds/*/*.safetensors"):
            freed += path.stat().st_size
            path.unlink()
        return freed

    def environment(self) -> object:
        """Return what `environment.json` says: program and machine the run was made with."""
        return read_json(self.folder / ENVIRONMENT_FILE)


class RunStore:
    """All runs under one root."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._runs = root / "runs"
        self._runs.mkdir(parents=True, exist_ok=True)

    def add(self, description: RunDescription, tensors: Path | None = None) -> StoredRun:
        """Return the run of a description, made if it is new; seeds it did not have are added to it.

        `tensors` is the data file, needed for data of kind "tensors". Raises `SaveFailed`, and `UnusableFile` if the
        data file is missing or is not the one described.
        """
        data = _checked_data(description, tensors)
        environment = numeric_environment()
        folder = self._runs / run_key(description, data, environment)[:_ID_LENGTH]
        if (folder / ENVIRONMENT_FILE).exists():  # written last, so the folder is complete
            known = read_description(folder)
            seeds = (*known.seeds, *(seed for seed in description.seeds if seed not in known.seeds))
            description = description.model_copy(update={"seeds": seeds, "title": description.title or known.title})
        with saving(folder):
            folder.mkdir(parents=True, exist_ok=True)
            if tensors is not None and not (folder / TENSORS_FILE).exists():
                _copy_whole(tensors, folder / TENSORS_FILE)
        write_run_folder(folder, description)
        _write_environment(folder, environment, spec_sha256(description, data))
        return self._stored(folder, description)

    def get(self, run_id: str) -> StoredRun:
        """Return a run by its id; raises `UnusableFile` if it is gone or damaged."""
        folder = self._runs / run_id
        return self._stored(folder, read_description(folder))

    def changed_at(self, run_id: str) -> int:
        """Return when the run's description was written last, 0 if it is gone."""
        path = self._runs / run_id / DESCRIPTION_FILE
        return path.stat().st_mtime_ns if path.exists() else 0

    def seed_folder(self, run_id: str, seed: int) -> SeedFolder:
        """Return the folder of one seed without reading the run."""
        return SeedFolder.of(self._runs / run_id, seed)

    def __iter__(self) -> Iterator[str]:
        """The ids of all runs, in no particular order."""
        return iter(path.name for path in self._runs.iterdir() if (path / ENVIRONMENT_FILE).exists())

    def delete(self, run_id: str) -> None:
        """Remove a run's folder for good."""
        shutil.rmtree(self._runs / run_id)

    def _stored(self, folder: Path, description: RunDescription) -> StoredRun:
        facts = read_json(folder / ENVIRONMENT_FILE)
        if not isinstance(facts, dict) or not {"spec_sha256", "environment_sha256"} <= facts.keys():
            raise UnusableFile(
                str(folder / ENVIRONMENT_FILE), problem="The digests are missing", remedy="Submit the run again."
            )
        return StoredRun(folder.name, folder, description, facts["spec_sha256"], facts["environment_sha256"])


def _checked_data(description: RunDescription, tensors: Path | None) -> str:
    """Return the digest of the data, having looked at the file if there is one."""
    if isinstance(description.data, TensorData):
        if tensors is None or not tensors.is_file():
            raise UnusableFile(
                str(tensors or TENSORS_FILE), problem="The data file is missing", remedy="Give the file of the run."
            )
        if (found := file_sha256(tensors)) != description.data.sha256:
            raise UnusableFile(
                str(tensors), problem="This is not the data described", value=found, remedy="Describe the run again."
            )
    return data_sha256(description)


def _copy_whole(source: Path, target: Path) -> None:
    beside = target.with_suffix(".part")
    try:
        shutil.copyfile(source, beside)
        beside.replace(target)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


def _write_environment(folder: Path, environment: NumericEnvironment, spec: str) -> None:
    facts = {
        "spec_sha256": spec,
        "environment_sha256": environment.sha256,
        **asdict(environment),
        "python": sys.version.split()[0],
        "system": platform.platform(),
        "archstudio": _own_version(),
    }
    path = folder / ENVIRONMENT_FILE
    if not path.exists():
        save_atomic(path, dump_json(facts).encode(), backups=0)


def _own_version() -> str:
    """The program's version; in a git checkout also the commit."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version("archstudio")
    except PackageNotFoundError:
        number = "source"
    git = Path(__file__).parents[2] / ".git"
    head = git / "HEAD"
    if not head.is_file():
        return number
    content = head.read_text().strip()
    reference = git / content.removeprefix("ref: ")
    commit = reference.read_text().strip() if reference.is_file() else content
    return f"{number}+{commit[:12]}"
