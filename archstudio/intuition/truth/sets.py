"""Sets of candidates on disk: made so that one can stop at any moment and go on, and whole once `set.json` is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import Field

from archstudio.files.atomic import save_atomic
from archstudio.files.locks import FileLock
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.candidates.sampling import SampledSet, SetRequest, sample_set
from archstudio.intuition.candidates.source import candidate_sources
from archstudio.intuition.candidates.spec import (
    AXES,
    SPEC_FILE,
    Axis,
    CandidateSpec,
    read_candidate_spec,
)
from archstudio.intuition.datasets.folder import Dataset
from archstudio.intuition.profile import Family, LoadedProfile, Size
from archstudio.intuition.records import Record, json_bytes, read_record
from archstudio.intuition.truth.runs import bench, save_truth
from archstudio.intuition.truth.summary import Curves, Summary, read_curves, read_summary
from archstudio.training.engine import Engine

SET_FILE = "set.json"
LOCK_FILE = ".lock"


class SetBudget(Record):
    """The samples every candidate of the set sees."""

    total_samples_seen: Size


class SetRecord(Record):
    """What `set.json` holds. Older ones lack `profile_hash`."""

    schema_version: str = "1.0"
    set_id: str = Field(pattern=r"^set_[0-9a-z_]+$")
    dataset_id: str
    family: Family
    budget: SetBudget
    count: Size
    varying_axes: list[Axis]
    invariant_axes: list[Axis]
    fixed_shared: dict[str, Any]
    seed: int
    profile: str
    profile_hash: str | None = None
    created_at: str


@dataclass(frozen=True)
class Candidate:
    """A trained candidate: its folder, spec and results."""

    folder: Path
    spec: CandidateSpec
    summary: Summary

    @property
    def id(self) -> str:
        """The candidate's id."""
        return self.spec.candidate_id

    def curves(self) -> Curves:
        """Read the curves; raises `UnusableFile`."""
        return read_curves(self.folder)


@dataclass(frozen=True)
class CandidateSet:
    """A set on disk and its trained candidates."""

    folder: Path
    record: SetRecord
    candidates: tuple[Candidate, ...]

    @property
    def id(self) -> str:
        """The set's id."""
        return self.record.set_id


class SetBusy(Exception):
    """Another process is making the set."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        super().__init__(f"Another process is making the set {folder.name}. Wait for it, or take another seed.")


@dataclass(frozen=True)
class SetProgress:
    """A candidate of a set has its results; `known` says that it had them before."""

    number: int
    count: int
    candidate: Candidate
    known: bool


def make_set(
    engine: Engine,
    profile: LoadedProfile,
    dataset: Dataset,
    request: SetRequest,
    told: Callable[[SetProgress], None] = lambda progress: None,
) -> CandidateSet:
    """Draw, write and train a set; an interrupted one goes on where it was, a finished one is only read.

    Raises `CannotSample`, `SetBusy`, `TruthFailed`, `UnusableFile`, `SaveFailed`. Imports torch.
    """
    sampled = sample_set(profile, dataset.spec, request)
    folder = dataset.folder / "candidates" / sampled.set_id
    if (folder / SET_FILE).is_file():
        return _same_profile(open_set(folder), profile)
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder):
        for spec in sampled.candidates:
            write_candidate(folder / spec.candidate_id, spec)
        _train(engine, profile, dataset, folder, sampled, told)
        record = _record(profile, dataset, request, sampled)
        save_atomic(folder / SET_FILE, json_bytes(record.as_json()), backups=0)
    return open_set(folder)


def write_candidate(folder: Path, spec: CandidateSpec) -> None:
    """Write the four generated files and the spec into a candidate's folder; raises `SaveFailed`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in candidate_sources(spec).items():
        save_atomic(folder / name, text.encode(), backups=0)
    save_atomic(folder / SPEC_FILE, json_bytes(spec.as_json()), backups=0)


def edited_files(candidate: Candidate) -> list[str]:
    """Return the generated files that somebody changed; they are foreign code, and nothing here runs them."""
    expected = candidate_sources(candidate.spec)
    found = {name: candidate.folder / name for name in expected}
    return [name for name, path in found.items() if path.is_file() and path.read_text("utf-8") != expected[name]]


def open_set(folder: Path) -> CandidateSet:
    """Return a set and its candidates, all checked; raises `UnusableFile`, also for a set that is not finished."""
    if not (folder / SET_FILE).is_file():
        begun = any(folder.glob(f"*/{SPEC_FILE}"))
        problem = "The set is not finished" if begun else "There is no set of candidates in it"
        remedy = "Run the command that made it again; it goes on where it was." if begun else "Choose a set's folder."
        raise UnusableFile(str(folder), problem=problem, remedy=remedy)
    record = read_record(SetRecord, folder / SET_FILE)
    candidates = []
    for path in sorted(folder.glob(f"*/{SPEC_FILE}")):
        spec, summary = read_candidate_spec(path.parent), read_summary(path.parent)
        if summary is not None:
            check_together(record, spec, summary, path.parent)
            candidates.append(Candidate(path.parent, spec, summary))
    return CandidateSet(folder, record, tuple(candidates))


def check_together(record: SetRecord, spec: CandidateSpec, summary: Summary, folder: Path) -> None:
    """Refuse a candidate in the wrong set, or a summary in the wrong candidate; raises `UnusableFile`."""
    pairs = [
        ("dataset_id", record.dataset_id, spec.dataset_id),
        ("candidate_id", spec.candidate_id, summary.candidate_id),
        ("selection_metric", spec.metric, summary.selection_metric),
    ]
    for name, expected, found in pairs:
        if expected != found:
            raise UnusableFile(
                str(folder),
                problem=f"The {name} is not {expected}, where its surroundings say so",
                value=found,
                remedy="The folder was moved or mixed up; restore it.",
            )


def _same_profile(known: CandidateSet, profile: LoadedProfile) -> CandidateSet:
    if known.record.profile_hash != profile.hash:
        raise UnusableFile(
            str(known.folder / SET_FILE),
            problem=f"The set was made under another profile than {profile.name} ({profile.hash})",
            place="$.profile_hash",
            value=f"{known.record.profile} ({known.record.profile_hash})",
            remedy="Take another seed.",
        )
    return known


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    lock = FileLock.try_take(folder / LOCK_FILE)
    if lock is None:
        raise SetBusy(folder)
    try:
        yield
    finally:
        lock.release_and_remove()


def _train(
    engine: Engine,
    profile: LoadedProfile,
    dataset: Dataset,
    folder: Path,
    sampled: SampledSet,
    told: Callable[[SetProgress], None],
) -> None:
    truth = profile.content.ground_truth
    seeds: Sequence[int] = range(truth.base_seed, truth.base_seed + truth.n_seeds)
    done = 0
    with bench(engine, dataset) as here:
        waiting = []
        for spec in sampled.candidates:
            home = folder / spec.candidate_id
            if (summary := read_summary(home)) is None:
                waiting.append((spec, home, here.submit(spec, seeds)))
                continue
            done += 1
            told(SetProgress(done, len(sampled.candidates), Candidate(home, spec, summary), known=True))
        for spec, home, handle in waiting:
            made = here.collect(spec, handle, seeds, truth.max_failed_seeds)
            save_truth(home, made)
            done += 1
            told(SetProgress(done, len(sampled.candidates), Candidate(home, spec, made.summary), known=False))


def _record(profile: LoadedProfile, dataset: Dataset, request: SetRequest, sampled: SampledSet) -> SetRecord:
    return SetRecord(
        set_id=sampled.set_id,
        dataset_id=dataset.id,
        family=dataset.spec.family,
        budget=SetBudget(total_samples_seen=request.budget),
        count=len(sampled.candidates),
        varying_axes=sorted(request.vary),
        invariant_axes=sorted(set(AXES) - request.vary),
        fixed_shared={
            "batch_size": sampled.batch_size,
            **{axis: part.as_json() for axis, part in sampled.shared.items()},
        },
        seed=request.seed,
        profile=profile.name,
        profile_hash=profile.hash,
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
