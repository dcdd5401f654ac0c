"""Sizes that follow the wire: what an edit changed upstream is written into the layers behind it."""

from __future__ import annotations

from dataclasses import replace

from archstudio.design.wire_sizes import sizes_given
from archstudio.edits import Batch, ChangeNode, Edit
from archstudio.graph import Graph, Node
from archstudio.layers import Layer, Value, find
from archstudio.verify.outcome import Outcome, evaluate
from archstudio.verify.ports import input_order, select
from archstudio.verify.verdict import Verdict


def follow(graph: Graph, verdict: Verdict) -> Edit | None:
    """The edit that brings every size listed under `meta.inferred` up to date, or None if all are.

    One edit settles a whole cascade: layers are walked in order of evaluation, and behind a layer that changes the
    wires are worked out anew. `verdict` is that of the graph as it is. A size whose wire is unknown stays as it is.
    """
    following = _Following(graph, verdict)
    for node_id in verdict.order:
        following.visit(graph.node(node_id))
    if not following.changed:
        return None
    return Batch(tuple(ChangeNode(node) for node in following.changed.values()), "Follow the wire")


class _Following:
    """The walk: which nodes get new sizes, and what comes out of the nodes for which that makes a difference."""

    def __init__(self, graph: Graph, verdict: Verdict) -> None:
        self._graph, self._verdict = graph, verdict
        self._anew: dict[str, Outcome] = {}
        self.changed: dict[str, Node] = {}

    def visit(self, node: Node) -> None:
        """Bring one node up to date; those that feed it were visited."""
        touched = any(c.source in self._anew for c in self._graph.incoming(node.id))
        if not (touched or node.inferred):
            return
        kind = find(node.type)
        inputs = None if kind is None else self._inputs(kind, node)
        if kind is None or inputs is None:
            if touched:
                self._anew[node.id] = Outcome()
            return
        current = self._with_new_sizes(kind, node, inputs)
        if current is not node:
            self.changed[node.id] = current
        if touched or current is not node:
            outcome = self._evaluated(kind, current, inputs)
            if outcome.value != self._verdict.nodes[node.id].value:
                self._anew[node.id] = outcome

    def _with_new_sizes(self, kind: type[Layer], node: Node, inputs: list[Value]) -> Node:
        sizes = sizes_given(kind, node.params, inputs, node.inferred)
        differing = {k: v for k, v in sizes.items() if k in node.inferred and node.params.get(k) != v}
        return replace(node, params={**node.params, **differing}) if differing else node

    def _evaluated(self, kind: type[Layer], node: Node, inputs: list[Value]) -> Outcome:
        if node.bypassed and inputs:
            return Outcome(inputs[0])
        training = self._graph.meta.get("mode") == "train"
        return evaluate(kind, node.params, inputs, training, self._shared(kind, node))

    def _shared(self, kind: type[Layer], node: Node) -> Layer | None:
        """The layer whose weights this one uses."""
        for field in kind.fields.values():
            given = field.find(node.params) if field.kind == "node" else None
            target = None if given is None else self._graph.named(str(given[1]))
            if target is not None:
                return self._outcome(target.id).layer
        return None

    def _inputs(self, kind: type[Layer], node: Node) -> list[Value] | None:
        """What the wires bring by now; None while any is unknown."""
        values: list[Value] = []
        for wire in input_order(kind, self._graph.incoming(node.id)):
            source = self._outcome(wire.source)
            value = None if source.value is None else select(source.layer, source.value, wire.source_port)
            if value is None:
                return None
            values.append(value)
        return values

    def _outcome(self, node_id: str) -> Outcome:
        return self._anew.get(node_id, self._verdict.nodes[node_id].outcome)
