"""A graph as a candidate: its own architecture, with the optimiser, loss and budget of some candidate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from archstudio.intuition.candidates.sampling import ends
from archstudio.intuition.candidates.source import loss_source, optimizer_source
from archstudio.intuition.candidates.spec import CandidateSpec
from archstudio.intuition.candidates.train_source import train_source
from archstudio.intuition.datasets.spec import BigramParams, DatasetSpec
from archstudio.intuition.ids import short_hash
from archstudio.intuition.truth.description import describe
from archstudio.intuition.truth.program import joined
from archstudio.torchcode.specs import InputSpec, OutputSpec
from archstudio.training.description import ModelSource, RunDescription

_DIGITS = 16


class DoesNotFit(ValueError):
    """The graph takes or gives something else than the data set has; the text says both shapes."""


@dataclass(frozen=True)
class Design:
    """A graph's program and size. `digest` is that of its architecture."""

    title: str
    source: str
    digest: str
    parameters: int | None


@dataclass(frozen=True)
class DesignCandidate:
    """A design with everything else of a candidate; `carrier` is the spec whose model it replaces."""

    design: Design
    carrier: CandidateSpec

    @property
    def id(self) -> str:
        """A name made from content; it begins otherwise than those of candidates."""
        rest = {key: value for key, value in self.carrier.as_json().items() if key not in ("candidate_id", "model")}
        return "d_" + short_hash({"design": self.design.digest, **rest}, _DIGITS)

    @property
    def spec(self) -> CandidateSpec:
        """The carrier under this candidate's id; its model is not the one that is trained."""
        return self.carrier.model_copy(update={"candidate_id": self.id})

    def files(self) -> dict[str, str]:
        """Return the four files that are run."""
        return {
            "model.py": self.design.source,
            "optimizer.py": optimizer_source(self.carrier.optimizer),
            "loss.py": loss_source(self.carrier.loss),
            "train.py": train_source(self.carrier),
        }

    def describe(self, dataset: DatasetSpec, data_sha256: str, seeds: tuple[int, ...]) -> RunDescription:
        """Return its run on a data set whose tensors have that digest; raises `UnusableFile`."""
        made = describe(self.carrier, dataset, data_sha256, seeds)
        model = ModelSource(digest=self.id, source=joined(self.files()))
        return made.model_copy(update={"model": model, "title": f"{dataset.dataset_id} {self.design.title}"})


def check_design_fits(inputs: Sequence[InputSpec], outputs: Sequence[OutputSpec], dataset: DatasetSpec) -> None:
    """Refuse a graph whose one input and one output are not those of the data set; raises `DoesNotFit`."""
    needs, gives, whole = expected_ends(dataset)
    for name, found in (("input", inputs), ("output", outputs)):
        if len(found) != 1:
            raise DoesNotFit(f"The graph has {len(found)} {name}s; a candidate for this data set has one.")
    for name, spec, shape in (("takes", inputs[0], needs), ("gives", outputs[0], gives)):
        found_shape = tuple(spec.shape)
        if spec.batch_axis != 0 or found_shape[1:] != shape:
            have, need = ("×".join(map(str, sizes)) for sizes in (found_shape, ("B", *shape)))
            raise DoesNotFit(f"The graph {name} {have}; the data set {dataset.dataset_id} needs {need}.")
    if ("int" in inputs[0].dtype) != whole:
        kind = "whole numbers (tokens)" if whole else "real numbers"
        raise DoesNotFit(f"The graph takes {inputs[0].dtype}; the data set {dataset.dataset_id} holds {kind}.")


def expected_ends(dataset: DatasetSpec) -> tuple[tuple[int, ...], tuple[int, ...], bool]:
    """Return the shapes of one input and one output without the batch, and whether inputs are whole numbers."""
    params = dataset.params
    if isinstance(params, BigramParams):
        return (params.context_length,), (params.context_length, params.vocab_size), True
    inputs, outputs = ends(dataset)
    return (inputs,), (outputs,), False
