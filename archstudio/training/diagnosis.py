"""Measures, when a run is over, what a person would look at: the data, the gradients, the units of every layer."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import ValidationError

from archstudio.files.atomic import save_atomic
from archstudio.files.strict_json import dump_json
from archstudio.training.description import Loss, Part
from archstudio.training.sources import Dataset

if TYPE_CHECKING:
    from torch import Tensor, nn

    from archstudio.training.trainer import Trainer

DIAGNOSIS_FILE = "diagnosis.json"
_ROWS = 256
_RECTIFIERS = ("ReLU", "ReLU6", "Threshold")
_SATURATING = {
    "Sigmoid": (0.01, 0.99),
    "Tanh": (-0.99, 0.99),
    "Hardsigmoid": (0.001, 0.999),
    "Hardtanh": (-0.999, 0.999),
}


class InputFacts(Part):
    """One input over the training samples; for indices only the range counts. None: not a finite number."""

    name: str
    mean: float | None
    spread: float | None
    low: float | None
    high: float | None
    constant_share: float
    """Share of places that are the same in every sample."""
    is_float: bool


class TargetFacts(Part):
    """Targets of the first loss: how often each class occurs in training, or their mean and spread.

    `baseline` is the validation loss of the best answer that ignores the input, None where that is not known.
    """

    class_counts: tuple[int, ...] = ()
    mean: float | None = None
    spread: float | None = None
    baseline: float | None = None


class LayerFacts(Part):
    """Units of a layer over some samples: shares that never answered, that are saturated; whether all is finite."""

    name: str
    type: str
    units: int
    dead: float | None = None
    saturated: float | None = None
    spread: float | None = None
    finite: bool = True


class ParameterFacts(Part):
    """A parameter's size and that of its gradient on one batch; None: not finite, or no gradient came."""

    name: str
    numbers: int
    weight: float | None
    gradient: float | None
    reached: bool
    """Whether any gradient arrived at all."""


class Diagnosis(Part):
    """Everything measured at the end of a seed."""

    schema_version: int = 1
    inputs: tuple[InputFacts, ...]
    target: TargetFacts
    layers: tuple[LayerFacts, ...]
    parameters: tuple[ParameterFacts, ...]


def diagnose(trainer: Trainer, dataset: Dataset) -> Diagnosis:
    """Measure a trainer as it stands. Its gradients are overwritten, so only when training is over."""
    loss = trainer.description.losses[0]
    inputs = tuple(
        _input(spec.name, array, is_float=spec.is_float)
        for spec, array in zip(trainer.description.inputs, dataset.train.inputs, strict=True)
    )
    layers = _layers(trainer)
    return Diagnosis(inputs=inputs, target=_target(loss, dataset), layers=layers, parameters=_parameters(trainer.model))


def keep_diagnosis(folder: Path, trainer: Trainer, dataset: Dataset) -> None:
    """Measure, and write it into a seed's folder. Where that is impossible the log says why; the run is over anyway."""
    try:
        text = dump_json(diagnose(trainer, dataset).model_dump(mode="json"))
        save_atomic(folder / DIAGNOSIS_FILE, text.encode(), backups=0)
    except Exception as error:
        print(f"The end of the run could not be measured: {type(error).__name__}: {error}", file=sys.stderr, flush=True)


def read_diagnosis(folder: Path) -> Diagnosis | None:
    """Return what was measured, None if nothing was or the file is of another version."""
    path = folder / DIAGNOSIS_FILE
    try:
        return Diagnosis.model_validate_json(path.read_bytes()) if path.is_file() else None
    except ValidationError:
        return None  # of another version of the program: it is measured anew when the run is


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _input(name: str, array: np.ndarray[Any, Any], *, is_float: bool) -> InputFacts:
    some = array[:_ROWS].astype(np.float64).reshape(min(len(array), _ROWS), -1)
    constant = float(np.mean(some.min(axis=0) == some.max(axis=0))) if len(some) > 1 and some.size else 0.0
    return InputFacts(
        name=name,
        mean=_finite(float(some.mean())),
        spread=_finite(float(some.std())),
        low=_finite(float(some.min())),
        high=_finite(float(some.max())),
        constant_share=constant,
        is_float=is_float,
    )


def _target(loss: Loss, dataset: Dataset) -> TargetFacts:
    train, validation = dataset.train.targets[0], dataset.validation.targets[0]
    if loss.counts_classes or loss.kind == "bce_logits":
        classes = int(max(train.max(), validation.max())) + 1
        counts = np.bincount(train.astype(np.int64).reshape(-1), minlength=classes)
        share = (counts + 1e-12) / counts.sum()
        chances = np.log(share)[validation.astype(np.int64).reshape(-1)]
        weighted = loss.class_weights is not None or loss.label_smoothing > 0
        baseline = None if weighted else float(-chances.mean() * loss.weight)
        return TargetFacts(class_counts=tuple(counts.tolist()), baseline=baseline)
    spread = float(train.std())
    baseline = float(np.mean((validation - train.mean()) ** 2)) * loss.weight if loss.kind == "mse" else None
    return TargetFacts(mean=_finite(float(train.mean())), spread=_finite(spread), baseline=baseline)


def _layers(trainer: Trainer) -> tuple[LayerFacts, ...]:
    """Some validation samples forward, batch by batch, and one batch back, listening at every layer without parts."""
    found: dict[str, _Listener] = {}
    hooks = []
    for name, module in trainer.model.named_modules():
        if name and not list(module.children()):
            found[name] = _Listener(name, type(module).__name__)
            hooks.append(module.register_forward_hook(found[name]))
    trainer.model.eval()
    try:
        trainer.look(_ROWS)
    finally:
        for hook in hooks:
            hook.remove()
        trainer.model.train()
    return tuple(listener.facts() for listener in found.values() if listener.heard)


class _Listener:
    """Hears a layer's answers. A unit is an entry of the channels: the second axis of images, else the last."""

    def __init__(self, name: str, kind: str) -> None:
        self._name, self._kind = name, kind
        self._finite = True
        self._alive: Tensor | None = None
        self._limits = self._numbers = self._units = 0
        self._spread = 0.0

    def __call__(self, module: nn.Module, inputs: object, output: object) -> None:
        import torch

        if not isinstance(output, torch.Tensor) or not output.is_floating_point() or output.dim() < 2:
            return
        answers = output.detach().movedim(1, -1) if output.dim() == 4 else output.detach()
        flat = answers.reshape(-1, answers.shape[-1])
        self._units, self._numbers = flat.shape[-1], self._numbers + flat.numel()
        self._finite = self._finite and bool(flat.isfinite().all())
        alive = (flat > 0).any(dim=0)
        self._alive = alive if self._alive is None or self._alive.shape != alive.shape else self._alive | alive
        if self._kind in _SATURATING:
            low, high = _SATURATING[self._kind]
            self._limits += int(((flat < low) | (flat > high)).sum())
        self._spread = float(flat.std()) if flat.numel() > 1 else 0.0

    @property
    def heard(self) -> bool:
        """Whether the layer answered at all."""
        return self._numbers > 0

    def facts(self) -> LayerFacts:
        """What was heard."""
        dead = None
        if self._finite and self._kind in _RECTIFIERS and self._alive is not None:
            dead = 1 - float(self._alive.float().mean())
        return LayerFacts(
            name=self._name,
            type=self._kind,
            units=self._units,
            dead=dead,
            saturated=self._limits / self._numbers if self._finite and self._kind in _SATURATING else None,
            spread=_finite(self._spread),
            finite=self._finite,
        )


def _parameters(model: nn.Module) -> tuple[ParameterFacts, ...]:
    facts = []
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            gradient = parameter.grad
            norm = None if gradient is None else _finite(float(gradient.norm()))
            weight = _finite(float(parameter.detach().norm()))
            reached = gradient is not None and bool((gradient != 0).any())
            facts.append(
                ParameterFacts(name=name, numbers=parameter.numel(), weight=weight, gradient=norm, reached=reached)
            )
    return tuple(facts)
