"""Runs candidates again from their specs alone; what was recorded of them is only read when all of it is over."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from archstudio.files.unusable import UnusableFile
from archstudio.intuition.candidates.spec import SPEC_FILE, CandidateSpec, identified, read_candidate_spec
from archstudio.intuition.datasets.folder import Dataset, open_dataset
from archstudio.intuition.datasets.spec import SPEC_FILE as DATASET_SPEC_FILE
from archstudio.intuition.truth.conform import CandidateComparison, Conformance, compare
from archstudio.intuition.truth.runs import Truth, bench
from archstudio.intuition.truth.summary import read_summary
from archstudio.training.engine import Engine

PERTURBATION = 1.25
"""How much larger the learning rate of a control is; its results must not be those recorded."""


@dataclass(frozen=True)
class Again:
    """A candidate and what came out of running it again."""

    folder: Path
    spec: CandidateSpec
    truth: Truth


def find_candidate_folders(paths: Sequence[Path]) -> list[Path]:
    """Return the folders of candidates that `paths` are or hold, each once; raises `UnusableFile` where none is."""
    found: dict[Path, None] = {}
    for path in paths:
        inside = [path] if (path / SPEC_FILE).is_file() else sorted(p.parent for p in path.rglob(SPEC_FILE))
        if not inside:
            remedy = f"Choose a candidate's folder, which holds {SPEC_FILE}, or a folder above some."
            raise UnusableFile(str(path), problem="There is no candidate in it", remedy=remedy)
        found |= dict.fromkeys(inside)
    return list(found)


def dataset_of(folder: Path) -> Dataset:
    """Return the data set that a candidate's folder lies in; raises `UnusableFile`."""
    home = next((parent for parent in folder.parents if (parent / DATASET_SPEC_FILE).is_file()), None)
    if home is None:
        remedy = "A candidate lies in DATASET/candidates/SET/CANDIDATE; restore the folders around it."
        raise UnusableFile(str(folder), problem="There is no data set above it", remedy=remedy)
    return open_dataset(home)


def reproduce(
    engine: Engine, folders: Sequence[Path], seeds: Sequence[int], *, perturbed: bool = False
) -> Iterator[Again]:
    """Run candidates with these seeds from their specs and their data set's tensors, and yield each as it is done.

    No results are read, and nothing is written into the folders. With `perturbed` every learning rate is
    `PERTURBATION` times what the spec says. Raises `UnusableFile` and `TruthFailed`. Imports torch.
    """
    specs = {folder: read_candidate_spec(folder) for folder in folders}
    ordered = sorted(folders, key=lambda folder: (specs[folder].dataset_id, folder))
    for _, group in groupby(ordered, key=lambda folder: specs[folder].dataset_id):
        members = list(group)
        with bench(engine, dataset_of(members[0])) as here:
            waiting = []
            for folder in members:
                spec = _perturbed(specs[folder]) if perturbed else specs[folder]
                waiting.append((folder, spec, here.submit(spec, seeds)))
            for folder, spec, handle in waiting:
                yield Again(folder, spec, here.collect(spec, handle, seeds, max_failed=len(seeds)))


def _perturbed(spec: CandidateSpec) -> CandidateSpec:
    content = spec.as_json()
    digits = len(content.pop("candidate_id")) - len("c_")
    content["optimizer"]["lr"] = float(spec.optimizer.lr) * PERTURBATION
    return identified(content, digits)


def compare_with_recorded(
    made: Sequence[Again], recorded_in: Path | None = None, told: Callable[[Again], None] = lambda again: None
) -> Conformance:
    """Compare with the summaries beside the specs, or with those of the same candidates in the tree `recorded_in`.

    Only seeds that were recorded are compared. `told` hears of candidates without a record, which are left out.
    """
    compared: list[CandidateComparison] = []
    for again in made:
        home = again.folder if recorded_in is None else _counterpart(again.folder, recorded_in)
        summary = None if home is None else read_summary(home)
        known = {end.seed for end in summary.seed_results} if summary else set()
        if summary is None or not known.issuperset(end.seed for end in again.truth.summary.seed_results):
            told(again)
            continue
        compared.append(compare(again.spec.dataset_id, summary, again.truth))
    return Conformance(tuple(compared))


def _counterpart(folder: Path, root: Path) -> Path | None:
    """The folder of the same candidate of the same set under another root."""
    place = Path(folder.parent.name) / folder.name
    return next((found for found in sorted(root.rglob(folder.name)) if found.match(str(place))), None)
