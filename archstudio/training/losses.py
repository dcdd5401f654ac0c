"""Turns the losses of a description into torch: what is minimised, and how many targets were met."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archstudio.training.description import Loss

if TYPE_CHECKING:
    from torch import Tensor


def class_weights(loss: Loss, classes: int, target: Tensor) -> Tensor | None:
    """Return the weight of each class, None if they count alike; `target` holds all training targets."""
    import torch

    if loss.class_weights is None:
        return None
    if isinstance(loss.class_weights, tuple):
        return torch.tensor(loss.class_weights, dtype=torch.float32)
    counts = torch.bincount(target.reshape(-1), minlength=classes).double()
    present = counts > 0
    balanced = torch.where(present, counts.sum() / (present.sum() * counts.clamp(min=1)), torch.ones(()))
    return balanced.float()


def loss_value(loss: Loss, output: Tensor, target: Tensor, weights: Tensor | None = None) -> Tensor:
    """Return the weighted mean loss of a batch; `output` and `target` have the samples first."""
    from torch.nn import functional

    if loss.counts_classes:
        scores, classes = output.reshape(-1, output.shape[-1]), target.reshape(-1)
        value = functional.cross_entropy(scores, classes, weights, label_smoothing=loss.label_smoothing)
    elif loss.kind == "bce_logits":
        value = functional.binary_cross_entropy_with_logits(output, target)
    elif loss.kind == "mse":
        value = functional.mse_loss(output, target)
    elif loss.kind == "l1":
        value = functional.l1_loss(output, target)
    else:
        value = functional.huber_loss(output, target)
    return value * loss.weight


def hits(loss: Loss, output: Tensor, target: Tensor) -> tuple[int, int]:
    """Return how many targets of a batch were met and how many there are; (0, 0) if there is no right and wrong."""
    if loss.counts_classes:
        return int((output.argmax(-1) == target).sum()), target.numel()
    if loss.kind == "bce_logits":
        return int(((output > 0) == (target > 0.5)).sum()), target.numel()
    return 0, 0
