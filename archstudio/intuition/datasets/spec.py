"""What `dataset_spec.json` holds: everything a data set is made from, and an id that is the digest of that."""

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from archstudio.files.unusable import UnusableFile
from archstudio.intuition.ids import short_hash
from archstudio.intuition.profile import Family, RuleFamily, Size
from archstudio.intuition.records import Number, Record, checked, read_record

SPEC_FILE = "dataset_spec.json"
Seed = Annotated[int, Field(ge=0, lt=2**63)]
Index = Annotated[int, Field(ge=0)]


class Sampler(Record):
    """How a formula was drawn: `retry` were rejected before it."""

    id: Literal["symbolic_expr", "symbolic_expr_mv"]
    seed: Seed
    max_depth: Size
    retry: Index
    canonical: Literal[True] | None = None


class NoNoise(Record):
    """Targets are exact."""

    enabled: Literal[False] = False


class PointSampling(Record):
    """How inputs were drawn."""

    distribution: Literal["uniform", "standard_normal"]
    seed: Seed


class FormulaParams(Record):
    """A formula and the points it is sampled at."""

    instance_seed: Seed
    input_dim: Annotated[int, Field(ge=2, le=64)] | None = None
    sampler: Sampler
    expression: str
    domain: Annotated[list[Number], Field(min_length=2, max_length=2)]
    train_size: Size
    validation_size: Size | None = None
    test_size: Size
    noise: NoNoise = NoNoise()
    point_sampling: PointSampling


class UnivariateParams(FormulaParams):
    """A formula of x."""

    input_dim: None = None


class MultivariateParams(FormulaParams):
    """A formula of x0, x1, …"""

    input_dim: Annotated[int, Field(ge=2, le=64)]


class BigramParams(Record):
    """A Markov chain over tokens: logits N(0, alpha²) from `table_seed`, windows from `sequence_seed`."""

    instance_seed: Seed
    vocab_size: Annotated[int, Field(ge=2, le=4096)]
    context_length: Annotated[int, Field(ge=1, le=4096)]
    train_size: Size
    validation_size: Size | None = None
    test_size: Size
    alpha: Number
    layout: Literal["lm"]
    sequence_seed: Seed
    table_seed: Seed


class Calibration(Record):
    """The sample that the decision threshold is a quantile of."""

    distribution: Literal["standard_normal"] = "standard_normal"
    seed: Seed
    size: Size
    target_positive_rate: Annotated[float, Field(gt=0, lt=1)]


class TabularParams(Record):
    """A rule over some features: the label is 1 where its noisy score is above the threshold."""

    instance_seed: Seed
    input_dim: Annotated[int, Field(ge=2, le=1024)]
    num_classes: Literal[2] = 2
    rule_family: RuleFamily
    active_features: Annotated[list[Index], Field(min_length=1)]
    interaction_order: Literal[2]
    interaction_pairs: list[Annotated[list[Index], Field(min_length=2, max_length=2)]]
    rule_weights: Annotated[list[Number], Field(min_length=1)]
    piecewise_breakpoint: Number
    noise_std: Number
    decision_threshold: Number
    train_size: Size
    validation_size: Size | None = None
    test_size: Size
    point_sampling: PointSampling
    calibration: Calibration

    @model_validator(mode="after")
    def _rule_is_whole(self) -> Self:
        used = {*self.active_features, *(index for pair in self.interaction_pairs for index in pair)}
        if max(used) >= self.input_dim:
            raise ValueError(f"feature {max(used)} does not exist among {self.input_dim}")
        needed = {
            "smooth_additive": len(self.active_features),
            "sparse_interaction": len(self.interaction_pairs),
            "piecewise_boundary": 3,
        }[self.rule_family]
        if len(self.rule_weights) != needed or not needed:
            raise ValueError(f"the rule {self.rule_family} needs {needed} weights, not {len(self.rule_weights)}")
        if self.rule_family == "piecewise_boundary" and len(self.active_features) < 2:
            raise ValueError("the rule piecewise_boundary needs two features")
        return self


Params = UnivariateParams | MultivariateParams | BigramParams | TabularParams

PARAMS: dict[Family, type[Params]] = {
    "univariate_regression": UnivariateParams,
    "multivariate_regression": MultivariateParams,
    "bigram_lm": BigramParams,
    "synthetic_tabular_classification": TabularParams,
}
PREFIXES: dict[Family, str] = {
    "univariate_regression": "sym_",
    "multivariate_regression": "mvar_",
    "bigram_lm": "bg_",
    "synthetic_tabular_classification": "stabcls_",
}


class RecordedSignificance(Record):
    """`fail_threshold`: a run that ends above it has failed. `gap_min` is recorded and not used."""

    gap_min: Number
    fail_threshold: Number


class DatasetFiles(Record):
    """Names of the files beside the spec."""

    synthesize: Literal["synthesize.py"] = "synthesize.py"
    train: Literal["train.pt"] = "train.pt"
    validation: Literal["validation.pt"] | None = None
    test: Literal["test.pt"] = "test.pt"
    transition: Literal["transition.npz"] | None = None


class Envelope(Record):
    """The file as it stands, before the parameters are read as those of its family."""

    schema_version: Literal["1.0"] = "1.0"
    family: Family
    params: dict[str, Any]
    selection_metric: Literal["test_mse", "test_ce"]
    significance: RecordedSignificance
    files: DatasetFiles
    dataset_id: Annotated[str, Field(pattern=r"^[a-z]+_[0-9a-f]{6,64}$")]


class DatasetSpec(Record):
    """All that is known of a data set without its tensors."""

    schema_version: Literal["1.0"] = "1.0"
    family: Family
    params: Params
    selection_metric: Literal["test_mse", "test_ce"]
    significance: RecordedSignificance
    files: DatasetFiles
    dataset_id: str


def dataset_id(family: Family, params: Params, digits: int) -> str:
    """Return the id: a prefix and the digest of the parameters alone."""
    return PREFIXES[family] + short_hash(params.as_json(), digits)


def read_dataset_spec(folder: Path) -> DatasetSpec:
    """Read `dataset_spec.json`, whose id must be the digest of its parameters; raises `UnusableFile`."""
    path = folder / SPEC_FILE
    return dataset_spec_of(read_record(Envelope, path), str(path))


def dataset_spec_of(envelope: Envelope, name: str) -> DatasetSpec:
    """Return the spec an envelope holds; raises `UnusableFile` about the file `name`."""
    params = checked(PARAMS[envelope.family], envelope.params, name, ("params",))
    spec = DatasetSpec.model_construct(**{**dict(envelope), "params": params})
    expected = dataset_id(spec.family, params, len(spec.dataset_id.partition("_")[2]))
    if expected != spec.dataset_id:
        raise UnusableFile(
            name,
            problem=f"The id is not the digest of the parameters, which is {expected}",
            place="$.dataset_id",
            value=spec.dataset_id,
            remedy="The file was changed by hand; make the data set again from its seed.",
        )
    return spec
