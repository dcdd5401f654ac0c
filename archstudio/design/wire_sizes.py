"""Which sizes the wires into a layer give it: what is written into its parameters and listed under `meta.inferred`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from archstudio.graph import Node
from archstudio.layers import Layer, Refused, Value, Wire


def plain(value: Any) -> Any:
    """A size as JSON holds it: a `Dim` becomes its number, a tuple a list."""
    if isinstance(value, tuple | list):
        return [plain(v) for v in value]
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else value


def sizes_given(
    entry: type[Layer], params: Mapping[str, Any], inputs: Sequence[Value], keys: Collection[str] = ()
) -> dict[str, Any]:
    """The sizes that wires give a layer, by their key in files.

    Asked are the sizes that `params` lacks, and those under `keys` whatever they are now. A size that no wire gives,
    or that cannot be told because another parameter is wrong, is left out.
    """
    asked = {entry.keys[key].name: key for key in keys if key in entry.keys and entry.keys[key].inferred is not None}
    freed = {key for name in asked for key in entry.fields[name].keys}
    wires = _tensors(inputs)
    try:
        layer = entry.from_params({k: v for k, v in params.items() if k not in freed})
        found: dict[str, Any] = {}
        for field in layer.unbound:
            value = layer.infer_field(field, wires)
            if value is not None:
                setattr(layer, field.name, value)
                found[asked.get(field.name, field.json)] = plain(value)
    except Refused:
        return {}
    return found


def _tensors(inputs: Sequence[Value]) -> tuple[Wire, ...]:
    """The inputs up to the first that is a tuple of tensors: no size is read off that one or those behind it."""
    wires: list[Wire] = []
    for value in inputs:
        if not isinstance(value, Wire):
            break
        wires.append(value)
    return tuple(wires)


def with_sizes(node: Node, sizes: Mapping[str, Any]) -> Node:
    """The node with these sizes written and listed as following the wire."""
    if not sizes:
        return node
    listed = list(dict.fromkeys((*node.inferred, *sizes)))
    return replace(node, params={**node.params, **sizes}, meta={**node.meta, "inferred": listed})
