"""One seed of a run as a machine that takes single optimiser steps, the same ones every time."""

from __future__ import annotations

import math
import random
import sys
from functools import cached_property
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from archstudio.files.unusable import UnusableFile
from archstudio.training.description import MODEL_FILE, InputSpec, Loss, RunDescription, Schedule
from archstudio.training.devices import torch_device
from archstudio.training.losses import class_weights, hits, loss_value
from archstudio.training.sources import Dataset, Split

if TYPE_CHECKING:
    from torch import Tensor, nn
    from torch.optim import Optimizer

TensorSplit = tuple[list["Tensor"], list["Tensor"]]


class Trainer:
    """Model, optimiser, data and position of one seed.

    Batches come from an endless row of shuffled epochs, so that every batch is whole; what is drawn depends on seed
    and position only, never on what happened before.
    """

    def __init__(self, description: RunDescription, seed: int, dataset: Dataset, folder: Path) -> None:
        self.description = description
        self.seed = seed
        self.step = 0
        self.device = torch_device(description.device)
        seed_everything(seed)
        # built on the CPU, so that a seed begins with the same weights wherever it computes
        self.model = build_model(folder, description.model.source).train().to(self.device)
        self._forward = Forward(description, self.model)
        self.optimiser = make_optimiser(description, self.model)
        self._train = _as_tensors(description, dataset.train)
        self._validation = _as_tensors(description, dataset.validation)
        self._test = _as_tensors(description, dataset.test) if dataset.test else None
        self._train_size = len(dataset.train)
        self._class_weights = [
            self._weights_of(loss, target) for loss, target in zip(description.losses, self._train[1], strict=True)
        ]
        self._epoch = -1
        self._order: Tensor

    @property
    def samples(self) -> int:
        """Samples seen so far."""
        return self.step * self.description.batch_size

    @cached_property
    def parameters(self) -> int:
        """Number of trainable numbers in the model."""
        return sum(p.numel() for p in self.model.parameters() if p.requires_grad)

    def advance(self) -> dict[str, float]:
        """Take one optimiser step and return the batch's training loss, and the gradient's norm where it is clipped."""
        self.optimiser.zero_grad(set_to_none=True)
        for group in self.optimiser.param_groups:
            group["lr"] = lr_at(self.description, self.samples)
        inputs, targets = self._take(self._train, self._next_indices())
        loss = self._loss(self._forward(inputs), targets)
        loss.backward()  # type: ignore[no-untyped-call]
        values = {"train_loss": loss.item(), **self._clip()}
        if math.isfinite(values["train_loss"]):  # the step on a broken loss would only spread it
            self.optimiser.step()
        self.step += 1
        return values

    def evaluate(self) -> dict[str, float]:
        """Return loss and, where it means something, accuracy on the validation split."""
        return self._measure(self._validation, "val")

    def test(self) -> dict[str, float]:
        """Return the same on the test split, nothing if none was set apart; to be asked once, at the end."""
        return {} if self._test is None else self._measure(self._test, "test")

    def _measure(self, split: TensorSplit, name: str) -> dict[str, float]:
        import torch

        self.model.eval()
        total, right, counted = 0.0, 0, 0
        size = len(split[1][0])
        with torch.no_grad():
            for start in range(0, size, self.description.batch_size):
                stop = min(start + self.description.batch_size, size)
                inputs, targets = self._take(split, torch.arange(start, stop))
                outputs = self._forward(inputs)
                total += self._loss(outputs, targets).item() * (stop - start)
                met, among = hits(self._first, outputs[self._first.output], targets[0])
                right, counted = right + met, counted + among
        self.model.train()
        values = {f"{name}_loss": total / size}
        if counted:
            values[f"{name}_accuracy"] = right / counted
        return values

    def look(self, rows: int) -> None:
        """Pass the first validation samples forward, and leave the gradients of one batch; no step is taken."""
        import torch

        self.optimiser.zero_grad(set_to_none=True)
        batch, rows = self.description.batch_size, min(rows, len(self._validation[1][0]))
        with torch.no_grad():
            for start in range(batch, rows, batch):
                self._forward(self._take(self._validation, torch.arange(start, min(start + batch, rows)))[0])
        inputs, targets = self._take(self._validation, torch.arange(min(batch, rows)))
        self._loss(self._forward(inputs), targets).backward()  # type: ignore[no-untyped-call]

    @property
    def _first(self) -> Loss:
        return self.description.losses[0]

    def _next_indices(self) -> Tensor:
        import torch

        epoch, start = divmod(self.samples, self._train_size)
        missing = self.description.batch_size
        pieces: list[Tensor] = []
        while missing:
            pieces.append(self._epoch_order(epoch)[start : start + missing])
            missing -= len(pieces[-1])
            epoch, start = epoch + 1, 0
        return pieces[0] if len(pieces) == 1 else torch.cat(pieces)

    def _epoch_order(self, epoch: int) -> Tensor:
        import torch

        if epoch != self._epoch:
            stream = np.random.Generator(np.random.PCG64(np.random.SeedSequence([self.seed, epoch])))
            self._order, self._epoch = torch.from_numpy(stream.permutation(self._train_size)), epoch
        return self._order

    def _take(self, split: TensorSplit, rows: Tensor) -> TensorSplit:
        """Some samples, where the model is; all of them may not fit there."""
        inputs, targets = ([part.index_select(0, rows).to(self.device) for part in parts] for parts in split)
        return inputs, targets

    def _weights_of(self, loss: Loss, target: Tensor) -> Tensor | None:
        if not loss.counts_classes:
            return None
        weights = class_weights(loss, self.description.outputs[loss.output].sample_shape[-1], target)
        return None if weights is None else weights.to(self.device)

    def _loss(self, outputs: list[Tensor], targets: list[Tensor]) -> Tensor:
        values = [
            loss_value(loss, _scores(loss, outputs[loss.output], target), target, weights)
            for loss, target, weights in zip(self.description.losses, targets, self._class_weights, strict=True)
        ]
        total = values[0]
        for value in values[1:]:
            total = total + value
        return total

    def _clip(self) -> dict[str, float]:
        from torch.nn.utils import clip_grad_norm_, clip_grad_value_

        clip = self.description.clip
        if clip is None:
            return {}
        if clip.kind == "value":
            clip_grad_value_(self.model.parameters(), clip.limit)
            return {}
        return {"grad_norm": clip_grad_norm_(self.model.parameters(), clip.limit).item()}


class Forward:
    """Calls a model: samples come and go first, whatever axis it keeps them on, in the precision described."""

    def __init__(self, description: RunDescription, model: nn.Module) -> None:
        self._description = description
        self._model = model

    def __call__(self, inputs: list[Tensor]) -> list[Tensor]:
        """Return all outputs of a batch."""
        import torch

        if self._description.precision == "float32":
            return self._outputs(inputs)
        with torch.autocast(inputs[0].device.type, torch.bfloat16):
            outputs = self._outputs(inputs)
        return [out.float() if out.is_floating_point() else out for out in outputs]

    def _outputs(self, inputs: list[Tensor]) -> list[Tensor]:
        import torch

        specs = self._description.inputs
        if specs[0].batch_axis is None:
            rows = [_listed(self._model(*sample)) for sample in zip(*inputs, strict=True)]
            return [torch.stack(list(column)) for column in zip(*rows, strict=True)]
        moved = [_to_axis(part, spec) for part, spec in zip(inputs, specs, strict=True)]
        outputs = _listed(self._model(*moved))
        axes = [spec.batch_axis for spec in self._description.outputs]
        return [out.movedim(axis, 0) if axis else out for out, axis in zip(outputs, axes, strict=True)]


def seed_everything(seed: int) -> None:
    """Set every random stream a model may draw from."""
    import torch

    torch.manual_seed(seed)
    random.seed(seed)
    np.random.seed(seed % 2**32)


def build_model(folder: Path, source: str) -> nn.Module:
    """Import `model.py` of a run folder and return its freshly built model.

    Raises `UnusableFile` if the file is not the source described, or gives no `torch.nn.Module`.
    """
    from torch import nn

    path = folder / MODEL_FILE
    remedy = "Make the run again from the network."
    if not path.is_file() or path.read_bytes() != source.encode():
        raise UnusableFile(str(path), problem="The model was changed since the run was described", remedy=remedy)
    spec = spec_from_file_location("archstudio_run_model", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses and pickling inside the model look their module up
    spec.loader.exec_module(module)
    if not hasattr(module, "build_model"):
        raise UnusableFile(str(path), problem="It defines no build_model()", remedy=remedy)
    model = module.build_model()
    if not isinstance(model, nn.Module):
        raise UnusableFile(
            str(path), problem="build_model() gives no torch.nn.Module", value=type(model).__name__, remedy=remedy
        )
    return model


def make_optimiser(description: RunDescription, model: nn.Module) -> Optimizer:
    """Return the optimiser described, over all parameters that train."""
    from torch import optim

    kinds: dict[str, Any] = {
        "sgd": optim.SGD,
        "adam": optim.Adam,
        "adamw": optim.AdamW,
        "rmsprop": optim.RMSprop,
        "adagrad": optim.Adagrad,
    }
    chosen = description.optimiser
    parameters = [p for p in model.parameters() if p.requires_grad]
    if not parameters:
        raise UnusableFile(
            MODEL_FILE, problem="The model has no parameter to train", remedy="Add a layer with weights."
        )
    made: Optimizer = kinds[chosen.kind](parameters, lr=description.lr, **chosen.model_dump(exclude={"kind"}))
    return made


def lr_at(description: RunDescription, samples: int) -> float:
    """Return the learning rate for the step that begins after `samples` samples."""
    schedule, batch = description.schedule, description.batch_size
    if samples < schedule.warmup_samples:
        return description.lr * min(1.0, (samples + batch) / schedule.warmup_samples)
    return description.lr * _decay(schedule, samples, description.budget_samples)


def _decay(schedule: Schedule, samples: int, budget: int) -> float:
    if schedule.kind == "constant":
        return 1.0
    share = (samples - schedule.warmup_samples) / max(1, budget - schedule.warmup_samples)
    if schedule.kind == "linear":
        return 1 - (1 - schedule.final_fraction) * min(1.0, share)
    if schedule.kind == "exponential":
        return float(schedule.final_fraction ** min(1.0, share))
    return schedule.final_fraction + (1 - schedule.final_fraction) * (1 + math.cos(math.pi * min(1.0, share))) / 2


def _as_tensors(description: RunDescription, split: Split) -> TensorSplit:
    import torch

    inputs = [
        torch.from_numpy(array).to(getattr(torch, spec.dtype))
        for array, spec in zip(split.inputs, description.inputs, strict=True)
    ]
    targets = []
    for array, loss in zip(split.targets, description.losses, strict=True):
        dtype = torch.int64 if loss.counts_classes else getattr(torch, description.outputs[loss.output].dtype)
        targets.append(torch.from_numpy(array).to(dtype))
    return inputs, targets


def _scores(loss: Loss, output: Tensor, target: Tensor) -> Tensor:
    """Return the output if its shape is the target's (and classes), else say so: torch would broadcast in silence."""
    expected = (*target.shape, output.shape[-1]) if loss.counts_classes else tuple(target.shape)
    if tuple(output.shape) != expected:
        raise UnusableFile(
            MODEL_FILE,
            problem=f"Output {loss.output} of the model has not the shape described, {expected} for this batch",
            value=str(tuple(output.shape)),
            remedy="Check that no layer depends on the batch size, and make the run again from the network.",
        )
    return output


def _to_axis(part: Tensor, spec: InputSpec) -> Tensor:
    return part.movedim(0, spec.batch_axis) if spec.batch_axis else part


def _listed(outputs: Any) -> list[Tensor]:
    """Return a model's outputs as a list: one tensor, a tuple or list of tensors, or the values of a dict."""
    if isinstance(outputs, dict):
        return list(outputs.values())
    return list(outputs) if isinstance(outputs, tuple | list) else [outputs]
