"""What travels to a cluster and back: JSON that says what to train, and the files of seeds as bytes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pydantic import BaseModel

from archstudio.files.atomic import save_atomic
from archstudio.files.unusable import UnusableFile
from archstudio.training.checkpoint import BEST_MODEL_FILE, CHECKPOINT_FILE, FINAL_MODEL_FILE
from archstudio.training.description import STRICT, RunDescription
from archstudio.training.diagnosis import DIAGNOSIS_FILE
from archstudio.training.metrics import SUFFIX
from archstudio.training.store import LOG_FILE, RESULT_FILE, SeedFolder

Files = dict[str, bytes]
"""Contents by names relative to a seed's folder, with `/` between parts."""

_TRAVELLING = (
    f"metrics/*{SUFFIX}",
    LOG_FILE,
    CHECKPOINT_FILE,
    BEST_MODEL_FILE,
    FINAL_MODEL_FILE,
    DIAGNOSIS_FILE,
    RESULT_FILE,
)
"""What is worth sending, the result last: where it is written, the rest is there."""


class Order(BaseModel):
    """Train these seeds of a run, one after another, in an environment with this digest."""

    model_config = STRICT

    task: str
    run: str
    description: RunDescription
    seeds: tuple[int, ...]
    environment_sha256: str
    kinds: dict[str, str]
    memory_bytes: int | None
    wall_seconds: float | None
    checkpoint_seconds: float


@dataclass(frozen=True)
class SeedReturn:
    """What comes back of one seed: an `Ended` message as JSON, and the files."""

    seed: int
    ended: str
    files: Files


def packed(folder: SeedFolder) -> Files:
    """Return the files of a seed that are worth sending; none if there is no folder."""
    found = [path for pattern in _TRAVELLING for path in sorted(folder.path.glob(pattern))]
    return {path.relative_to(folder.path).as_posix(): path.read_bytes() for path in found}


def unpack(files: Files, folder: SeedFolder) -> None:
    """Write files that came from elsewhere, only under names that `packed` gives.

    A checkpoint that did not come is removed here too. Raises `SaveFailed`, and `UnusableFile` for another name.
    """
    for name in files:
        if not any(PurePosixPath(name).match(pattern) for pattern in _TRAVELLING) or ".." in name or name[:1] == "/":
            raise UnusableFile(name, problem="This is no file of a run", remedy="The cluster's workers are not ours.")
    (folder.path / "metrics").mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        save_atomic(Path(folder.path / name), content, backups=0)
    if CHECKPOINT_FILE not in files:
        folder.checkpoint.unlink(missing_ok=True)
