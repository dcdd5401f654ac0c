"""What a person chooses before a run, and how that changes what is recommended for the graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from archstudio.training.description import (
    AdaGrad,
    Adam,
    AdamW,
    Clip,
    EarlyStop,
    LossKind,
    RmsProp,
    RunDescription,
    Schedule,
    Sgd,
    SyntheticData,
)
from archstudio.training.devices import Device

if TYPE_CHECKING:
    from archstudio.app.training_data import OwnData

OptimiserKind = Literal["adamw", "adam", "sgd", "rmsprop", "adagrad"]
ScheduleKind = Literal["constant", "cosine", "linear", "exponential"]
SCHEDULES: tuple[ScheduleKind, ...] = get_args(ScheduleKind)
OPTIMISERS: dict[OptimiserKind, type[AdamW | Adam | Sgd | RmsProp | AdaGrad]] = {
    "adamw": AdamW,
    "adam": Adam,
    "sgd": Sgd,
    "rmsprop": RmsProp,
    "adagrad": AdaGrad,
}
_EXPONENTIAL_END = 0.01


@dataclass(frozen=True, slots=True)
class TrainSettings:
    """What a person chooses before a run. None means what is recommended for the graph."""

    optimiser: OptimiserKind = "adamw"
    lr: float | None = None
    batch_size: int | None = None
    budget_samples: int | None = None
    seeds: int = 1
    difficulty: float | None = None
    loss: LossKind | None = None
    schedule: ScheduleKind | None = None
    clip: float | None = None
    """Norm that gradients are clipped to; 0 clips nothing."""
    patience: int = 0
    """Stop after so many evaluations without a better validation loss; 0 never does."""
    balanced: bool = False
    """Let every class count alike, however rare."""
    precision: Literal["float32", "bfloat16"] = "float32"
    device: Device = "cpu"
    data: OwnData | None = None
    """A file of one's own instead of made-up data."""


def settings_of(description: RunDescription) -> TrainSettings:
    """Return the settings that a run was made with, for another one; data of one's own have to be chosen again."""
    kinds = {part: name for name, part in OPTIMISERS.items()}
    data, clip = description.data, description.clip
    return TrainSettings(
        optimiser=kinds[type(description.optimiser)],
        lr=description.lr,
        batch_size=description.batch_size,
        budget_samples=description.budget_samples,
        seeds=len(description.seeds),
        difficulty=data.difficulty if isinstance(data, SyntheticData) else None,
        loss=description.losses[0].kind,
        schedule=description.schedule.kind,
        clip=clip.limit if clip is not None and clip.kind == "norm" else 0.0,
        patience=description.early_stop.patience if description.early_stop else 0,
        balanced=any(loss.class_weights == "balanced" for loss in description.losses),
        precision=description.precision,
        device=description.device,
    )


def recipe(description: RunDescription, settings: TrainSettings) -> RunDescription:
    """Return the description with optimiser, schedule, clipping, patience, weights, precision and device as chosen."""
    changes: dict[str, Any] = {
        "optimiser": OPTIMISERS[settings.optimiser](),
        "precision": settings.precision,
        "device": settings.device,
        "keep_best": True,
    }
    if settings.schedule is not None:
        end = _EXPONENTIAL_END if settings.schedule == "exponential" else 0.0
        warm = description.schedule.warmup_samples
        changes["schedule"] = Schedule(kind=settings.schedule, warmup_samples=warm, final_fraction=end)
    if settings.clip is not None:
        changes["clip"] = Clip(limit=settings.clip) if settings.clip > 0 else None
    if settings.patience:
        changes["early_stop"] = EarlyStop(patience=settings.patience)
    if settings.balanced:
        changes["losses"] = tuple(
            loss.model_copy(update={"class_weights": "balanced"}) if loss.counts_classes else loss
            for loss in description.losses
        )
    return description.model_copy(update=changes)
