"""Explains the first value of a run that is not finite: where, what stood there last, and what probably caused it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from archstudio.training.description import RunDescription
from archstudio.training.protocol import Failure

if TYPE_CHECKING:
    from torch import nn

_RISE = 3.0


class Diverged(Exception):
    """A metric became NaN or infinite at `step`; `last_finite` is its last value before, if it had one."""

    def __init__(self, metric: str, step: int, last_finite: float | None, cause: str) -> None:
        self.metric = metric
        self.step = step
        self.last_finite = last_finite
        self.cause = cause
        super().__init__(metric, step, last_finite, cause)

    def __str__(self) -> str:
        before = "" if self.last_finite is None else f" (last finite value {self.last_finite:.6g})"
        return f"{self.metric} is not finite at step {self.step:,}{before}. {self.cause}"

    def failure(self) -> Failure:
        """The same as a message to the supervisor."""
        return Failure(
            kind="diverged", message=str(self), cause=self.cause, step=self.step, last_finite=self.last_finite
        )


def likely_cause(metric: str, history: Sequence[float], description: RunDescription, model: nn.Module) -> str:
    """Return one sentence on what probably happened; `history` holds the finite training losses so far, newest last."""
    if not history and metric != "grad_norm":
        return (
            "It is so from the first step, so the model's own arithmetic gives it: "
            "look for a division, a root, a logarithm or an overflow."
        )
    if metric == "grad_norm":
        return (
            f"The loss is finite but the gradient is not{_at(_broken_gradient(model))}: "
            "a root, a division or a norm at exactly 0 does that; add a small epsilon."
        )
    if metric.startswith("val_") and not _broken_weight(model):
        return "Training itself is finite: statistics kept for evaluation (batch norm) or a single sample overflow."
    low = min(history)
    if history[-1] > _RISE * low:
        return (
            f"The loss had already risen from {low:.4g} to {history[-1]:.4g}: the learning rate of "
            f"{description.lr:g} is probably too high{_unclipped(description)}."
        )
    if any(output.dtype == "float16" for output in description.outputs):
        return "float16 ends at 65,504: probably an overflow; use float32 or bfloat16."
    return (
        f"It came in a single step{_at(_broken_weight(model))}: the learning rate of {description.lr:g} "
        f"or an operation without protection against 0 is the likely cause{_unclipped(description)}."
    )


def _unclipped(description: RunDescription) -> str:
    return "; no gradient clipping is set" if description.clip is None else ""


def _at(name: str | None) -> str:
    return f" (first at {name})" if name else ""


def _broken_weight(model: nn.Module) -> str | None:
    return next((name for name, p in model.named_parameters() if not bool(p.isfinite().all())), None)


def _broken_gradient(model: nn.Module) -> str | None:
    return next(
        (name for name, p in model.named_parameters() if p.grad is not None and not bool(p.grad.isfinite().all())), None
    )
