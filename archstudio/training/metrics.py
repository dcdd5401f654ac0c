"""Keeps every value of every metric of a run on disk, as records of fixed size that survive a kill."""

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from archstudio.files.unusable import UnusableFile

RECORD = np.dtype([("step", "<i8"), ("samples", "<i8"), ("seconds", "<f8"), ("value", "<f8")])
SUFFIX = ".metric"

_MAGIC = b"ArchStudioMetric"
_HEADER = _MAGIC + struct.pack("<II", 1, RECORD.itemsize)
_PACK = struct.Struct("<qqdd").pack


class MetricFiles:
    """Writes the metrics of one seed, one file a metric; `kept` says how many records of each survive from before."""

    def __init__(self, folder: Path, kept: Mapping[str, int]) -> None:
        self._folder = folder
        self._streams: dict[str, BinaryIO] = {}
        self._counts: dict[str, int] = {}
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.glob(f"*{SUFFIX}"):
            if path.stem not in kept:
                path.unlink()
        for name, count in kept.items():
            self._open(name, count)

    @property
    def counts(self) -> dict[str, int]:
        """Number of records of each metric, written or about to be."""
        return dict(self._counts)

    def append(self, name: str, step: int, samples: int, seconds: float, value: float) -> None:
        """Add one value; it is on its way to disk at the next `flush`."""
        if name not in self._streams:
            self._open(name, 0)
        self._streams[name].write(_PACK(step, samples, seconds, value))
        self._counts[name] += 1

    def flush(self) -> None:
        """Hand everything to the operating system: a kill of this process then loses nothing."""
        for stream in self._streams.values():
            stream.flush()

    def close(self) -> None:
        """Flush and close the files."""
        for stream in self._streams.values():
            stream.close()

    def _open(self, name: str, count: int) -> None:
        path = self._folder / f"{name}{SUFFIX}"
        stream = path.open("r+b" if path.exists() else "w+b")
        if count == 0:
            stream.truncate(0)
            stream.write(_HEADER)
        else:
            stream.truncate(len(_HEADER) + count * RECORD.itemsize)
            stream.seek(0, 2)
        self._streams[name] = stream
        self._counts[name] = count


def read_metric(path: Path, start: int = 0) -> NDArray[Any]:
    """Return the records (step, samples, seconds, value) from number `start` on; a half-written last one is left out.

    Raises `UnusableFile` if the file is no metric file.
    """
    with path.open("rb") as stream:
        header = stream.read(len(_HEADER))
        if header != _HEADER[: len(header)]:
            raise UnusableFile(str(path), problem="This is no metric file", remedy="Delete it and run again.")
        stream.seek(len(_HEADER) + start * RECORD.itemsize)
        data = stream.read()
    return np.frombuffer(data[: len(data) - len(data) % RECORD.itemsize], RECORD)


def metric_names(folder: Path) -> list[str]:
    """Return the names of the metrics kept in `folder`, sorted."""
    return sorted(path.stem for path in folder.glob(f"*{SUFFIX}"))
