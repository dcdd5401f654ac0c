"""Judges one node from what is known of those before it; results are kept by type, parameters and wires."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from archstudio.graph import Graph, Node
from archstudio.layers import Layer, Phase, Problem, Refused, Value, find
from archstudio.layers.problem import UNKNOWN_TYPE, ProblemKind
from archstudio.verify.inputs import INPUT_DTYPE, effective_params, is_input, used_as
from archstudio.verify.names import nearest_types
from archstudio.verify.order import Evaluation, named_node, names_nodes
from archstudio.verify.outcome import Outcome, construct, evaluate, with_counts
from archstudio.verify.ports import input_order, select
from archstudio.verify.structure import NO_INPUT, NO_PORT, NO_TARGET, Loops
from archstudio.verify.verdict import NodeVerdict

MEMO_LIMIT = 100_000
"""Results kept; when there are more, all are forgotten."""

UNKNOWN = Outcome()
_Key: TypeAlias = tuple[object, ...]


class Judging:
    """Makes verdicts of nodes; `known` are the verdicts so far, which must hold every node before the one asked for."""

    def __init__(self, graph: Graph, known: Mapping[str, NodeVerdict]) -> None:
        self._graph = graph
        self._known = known
        self._memo: dict[_Key, Outcome] = {}
        self._frozen: dict[str, tuple[Mapping[str, Any], str]] = {}
        self.evaluation = Evaluation()

    def forget(self, node_id: str) -> None:
        """Drop what is kept for a node that is gone."""
        self._frozen.pop(node_id, None)

    def judge(self, node: Node) -> NodeVerdict:
        """The verdict of a node that has a place in the order."""
        entry = find(node.type)
        if entry is None:
            return _refusal(node, UNKNOWN_TYPE, "structure", type=node.type, nearest=nearest_types(node.type))
        refused, values, roots = self._inputs(entry, node)
        if refused is not None:
            return refused
        if node.bypassed and entry.inputs:
            return _passed_on(node, values, roots)
        refused, target, target_roots = self._target(entry, node)
        refused = refused or self._input_trouble(node)
        if refused is not None:
            return refused
        if target_roots:
            return NodeVerdict(UNKNOWN, (), tuple(dict.fromkeys((*roots, *target_roots))))
        fed = bool(values) or len(entry.inputs) <= entry.optional_inputs
        if roots or not fed:
            made = self._made(entry, node, target)
            if made.refused:
                return _verdict(node, made)
            return NodeVerdict(made, (), roots) if roots else NodeVerdict(made, (_unfed(node),))
        return _verdict(node, self._evaluated(entry, node, values, target))

    def stuck(self, node: Node, loops: Loops) -> NodeVerdict:
        """The verdict of a node in a loop or behind one: only its constructor can be judged."""
        entry = find(node.type)
        problems = [loops.problems[node.id]] if node.id in loops.problems else []
        if entry is None or (not node.bypassed and not names_nodes(entry)):
            alone = self.judge(node) if entry is None else _verdict(node, self._made(entry, node, None))
            problems = [*alone.problems, *problems]
            return NodeVerdict(alone.outcome, tuple(problems), () if problems else loops.roots.get(node.id, ()))
        return NodeVerdict(UNKNOWN, tuple(problems), () if problems else loops.roots.get(node.id, ()))

    # ---------------------------------------------------- what a node is given

    def _inputs(self, entry: type[Layer], node: Node) -> tuple[NodeVerdict | None, list[Value], tuple[str, ...]]:
        """A refusal if a wire names no output; what the wires bring; the roots of what is unknown."""
        values: list[Value] = []
        roots: dict[str, None] = {}
        for port, wire in enumerate(input_order(entry, self._graph.incoming(node.id))):
            source = self._known[wire.source]
            if source.value is None:
                roots.update(dict.fromkeys(self._roots_of(wire.source)))
                continue
            value = select(source.layer, source.value, wire.source_port)
            if value is None:
                name = self._graph.node(wire.source).name
                refusal = _refusal(node, NO_PORT, "structure", port, output=wire.source_port, source=name)
                return refusal, [], ()
            values.append(value)
        return None, values, tuple(roots)

    def _target(self, entry: type[Layer], node: Node) -> tuple[NodeVerdict | None, Layer | None, tuple[str, ...]]:
        """A refusal if it shares weights with nothing; whose weights it shares; the roots if those are unknown."""
        if not names_nodes(entry):
            return None, None, ()
        named = self.evaluation.targets.get(node.id)
        if named is None or self._graph.node(named).bypassed:
            return _refusal(node, NO_TARGET, "structure", target=named_node(node) or "nothing"), None, ()
        layer = self._known[named].layer
        if layer is None or layer.unbound:
            return None, None, self._roots_of(named)
        return None, layer, ()

    def _roots_of(self, node_id: str) -> tuple[str, ...]:
        return self._known[node_id].waiting_for or (node_id,)

    def _input_trouble(self, node: Node) -> NodeVerdict | None:
        """The refusal of an input without dtype that is used as an index and as a number."""
        if not is_input(node) or node.params.get("dtype") is not None:
            return None
        uses = used_as(self._graph, node.id)
        if len(uses) < 2:
            return None
        index, number = (self._graph.node(uses[use]).name for use in ("index", "number"))
        return _refusal(node, INPUT_DTYPE, "structure", index=index, number=number)

    # --------------------------------------------------------- kept results

    def _evaluated(self, entry: type[Layer], node: Node, values: Sequence[Value], target: Layer | None) -> Outcome:
        params = self._params(node)
        key = (entry, self._freeze(node.id, params), self._training, target, *values)
        outcome = self._memo.get(key)
        if outcome is None:
            outcome = self._keep(key, evaluate(entry, params, values, self._training, target))
        return outcome

    def _made(self, entry: type[Layer], node: Node, target: Layer | None) -> Outcome:
        """A node without its inputs: only its constructor can be judged."""
        params = self._params(node)
        key = (entry, self._freeze(node.id, params), self._training, target, "made")
        outcome = self._memo.get(key)
        if outcome is None:
            made = construct(entry, params, self._training, target)
            if isinstance(made, Refused):
                outcome = Outcome(refused=made, phase="construct")
            else:
                outcome = with_counts(Outcome(layer=made))
            self._keep(key, outcome)
        return outcome

    def _keep(self, key: _Key, outcome: Outcome) -> Outcome:
        if len(self._memo) >= MEMO_LIMIT:
            self._memo.clear()
        self._memo[key] = outcome
        return outcome

    @property
    def _training(self) -> bool:
        return self._graph.meta.get("mode") == "train"

    def _params(self, node: Node) -> Mapping[str, Any]:
        return effective_params(self._graph, node) if is_input(node) else node.params

    def _freeze(self, node_id: str, params: Mapping[str, Any]) -> str:
        """Parameters as a hashable text, made once for each version of a node."""
        kept = self._frozen.get(node_id)
        if kept is not None and kept[0] is params:
            return kept[1]
        frozen = repr(params)
        self._frozen[node_id] = (params, frozen)
        return frozen


def _unfed(node: Node) -> Problem:
    return Problem(NO_INPUT, node.id, "structure", 0)


def _passed_on(node: Node, values: Sequence[Value], roots: tuple[str, ...]) -> NodeVerdict:
    """A bypassed node: its first input, whatever its layer would say."""
    if roots:
        return NodeVerdict(UNKNOWN, (), roots)
    if not values:
        return NodeVerdict(UNKNOWN, (_unfed(node),))
    return NodeVerdict(Outcome(values[0], parameters=0, buffers=0, macs=0))


def _refusal(node: Node, kind: ProblemKind, phase: Phase, at: int | None = None, **facts: Any) -> NodeVerdict:
    return NodeVerdict(UNKNOWN, (Problem(kind, node.id, phase, at, facts=facts),))


def _verdict(node: Node, outcome: Outcome) -> NodeVerdict:
    refused = outcome.refused
    if refused is None:
        return NodeVerdict(outcome)
    problem = Problem(refused.kind, node.id, outcome.phase, refused.port, refused.axis, refused.facts)
    return NodeVerdict(outcome, (problem,))
