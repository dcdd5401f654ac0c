"""Differences that are PyTorch's own: its back ends disagree with each other, so no rule can be right for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from archstudio.layers import Value, Wire
from archstudio.layers.base import Example
from archstudio.layers.problem import PARAM_RANGE
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


def _no_width(example: Example, ours: Outcome, differences: Sequence[str]) -> bool:
    """The rules refuse a size, step or count below 1."""
    refused = ours.refused
    return refused is not None and refused.kind is PARAM_RANGE and _smallest(refused.facts.get("gets")) < 1


def _smallest(value: object) -> float:
    if isinstance(value, list | tuple):
        return min((_smallest(v) for v in value), default=1)
    return value if isinstance(value, int | float) else 1


def _no_elements(example: Example, ours: Outcome, differences: Sequence[str]) -> bool:
    return any(isinstance(x, Wire) and x.elements == 0 for x in example.inputs)


STRICTER = (
    Allowed(
        frozenset(),
        _no_width,
        "a layer of no width, or a step of none, is refused at once; PyTorch warns, raises later, or returns nothing",
    ),
    Allowed(frozenset(), _no_elements, "kernels that have nothing to do differ in what they look at before"),
)
"""Where the rules are stricter than PyTorch on purpose; of all types, and only for examples twisted to an edge."""


def stricter_because(example: Example, ours: Outcome, differences: Sequence[str]) -> str | None:
    """Why a difference of a twisted example is allowed, or None."""
    return next((known.reason for known in STRICTER if known.condition(example, ours, differences)), None)


def allowed_because(type_name: str, example: Example, ours: Outcome, differences: Sequence[str]) -> str | None:
    """Why these differences are allowed, or None where they are faults."""
    if not differences:
        return None
    for known in ALLOWED:
        if type_name in known.types and known.condition(example, ours, differences):
            return known.reason
    return None
