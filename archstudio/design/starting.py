"""What a new layer starts with: its own starting parameters, usual values for what has none, shapes off the wire."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from archstudio.layers import Layer, Value, Wire

USUAL: Mapping[str, Any] = {
    "kernelSize": 3,
    "outChannels": 32,
    "outFeatures": 128,
    "numHeads": 8,
    "embedDim": 128,
    "embeddingDim": 128,
    "numEmbeddings": 1000,
    "hiddenSize": 128,
    "hiddenDim": 256,
    "numGroups": 1,
    "maxLen": 512,
    "numExperts": 4,
    "topK": 2,
    "dims": [0],
    "shifts": [1],
    "pad": [0, 0],
    "shape": [1, -1],
    "repeats": [1],
    "splitSize": [1],
    "unflattenedSize": [-1],
    "equation": "...->...",
}
"""What a parameter without a default usually is, by its key in files."""

_OFF_THE_WIRE: Mapping[tuple[str, str], Callable[[Wire], list[int]]] = {
    ("permute", "dims"): lambda x: list(range(x.rank)),
    ("reshape", "shape"): lambda x: [int(d) for d in x.shape],
    ("view", "shape"): lambda x: [int(d) for d in x.shape],
    ("expand", "shape"): lambda x: [-1] * x.rank,
    ("repeat", "repeats"): lambda x: [1] * x.rank,
    ("flip", "dims"): lambda x: [-1],
    ("roll", "shifts"): lambda x: [1],
    ("split", "splitSize"): lambda x: [max(int(x.shape[-1]) // 2, 1)] if x.rank else [1],
}
"""Shapes that change nothing yet and are for a person to edit, by type and key."""


def starting_params(kind: type[Layer], value: Value | None = None) -> dict[str, Any]:
    """The parameters a new layer of a type gets, apart from the sizes its wires give.

    Beside the type's own `new_params` these are usual values for parameters that have neither a default nor a wire to
    give them. `value` is what the wire carries that the layer is put at the end of.
    """
    params = dict(kind.new_params)
    for field in kind.fields.values():
        if field.json in params or not field.required or field.inferred is not None:
            continue
        shaped = _OFF_THE_WIRE.get((kind.type, field.json))
        if shaped is not None and isinstance(value, Wire):
            params[field.json] = shaped(value)
        elif field.json in USUAL:
            params[field.json] = USUAL[field.json]
    return params
