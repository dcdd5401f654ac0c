"""Differences that are PyTorch's own: its back ends disagree with each other, so no rule can be right for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from archstudio.layers import Value, Wire
from archstudio.layers.base import Example
from archstudio.layers.wire import is_channels_last
from archstudio.verify.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Allowed:
    """A difference that is no fault of the rules: of these types, under this condition, for this reason."""

    types: frozenset[str]
    condition: Callable[[Example, Outcome, Sequence[str]], bool]
    reason: str


def _order_of_volumes(example: Example, ours: Outcome, differences: Sequence[str]) -> bool:
    """Only the memory order differs, and the volume came in with its channels last."""
    only_order = all(": strides " in text for text in differences)
    return only_order and _volume_channels_last(example.inputs[0])


def _volume_channels_last(value: Value) -> bool:
    if not isinstance(value, Wire) or value.strides is None or value.rank not in (4, 5):
        return False
    volume = value if value.rank == 5 else value.unsqueezed(0)
    return is_channels_last(volume.shape, volume.element_strides)


ALLOWED = (
    Allowed(
        frozenset({"conv3d", "convTranspose3d", "tubeletEmbed"}),
        _order_of_volumes,
        "oneDNN keeps channels-last volumes, PyTorch's own kernels do not; which one runs depends on the number of "
        "threads, the batch and the kernel size (aten/src/ATen/native/Convolution.cpp, use_mkldnn)",
    ),
)
"""Every exception to `0 differences`; docs/verifier.md explains each."""


def allowed_because(type_name: str, example: Example, ours: Outcome, differences: Sequence[str]) -> str | None:
    """Why these differences are allowed, or None where they are faults."""
    if not differences:
        return None
    for known in ALLOWED:
        if type_name in known.types and known.condition(example, ours, differences):
            return known.reason
    return None
