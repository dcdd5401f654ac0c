"""What `results/summary.json` and `results/curves.npz` hold: how each seed ended, and the mean over those that did."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from archstudio.files.strict_json import read_json
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.records import Number, Record, checked

RESULTS_FOLDER = "results"
SUMMARY_FILE = "summary.json"
CURVES_FILE = "curves.npz"
EXECUTION = "candidate_py_files"

Metric = Literal["test_mse", "test_ce"]

_INFINITY = re.compile(rb'^(\s*"(?:mean|std|final)_\w+":\s*)Infinity(?=,?\s*$)', re.MULTILINE)
_MOST_BYTES = 256 * 1024 * 1024


class SeedEnd(Record):
    """How one seed ended; a failed one keeps the last value it had, None if it never had one."""

    seed: int = Field(ge=0)
    failed: bool
    final_test_mse: Number | None = None
    mean_test_mse: Number | None = None
    final_test_ce: Number | None = None
    final_test_accuracy: Number | None = None

    def final(self, metric: Metric) -> float | None:
        """The last value of the metric that decides."""
        value: Number | None = getattr(self, f"final_{metric}")
        return None if value is None else float(value)


class Summary(Record):
    """All of a candidate's results; the mean is over seeds that did not fail, the deviation that of a population."""

    schema_version: Literal["1.0"] = "1.0"
    candidate_id: str
    selection_metric: Metric
    execution: Literal["candidate_py_files"] = "candidate_py_files"
    n_seeds: int = Field(ge=1)
    base_seed: int = Field(ge=0)
    failed_seeds: int = Field(ge=0)
    excluded: bool
    mean_test_mse: Number | None = None
    std_test_mse: Number | None = None
    mean_test_ce: Number | None = None
    std_test_ce: Number | None = None
    mean_test_accuracy: Number | None = None
    std_test_accuracy: Number | None = None
    seed_results: list[SeedEnd]
    environment: dict[str, Any] = {}

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        seeds = [end.seed for end in self.seed_results]
        if seeds != list(range(self.base_seed, self.base_seed + self.n_seeds)):
            raise ValueError(f"the seeds {seeds} are not the {self.n_seeds} from {self.base_seed} on")
        if (failed := sum(end.failed for end in self.seed_results)) != self.failed_seeds:
            raise ValueError(f"{failed} seeds failed, not {self.failed_seeds}")
        finals = self.finals()
        if np.isnan(finals).sum() > failed:
            raise ValueError(f"a seed that did not fail has no final {self.selection_metric}")
        if failed < self.n_seeds:
            expected = float(np.mean(self.good_finals()))
            if self.mean is None or not np.isclose(self.mean, expected, rtol=1e-9, atol=0):
                raise ValueError(f"the mean is {self.mean}, that of the seeds is {expected}")
        return self

    @property
    def mean(self) -> float | None:
        """Mean of the metric that decides, None if every seed failed."""
        value: Number | None = getattr(self, f"mean_{self.selection_metric}")
        return None if value is None else float(value)

    @property
    def std(self) -> float | None:
        """Deviation of the metric that decides, None if every seed failed."""
        value: Number | None = getattr(self, f"std_{self.selection_metric}")
        return None if value is None else float(value)

    def finals(self) -> NDArray[np.float64]:
        """Last values by seed, failed ones too; NaN where there is none."""
        values = [end.final(self.selection_metric) for end in self.seed_results]
        return np.array([np.nan if value is None else value for value in values])

    def good_finals(self) -> NDArray[np.float64]:
        """Last values of the seeds that did not fail."""
        return self.finals()[[not end.failed for end in self.seed_results]]

    def ranked_finals(self) -> NDArray[np.float64]:
        """Last values by seed for comparisons between candidates: a failed seed is worse than any value."""
        failed = np.array([end.failed for end in self.seed_results])
        return np.where(failed, np.inf, self.finals())

    def as_json(self) -> dict[str, Any]:
        """Return the summary as JSON values; the mean over no seeds is null."""
        content = super().as_json()
        metric = self.selection_metric
        ordered: dict[str, Any] = {}
        for key, value in content.items():
            if key == "seed_results":
                for name in (f"mean_{metric}", f"std_{metric}"):
                    ordered.setdefault(name, None)
            ordered[key] = value
        return ordered


def summarise(
    candidate_id: str, metric: Metric, ends: list[SeedEnd], max_failed: int, environment: dict[str, Any]
) -> Summary:
    """Return the summary of seeds in their order."""
    failed = sum(end.failed for end in ends)
    good = [end for end in ends if not end.failed]
    content: dict[str, Any] = {}
    for name in (metric, "test_accuracy"):
        values = [value for end in good if (value := getattr(end, f"final_{name}")) is not None]
        if values:
            content |= {f"mean_{name}": float(np.mean(values)), f"std_{name}": float(np.std(values))}
    return Summary(
        candidate_id=candidate_id,
        selection_metric=metric,
        n_seeds=len(ends),
        base_seed=ends[0].seed,
        failed_seeds=failed,
        excluded=failed >= max_failed,
        seed_results=ends,
        environment=environment,
        **content,
    )


def read_summary(candidate_folder: Path) -> Summary | None:
    """Return a candidate's summary, None if it has none; raises `UnusableFile`.

    The reference writes the bare token Infinity as the mean of no seeds; it is read as none.
    """
    path = candidate_folder / RESULTS_FOLDER / SUMMARY_FILE
    if not path.is_file():
        return None
    if path.stat().st_size > _MOST_BYTES:
        raise UnusableFile(str(path), problem="is far too long for a summary", remedy="Make the results again.")
    return checked(Summary, read_json(_INFINITY.sub(rb"\1null", path.read_bytes()), name=str(path)), str(path))


@dataclass(frozen=True)
class Curves:
    """Measurements while training: `values` (seeds, points), rows of failed seeds NaN; `samples` (points,)."""

    values: NDArray[np.float64]
    samples: NDArray[np.int64]
    batch_size: int

    @property
    def mean(self) -> NDArray[np.float64]:
        """Mean over the seeds that did not fail; empty if all failed."""
        return self._good().mean(axis=0) if len(self._good()) else np.empty(0)

    @property
    def std(self) -> NDArray[np.float64]:
        """Population deviation over the seeds that did not fail; empty if all failed."""
        return self._good().std(axis=0) if len(self._good()) else np.empty(0)

    def _good(self) -> NDArray[np.float64]:
        return self.values[~np.isnan(self.values).any(axis=1)] if self.values.size else self.values[:0]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what the file holds."""
        return {"curves": self.values, "samples": self.samples, "batch_size": np.asarray(self.batch_size, np.int64)}


def read_curves(candidate_folder: Path) -> Curves:
    """Return a candidate's curves; raises `UnusableFile`."""
    path = candidate_folder / RESULTS_FOLDER / CURVES_FILE
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as arrays:
            values, samples = np.asarray(arrays["curves"], np.float64), np.asarray(arrays["samples"], np.int64)
            batch = int(arrays["batch_size"])
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        remedy = "Make the results again."
        raise UnusableFile(str(path), problem="holds no curves", value=str(error), remedy=remedy) from error
    if values.ndim != 2 or samples.shape != values.shape[1:]:
        found = f"{values.shape} and {samples.shape}"
        raise UnusableFile(str(path), problem="Curves and samples have different lengths", value=found)
    return Curves(values, samples, batch)
