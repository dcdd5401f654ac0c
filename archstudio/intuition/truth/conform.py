"""Runs recorded candidates again from their specs, and compares what comes out with what was recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from archstudio.files.unusable import UnusableFile
from archstudio.intuition.candidates.spec import SPEC_FILE, CandidateSpec, read_candidate_spec
from archstudio.intuition.datasets.folder import DATASETS_FOLDER, Dataset, open_dataset, remade_splits
from archstudio.intuition.datasets.spec import SPEC_FILE as DATASET_SPEC_FILE
from archstudio.intuition.truth.runs import Truth, bench
from archstudio.intuition.truth.summary import Summary, read_summary
from archstudio.training.engine import Engine

CLOSE = 1e-3
"""Finals this near to each other, relatively, count as reproduced."""
NEAR_STDS = 0.1
"""Means this near to each other, in recorded standard deviations, count as reproduced."""
SHARE_REPRODUCED = 0.97
"""The rest are runs at the edge of stability, where the last bit of another processor grows."""


@dataclass(frozen=True)
class RecordedCandidate:
    """A candidate folder with its spec and, if it was trained, its summary."""

    folder: Path
    spec: CandidateSpec
    summary: Summary | None


@dataclass(frozen=True)
class SeedComparison:
    """One seed, recorded and again; `difference` is relative, None where a value is missing on a side."""

    seed: int
    recorded: float | None
    again: float | None
    recorded_failed: bool
    again_failed: bool

    @property
    def difference(self) -> float | None:
        """|again − recorded| / |recorded|."""
        if self.recorded is None or self.again is None:
            return 0.0 if self.recorded is self.again else None
        return abs(self.again - self.recorded) / max(abs(self.recorded), 1e-300)

    @property
    def reproduced(self) -> bool:
        """Whether both failed, or neither did and the finals are close."""
        if self.recorded_failed or self.again_failed:
            return self.recorded_failed == self.again_failed
        return self.difference is not None and self.difference <= CLOSE


@dataclass(frozen=True)
class CandidateComparison:
    """One candidate, recorded and again."""

    dataset_id: str
    candidate_id: str
    seeds: tuple[SeedComparison, ...]
    mean_shift: float | None
    """Distance of the means over the same seeds in recorded deviations; None if every seed failed."""

    @property
    def flags_agree(self) -> bool:
        """Whether the same seeds failed."""
        return all(seed.recorded_failed == seed.again_failed for seed in self.seeds)

    @property
    def mean_agrees(self) -> bool:
        """Whether the mean is where it was."""
        return self.mean_shift is None or self.mean_shift <= NEAR_STDS


@dataclass(frozen=True)
class Conformance:
    """All comparisons of one folder."""

    candidates: tuple[CandidateComparison, ...]

    @property
    def seeds(self) -> list[SeedComparison]:
        """Every seed of every candidate."""
        return [seed for candidate in self.candidates for seed in candidate.seeds]

    @property
    def reproduced(self) -> int:
        """Number of seeds that came out as recorded."""
        return sum(seed.reproduced for seed in self.seeds)

    @property
    def telling(self) -> list[SeedComparison]:
        """Seeds that failed neither time: failing again says nothing of a change."""
        return [seed for seed in self.seeds if not (seed.recorded_failed or seed.again_failed)]

    @property
    def noticed(self) -> bool:
        """Whether a change shows: these finals would not pass as reproduced.

        Single ones may: with a rate so low that hardly anything is learnt, a somewhat higher one changes nothing.
        """
        matched = sum(seed.reproduced for seed in self.telling)
        return bool(self.telling) and matched < SHARE_REPRODUCED * len(self.telling)

    @property
    def holds(self) -> bool:
        """Whether enough seeds, all failure flags and all means are as recorded."""
        return (
            bool(self.seeds)
            and self.reproduced >= SHARE_REPRODUCED * len(self.seeds)
            and all(c.flags_agree and c.mean_agrees for c in self.candidates)
        )


@dataclass(frozen=True)
class TensorComparison:
    """A data set's stored tensors and the ones its program makes here."""

    dataset_id: str
    inputs_equal: bool
    targets_differing: float
    """Share of targets with other bits."""
    largest_difference: float


def find_datasets(folder: Path) -> list[Dataset]:
    """Return the data sets in a data root, a bundle, or one data set's own folder; raises `UnusableFile`."""
    if (folder / DATASET_SPEC_FILE).is_file():
        return [open_dataset(folder)]
    inside = folder / DATASETS_FOLDER if (folder / DATASETS_FOLDER).is_dir() else folder
    found = sorted(inside.glob(f"*/*/{DATASET_SPEC_FILE}"))
    if not found:
        remedy = "Choose a data folder; it holds datasets/FAMILY/ID/dataset_spec.json."
        raise UnusableFile(str(folder), problem="There is no data set in it", remedy=remedy)
    return [open_dataset(path.parent) for path in found]


def find_candidates(dataset: Dataset) -> list[RecordedCandidate]:
    """Return all candidates of a data set, set by set; raises `UnusableFile`."""
    folders = sorted(path.parent for path in dataset.folder.glob(f"candidates/*/*/{SPEC_FILE}"))
    return [RecordedCandidate(folder, read_candidate_spec(folder), read_summary(folder)) for folder in folders]


def compare_tensors(dataset: Dataset) -> TensorComparison:
    """Make a data set's tensors again and compare; raises `UnusableFile`. Imports torch."""
    equal, differing, entries, largest = True, 0, 0, 0.0
    for name, made in remade_splits(dataset.spec).items():
        stored = dataset.load(name)
        equal = equal and bool((stored.x == made.x).all())
        differing += int((stored.y != made.y).sum())
        entries += stored.y.numel()
        largest = max(largest, float((stored.y.double() - made.y.double()).abs().max()))
    return TensorComparison(dataset.id, equal, differing / entries, largest)


def conform(
    engine: Engine,
    datasets: Sequence[Dataset],
    *,
    seeds: int | None = None,
    told: Callable[[CandidateComparison], None] = lambda comparison: None,
) -> Conformance:
    """Run every recorded candidate again, `seeds` of its seeds at most, and compare. Nothing is written there.

    Raises `UnusableFile` and `TruthFailed`. Imports torch.
    """
    compared = []
    for dataset in datasets:
        for comparison in _of_dataset(engine, dataset, seeds):
            told(comparison)
            compared.append(comparison)
    return Conformance(tuple(compared))


def _of_dataset(engine: Engine, dataset: Dataset, seeds: int | None) -> Iterator[CandidateComparison]:
    with bench(engine, dataset) as here:
        waiting = []
        for candidate in find_candidates(dataset):
            if candidate.summary is None:
                continue
            first, count = candidate.summary.base_seed, candidate.summary.n_seeds
            wanted = range(first, first + min(count, seeds or count))
            waiting.append((candidate.spec, candidate.summary, wanted, here.submit(candidate.spec, wanted)))
        for spec, summary, wanted, handle in waiting:
            truth = here.collect(spec, handle, wanted, max_failed=len(wanted))
            yield compare(dataset.id, summary, truth)


def compare(dataset_id: str, recorded: Summary, truth: Truth) -> CandidateComparison:
    """Compare a summary with results for some or all of its seeds."""
    metric = recorded.selection_metric
    by_seed = {end.seed: end for end in recorded.seed_results}
    seeds = tuple(
        SeedComparison(
            seed=end.seed,
            recorded=by_seed[end.seed].final(metric),
            again=end.final(metric),
            recorded_failed=by_seed[end.seed].failed,
            again_failed=end.failed,
        )
        for end in truth.summary.seed_results
    )
    return CandidateComparison(dataset_id, recorded.candidate_id, seeds, _shift(recorded, seeds))


def _shift(recorded: Summary, seeds: Sequence[SeedComparison]) -> float | None:
    before = [s.recorded for s in seeds if not s.recorded_failed and s.recorded is not None]
    again = [s.again for s in seeds if not s.again_failed and s.again is not None]
    if not before and not again:
        return None
    if not before or not again:
        return float("inf")
    distance = abs(float(np.mean(again)) - float(np.mean(before)))
    return distance / recorded.std if recorded.std else distance / max(abs(float(np.mean(before))), 1e-300)
