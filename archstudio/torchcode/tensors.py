"""Random tensors for wires, and tensors as plain facts; torch is imported when they are made."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from archstudio.layers import Value, Wire
from archstudio.torchcode.judgement import Returned, Tensor

if TYPE_CHECKING:
    import torch

INDEX_LIMIT = 1
"""Integers that look up no table are below this: 0 is the one number that every use of integers accepts."""


def random_value(value: Value, limit: int = INDEX_LIMIT) -> Any:
    """Tensors like these wires: real numbers in 0..1, integers in 0..limit-1."""
    if isinstance(value, Wire):
        return random_tensor(value, limit)
    return tuple(random_value(part, limit) for part in value)


def random_tensor(wire: Wire, limit: int = INDEX_LIMIT) -> torch.Tensor:
    """A CPU tensor of the wire's shape, dtype and strides; real numbers, like probabilities, lie in 0..1."""
    import torch

    shape = tuple(int(d) for d in wire.shape)
    dtype = torch_dtypes()[wire.dtype]
    if wire.strides is None:
        return _filled(shape, dtype, limit)
    room = 1 + sum((size - 1) * stride for size, stride in zip(shape, wire.strides, strict=True) if size)
    return torch.as_strided(_filled((int(room),), dtype, limit), shape, tuple(int(s) for s in wire.strides))


def _filled(shape: tuple[int, ...], dtype: torch.dtype, limit: int) -> torch.Tensor:
    import torch

    if dtype.is_floating_point:
        return torch.rand(shape).to(dtype)
    return torch.randint(0, max(limit, 1), shape).to(dtype)


@cache
def torch_dtypes() -> Mapping[str, torch.dtype]:
    """PyTorch's dtypes by name."""
    import torch

    names = ["float64", "float32", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool"]
    return {name: getattr(torch, name) for name in names}


def described(value: Any) -> Returned:
    """What a layer returned, as shapes, dtypes and strides; TypeError for anything but (nested) tensors."""
    import torch

    if isinstance(value, torch.Tensor):
        dtype = str(value.dtype).removeprefix("torch.")
        strides = None if value.is_meta else tuple(value.stride())
        return Tensor(tuple(value.shape), dtype, strides, value.is_contiguous())
    if isinstance(value, tuple | list):
        return tuple(described(part) for part in value)
    raise TypeError(f"a layer returned a {type(value).__name__}, not tensors")
