"""Layers made of layers in a row: their facts are the sums of their stages' facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from archstudio.layers.base import Layer, Parameter, Saved
from archstudio.layers.wire import Value, Wire

L = TypeVar("L", bound=Layer)


def bound(cls: type[L], *, training: bool = False, **values: Any) -> L:
    """A layer with these attributes and the defaults for the rest, unchecked."""
    made = cls()
    for name, field in cls.fields.items():
        if name in values or not field.required:
            value = values.get(name, field.default)
            for_all = field.kind in ("tuple", "padding") and isinstance(value, int)
            setattr(made, name, (value,) * field.count if for_all else value)
    made.training = training
    return made


def run(stages: Sequence[Layer], x: Wire) -> list[Wire]:
    """The wires from the first input to the last output, one more than there are stages."""
    wires = [x]
    for stage in stages:
        y = stage.forward(wires[-1])
        assert isinstance(y, Wire)
        wires.append(y)
    return wires


class Chain(Layer):
    """A layer whose rule is that of its stages, one after the other; `stages` names them as torch does."""

    def stages(self) -> list[tuple[str, Layer]]:
        """The stages and their names in the module."""
        raise NotImplementedError

    def layers(self) -> list[Layer]:
        """The stages without their names."""
        return [stage for _, stage in self.stages()]

    def forward(self, x: Wire) -> Value:
        return run(self.layers(), x)[-1]

    def parameters(self) -> Iterator[Parameter]:
        for name, stage in self.stages():
            for parameter in stage.parameters():
                yield replace(parameter, name=f"{name}.{parameter.name}")

    def buffers(self) -> Iterator[Parameter]:
        for name, stage in self.stages():
            for buffer in stage.buffers():
                yield replace(buffer, name=f"{name}.{buffer.name}")

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        layers = self.layers()
        wires = run(layers, inputs[0])
        return sum(stage.macs([x], y) for stage, x, y in zip(layers, wires, wires[1:], strict=False))

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """What the stages keep; a tensor between two stages counts once, though both may keep it."""
        layers = self.layers()
        wires = run(layers, inputs[0])
        kept: set[int] = set()
        for k, stage in enumerate(layers):
            for saved in stage.saved([wires[k]], wires[k + 1]):
                if saved.what == "own":
                    yield saved
                else:
                    kept.add(k if saved.what == "input" else k + 1)
        for k in sorted(kept):
            yield Saved.input() if k == 0 else self._kept_output(wires, k)

    def _kept_output(self, wires: Sequence[Wire], k: int) -> Saved:
        if k == len(wires) - 1:
            return Saved.output()
        return Saved.own(wires[k].elements, wires[k].dtype)
