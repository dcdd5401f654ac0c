"""Decides when two runs are the same run: the canonical digest of a description and of the numeric environment."""

import hashlib
import os
import platform
import subprocess
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

from archstudio.files.strict_json import canonical_json
from archstudio.training.description import TENSORS_FILE, RunDescription, SyntheticData

WORKER_THREADS = 1
GENERATOR_VERSION = 1
"""Raised whenever `synthetic` would generate other numbers from the same description."""

_ADDED_LATER = {"precision": "float32", "keep_best": False, "device": "cpu"}
"""What descriptions did not say at first: left out of the digest where it is as it always was."""

_NUMERIC_FLAGS = ("sse4", "avx", "fma", "f16c", "amx", "asimd", "sve", "neon", "bf16", "i8mm")


@dataclass(frozen=True)
class NumericEnvironment:
    """What, beside the description, decides the bits of a result; found without importing torch."""

    torch: str
    numpy: str
    threads: int
    cpu: str

    @property
    def sha256(self) -> str:
        """The digest of the four facts."""
        return digest(asdict(self))


def digest(value: object) -> str:
    """Return the sha256 of the canonical JSON of `value`."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


@cache
def numeric_environment() -> NumericEnvironment:
    """Return the environment that workers started by this process compute in."""
    return NumericEnvironment(
        torch=version("torch"), numpy=version("numpy"), threads=WORKER_THREADS, cpu=_cpu_capability()
    )


def spec_sha256(description: RunDescription, data_sha256: str) -> str:
    """Return the digest of what is trained: all of the description but its title and seeds, and the data."""
    facts = description.model_dump(mode="json", exclude={"title", "seeds"})
    for name, usual in _ADDED_LATER.items():
        if facts[name] == usual:
            del facts[name]
    for loss in facts["losses"]:
        if loss["class_weights"] is None:
            del loss["class_weights"]
    return digest({"description": facts, "data": data_sha256})


def run_key(description: RunDescription, data_sha256: str, environment: NumericEnvironment) -> str:
    """Return the sha256 under which a run's results are kept: description, data and numeric environment."""
    return digest({"spec": spec_sha256(description, data_sha256), "environment": environment.sha256})


def data_sha256(description: RunDescription, folder: Path | None = None) -> str:
    """Return the digest of the data: of the file itself, or of everything synthetic data are generated from.

    With `folder`, a data file is read and hashed; without, the digest the description names is taken.
    """
    data = description.data
    if isinstance(data, SyntheticData):
        recipe = description.model_dump(mode="json", include={"data", "inputs", "outputs", "losses"})
        for loss in recipe["losses"]:
            del loss["class_weights"]  # they change what is learnt, not the data
        return digest({"generator": GENERATOR_VERSION, **recipe})
    return file_sha256(folder / TENSORS_FILE) if folder else data.sha256


def file_sha256(path: Path) -> str:
    """Return the sha256 of a file's bytes."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _cpu_capability() -> str:
    """The instruction set that torch and its libraries choose their kernels by, and whoever overrides it."""
    chosen = os.environ.get("ATEN_CPU_CAPABILITY", "")
    return " ".join(part for part in (platform.machine(), _vendor_and_flags(), chosen) if part)


def _vendor_and_flags() -> str:
    system = platform.system()
    if system == "Linux":
        return _linux_cpu(Path("/proc/cpuinfo").read_text(errors="replace"))
    if system == "Darwin":
        asked = ["sysctl", "-n", "machdep.cpu.brand_string"]
        return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    return platform.processor()


def _linux_cpu(cpuinfo: str) -> str:
    fields: dict[str, str] = {}
    for line in cpuinfo.splitlines():
        name, _, value = line.partition(":")
        fields.setdefault(name.strip().lower(), value.strip())
    flags = (fields.get("flags") or fields.get("features") or "").split()
    numeric = sorted(flag for flag in set(flags) if flag.startswith(_NUMERIC_FLAGS))
    return " ".join([fields.get("vendor_id", ""), *numeric]).strip()
