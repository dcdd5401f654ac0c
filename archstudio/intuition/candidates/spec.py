"""What `candidate_spec.json` holds: one set-up completely, with an id that is the digest of the rest."""

from math import prod
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from archstudio.files.unusable import UnusableFile
from archstudio.intuition.ids import short_hash
from archstudio.intuition.profile import Activation, BaseActivation, Family, LossId, OptimizerType, Protocol, Size
from archstudio.intuition.records import Number, Record, read_record
from archstudio.training.devices import Device

SPEC_FILE = "candidate_spec.json"
OLD_SLOPE = 0.1
"""Slope of leaky ReLU in specs from before the field `leaky_relu_slope`."""

Width = Annotated[int, Field(ge=1, le=65_536)]
Depth = Annotated[int, Field(ge=1, le=256)]
Axis = Literal["model", "optimizer", "loss"]
AXES: tuple[Axis, ...] = ("model", "optimizer", "loss")


class MlpModel(Record):
    """Linear(in, w), then `depth` blocks of [LayerNorm], Linear(w, w), activation, [+ input], then Linear(w, out)."""

    type: Literal["mlp"] = "mlp"
    depth: Depth
    width: Width
    residual: bool
    layer_norm: list[bool]
    activations: list[Activation]
    leaky_relu_slope: Annotated[Number, Field(ge=0)] | None = None
    input_dim: Width | None = None
    output_dim: Width | None = None

    @model_validator(mode="after")
    def _one_entry_a_layer(self) -> Self:
        for name in ("layer_norm", "activations"):
            if len(getattr(self, name)) != self.depth:
                raise ValueError(f"{name} has {len(getattr(self, name))} entries for {self.depth} layers")
        return self

    @property
    def slope(self) -> Number:
        """Slope of leaky ReLU below zero."""
        return OLD_SLOPE if self.leaky_relu_slope is None else self.leaky_relu_slope

    @property
    def ends(self) -> tuple[int, int]:
        """Numbers of inputs and outputs."""
        return self.input_dim or 1, self.output_dim or 1


class TransformerModel(Record):
    """Token and position embeddings, post-norm encoder layers under a causal mask, an untied linear head.

    `embed_dim` and `ff_dim` are old names of `d_model` and `d_ff`.
    """

    type: Literal["transformer_lm"] = "transformer_lm"
    vocab_size: Width
    context_length: Width
    d_model: Width | None = None
    embed_dim: Width | None = None
    num_layers: Depth
    num_heads: Width
    d_ff: Width | None = None
    ff_dim: Width | None = None

    @model_validator(mode="after")
    def _sizes_fit(self) -> Self:
        for new, old in (("d_model", "embed_dim"), ("d_ff", "ff_dim")):
            if (getattr(self, new) is None) == (getattr(self, old) is None):
                raise ValueError(f"exactly one of {new} and {old} must be given")
        if self.width % self.num_heads:
            raise ValueError(f"d_model {self.width} does not divide by {self.num_heads} heads")
        return self

    @property
    def width(self) -> int:
        """d_model."""
        return self.d_model or self.embed_dim or 0

    @property
    def inner(self) -> int:
        """d_ff."""
        return self.d_ff or self.ff_dim or 0


class KanModel(Record):
    """Layers in → w → … → w → out, depth + 2 of them, each a base branch and B-splines on a fixed grid."""

    type: Literal["kan"] = "kan"
    variant: Literal["efficient_spline_v1"]
    input_dim: Width
    output_dim: Width
    depth: Depth
    width: Width
    grid_size: Annotated[int, Field(ge=1, le=256)]
    spline_order: Annotated[int, Field(ge=1, le=8)]
    grid_range: Annotated[list[Number], Field(min_length=2, max_length=2)]
    base_activation: BaseActivation

    @model_validator(mode="after")
    def _grid_has_a_width(self) -> Self:
        if self.grid_range[0] >= self.grid_range[1]:
            raise ValueError(f"the grid range {self.grid_range} is empty")
        return self

    @property
    def widths(self) -> list[int]:
        """Widths between layers, ends included."""
        return [self.input_dim, *[self.width] * (self.depth + 1), self.output_dim]


ModelSpec = Annotated[MlpModel | TransformerModel | KanModel, Field(discriminator="type")]


class OptimizerSpec(Record):
    """A torch optimiser; everything not here is the library's default."""

    type: OptimizerType
    lr: Annotated[Number, Field(gt=0)]
    weight_decay: Annotated[Number, Field(ge=0)]
    betas: Annotated[list[Annotated[Number, Field(ge=0, lt=1)]], Field(min_length=2, max_length=2)] | None = None
    momentum: Annotated[Number, Field(ge=0, lt=1)] | None = None

    @model_validator(mode="after")
    def _settings_belong(self) -> Self:
        if (self.momentum is not None) != (self.type == "SGD"):
            raise ValueError("momentum belongs to SGD, and to it alone")
        if (self.betas is not None) != (self.type in ("Adam", "AdamW")):
            raise ValueError("betas belong to Adam and AdamW, and to them alone")
        return self


class LossSpec(Record):
    """A loss; `_l1` and `_l2` add `weight` times a mean over the parameter tensors."""

    loss_id: LossId
    weight: Annotated[Number, Field(gt=0)] | None = Field(default=None, alias="lambda")

    @model_validator(mode="after")
    def _penalty_has_a_weight(self) -> Self:
        if (self.weight is not None) != (self.penalty is not None):
            raise ValueError("lambda belongs to the losses with a penalty, and to them alone")
        return self

    @property
    def penalty(self) -> Literal["l1", "l2"] | None:
        """The norm of the penalty."""
        return "l1" if self.loss_id.endswith("_l1") else "l2" if self.loss_id.endswith("_l2") else None

    @property
    def base(self) -> Literal["mse", "cross_entropy"]:
        """The loss without its penalty."""
        return "mse" if self.loss_id.startswith("mse") else "cross_entropy"


class Budget(Record):
    """Steps × samples a step = samples seen."""

    training_steps: Size
    batch_size: Size
    total_samples_seen: Size

    @model_validator(mode="after")
    def _product_holds(self) -> Self:
        if (product := prod((self.training_steps, self.batch_size))) != self.total_samples_seen:
            raise ValueError(f"{self.training_steps} × {self.batch_size} is {product}, not {self.total_samples_seen}")
        return self


class Execution(Record):
    """Where a candidate is trained; results of different devices are not comparable."""

    device: Device = "cpu"


class CandidateFiles(Record):
    """Names of the generated files."""

    model: Literal["model.py"] = "model.py"
    train: Literal["train.py"] = "train.py"
    loss: Literal["loss.py"] = "loss.py"
    optimizer: Literal["optimizer.py"] = "optimizer.py"


class RecordedProtocol(Record):
    """How the run is done where it is not profile v1's way; see `profile.Protocol`."""

    separate_streams: bool = False
    evaluations: Annotated[int, Field(ge=2)] | None = None
    validation: bool = False


class CandidateSpec(Record):
    """All of a candidate. Older specs lack what is optional here."""

    schema_version: Literal["1.0"] = "1.0"
    profile: str | None = None
    profile_hash: str | None = None
    dataset_id: str
    family: Family
    budget: Budget
    model: ModelSpec
    trainable_parameter_count: Annotated[int, Field(ge=1)] | None = None
    optimizer: OptimizerSpec
    loss: LossSpec
    protocol: RecordedProtocol | None = None
    execution: Execution | None = None
    files: CandidateFiles = CandidateFiles()
    candidate_id: Annotated[str, Field(pattern=r"^c_[0-9a-f]{6,64}$")]

    @model_validator(mode="after")
    def _parts_belong_together(self) -> Self:
        classes = self.family in ("bigram_lm", "synthetic_tabular_classification")
        if (self.loss.base == "cross_entropy") != classes:
            raise ValueError(f"the loss {self.loss.loss_id} does not fit the family {self.family}")
        if (self.model.type == "transformer_lm") != (self.family == "bigram_lm"):
            raise ValueError(f"a {self.model.type} does not fit the family {self.family}")
        return self

    @property
    def device(self) -> Device:
        """Where it is trained."""
        return self.execution.device if self.execution else "cpu"

    @property
    def metric(self) -> Literal["test_mse", "test_ce"]:
        """What decides; lower is better."""
        return "test_mse" if self.loss.base == "mse" else "test_ce"

    @property
    def has_accuracy(self) -> bool:
        """Whether the share of right answers is recorded too."""
        return self.family == "synthetic_tabular_classification"

    def part(self, axis: Axis) -> dict[str, Any]:
        """Return the model, optimiser or loss as JSON values, to compare candidates by."""
        part: Record = getattr(self, axis)
        return part.as_json()


def identified(content: dict[str, Any], digits: int) -> CandidateSpec:
    """Return the spec of fields without an id, with its id."""
    blank = CandidateSpec.model_validate({**content, "candidate_id": "c_000000"})
    return blank.model_copy(update={"candidate_id": candidate_id(blank, digits)})


def candidate_id(spec: CandidateSpec, digits: int) -> str:
    """Return the digest of the spec without its id; a parameter count counts only where `execution` is there too."""
    content = spec.as_json()
    del content["candidate_id"]
    if "execution" not in content:
        content.pop("trainable_parameter_count", None)
    return "c_" + short_hash(content, digits)


def read_candidate_spec(folder: Path) -> CandidateSpec:
    """Read `candidate_spec.json`, whose id must be the digest of the rest; raises `UnusableFile`."""
    path = folder / SPEC_FILE
    spec = read_record(CandidateSpec, path)
    check_candidate_id(spec, str(path))
    return spec


def check_candidate_id(spec: CandidateSpec, name: str) -> None:
    """Refuse a spec of file `name` whose id is not its digest; raises `UnusableFile`."""
    expected = candidate_id(spec, len(spec.candidate_id) - len("c_"))
    if expected != spec.candidate_id:
        raise UnusableFile(
            name,
            problem=f"The id is not the digest of the content, which is {expected}",
            place="$.candidate_id",
            value=spec.candidate_id,
            remedy="The file was changed by hand; restore it, or make a candidate of its own from it.",
        )


def recorded(protocol: Protocol) -> RecordedProtocol | None:
    """Return what a spec says of a protocol: nothing where it is profile v1's."""
    made = RecordedProtocol(**protocol.model_dump())
    return None if made == RecordedProtocol() else made
