"""Bytes that autograd keeps for the backward pass, beside the parameters."""

from __future__ import annotations

from archstudio.layers import Wire
from archstudio.layers.wire import Value
from archstudio.verify.ports import input_order
from archstudio.verify.verdict import Verdict


def saved_bytes(verdict: Verdict) -> int | None:
    """The total over all layers, or None while an error stands. A storage that several layers keep counts once.

    Rules measured with torch.autograd.graph.saved_tensors_hooks on CPU, float32.
    """
    if not verdict.runs:
        return None
    storages = _Storages(verdict)
    kept: dict[object, int] = {}
    for node_id in verdict.order:
        for place, (storage, count) in enumerate(storages.of(node_id)):
            kept[storage if storage is not None else (node_id, place)] = count
    return sum(kept.values())


class _Storages:
    """Which memory each output lies in: a view lies in its input's."""

    def __init__(self, verdict: Verdict) -> None:
        self._verdict = verdict
        self._graph = verdict.graph
        self._lies_in: dict[tuple[str, int], tuple[str, int]] = {}
        for node_id in verdict.order:
            self._place(node_id)

    def _sources(self, node_id: str) -> list[tuple[tuple[str, int], Value]]:
        known = self._verdict.nodes[node_id]
        entry = None if known.layer is None else type(known.layer)
        found: list[tuple[tuple[str, int], Value]] = []
        for wire in input_order(entry, self._graph.incoming(node_id)):
            value = self._verdict.carried(wire.id)
            if value is not None:
                found.append((self._lies_in[(wire.source, 0)], value))
        return found

    def _place(self, node_id: str) -> None:
        layer = self._verdict.nodes[node_id].layer
        sources = self._sources(node_id)
        shares = sources and (layer is None or layer.view)
        self._lies_in[(node_id, 0)] = sources[0][0] if shares else (node_id, 0)

    def of(self, node_id: str) -> list[tuple[object, int]]:
        """What a layer keeps: its storage (None: memory of its own) and bytes."""
        known = self._verdict.nodes[node_id]
        if known.layer is None or known.value is None:
            return []
        sources = self._sources(node_id)
        wires = [value for _, value in sources if isinstance(value, Wire)]
        kept: list[tuple[object, int]] = []
        for saved in known.layer.saved(wires, known.value):
            if saved.what == "input":
                kept.append((sources[saved.index][0], _bytes(sources[saved.index][1])))
            elif saved.what == "output":
                kept.append((self._lies_in[(node_id, 0)], _bytes(_output(known.value, saved.index))))
            else:
                kept.append((None, int(saved.own_bytes)))
        return kept


def _output(value: Value, index: int) -> Value:
    return value if isinstance(value, Wire) else value[index]


def _bytes(value: Value) -> int:
    return int(value.bytes) if isinstance(value, Wire) else sum(_bytes(v) for v in value)
