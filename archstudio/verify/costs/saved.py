"""Bytes that autograd keeps for the backward pass, beside the parameters."""

from __future__ import annotations

from collections.abc import Iterator

from archstudio.layers import Wire
from archstudio.verify.costs.storage import Storage, Storages, leaves
from archstudio.verify.verdict import Verdict

_COPY = -1
"""First step of the path to a copy that a layer makes of an input, which no output of the layer has."""


def saved_bytes(verdict: Verdict) -> int | None:
    """The total over all layers, or None while an error stands. A storage that several layers keep counts once.

    Rules measured with torch.autograd.graph.saved_tensors_hooks on CPU, float32.
    """
    if not verdict.runs:
        return None
    storages = Storages(verdict)
    own, kept = 0, set[Storage]()
    for node_id in verdict.order:
        for part in kept_by(verdict, storages, node_id):
            if isinstance(part, Storage):
                kept.add(part)
            else:
                own += part
    return own + sum(storage.bytes for storage in kept)


def kept_by(verdict: Verdict, storages: Storages, node_id: str) -> Iterator[Storage | int]:
    """What a layer keeps: storages of its inputs and outputs, and bytes of its own."""
    known = verdict.nodes[node_id]
    if known.layer is None or known.value is None:
        return
    sources = storages.sources(node_id)
    wires = [s.value for s in sources if isinstance(s.value, Wire)]
    for saved in known.layer.saved(wires, known.value):
        if saved.what == "input":
            yield from leaves(sources[saved.index].placed)
        elif saved.what == "output":
            yield storages.output(node_id, saved.index)
        elif saved.what == "copy":
            yield Storage(node_id, (_COPY, sources.index(sources[saved.index])), int(saved.own_bytes))
        else:
            yield int(saved.own_bytes)
