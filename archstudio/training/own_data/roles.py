"""Which column is which: inputs of the graph, targets of its losses, or neither; and how samples are split."""

from __future__ import annotations

from math import prod
from typing import Annotated

from pydantic import Field, model_validator

from archstudio.training.description import Fraction, InputSpec, Loss, OutputSpec, Part, target_shape
from archstudio.training.own_data.columns import LABEL_COLUMN, Column, Columns

_TARGET_NAMES = ("target", "label", "labels", "y", "class", "targets", LABEL_COLUMN)


class Roles(Part):
    """`inputs[i]` are the columns of the graph's input i, put side by side; `targets[k]` those of loss k.

    The rest is left out. Samples are shuffled with `seed`, then cut into test, validation and training.
    """

    inputs: tuple[tuple[str, ...], ...]
    targets: tuple[tuple[str, ...], ...]
    validation_share: Annotated[float, Field(gt=0, lt=1)] = 0.2
    test_share: Fraction = 0.0
    seed: Annotated[int, Field(ge=0)] = 0
    standardise: bool = True
    """Columns of a table are brought to mean 0 and spread 1, by the training samples alone."""

    @model_validator(mode="after")
    def _something_is_left_to_train_on(self) -> Roles:
        if self.validation_share + self.test_share >= 1:
            raise ValueError("validation and test together leave nothing to train on")
        if not all(self.inputs) or not all(self.targets):
            raise ValueError("every input and every target needs a column")
        return self


def suggested(
    columns: Columns, inputs: tuple[InputSpec, ...], outputs: tuple[OutputSpec, ...], losses: tuple[Loss, ...]
) -> Roles | None:
    """Return roles that suit names and shapes, None where there are not enough columns.

    A target is a column called so, else the last that has its shape; inputs are columns of their own name or shape, or
    all that is left of a table.
    """
    left = list(columns.columns)
    targets = []
    for loss in losses:
        chosen = _target(left, target_shape(loss, outputs[loss.output]))
        if chosen is None:
            return None
        left.remove(chosen)
        targets.append((chosen.name,))
    if len(inputs) == 1 and columns.is_table:
        return Roles(inputs=(tuple(c.name for c in left),), targets=tuple(targets)) if left else None
    taken: list[tuple[str, ...]] = []
    for spec in inputs:
        if not left:
            return None
        chosen = next((c for c in left if c.name.casefold() == spec.name.casefold()), None)
        chosen = chosen or next((c for c in left if prod(c.sample_shape) == prod(spec.sample_shape)), left[0])
        left.remove(chosen)
        taken.append((chosen.name,))
    return Roles(inputs=tuple(taken), targets=tuple(targets))


def _target(among: list[Column], shape: tuple[int, ...]) -> Column | None:
    named = [column for column in among if column.name.casefold() in _TARGET_NAMES]
    fitting = [column for column in reversed(among) if prod(column.sample_shape) == prod(shape)]
    return next(iter([*named, *fitting, *reversed(among)]), None) if len(among) > 1 else None
