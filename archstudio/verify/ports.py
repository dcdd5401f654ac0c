"""Which of a layer's outputs a wire carries, and which of a layer's inputs it feeds."""

from __future__ import annotations

from archstudio.graph import Connection
from archstudio.layers import Layer, Value


def select(layer: Layer | None, value: Value, port: str | None) -> Value | None:
    """The part of a layer's result that a port names; the whole without a port; None if there is no such port."""
    if port is None or layer is None:
        return value
    path = layer.output_names().get(port)
    if path is None:
        return None
    for step in path:
        if not isinstance(value, tuple) or step >= len(value):
            return None
        value = value[step]
    return value


def input_order(entry: type[Layer] | None, incoming: list[Connection]) -> list[Connection]:
    """A node's wires in the order of its inputs: those that name an input first take their place, the rest follow.

    Without names (or for a layer that takes any count) it is the order of the connections.
    """
    for wire in incoming:
        if wire.target_port is not None:
            break
    else:
        return incoming
    if entry is None or entry.variadic:
        return incoming
    named = {c.target_port: c for c in incoming if c.target_port in entry.inputs}
    rest = [c for c in incoming if c.target_port not in entry.inputs or named[c.target_port] is not c]
    ordered: list[Connection] = []
    for name in entry.inputs:
        if name in named:
            ordered.append(named[name])
        elif rest:
            ordered.append(rest.pop(0))
    return ordered + rest
