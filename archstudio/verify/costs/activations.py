"""Memory that results of layers take while a network runs: by liveness in inference, kept for backward in training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from archstudio.layers import find
from archstudio.verify.costs.saved import saved_bytes
from archstudio.verify.costs.storage import Storage, Storages
from archstudio.verify.inputs import is_input
from archstudio.verify.verdict import Verdict

FLOAT32_BYTES: Final = 4
OPTIMISER_COPIES: Final = {"sgd": 0, "momentum": 1, "adam": 2}
"""Tensors as large as the weights that torch.optim keeps: SGD none, with momentum one, Adam and AdamW two."""
ADAM_STEP_BYTES: Final = 4
"""Adam also keeps a float32 count of steps for each parameter tensor (torch.optim.adam, `state["step"]`)."""


@dataclass(frozen=True, slots=True)
class Peak:
    """The most bytes that are alive at once, and the node that runs then (None: the inputs alone)."""

    bytes: int
    node: str | None


def peak_memory(verdict: Verdict) -> Peak | None:
    """The peak between layers in inference, or None while an error stands.

    Nodes run in the order of evaluation. A storage is alive from the node that makes it (inputs: from the start) to
    its last reader, results of the network to the end; views share. What a layer uses inside itself is not counted.
    """
    if not verdict.runs:
        return None
    storages = Storages(verdict)
    last = _last_readers(verdict, storages)
    given = [s for n in verdict.order if is_input(verdict.graph.node(n)) for s in storages.made_by(n)]
    alive = dict.fromkeys(given)
    peak = Peak(_total(alive), None)
    for place, node_id in enumerate(verdict.order):
        alive.update(dict.fromkeys(storages.made_by(node_id)))
        now = _total(alive)
        if now > peak.bytes:
            peak = Peak(now, node_id)
        alive = {s: None for s in alive if last[s] > place}
    return peak


def _total(alive: dict[Storage, None]) -> int:
    return sum(storage.bytes for storage in alive)


def _last_readers(verdict: Verdict, storages: Storages) -> dict[Storage, int]:
    """The place in the order at which each storage is needed for the last time."""
    last: dict[Storage, int] = {}
    results, end = set(result_nodes(verdict)), len(verdict.order)
    for place, node_id in enumerate(verdict.order):
        read = (s for wire in verdict.graph.incoming(node_id) for s in storages.carried(wire))
        last.update(dict.fromkeys(read, place))
        last.update(dict.fromkeys(storages.made_by(node_id), place))
    for node_id in results:
        last.update(dict.fromkeys(storages.of(node_id), end))
    return last


def result_nodes(verdict: Verdict) -> list[str]:
    """Output nodes, or without any those that lead nowhere: what the network returns."""
    outputs = [n.id for n in verdict.graph.nodes if (entry := find(n.type)) is not None and entry.type == "output"]
    return outputs or [n for n in verdict.graph.node_ids if not verdict.graph.outgoing(n)]


def optimiser_bytes(verdict: Verdict, optimiser: str) -> int | None:
    """Bytes of an optimiser's state for float32 weights; None while an error stands, KeyError for an unknown one."""
    copies = OPTIMISER_COPIES[optimiser]
    if verdict.parameters is None:
        return None
    steps = ADAM_STEP_BYTES * parameter_tensors(verdict) if optimiser == "adam" else 0
    return copies * FLOAT32_BYTES * int(verdict.parameters) + steps


def parameter_tensors(verdict: Verdict) -> int:
    """How many separate weight tensors the network has; shared ones count once."""
    layers = (known.layer for known in verdict.nodes.values())
    return sum(1 for layer in layers if layer is not None for _ in layer.parameters())


def buffer_bytes(verdict: Verdict) -> int:
    """Bytes of all buffers."""
    layers = (known.layer for known in verdict.nodes.values())
    return sum(int(b.bytes) for layer in layers if layer is not None for b in layer.buffers())


def training_bytes(verdict: Verdict, optimiser: str, kept: int | None = None) -> int | None:
    """An estimate for one float32 training step: weights, gradients, optimiser, buffers, and what backward needs.

    `kept` is `saved_bytes(verdict)` where that is known already. None while an error stands. Workspaces and the
    allocator's waste are not counted.
    """
    state, kept = optimiser_bytes(verdict, optimiser), saved_bytes(verdict) if kept is None else kept
    if verdict.parameters is None or state is None or kept is None:
        return None
    return 2 * FLOAT32_BYTES * int(verdict.parameters) + state + buffer_bytes(verdict) + kept
