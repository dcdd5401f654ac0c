"""Graphs of the canvas as candidates: whether they fit, their programs, and their place in a set of candidates."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from archstudio.app.document import Document
from archstudio.app.quiz.workbench import Trial
from archstudio.app.training import REFUSED
from archstudio.files.atomic import save_atomic
from archstudio.graph import write_graph
from archstudio.graph.digest import architecture_digest
from archstudio.intuition.candidates.spec import CandidateSpec
from archstudio.intuition.datasets.folder import Dataset, open_dataset
from archstudio.intuition.datasets.spec import DatasetSpec
from archstudio.intuition.design import Design, DesignCandidate, DoesNotFit, check_design_fits
from archstudio.intuition.records import json_bytes
from archstudio.intuition.truth.runs import save_truth
from archstudio.intuition.truth.sets import Candidate, CandidateSet, open_set
from archstudio.torchcode.program import GraphHasErrors
from archstudio.torchcode.source import source_of
from archstudio.torchcode.specs import io_specs

DESIGN_FILE = "design.json"
GRAPH_FILE = "graph.arch.json"


class CannotUse(ValueError):
    """The graph cannot be a candidate on this data set; the text says why."""


def design_of(document: Document, dataset: DatasetSpec) -> Design:
    """Return the open graph's program, if it fits the data set; raises `CannotUse`."""
    verdict = document.verdict
    if not verdict.runs:
        raise CannotUse(REFUSED)
    try:
        inputs, outputs = io_specs(document.graph, verdict)
        check_design_fits(inputs, outputs, dataset)
        source = source_of(document.graph, verdict)
    except (GraphHasErrors, DoesNotFit) as reason:
        raise CannotUse(str(reason)) from reason
    return Design(document.title, source, architecture_digest(document.graph), verdict.parameters)


@dataclass(frozen=True)
class Field:
    """A set of candidates that a design competes with, best first."""

    dataset: Dataset
    of: CandidateSet

    @property
    def usable(self) -> list[Candidate]:
        """The candidates that were not excluded, best first."""
        found = [one for one in self.of.candidates if not one.summary.excluded and one.summary.mean is not None]
        return sorted(found, key=lambda one: one.summary.mean or 0.0)

    @property
    def seeds(self) -> range:
        """The seeds its candidates were trained with."""
        first = self.usable[0].summary
        return range(first.base_seed, first.base_seed + first.n_seeds)

    def rank(self, mean: float) -> int:
        """The place a mean would have, from 1."""
        return 1 + sum((one.summary.mean or 0.0) < mean for one in self.usable)


def open_field(folder: Path) -> Field:
    """Return a finished set and its data set; raises `UnusableFile`, and `CannotUse` if none can be competed with."""
    of = open_set(folder)
    field = Field(open_dataset(folder.parents[1]), of)
    if not field.usable:
        raise CannotUse(f"Every candidate of the set {of.id} was excluded; there is nothing to compare with.")
    return field


def save_design(field: Field, what: DesignCandidate, document: Document, trial: Trial) -> Path:
    """Write a trained design beside the set's candidates, with its graph, its files and its results.

    Its folder holds no `candidate_spec.json`, so whoever reads the set goes past it. Raises `SaveFailed`.
    """
    assert trial.truth is not None  # only what is finished is kept
    folder = field.of.folder / what.id
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in what.files().items():
        save_atomic(folder / name, text.encode(), backups=0)
    save_atomic(folder / GRAPH_FILE, write_graph(document.graph), backups=0)
    save_truth(folder, trial.truth)
    save_atomic(folder / DESIGN_FILE, json_bytes(_record(field, what)), backups=0)
    return folder


def _record(field: Field, what: DesignCandidate) -> dict[str, Any]:
    spec: CandidateSpec = what.carrier
    return {
        "schema": "archstudio.design/1",
        "design_id": what.id,
        "title": what.design.title,
        "architecture_sha256": what.design.digest,
        "parameters": what.design.parameters,
        "dataset_id": field.dataset.id,
        "set_id": field.of.id,
        "budget": spec.budget.as_json(),
        "optimizer": spec.optimizer.as_json(),
        "loss": spec.loss.as_json(),
    }
