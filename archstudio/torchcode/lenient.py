"""A layer exactly as a file has it, right or wrong, so that PyTorch can be asked what it says of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from archstudio.layers import Layer, Refused, Value, Wire
from archstudio.layers.fields import Field


class Unwritable(ValueError):
    """No PyTorch code stands for this layer, for the reason given."""


def as_written(
    entry: type[Layer],
    params: Mapping[str, Any],
    inputs: Sequence[Value | None],
    *,
    training: bool = False,
    target: Layer | None = None,
) -> Layer:
    """The layer with its parameters unchecked; missing sizes are read off the inputs, as lazy modules do.

    Unwritable where a size is still missing then, or there are too few or too many inputs to write the call.
    """
    layer = entry()
    for name, field in entry.fields.items():
        found = field.find(params)
        if found is not None:
            setattr(layer, name, _unchecked(field, found[1]))
        elif not field.required:
            setattr(layer, name, field.default)
        elif field.inferred is None:
            raise Unwritable(f"it has no {field.json}")
    layer.training, layer.target = training, target
    _read_sizes(layer, inputs)
    _require_count(layer, len(inputs))
    return layer


def _unchecked(field: Field, raw: Any) -> Any:
    try:
        return field.parse(raw)
    except Refused:
        return tuple(raw) if isinstance(raw, list) else raw


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


def _require_count(layer: Layer, count: int) -> None:
    needed, most = len(layer.inputs) - layer.optional_inputs, len(layer.inputs)
    if count < needed or (count > most and not layer.variadic):
        raise Unwritable(f"it has {count} inputs")
