"""Gathers what an analysis is about: finished sets of candidates, runs of questions, and the data sets they are of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from archstudio.files.unusable import UnusableFile
from archstudio.intuition.datasets.folder import open_dataset
from archstudio.intuition.datasets.spec import SPEC_FILE, DatasetSpec
from archstudio.intuition.packs.export import load_questions
from archstudio.intuition.questions.record import RUN_FILE, Question
from archstudio.intuition.truth.sets import SET_FILE, Candidate, CandidateSet, open_set
from archstudio.intuition.truth.summary import Curves

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Traced:
    """A candidate of which at least one seed did not fail, with its curves."""

    candidate: Candidate
    curves: Curves

    @property
    def id(self) -> str:
        """The candidate's id."""
        return self.candidate.id

    @property
    def final(self) -> float:
        """Mean of the metric that decides, over the seeds that did not fail."""
        mean = self.candidate.summary.mean
        assert mean is not None
        return mean

    def at(self, samples: float) -> float:
        """The mean curve at the last measurement not after `samples`; the first where there is none before."""
        place = int(np.searchsorted(self.curves.samples, samples, side="right")) - 1
        return float(self.curves.mean[max(place, 0)])


@dataclass(frozen=True)
class SetMaterial:
    """A set with the curves of those candidates that have any."""

    of: CandidateSet
    traced: tuple[Traced, ...]

    @property
    def id(self) -> str:
        """The set's id."""
        return self.of.id

    @property
    def budget(self) -> int:
        """Samples every candidate sees."""
        return self.of.record.budget.total_samples_seen

    @cached_property
    def samples(self) -> Floats:
        """Where all curves are compared: the measurements of the first candidate."""
        return self.traced[0].curves.samples.astype(np.float64)

    @cached_property
    def means(self) -> Floats:
        """Mean curves at `samples`: (candidates, points); other places are interpolated in log samples."""
        grid = np.log(self.samples)
        return np.stack([np.interp(grid, np.log(each.curves.samples), each.curves.mean) for each in self.traced])

    @cached_property
    def finals(self) -> Floats:
        """Mean finals of the candidates: (candidates,)."""
        return np.array([each.final for each in self.traced])


@dataclass(frozen=True)
class Material:
    """Everything that is analysed; `datasets` by id."""

    sets: tuple[SetMaterial, ...]
    questions: tuple[Question, ...]
    datasets: Mapping[str, DatasetSpec]

    @cached_property
    def candidates(self) -> tuple[Traced, ...]:
        """All candidates with curves, each once, those of questions too; by id."""
        known = {each.id: each for of in self.sets for each in of.traced}
        asked = {c.id: c for question in self.questions for c in question.candidates if c.id not in known}
        known |= {each.id: each for each in _traced(asked.values())}
        return tuple(known[name] for name in sorted(known))


def gather(paths: Iterable[Path]) -> Material:
    """Open folders of sets, of runs of questions (their sets come along), or of data sets (all that is in them).

    Raises `UnusableFile`. Nothing is run or written.
    """
    sets: dict[Path, SetMaterial] = {}
    questions: dict[str, Question] = {}
    datasets: dict[str, DatasetSpec] = {}
    for folder in (each for path in paths for each in _expanded(path.absolute())):
        home = open_dataset(folder.parents[1])
        datasets[home.id] = home.spec
        if (folder / RUN_FILE).is_file():
            for question in load_questions(folder, home):
                questions.setdefault(question.id, question)
                for place in question.record.candidate_sets:
                    _add(sets, home.root / place, home.folder)
        else:
            _add(sets, folder, home.folder)
    ordered = sorted(sets.values(), key=lambda of: (of.of.record.dataset_id, of.id))
    return Material(tuple(ordered), tuple(questions[name] for name in sorted(questions)), datasets)


def _add(sets: dict[Path, SetMaterial], folder: Path, home: Path) -> None:
    place = folder.resolve()
    if place in sets:
        return
    if not place.is_relative_to(home.resolve()):
        remedy = "Make the questions again."
        raise UnusableFile(str(folder), problem="The set lies outside the data set of its questions", remedy=remedy)
    opened = open_set(folder)
    traced = tuple(_traced(opened.candidates))
    if not traced:
        remedy = "Choose another set."
        raise UnusableFile(str(folder), problem="Every candidate of the set failed with every seed", remedy=remedy)
    sets[place] = SetMaterial(opened, traced)


def _traced(candidates: Iterable[Candidate]) -> Iterator[Traced]:
    for candidate in candidates:
        if candidate.summary.mean is not None:
            curves = candidate.curves()
            if curves.mean.size:
                yield Traced(candidate, curves)


def _expanded(path: Path) -> Iterator[Path]:
    """The sets and runs a path means."""
    if (path / SET_FILE).is_file() or (path / RUN_FILE).is_file():
        yield path
        return
    inside = [*path.glob(f"candidates/*/{SET_FILE}"), *path.glob(f"questions/*/{RUN_FILE}")]
    if not (path / SPEC_FILE).is_file() or not inside:
        raise UnusableFile(
            str(path),
            problem="There is no finished set and no run of questions in it",
            remedy="Choose the folder of a set, of a run of questions, or of a data set that has them.",
        )
    yield from sorted(each.parent for each in inside)
