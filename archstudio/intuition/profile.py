"""A profile: the grids that data sets and candidates are drawn from, and the rules of truth and of questions."""

from typing import Annotated, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

from archstudio.intuition.ids import REFERENCE_DIGITS

Family = Literal["univariate_regression", "multivariate_regression", "bigram_lm", "synthetic_tabular_classification"]
ModelType = Literal["mlp", "transformer_lm", "kan"]
OptimizerType = Literal["SGD", "Adam", "AdamW", "RMSprop", "Adagrad"]
LossId = Literal["mse", "mse_l2", "mse_l1", "cross_entropy", "cross_entropy_l2", "cross_entropy_l1"]
Activation = Literal["relu", "leaky_relu", "gelu", "silu"]
BaseActivation = Literal["silu", "relu", "gelu", "tanh"]
RuleFamily = Literal["smooth_additive", "sparse_interaction", "piecewise_boundary"]

FAMILIES: tuple[Family, ...] = get_args(Family)

Size = Annotated[int, Field(ge=1)]
NotNegative = Annotated[int | float, Field(ge=0)]
Positive = Annotated[int | float, Field(gt=0)]
"""A number keeps its kind: 0 and 0.0 have different hashes."""
Share = Annotated[float, Field(ge=0, le=1)]
Open = Annotated[float, Field(gt=0, lt=1)]
Sizes = Annotated[list[Size], Field(min_length=1)]


class Part(BaseModel):
    """A frozen, strict part of a profile; a key it does not know is an error."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


class Pools(Part):
    """What there is to choose from. `question_types` only informs."""

    dataset_families: Annotated[list[Family], Field(min_length=1)]
    model_types: Annotated[list[ModelType], Field(min_length=1)]
    optimizers: Annotated[list[OptimizerType], Field(min_length=1)]
    losses: dict[Family, Annotated[list[LossId], Field(min_length=1)]]
    question_types: list[Literal["architecture_only", "optimizer_only", "loss_only", "mixed"]]
    num_choices: Annotated[int, Field(ge=2, le=26)]


class ExpressionSampler(Part):
    """How formulas are drawn; `canonical` also refuses formulas that simplify, such as x - x."""

    id: Literal["symbolic_expr", "symbolic_expr_mv"]
    max_depth: Size
    max_retries: Size
    canonical: bool = False


class Splits(Part):
    """Numbers of samples; 0 validation samples means that there is no validation split."""

    train_size: Size
    validation_size: Annotated[int, Field(ge=0)] = 0
    test_size: Size


class UnivariateConfig(Splits):
    """Formulas of one variable."""

    domain: tuple[float, float]
    sampler: ExpressionSampler

    @model_validator(mode="after")
    def _domain_has_a_width(self) -> Self:
        if self.domain[0] >= self.domain[1]:
            raise ValueError(f"the domain {list(self.domain)} is empty")
        return self


class MultivariateConfig(UnivariateConfig):
    """Formulas of several variables."""

    input_dims: Annotated[list[Annotated[int, Field(ge=2)]], Field(min_length=1)]


class BigramConfig(Splits):
    """Token sequences of a first-order Markov chain."""

    vocab_size: Annotated[int, Field(ge=2)]
    context_length: Size
    alpha: Positive
    layout: Literal["lm"]
    fail_threshold: Positive


class TabularConfig(Splits):
    """Noisy binary labels of a rule over some of the features."""

    input_dims: Annotated[list[Annotated[int, Field(ge=2)]], Field(min_length=1)]
    rule_families: Annotated[list[RuleFamily], Field(min_length=1)]
    active_feature_counts: Sizes
    interaction_order: Literal[2]
    noise_std: Annotated[list[NotNegative], Field(min_length=1)]
    calibration_size: Size
    target_positive_rate: Open


class DatasetConfigs(Part):
    """One entry a family."""

    univariate_regression: UnivariateConfig | None = None
    multivariate_regression: MultivariateConfig | None = None
    bigram_lm: BigramConfig | None = None
    synthetic_tabular_classification: TabularConfig | None = None


class LegacyDataset(UnivariateConfig):
    """The block from before `dataset_configs`; read, and not used where that has the family."""

    family: Literal["univariate_regression"]


class MlpGrid(Part):
    """Multi-layer perceptrons; `uniform` draws one activation for all layers and no layer norm."""

    depth: Sizes
    width: Sizes
    residual: Annotated[list[bool], Field(min_length=1)]
    activations: Annotated[list[Activation], Field(min_length=1)]
    leaky_relu_slope: NotNegative
    uniform: bool = False


class TransformerGrid(Part):
    """Decoder-only transformers; every width must divide by every number of heads."""

    d_model: Sizes
    num_layers: Sizes
    num_heads: Sizes
    d_ff: Sizes

    @model_validator(mode="after")
    def _heads_divide(self) -> Self:
        for width in self.d_model:
            for heads in self.num_heads:
                if width % heads:
                    raise ValueError(f"d_model {width} does not divide by {heads} heads")
        return self


class KanArchetype(Part):
    """One fixed choice of a KAN's sizes."""

    depth: Size
    width: Size
    grid_size: Size
    spline_order: Size
    base_activation: BaseActivation


class KanGrid(Part):
    """Kolmogorov-Arnold networks on a fixed spline grid; archetypes by input dimension replace the grids."""

    variant: Literal["efficient_spline_v1"]
    depth: Sizes
    width: Sizes
    grid_size: Sizes
    spline_order: Sizes
    grid_range: Annotated[list[tuple[float, float]], Field(min_length=1)]
    base_activation: Annotated[list[BaseActivation], Field(min_length=1)]
    archetypes: dict[str, list[KanArchetype]] = {}


class OptimizerGrids(Part):
    """Settings of the optimisers; the betas are one fixed pair."""

    lr: Annotated[list[Positive], Field(min_length=1)]
    weight_decay: Annotated[list[NotNegative], Field(min_length=1)]
    sgd_momentum: Annotated[list[Annotated[int | float, Field(ge=0, lt=1)]], Field(min_length=1)]
    adam_betas: tuple[Open, Open]
    batch_size: Sizes


class LossGrids(Part):
    """Weights of the penalty."""

    lambdas: Annotated[list[Positive], Field(min_length=1, alias="lambda")]


class Budgets(Part):
    """Budgets that are offered."""

    total_samples_seen: Sizes


class Protocol(Part):
    """How a run is done; the defaults are profile v1.

    `separate_streams`: batches come from a generator of their own, so that candidates with one seed see the same
    batches whatever their architecture. `evaluations`: None after every step, else at so many points spaced evenly in
    the logarithm of the samples, the last step included. With `validation` curves are of the validation split and the
    test split is touched once, at the end.
    """

    separate_streams: bool = False
    evaluations: Annotated[int, Field(ge=2)] | None = None
    validation: bool = False


class GroundTruth(Part):
    """How the truth about a candidate is found."""

    n_seeds: Size
    base_seed: Annotated[int, Field(ge=0)]
    fail_threshold: Positive
    max_failed_seeds: Size
    device: Literal["cpu", "cuda"] = "cpu"
    protocol: Protocol = Protocol()


class Significance(Part):
    """When a question has a winner: by gap, share of seeds and non-overlap, or only by full separation."""

    gap_min: NotNegative
    win_rate_min: Share
    use_non_overlap: bool
    full_separation: bool = False


class QuestionGeneration(Part):
    """How questions are looked for; in a share `ratio_share` of them parameter counts are within `ratio_most`."""

    max_attempts: Size
    targeted_pool_size: Size = 32
    max_exhaustive_combinations: Size = 500_000
    ratio_most: Annotated[float, Field(ge=1)] | None = None
    ratio_share: Share = 0.0


class Prompts(Part):
    """Of the question's text."""

    use_llm_paraphrase: Literal[False]
    template_version: str


class TrainingDefault(Part):
    """The usual training of a family."""

    batch_size: Size
    training_steps: Size
    total_samples_seen: Size

    @model_validator(mode="after")
    def _product_holds(self) -> Self:
        if self.batch_size * self.training_steps != self.total_samples_seen:
            product = self.batch_size * self.training_steps
            raise ValueError(f"{self.batch_size} × {self.training_steps} is {product}, not {self.total_samples_seen}")
        return self


class ModelGate(Part):
    """Changes which models a family takes: `compatible` replaces its own list, the others add and remove."""

    compatible_model_types: list[ModelType] | None = None
    additional_model_types: list[ModelType] = []
    blocked_model_types: list[ModelType] = []


class Profile(Part):
    """All of a profile."""

    profile: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
    schema_version: str
    id_digits: Annotated[int, Field(ge=REFERENCE_DIGITS, le=64)] = REFERENCE_DIGITS
    pools: Pools
    dataset: LegacyDataset | None = None
    dataset_configs: DatasetConfigs
    mlp: MlpGrid | None = None
    transformer_lm: TransformerGrid | None = None
    kan: KanGrid | None = None
    optimizer_grids: OptimizerGrids
    loss_grids: LossGrids
    budgets: Budgets
    training_defaults: dict[Family, TrainingDefault] = {}
    model_gates: dict[Family, ModelGate] = {}
    ground_truth: GroundTruth
    significance: Significance
    question_generation: QuestionGeneration
    prompts: Prompts
    calibration_metadata: dict[str, object] | None = None
    """Carried along; nothing reads it."""

    @model_validator(mode="after")
    def _pools_have_their_grids(self) -> Self:
        for family in self.pools.dataset_families:
            if getattr(self.dataset_configs, family) is None:
                raise ValueError(f"dataset_configs has no entry for the family {family}")
            if family not in self.pools.losses:
                raise ValueError(f"pools.losses has no entry for the family {family}")
        for kind in self.pools.model_types:
            if getattr(self, kind) is None:
                raise ValueError(f"there is no section {kind} for that model type")
        if self.ground_truth.protocol.validation and not all(config.validation_size for config in self._configs()):
            raise ValueError("the protocol asks for validation; every family needs a validation_size above 0")
        return self

    def _configs(self) -> list[Splits]:
        return [getattr(self.dataset_configs, family) for family in self.pools.dataset_families]

    def knows(self, family: str) -> bool:
        """Whether data sets of that family can be made."""
        return family in self.pools.dataset_families


class LoadedProfile(Part):
    """A profile and the hash of the file's content."""

    content: Profile
    hash: str

    @property
    def name(self) -> str:
        """What the profile calls itself."""
        return self.content.profile
