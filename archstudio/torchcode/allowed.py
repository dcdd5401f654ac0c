"""Differences that are PyTorch's own: its back ends disagree with each other, so no rule can be right for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from archstudio.layers import Value, Wire
from archstudio.layers.base import Example
from archstudio.layers.families.conv_transposed import TRANSPOSED_EMPTY
from archstudio.layers.families.embedding import INDEX_TYPE
from archstudio.layers.problem import PARAM_RANGE, RANK
from archstudio.layers.wire import is_channels_last
from archstudio.verify.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Allowed:
    """A difference that is no fault of the rules: of these types (all if none are named), under this condition."""

    types: frozenset[str]
    condition: Callable[[Example, Outcome, Sequence[str]], bool]
    reason: str


def _order_of_volumes(example: Example, ours: Outcome, differences: Sequence[str]) -> bool:
    """Only the memory order differs, and the volume came in with its channels last."""
    only_order = all(": strides " in text for text in differences)
    return only_order and _volume_channels_last(example.inputs[0])


def _nothing_comes_out(example: Example, ours: Outcome, differences: Sequence[str]) -> bool:
    return ours.refused is not None and ours.refused.kind is TRANSPOSED_EMPTY


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
    Allowed(
        frozenset({"convTranspose1d", "convTranspose2d", "convTranspose3d"}),
        _nothing_comes_out,
        "an output of size 0 is returned by one back end and refused by another; the rules refuse it",
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


def _size_below_one(example: Example, ours: Outcome, differences: Sequence[str]) -> bool:
    return ours.refused is not None and ours.refused.facts.get("needs") == "smaller"


def _ranks_differ(example: Example, ours: Outcome, differences: Sequence[str]) -> bool:
    return ours.refused is not None and ours.refused.kind is RANK


def _other_indices(example: Example, ours: Outcome, differences: Sequence[str]) -> bool:
    return ours.refused is not None and ours.refused.kind is INDEX_TYPE


STRICTER = (
    Allowed(
        frozenset(),
        _no_width,
        "a layer of no width, or a step of none, is refused at once; PyTorch warns, raises later, or returns nothing",
    ),
    Allowed(
        frozenset({"maxUnpool1d", "maxUnpool2d", "maxUnpool3d"}),
        _size_below_one,
        "sizes below one are refused; PyTorch multiplies them first, and two negative ones make a positive",
    ),
    Allowed(
        frozenset({"rnnCell"}),
        _ranks_differ,
        "a batch of states beside an input without a batch is refused; the plain cell spreads one over the other",
    ),
    Allowed(frozenset({"embeddingBag"}), _other_indices, "indices and starts of bags are int64 or int32"),
    Allowed(frozenset(), _no_elements, "kernels that have nothing to do differ in what they look at before"),
)
"""Where the rules are stricter than PyTorch on purpose; of all types, and only for examples twisted to an edge."""


def stricter_because(type_name: str, example: Example, ours: Outcome, differences: Sequence[str]) -> str | None:
    """Why a difference of a twisted example is allowed, or None."""
    return _first(STRICTER, type_name, example, ours, differences)


def allowed_because(type_name: str, example: Example, ours: Outcome, differences: Sequence[str]) -> str | None:
    """Why these differences are allowed, or None where they are faults."""
    return _first(ALLOWED, type_name, example, ours, differences)


def _first(
    known: Sequence[Allowed], type_name: str, example: Example, ours: Outcome, differences: Sequence[str]
) -> str | None:
    if not differences:
        return None
    for entry in known:
        if (not entry.types or type_name in entry.types) and entry.condition(example, ours, differences):
            return entry.reason
    return None
