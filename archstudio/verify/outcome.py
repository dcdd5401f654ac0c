"""What one layer makes of its inputs: the rule of its catalogue entry, run to its end or to its refusal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from archstudio.layers import Layer, Phase, Refused, Value
from archstudio.layers.problem import TOO_LARGE

MOST_BYTES = 2**63 - 1
"""Of one tensor: PyTorch computes storage sizes in int64 and raises "Storage size calculation overflowed" beyond."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A layer's result for certain inputs. Kept and shared between nodes, so it names no node.

    `value` is None where the layer was refused. `layer` is None where it could not be made.
    """

    value: Value | None = None
    layer: Layer | None = None
    inferred: Mapping[str, Any] = field(default_factory=dict)
    parameters: int | None = None
    buffers: int | None = None
    macs: int | None = None
    refused: Refused | None = None
    phase: Phase = "forward"


def construct(entry: type[Layer], params: Mapping[str, Any], training: bool, target: Layer | None) -> Layer | Refused:
    """The layer from its parameters; refused where torch's constructor would raise.

    Rules between parameters are checked here only when no size is still missing.
    """
    try:
        layer = entry.from_params(params)
        layer.training = training
        layer.target = target
        if not layer.unbound:
            layer.check()
            _weights_fit_memory(layer)
    except Refused as refused:
        return refused
    return layer


def evaluate(
    entry: type[Layer], params: Mapping[str, Any], inputs: Sequence[Value], training: bool, target: Layer | None
) -> Outcome:
    """Construct the layer, read missing sizes off its inputs, and run its rule."""
    made = construct(entry, params, training, target)
    if isinstance(made, Refused):
        return Outcome(refused=made, phase="construct")
    phase: Phase = "forward"
    try:
        wires = made.accept(inputs)
        late = bool(made.unbound)
        phase = "construct"
        inferred = made.infer(wires)
        if late:
            made.check()
            _weights_fit_memory(made)
        phase = "forward"
        made.check_late()
        value = made.forward(*wires)
        _fits_memory(value)
    except Refused as refused:
        return with_counts(Outcome(layer=made, refused=refused, phase=phase))
    inferred_all = Outcome(value, made, inferred, macs=made.macs(wires, value))
    return with_counts(inferred_all)


def _weights_fit_memory(layer: Layer) -> None:
    for weight in (*layer.parameters(), *layer.buffers()):
        if weight.bytes > MOST_BYTES:
            raise _too_large(weight.name, weight.shape, weight.bytes)


def _fits_memory(value: Value) -> None:
    """Refuse a result that PyTorch could not allocate; of a view (which allocates nothing) only elements count."""
    if isinstance(value, tuple):
        for part in value:
            _fits_memory(part)
        return
    size = value.bytes if value.strides is None else value.elements
    if size > MOST_BYTES:
        raise _too_large("a result", value.shape, size)


def _too_large(what: str, shape: Sequence[int], size: int) -> Refused:
    return Refused(TOO_LARGE, what=what, shape="×".join(str(int(d)) for d in shape), gets=int(size))


def with_counts(outcome: Outcome) -> Outcome:
    """The outcome with its weights counted, if every size is known."""
    layer = outcome.layer
    if layer is None or layer.unbound or outcome.phase == "construct":
        return outcome
    parameters = sum(p.elements for p in layer.parameters())
    buffers = sum(b.elements for b in layer.buffers())
    return Outcome(
        outcome.value, layer, outcome.inferred, parameters, buffers, outcome.macs, outcome.refused, outcome.phase
    )
