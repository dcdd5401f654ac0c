"""A layer exactly as a file has it, right or wrong, so that PyTorch can be asked what it says of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from archstudio.layers import Layer, Phase, Refused, Value, Wire
from archstudio.layers.fields import Field


class Unwritable(ValueError):
    """No PyTorch code stands for this layer, for the reason given: neither its constructor nor its call, or only this.

    A Python program without these arguments would raise TypeError in that `phase`.
    """

    def __init__(self, reason: str, phase: Phase = "construct") -> None:
        super().__init__(reason)
        self.phase = phase


def as_written(
    entry: type[Layer],
    params: Mapping[str, Any],
    inputs: Sequence[Value | None],
    *,
    training: bool = False,
    target: Layer | None = None,
) -> Layer:
    """The layer with its parameters unchecked; missing sizes are read off the inputs, as lazy modules do.

    Unwritable where a size is still missing then.
    """
    layer = entry()
    wrong = False
    for name, field in entry.fields.items():
        found = field.find(params)
        if found is not None:
            value, fits = _unchecked(field, found[1])
            setattr(layer, name, value)
            wrong = wrong or not fits
        elif not field.required:
            setattr(layer, name, field.default)
        elif field.inferred is None:
            raise Unwritable(f"it has no {field.json}")
    layer.training, layer.target = training, target
    _read_sizes(layer, inputs)
    if not wrong:
        _look_at(layer, inputs)
    return layer


def _unchecked(field: Field, raw: Any) -> tuple[Any, bool]:
    """The value as the rules have it, or raw where they do not take it, and whether they do."""
    try:
        return field.parse(raw), True
    except Refused:
        return (tuple(raw) if isinstance(raw, list) else raw), False


def _look_at(layer: Layer, inputs: Sequence[Value | None]) -> None:
    """Show a layer its inputs, if they are known: some choose their class by the rank of what comes in."""
    if all(value is not None for value in inputs):
        with suppress(Refused):  # what it thinks of them is not asked here
            layer.check()
            layer.check_late()
            layer.forward(*layer.accept([value for value in inputs if value is not None]))


def _read_sizes(layer: Layer, inputs: Sequence[Value | None]) -> None:
    missing = layer.unbound
    if not missing:
        return
    wires = [value for value in inputs if isinstance(value, Wire)]
    if len(wires) < len(inputs):
        raise Unwritable(f"nothing on its wires says its {missing[0].json}")
    for field in missing:
        value = layer.infer_field(field, wires)
        if value is None:
            raise Unwritable(f"nothing on its wires says its {field.json}")
        setattr(layer, field.name, value)


def call_of(layer: Layer, module: str, inputs: Sequence[str]) -> str:
    """The expression that runs a layer; Unwritable where there are too few or too many inputs for it."""
    needed, most = len(layer.inputs) - layer.optional_inputs, len(layer.inputs)
    if len(inputs) < needed or (len(inputs) > most and not layer.variadic):
        raise Unwritable(f"it has {len(inputs)} inputs", "forward")
    return layer.call_code(module, inputs)
