"""Where a size comes from, step by step back through the layers: 28 ← conv2 (30 − 3 + 1) ← conv1 (32 − 3 + 1)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from archstudio.graph import Connection, Graph
from archstudio.layers import Wire, find
from archstudio.layers.base import Step
from archstudio.layers.dim import dim_text
from archstudio.verify.ports import input_order, select
from archstudio.verify.verdict import Verdict

LONGEST = 12
"""Steps told at most; a size seldom comes from farther than a reader follows."""


@dataclass(frozen=True, slots=True)
class Origin:
    """One step: the layer that made the size, and how (`30 − 3 + 1`, or the parameter that set it)."""

    node: str
    text: str


def explain_axis(graph: Graph, verdict: Verdict, node_id: str, axis: int, port: str | None = None) -> list[Origin]:
    """Why the output of a node has its size on an axis (negative from the end); layers that pass it on are skipped.

    `port` names the output where there are several.
    """
    steps: list[Origin] = []
    seen: set[tuple[str, int]] = set()
    while len(steps) < LONGEST and (node_id, axis) not in seen:
        seen.add((node_id, axis))
        step, incoming = _step(graph, verdict, node_id, axis, port)
        if step is None:
            break
        if step.text or step.port is None:
            steps.append(Origin(node_id, step.text))
        if step.port is None or step.axis is None or step.port >= len(incoming):
            break
        wire = incoming[step.port]
        node_id, axis, port = wire.source, step.axis, wire.source_port
    return steps


def _step(
    graph: Graph, verdict: Verdict, node_id: str, axis: int, port: str | None
) -> tuple[Step | None, list[Connection]]:
    """One step back from an output, and the wires into its node; None where nothing can be told."""
    node, known = graph.node(node_id), verdict.nodes[node_id]
    incoming = input_order(find(node.type), graph.incoming(node_id))
    value = None if known.value is None else select(known.layer, known.value, port)
    if not isinstance(value, Wire) or -axis > value.rank:
        return None, incoming
    if node.bypassed or known.layer is None:
        return Step("", 0, axis), incoming
    wires = [w for w in (verdict.carried(c.id) for c in incoming) if isinstance(w, Wire)]
    if len(wires) != len(incoming):
        return None, incoming
    if not wires:
        return Step(dim_text(value.shape[axis])), incoming
    return known.layer.trace(axis, wires, value) or Step(""), incoming


def origin_text(graph: Graph, size: int, steps: list[Origin]) -> str:
    """The steps as one line; empty where there is nothing to tell.

    A size that the graph is given is not named again if the step before shows it.
    """
    if not steps:
        return ""
    if len(steps) > 1 and steps[-1].text in re.findall(r"\w+", steps[-2].text):
        steps = steps[:-1]
    told = [graph.node(s.node).name + (f" ({s.text})" if s.text else "") for s in steps]
    return " ← ".join([f"{int(size):,}", *told])
