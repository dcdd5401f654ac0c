"""Describes the runs of a candidate to the training room, which knows nothing of candidates."""

from __future__ import annotations

from typing import Any

from archstudio.files.unusable import UnusableFile
from archstudio.intuition.candidates.sampling import ends
from archstudio.intuition.candidates.source import candidate_sources
from archstudio.intuition.candidates.spec import CandidateSpec, OptimizerSpec, TransformerModel
from archstudio.intuition.datasets.folder import Dataset, Split, SplitName
from archstudio.intuition.datasets.spec import BigramParams, DatasetSpec, TabularParams
from archstudio.intuition.truth.program import joined
from archstudio.training.description import (
    AdaGrad,
    Adam,
    AdamW,
    Evaluation,
    InputSpec,
    Loss,
    ModelSource,
    Optimiser,
    OutputSpec,
    RmsProp,
    RunDescription,
    Sgd,
    TensorData,
)

KIND = "candidate"
KINDS = {KIND: "archstudio.intuition.truth.job:run_candidate"}
"""What an engine must be told to run candidates."""


def describe(spec: CandidateSpec, dataset: DatasetSpec, data_sha256: str, seeds: tuple[int, ...]) -> RunDescription:
    """Return the run of a candidate on a data set whose tensors have that digest; raises `UnusableFile`."""
    check_fits(spec, dataset)
    inputs, outputs, loss = _ends(dataset)
    spaced = spec.protocol is not None and spec.protocol.evaluations is not None
    return RunDescription(
        kind=KIND,
        title=f"{spec.dataset_id} {spec.candidate_id}",
        model=ModelSource(digest=spec.candidate_id, source=joined(candidate_sources(spec))),
        inputs=(inputs,),
        outputs=(outputs,),
        data=TensorData(sha256=data_sha256),
        losses=(loss,),
        optimiser=_optimiser(spec.optimizer),
        lr=float(spec.optimizer.lr),
        budget_samples=spec.budget.total_samples_seen,
        batch_size=spec.budget.batch_size,
        seeds=seeds,
        evaluation=Evaluation(every_samples=None if spaced else spec.budget.batch_size, at_start=False),
        fail_threshold=float(dataset.significance.fail_threshold),
        device=spec.device,
    )


def check_fits(spec: CandidateSpec, dataset: DatasetSpec) -> None:
    """Refuse a candidate that is not of this data set or whose model has other sizes; raises `UnusableFile`."""
    if (spec.dataset_id, spec.family) != (dataset.dataset_id, dataset.family):
        raise _unfit(spec, "belongs to another data set", "$.dataset_id", spec.dataset_id)
    if spec.protocol and spec.protocol.validation and not dataset.files.validation:
        raise _unfit(spec, "needs a validation split, which the data set has not", "$.protocol.validation", "true")
    model, params = spec.model, dataset.params
    if isinstance(model, TransformerModel):
        assert isinstance(params, BigramParams)  # the spec's own check
        found, expected = (model.vocab_size, model.context_length), (params.vocab_size, params.context_length)
        places = ("$.model.vocab_size", "$.model.context_length")
    else:
        sizes = model.ends if model.type == "mlp" else (model.input_dim, model.output_dim)
        found, expected, places = sizes, ends(dataset), ("$.model.input_dim", "$.model.output_dim")
    for have, need, place in zip(found, expected, places, strict=True):
        if have != need:
            raise _unfit(spec, f"does not fit the data set, which needs {need}", place, str(have))


def _unfit(spec: CandidateSpec, problem: str, place: str, value: str) -> UnusableFile:
    remedy = f"Use a candidate made for the data set {spec.dataset_id}."
    return UnusableFile(spec.candidate_id, problem=problem, place=place, value=value, remedy=remedy)


def tensor_file(dataset: Dataset) -> bytes:
    """Return the data set as the bytes of the run's `data.safetensors`. Imports torch.

    Without a validation split the test split stands in its place too, as profile v1 measures its curves on it.
    """
    from safetensors.torch import save

    splits: dict[SplitName, Split] = dataset.splits()
    splits.setdefault("validation", splits["test"])
    tensors = {}
    for name, split in splits.items():
        tensors[f"{name}.inputs.0"] = split.x.clone().contiguous()
        tensors[f"{name}.targets.0"] = split.y.clone().contiguous()
    made: bytes = save(tensors)
    return made


def _ends(dataset: DatasetSpec) -> tuple[InputSpec, OutputSpec, Loss]:
    params = dataset.params
    if isinstance(params, BigramParams):
        length, words = params.context_length, params.vocab_size
        takes = InputSpec("tokens", (1, length), "int64", max_index=words - 1)
        return takes, OutputSpec((1, length, words), "float32"), Loss(kind="cross_entropy_per_position")
    inputs, outputs = ends(dataset)
    takes = InputSpec("x", (1, inputs), "float32")
    loss = Loss(kind="cross_entropy") if isinstance(params, TabularParams) else Loss(kind="mse")
    return takes, OutputSpec((1, outputs), "float32"), loss


def _optimiser(spec: OptimizerSpec) -> Optimiser:
    decay: dict[str, Any] = {"weight_decay": float(spec.weight_decay)}
    betas: dict[str, Any] = {} if spec.betas is None else {"betas": (float(spec.betas[0]), float(spec.betas[1]))}
    match spec.type:
        case "SGD":
            return Sgd(momentum=float(spec.momentum or 0), **decay)
        case "Adam":
            return Adam(**betas, **decay)
        case "AdamW":
            return AdamW(**betas, **decay)
        case "RMSprop":
            return RmsProp(**decay)
        case "Adagrad":
            return AdaGrad(**decay)
