"""Where the judge runs layers: on real tensors of the CPU, or (see `judging`) on tensors without numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeAlias

from archstudio.layers import Layer, Value
from archstudio.layers.families.loss import BceLoss
from archstudio.torchcode.tensors import random_value

Call: TypeAlias = Callable[[Sequence[Any]], Any]
"""Runs a layer on its inputs."""


class Stage:
    """Real tensors on the CPU."""

    def around(self) -> AbstractContextManager[object]:
        """What holds while modules are made and run."""
        return nullcontext()

    def value(self, wires: Value, limit: int) -> Any:
        """What is fed at an input; integers are below the limit."""
        return random_value(wires, limit)

    def run(self, node_id: str, layer: Layer | None, inputs: Sequence[Any], call: Call) -> Any:
        """What a layer returns; what it raises is the finding. `layer` is None for one that is passed by."""
        if isinstance(layer, BceLoss):  # refuses by the numbers, which are random here, not by the shapes
            inputs = [x.clamp(0, 1) if x.is_floating_point() else x for x in inputs]
        return call(inputs)
