"""A setting of one's own: a candidate's spec with some of it changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, get_args

from pydantic import ValidationError

from archstudio.app.quiz.item import ShownChoice
from archstudio.intuition.candidates.sizes import parameter_count
from archstudio.intuition.candidates.source import candidate_sources
from archstudio.intuition.candidates.spec import (
    CandidateSpec,
    KanModel,
    LossSpec,
    MlpModel,
    OptimizerSpec,
    TransformerModel,
    identified,
)
from archstudio.intuition.datasets.spec import DatasetSpec
from archstudio.intuition.profile import LossId, ModelType
from archstudio.intuition.truth.description import describe
from archstudio.training.description import RunDescription
from archstudio.training.devices import Device

Model = MlpModel | TransformerModel | KanModel

SEEDS = 3
MOST_SEEDS = 20
MOST_SAMPLES = 10_000_000
BETAS = [0.9, 0.999]


class CannotTry(ValueError):
    """The setting cannot be trained; the text says what to change."""


@dataclass(frozen=True)
class OwnSetting:
    """A spec to be trained by its generated files. `inherited` is the choice it began from, `exact` if unchanged."""

    spec: CandidateSpec
    inherited: str = ""
    exact: bool = False

    def describe(self, dataset: DatasetSpec, data_sha256: str, seeds: tuple[int, ...]) -> RunDescription:
        """Return its run on a data set whose tensors have that digest; raises `UnusableFile`."""
        return describe(self.spec, dataset, data_sha256, seeds)


def model_types(spec: CandidateSpec) -> tuple[ModelType, ...]:
    """Return the model types that fit the data of a candidate."""
    return ("transformer_lm",) if spec.family == "bigram_lm" else ("mlp", "kan")


def loss_ids(spec: CandidateSpec) -> tuple[LossId, ...]:
    """Return the losses that fit the data of a candidate."""
    return tuple(one for one in get_args(LossId) if one.startswith(spec.loss.base))


def first_model(kind: ModelType, like: Model) -> Model:
    """Return a middling model of a type, with the ends of another."""
    if kind == "transformer_lm":
        assert isinstance(like, TransformerModel)  # the only type of its family
        return like
    inputs, outputs = like.ends if isinstance(like, MlpModel) else _ends(like)
    if kind == "mlp":
        content = {"depth": 3, "width": 64, "residual": False, "layer_norm": [False] * 3, "activations": ["gelu"] * 3}
        return MlpModel(**content, leaky_relu_slope=0.01, input_dim=inputs, output_dim=outputs)  # type: ignore[arg-type]
    return KanModel(
        variant="efficient_spline_v1", input_dim=inputs, output_dim=outputs, depth=1, width=8, grid_size=5,
        spline_order=3, grid_range=[-1, 1], base_activation="silu",
    )  # fmt: skip


def _ends(model: Model) -> tuple[int, int]:
    assert isinstance(model, KanModel)
    return model.input_dim, model.output_dim


def with_depth(values: list[Any], depth: int) -> list[Any]:
    """Return a list of one entry a layer for another number of layers: cut, or its last entry repeated."""
    return [*values[:depth], *[values[-1]] * (depth - len(values))]


def changed(part: Model | OptimizerSpec | LossSpec, **values: object) -> Any:
    """Return a part of a spec with other values, checked; raises `CannotTry`."""
    content = {**part.as_json(), **values}
    try:
        return type(part).model_validate({key: value for key, value in content.items() if value is not None})
    except ValidationError as error:
        raise CannotTry(_reason(error)) from error


def own_setting(
    base: CandidateSpec,
    *,
    model: Model,
    optimizer: OptimizerSpec,
    loss: LossSpec,
    samples: int,
    batch_size: int,
    device: Device,
    inherited: str,
) -> OwnSetting:
    """Return the setting of these parts on the data of `base`; raises `CannotTry`."""
    if samples % batch_size:
        fewer = samples - samples % batch_size
        near = " or ".join(f"{number:,}" for number in (fewer, fewer + batch_size) if number > 0)
        raise CannotTry(f"{samples:,} samples are no whole number of batches of {batch_size}; take {near}.")
    content: dict[str, Any] = base.as_json()
    del content["candidate_id"]
    content |= {
        "model": model.as_json(),
        "optimizer": optimizer.as_json(),
        "loss": loss.as_json(),
        "trainable_parameter_count": parameter_count(model),
        "execution": {"device": device},
        "budget": {
            "training_steps": samples // batch_size,
            "batch_size": batch_size,
            "total_samples_seen": samples,
        },
    }
    try:
        spec = identified(content, len(base.candidate_id) - len("c_"))
    except ValidationError as error:
        raise CannotTry(_reason(error)) from error
    return OwnSetting(spec, inherited, _same(spec, base))


def _same(one: CandidateSpec, other: CandidateSpec) -> bool:
    parts = [one.part(axis) == other.part(axis) for axis in ("model", "optimizer", "loss")]
    return all(parts) and one.budget == other.budget and one.device == other.device


def _reason(error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"]))
    return f"{place}: {first['msg'].removeprefix('Value error, ')}."


def has_foreign_files(choice: ShownChoice) -> bool:
    """Whether a pack's files are not the ones its settings make here; they are shown, and never run."""
    if choice.spec is None:
        return bool(choice.files)
    expected = candidate_sources(choice.spec)
    return any(expected.get(file.name) != file.text for file in choice.files)
