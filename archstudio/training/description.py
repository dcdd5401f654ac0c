"""What a training run is, completely, as plain data: the file `run.json` in every run folder."""

from math import prod
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic.dataclasses import dataclass

from archstudio.files.atomic import save_atomic
from archstudio.files.strict_json import dump_json, read_json
from archstudio.files.unusable import UnusableFile
from archstudio.training.devices import Device

STRICT = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)

DType = Literal[
    "float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "bool"
]  # fmt: skip
Size = Annotated[int, Field(ge=1)]
Fraction = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[float, Field(gt=0)]
NotNegative = Annotated[float, Field(ge=0)]
Momentum = Annotated[float, Field(ge=0, lt=1)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]

DESCRIPTION_FILE = "run.json"
MODEL_FILE = "model.py"
TENSORS_FILE = "data.safetensors"


@dataclass(frozen=True, config=STRICT)
class InputSpec:
    """One input of the model: `shape` is complete, with the batch at `batch_axis` (None: the model takes one sample).

    `max_index` is the largest index an integer input may hold (the vocabulary minus one), None if it is no index.
    """

    name: str
    shape: tuple[Size, ...]
    dtype: DType
    max_index: Annotated[int, Field(ge=0)] | None = None
    batch_axis: Annotated[int, Field(ge=0)] | None = 0

    def __post_init__(self) -> None:
        _check_batch_axis(self.shape, self.batch_axis)

    @property
    def sample_shape(self) -> tuple[int, ...]:
        """The shape of one sample: `shape` without the batch axis."""
        return _without_axis(self.shape, self.batch_axis)

    @property
    def is_float(self) -> bool:
        """Whether the input holds real numbers."""
        return "float" in self.dtype


@dataclass(frozen=True, config=STRICT)
class OutputSpec:
    """One output of the model: `shape` is complete, with the batch at `batch_axis` (None: one sample, no batch)."""

    shape: tuple[Size, ...]
    dtype: DType
    batch_axis: Annotated[int, Field(ge=0)] | None = 0

    def __post_init__(self) -> None:
        _check_batch_axis(self.shape, self.batch_axis)

    @property
    def sample_shape(self) -> tuple[int, ...]:
        """The shape of one sample: `shape` without the batch axis."""
        return _without_axis(self.shape, self.batch_axis)

    @property
    def is_float(self) -> bool:
        """Whether the output holds real numbers, so that a gradient can flow."""
        return "float" in self.dtype


def _check_batch_axis(shape: tuple[int, ...], axis: int | None) -> None:
    if axis is not None and axis >= len(shape):
        raise ValueError(f"batch axis {axis} does not exist in shape {shape}")


def _without_axis(shape: tuple[int, ...], axis: int | None) -> tuple[int, ...]:
    return shape if axis is None else shape[:axis] + shape[axis + 1 :]


class Part(BaseModel):
    """A frozen, strict piece of a run description."""

    model_config = STRICT | ConfigDict(frozen=True)


class ModelSource(Part):
    """The model: `source` defines `build_model() -> torch.nn.Module`; `digest` says which architecture it came from."""

    digest: str
    source: str


SyntheticTask = Literal["classes", "pairs", "next_token", "tagging", "regression", "reconstruction"]


class SyntheticData(Part):
    """Built-in data, generated from `seed`; `difficulty` 0 is nearly free of noise, 1 is close to chance."""

    kind: Literal["synthetic"] = "synthetic"
    task: SyntheticTask
    difficulty: Fraction = 0.3
    train_size: Size = 2048
    validation_size: Size = 512
    seed: Annotated[int, Field(ge=0)] = 0
    classes: Annotated[int, Field(ge=2)] = 10
    """At most so many classes (or words, or groups) occur, even if the model has room for more."""


class TensorData(Part):
    """Tensors in `data.safetensors` beside the description; `sha256` is the digest of that file.

    Keys: `train.inputs.<i>`, `train.targets.<i>` and the same under `validation.`, samples first, in the order of the
    model's inputs and of the description's losses.
    """

    kind: Literal["tensors"] = "tensors"
    sha256: Sha256


Data = Annotated[SyntheticData | TensorData, Field(discriminator="kind")]

LossKind = Literal["cross_entropy", "cross_entropy_per_position", "bce_logits", "mse", "l1", "huber"]


class Loss(Part):
    """What is minimised at output number `output`; several losses are added with their weights."""

    kind: LossKind
    output: Annotated[int, Field(ge=0)] = 0
    weight: Positive = 1.0
    label_smoothing: Annotated[float, Field(ge=0, lt=1)] = 0.0
    class_weights: Literal["balanced"] | tuple[Positive, ...] | None = None
    """How much each class counts; balanced: n / (classes · n of the class), over the training samples."""

    @property
    def counts_classes(self) -> bool:
        """Whether targets are class numbers, and accuracy therefore means something."""
        return self.kind in ("cross_entropy", "cross_entropy_per_position")

    @property
    def has_accuracy(self) -> bool:
        """Whether right and wrong can be counted."""
        return self.counts_classes or self.kind == "bce_logits"


class Sgd(Part):
    """torch.optim.SGD."""

    kind: Literal["sgd"] = "sgd"
    momentum: Momentum = 0.0
    dampening: NotNegative = 0.0
    weight_decay: NotNegative = 0.0
    nesterov: bool = False

    @model_validator(mode="after")
    def _nesterov_needs_momentum(self) -> "Sgd":
        if self.nesterov and (self.momentum == 0 or self.dampening != 0):
            raise ValueError("Nesterov needs a momentum above 0 and no dampening")
        return self


class Adam(Part):
    """torch.optim.Adam."""

    kind: Literal["adam"] = "adam"
    betas: tuple[Momentum, Momentum] = (0.9, 0.999)
    eps: Positive = 1e-8
    weight_decay: NotNegative = 0.0
    amsgrad: bool = False


class AdamW(Part):
    """torch.optim.AdamW."""

    kind: Literal["adamw"] = "adamw"
    betas: tuple[Momentum, Momentum] = (0.9, 0.999)
    eps: Positive = 1e-8
    weight_decay: NotNegative = 0.01
    amsgrad: bool = False


class RmsProp(Part):
    """torch.optim.RMSprop."""

    kind: Literal["rmsprop"] = "rmsprop"
    alpha: Fraction = 0.99
    eps: Positive = 1e-8
    weight_decay: NotNegative = 0.0
    momentum: Momentum = 0.0
    centered: bool = False


class AdaGrad(Part):
    """torch.optim.Adagrad."""

    kind: Literal["adagrad"] = "adagrad"
    lr_decay: NotNegative = 0.0
    weight_decay: NotNegative = 0.0
    initial_accumulator_value: NotNegative = 0.0
    eps: Positive = 1e-10


Optimiser = Annotated[Sgd | Adam | AdamW | RmsProp | AdaGrad, Field(discriminator="kind")]


class Schedule(Part):
    """How the learning rate moves: linear warm-up over `warmup_samples`, then constant, or down along a curve.

    The curve ends at `final_fraction` of the learning rate when the budget is used up; an exponential one needs a
    fraction above 0.
    """

    kind: Literal["constant", "cosine", "linear", "exponential"] = "constant"
    warmup_samples: Annotated[int, Field(ge=0)] = 0
    final_fraction: Fraction = 0.0

    @model_validator(mode="after")
    def _an_exponential_never_reaches_zero(self) -> "Schedule":
        if self.kind == "exponential" and self.final_fraction == 0:
            raise ValueError("an exponential schedule needs a final fraction above 0")
        return self


class Evaluation(Part):
    """When the validation split is measured; always at the end, and before the first step if `at_start`."""

    every_samples: Size | None = None
    at_start: bool = True


class Clip(Part):
    """Gradient clipping, by the norm of all gradients together or by the value of each."""

    kind: Literal["norm", "value"] = "norm"
    limit: Positive = 1.0


class EarlyStop(Part):
    """Stop once the validation loss has not fallen by `min_delta` in `patience` measurements."""

    patience: Size = 5
    min_delta: NotNegative = 0.0


class RunDescription(Part):
    """Everything that decides the numbers of a run, and its title.

    `fail_threshold`: a run whose final validation loss is above it has failed to learn (it is finished all the same).
    """

    schema_version: Literal[1] = 1
    kind: str = "train"
    """The kind of job that does it, see `kinds`."""
    title: str = ""
    model: ModelSource
    inputs: Annotated[tuple[InputSpec, ...], Field(min_length=1)]
    outputs: Annotated[tuple[OutputSpec, ...], Field(min_length=1)]
    data: Data
    losses: Annotated[tuple[Loss, ...], Field(min_length=1)]
    optimiser: Optimiser
    lr: Positive
    schedule: Schedule = Schedule()
    budget_samples: Size
    batch_size: Size
    seeds: Annotated[tuple[Annotated[int, Field(ge=0, lt=2**63)], ...], Field(min_length=1)] = (0,)
    evaluation: Evaluation = Evaluation()
    clip: Clip | None = None
    fail_threshold: float | None = None
    early_stop: EarlyStop | None = None
    precision: Literal["float32", "bfloat16"] = "float32"
    """bfloat16: products are computed in it (torch.autocast); weights, losses and the optimiser stay in float32."""
    device: Device = "cpu"
    """What it computes on; the same bits are promised for the CPU only."""
    keep_best: bool = False
    """Also keep the weights that had the lowest validation loss."""

    @model_validator(mode="after")
    def _parts_fit_together(self) -> "RunDescription":
        if len(set(self.seeds)) != len(self.seeds):
            raise ValueError(f"a seed is listed twice: {list(self.seeds)}")
        if self.batch_size > self.budget_samples:
            raise ValueError(f"the budget of {self.budget_samples} samples is below one batch of {self.batch_size}")
        if self.early_stop and self.evaluation.every_samples is None:
            raise ValueError("early stopping needs an evaluation every so many samples")
        for loss in self.losses:
            _check_loss(loss, self.outputs)
        return self

    @property
    def steps(self) -> int:
        """Number of optimiser steps: as many whole batches as the budget holds."""
        return self.budget_samples // self.batch_size


def _check_loss(loss: Loss, outputs: tuple[OutputSpec, ...]) -> None:
    if loss.output >= len(outputs):
        raise ValueError(f"a loss asks for output {loss.output}; the model has {len(outputs)}")
    shape = outputs[loss.output].sample_shape
    if loss.kind == "cross_entropy" and len(shape) != 1:
        raise ValueError(f"cross-entropy needs scores (batch, classes); one sample of output {loss.output} is {shape}")
    if loss.kind == "cross_entropy_per_position" and len(shape) < 2:
        raise ValueError(f"cross-entropy per position needs (batch, positions, classes), one sample is {shape}")
    if loss.class_weights is not None and not loss.counts_classes:
        raise ValueError(f"class weights have no meaning for {loss.kind}")
    if isinstance(loss.class_weights, tuple) and len(loss.class_weights) != shape[-1]:
        raise ValueError(f"{len(loss.class_weights)} class weights are given for {shape[-1]} classes")
    if loss.label_smoothing and not loss.counts_classes:
        raise ValueError(f"label smoothing has no meaning for {loss.kind}")
    if not outputs[loss.output].is_float:
        raise ValueError(f"output {loss.output} is {outputs[loss.output].dtype}; no gradient flows through it")


def target_shape(loss: Loss, output: OutputSpec) -> tuple[int, ...]:
    """Return the shape of one sample's target: class numbers drop the last axis, everything else keeps the shape."""
    shape = output.sample_shape
    return shape[:-1] if loss.counts_classes else shape


def sample_bytes(inputs: tuple[InputSpec, ...], outputs: tuple[OutputSpec, ...]) -> int:
    """Return the bytes one sample takes at most, inputs and targets together: 8 an integer, 4 a real number."""
    parts = [(spec.sample_shape, spec.is_float) for spec in inputs]
    parts += [(spec.sample_shape, spec.is_float) for spec in outputs]
    return sum(prod(shape) * (4 if is_float else 8) for shape, is_float in parts)


def parse_description(data: bytes, name: str = DESCRIPTION_FILE) -> RunDescription:
    """Read a run description from JSON bytes; raises `UnusableFile` naming the field and its value."""
    read_json(data, name=name)  # duplicate keys, depth, NaN: pydantic's parser takes them, ours does not
    try:
        return RunDescription.model_validate_json(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"])
        raise UnusableFile(
            name,
            problem=first["msg"],
            place=place,
            value=repr(first["input"]),
            remedy="Correct the value, or make the run again from the network.",
        ) from error


def read_description(folder: Path) -> RunDescription:
    """Read `run.json` in `folder`; raises `UnusableFile`, also when there is none."""
    path = folder / DESCRIPTION_FILE
    if not path.is_file():
        raise UnusableFile(str(path), problem="There is no such file", remedy="Choose a run folder; it holds run.json.")
    return parse_description(path.read_bytes(), str(path))


def write_run_folder(folder: Path, description: RunDescription) -> None:
    """Write `run.json` and `model.py` into `folder`, which is made if needed; raises `SaveFailed`."""
    folder.mkdir(parents=True, exist_ok=True)
    save_atomic(folder / MODEL_FILE, description.model.source.encode(), backups=0)
    text = dump_json(description.model_dump(mode="json"))
    save_atomic(folder / DESCRIPTION_FILE, text.encode(), backups=0)
