"""Where a size comes from, step by step back through the layers: 28 ← conv2 (30 − 3 + 1) ← conv1 (32 − 3 + 1)."""

from __future__ import annotations

from dataclasses import dataclass

from archstudio.graph import Graph
from archstudio.layers import Wire, find
from archstudio.layers.dim import dim_text
from archstudio.verify.ports import input_order
from archstudio.verify.verdict import Verdict

LONGEST = 12
"""Steps told at most; a size seldom comes from farther than a reader follows."""


@dataclass(frozen=True, slots=True)
class Origin:
    """One step: the layer that made the size, and how (`30 − 3 + 1`, or the parameter that set it)."""

    node: str
    text: str


def explain_axis(graph: Graph, verdict: Verdict, node_id: str, axis: int) -> list[Origin]:
    """Why the output of a node has its size on an axis (negative from the end); layers that pass it on are skipped."""
    steps: list[Origin] = []
    seen: set[tuple[str, int]] = set()
    while len(steps) < LONGEST and (node_id, axis) not in seen:
        seen.add((node_id, axis))
        known = verdict.nodes[node_id]
        value = known.value
        if known.layer is None or not isinstance(value, Wire) or -axis > value.rank:
            break
        entry = find(graph.node(node_id).type)
        incoming = input_order(entry, graph.incoming(node_id))
        wires = [w for w in (verdict.carried(c.id) for c in incoming) if isinstance(w, Wire)]
        if len(wires) != len(incoming):
            break
        if not wires:
            steps.append(Origin(node_id, dim_text(value.shape[axis])))
            break
        step = known.layer.trace(axis, wires, value)
        if step is None:
            steps.append(Origin(node_id, ""))
            break
        if step.text:
            steps.append(Origin(node_id, step.text))
        if step.port is None or step.axis is None or step.port >= len(incoming):
            break
        node_id, axis = incoming[step.port].source, step.axis
    return steps


def origin_text(graph: Graph, size: int, steps: list[Origin]) -> str:
    """The steps as one line; empty where there is nothing to tell."""
    if not steps:
        return ""
    told = [graph.node(s.node).name + (f" ({s.text})" if s.text else "") for s in steps]
    return " ← ".join([f"{int(size):,}", *told])
