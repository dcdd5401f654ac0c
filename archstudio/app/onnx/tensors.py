"""What an operator of an ONNX model is and what it is fed, with shapes where the model tells them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from archstudio.app.words import said

Shape = tuple[int | None, ...]
"""Sizes of a tensor; None where the model leaves one open."""


class NoLayer(Exception):
    """There is no layer that does what an operator does, as it is used; the message says what stands against it."""


@dataclass(frozen=True)
class Operator:
    """One operator: `inputs` are names of tensors, empty where one is left out.

    `weights` are the shapes of those inputs that are constants, `constants` the values of small ones, `shapes` what is
    known of the others.
    """

    op: str
    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, Any]
    weights: Mapping[str, tuple[int, ...]]
    constants: Mapping[str, Sequence[float]]
    shapes: Mapping[str, Shape]

    def weight(self, k: int) -> tuple[int, ...]:
        """The shape of the k-th input, which has to be a constant; NoLayer if it is computed."""
        if k >= len(self.inputs) or self.inputs[k] not in self.weights:
            raise NoLayer(said("its weights are computed"))
        return self.weights[self.inputs[k]]

    def has(self, k: int) -> bool:
        """Whether a k-th input is given."""
        return k < len(self.inputs) and bool(self.inputs[k])

    def numbers(self, k: int, attribute: str = "") -> list[int] | None:
        """Whole numbers of a constant input, or of the attribute that older models have instead; None without both."""
        if attribute and attribute in self.attributes:
            given = self.attributes[attribute]
            return [int(v) for v in (given if isinstance(given, list) else [given])]
        if not self.has(k):
            return None
        if self.inputs[k] not in self.constants:
            raise NoLayer(said("one of its settings is computed"))
        return [int(v) for v in self.constants[self.inputs[k]]]

    def number(self, k: int, attribute: str) -> float | None:
        """One number, in the same way."""
        if attribute in self.attributes:
            return float(self.attributes[attribute])
        if not self.has(k):
            return None
        if self.inputs[k] not in self.constants:
            raise NoLayer(said("one of its settings is computed"))
        return float(self.constants[self.inputs[k]][0])

    @property
    def data(self) -> tuple[str, ...]:
        """The inputs that other operators or the caller feed."""
        return tuple(name for name in self.inputs if name and name not in self.weights)

    def rank(self, k: int = 0) -> int:
        """The number of axes of the k-th input; NoLayer if the model does not tell."""
        name = self.inputs[k]
        found = self.shapes.get(name) or self.weights.get(name)
        if found is None:
            raise NoLayer(said("the model does not tell the shape of its input"))
        return len(found)
