"""Draws candidates from a profile's grids, number by number as the reference does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, assert_never

from archstudio.intuition.candidates.sizes import parameter_count
from archstudio.intuition.candidates.spec import (
    AXES,
    Axis,
    Budget,
    CandidateSpec,
    KanModel,
    LossSpec,
    MlpModel,
    ModelSpec,
    OptimizerSpec,
    TransformerModel,
    identified,
    recorded,
)
from archstudio.intuition.datasets.spec import BigramParams, DatasetSpec, TabularParams
from archstudio.intuition.ids import short_hash
from archstudio.intuition.profile import Family, LoadedProfile, ModelType, Profile
from archstudio.intuition.records import Record

DRAWS_PER_CANDIDATE = 20
_FAMILY_MODELS: dict[Family, tuple[ModelType, ...]] = {
    "univariate_regression": ("mlp", "kan"),
    "multivariate_regression": ("mlp", "kan"),
    "bigram_lm": ("transformer_lm",),
    "synthetic_tabular_classification": ("mlp", "kan"),
}


class CannotSample(ValueError):
    """No such set of candidates can be drawn; the text says why and what to do."""


@dataclass(frozen=True)
class SetRequest:
    """What is asked for: `pinned` parts are the same in every candidate and are not drawn."""

    budget: int
    count: int
    vary: frozenset[Axis]
    seed: int = 0
    device: Literal["cpu", "cuda"] = "cpu"
    batch_size: int | None = None
    pinned: Mapping[Axis, Record] = field(default_factory=dict)


@dataclass(frozen=True)
class SampledSet:
    """Candidates of one set, and what they share."""

    set_id: str
    candidates: tuple[CandidateSpec, ...]
    batch_size: int
    shared: Mapping[Axis, Record]


def compatible_models(profile: Profile, family: Family) -> list[ModelType]:
    """Return the model types for a family, in the order of the profile's pool."""
    types: Sequence[ModelType] = _FAMILY_MODELS[family]
    if gate := profile.model_gates.get(family):
        types = [*(gate.compatible_model_types or types), *gate.additional_model_types]
        types = [kind for kind in types if kind not in gate.blocked_model_types]
    return [kind for kind in profile.pools.model_types if kind in types]


def sample_set(profile: LoadedProfile, dataset: DatasetSpec, request: SetRequest) -> SampledSet:
    """Return a set of different candidates; raises `CannotSample`."""
    _check(profile.content, dataset, request)
    draw = _Draw(profile.content, dataset, Random(request.seed))
    batch = request.batch_size or draw.batch_size(request.budget)
    shared = {axis: request.pinned.get(axis) or draw.part(axis) for axis in AXES if axis not in request.vary}
    found: dict[str, CandidateSpec] = {}
    for _ in range(DRAWS_PER_CANDIDATE * request.count):
        if len(found) == request.count:
            break
        parts = {axis: draw.part(axis) if axis in request.vary else shared[axis] for axis in AXES}
        spec = _candidate(profile, dataset, request, batch, parts)
        found.setdefault(spec.candidate_id, spec)
    if len(found) < request.count:
        raise CannotSample(
            f"Only {len(found)} different candidates were found for {request.count} in "
            f"{DRAWS_PER_CANDIDATE * request.count} draws. Vary more axes, or ask for fewer."
        )
    return SampledSet(_set_id(draw.salt(), request, profile.content.id_digits), tuple(found.values()), batch, shared)


def check_budget(profile: Profile, budget: int) -> list[int]:
    """Return the batch sizes that divide a budget; raises `CannotSample` if none does."""
    fitting = [size for size in profile.optimizer_grids.batch_size if budget > 0 and budget % size == 0]
    if not fitting:
        sizes = ", ".join(map(str, profile.optimizer_grids.batch_size))
        raise CannotSample(f"No batch size of the profile ({sizes}) divides the budget {budget}. Take a multiple.")
    return fitting


def _check(profile: Profile, dataset: DatasetSpec, request: SetRequest) -> None:
    if not profile.knows(dataset.family):
        raise CannotSample(f"The profile {profile.profile} has no family {dataset.family}.")
    if not request.vary:
        raise CannotSample("Nothing varies. Name at least one of model, optimizer, loss.")
    if request.count < 1:
        raise CannotSample(f"A set has at least one candidate, not {request.count}.")
    if both := sorted(request.vary & request.pinned.keys()):
        raise CannotSample(f"{both[0]} cannot vary and be pinned at the same time.")
    if request.batch_size is None:
        check_budget(profile, request.budget)
    elif request.budget % request.batch_size:
        raise CannotSample(f"The batch size {request.batch_size} does not divide the budget {request.budget}.")
    if not compatible_models(profile, dataset.family):
        raise CannotSample(f"The profile {profile.profile} has no model for the family {dataset.family}.")
    if profile.ground_truth.protocol.validation and not dataset.files.validation:
        raise CannotSample(
            f"The profile {profile.profile} asks for a validation split, which {dataset.dataset_id} has not. "
            "Make the data set under that profile."
        )


def _candidate(
    profile: LoadedProfile, dataset: DatasetSpec, request: SetRequest, batch: int, parts: Mapping[Axis, Record]
) -> CandidateSpec:
    model: Any = parts["model"]
    protocol = recorded(profile.content.ground_truth.protocol)
    content: dict[str, Any] = {
        "profile": profile.name,
        "profile_hash": profile.hash,
        "dataset_id": dataset.dataset_id,
        "family": dataset.family,
        "budget": Budget(
            training_steps=request.budget // batch, batch_size=batch, total_samples_seen=request.budget
        ).as_json(),
        "model": model.as_json(),
        "trainable_parameter_count": parameter_count(model),
        "optimizer": parts["optimizer"].as_json(),
        "loss": parts["loss"].as_json(),
        "execution": {"device": request.device},
    }
    if protocol is not None:
        content["protocol"] = protocol.as_json()
    return identified(content, profile.content.id_digits)


def _set_id(salt: int, request: SetRequest, digits: int) -> str:
    marks = "_".join("var" if axis in request.vary else "fix" for axis in AXES)
    content = {"budget": request.budget, "vary": sorted(request.vary), "device": request.device, "salt": salt}
    return f"set_{request.budget}_{marks}_{short_hash(content, digits)}"


class _Draw:
    """The random stream of one set."""

    def __init__(self, profile: Profile, dataset: DatasetSpec, rng: Random) -> None:
        self._profile = profile
        self._dataset = dataset
        self._rng = rng

    def salt(self) -> int:
        return self._rng.randint(0, 2**31 - 1)

    def batch_size(self, budget: int) -> int:
        default = self._profile.training_defaults.get(self._dataset.family)
        if default is not None and default.total_samples_seen == budget:
            return default.batch_size
        return self._rng.choice(check_budget(self._profile, budget))

    def part(self, axis: Axis) -> Record:
        match axis:
            case "model":
                return self._model()
            case "optimizer":
                return self._optimizer()
            case "loss":
                return self._loss()
            case _:
                assert_never(axis)

    def _model(self) -> ModelSpec:
        kind = self._rng.choice(compatible_models(self._profile, self._dataset.family))
        match kind:
            case "mlp":
                return self._mlp()
            case "transformer_lm":
                return self._transformer()
            case "kan":
                return self._kan()
            case _:
                assert_never(kind)

    def _mlp(self) -> MlpModel:
        grid, choice = self._profile.mlp, self._rng.choice
        assert grid is not None
        depth, width, residual = choice(grid.depth), choice(grid.width), choice(grid.residual)
        if grid.uniform:
            activations, norms = [choice(grid.activations)] * depth, [False] * depth
        else:
            activations = [choice(grid.activations) for _ in range(depth)]
            norms = [choice([True, False]) for _ in range(depth)]
        inputs, outputs = ends(self._dataset)
        return MlpModel(
            depth=depth,
            width=width,
            residual=residual,
            layer_norm=norms,
            activations=activations,
            leaky_relu_slope=grid.leaky_relu_slope,
            input_dim=inputs,
            output_dim=outputs,
        )

    def _transformer(self) -> TransformerModel:
        grid, choice, params = self._profile.transformer_lm, self._rng.choice, self._dataset.params
        assert grid is not None
        assert isinstance(params, BigramParams)
        width, heads = choice(grid.d_model), choice(grid.num_heads)
        layers, inner = choice(grid.num_layers), choice(grid.d_ff)
        return TransformerModel(
            vocab_size=params.vocab_size,
            context_length=params.context_length,
            d_model=width,
            num_layers=layers,
            num_heads=heads,
            d_ff=inner,
        )

    def _kan(self) -> KanModel:
        grid, choice = self._profile.kan, self._rng.choice
        assert grid is not None
        inputs, outputs = ends(self._dataset)
        reach = choice(grid.grid_range)
        if archetypes := grid.archetypes.get(str(inputs)):
            sizes = choice(archetypes).model_dump()
        else:
            sizes = {
                "depth": choice(grid.depth),
                "width": choice(grid.width),
                "grid_size": choice(grid.grid_size),
                "spline_order": choice(grid.spline_order),
                "base_activation": choice(grid.base_activation),
            }
        return KanModel(variant=grid.variant, input_dim=inputs, output_dim=outputs, grid_range=list(reach), **sizes)

    def _optimizer(self) -> OptimizerSpec:
        grids, choice = self._profile.optimizer_grids, self._rng.choice
        kind = choice(self._profile.pools.optimizers)
        rate, decay = choice(grids.lr), choice(grids.weight_decay)
        return OptimizerSpec(
            type=kind,
            lr=rate,
            weight_decay=decay,
            momentum=choice(grids.sgd_momentum) if kind == "SGD" else None,
            betas=list(grids.adam_betas) if kind in ("Adam", "AdamW") else None,
        )

    def _loss(self) -> LossSpec:
        """The reference draws no weight for penalised cross-entropy, and its generated files then fail."""
        loss_id = self._rng.choice(self._profile.pools.losses[self._dataset.family])
        if not loss_id.endswith(("_l1", "_l2")):
            return LossSpec(loss_id=loss_id)
        return LossSpec.model_validate(
            {"loss_id": loss_id, "lambda": self._rng.choice(self._profile.loss_grids.lambdas)}
        )


def ends(dataset: DatasetSpec) -> tuple[int, int]:
    """Return how many numbers go into and come out of a model of a data set; tokens count as their vocabulary."""
    params = dataset.params
    if isinstance(params, BigramParams):
        return params.vocab_size, params.vocab_size
    if isinstance(params, TabularParams):
        return params.input_dim, params.num_classes
    return params.input_dim or 1, 1
