"""Keeps the verdict of one graph up to date: an edit re-evaluates what it touches, until wires stop changing."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from archstudio.graph import Change, ChangeKind, Graph, Node
from archstudio.layers import Layer, Phase, Problem, Refused, Value, find
from archstudio.layers.problem import UNKNOWN_TYPE, ProblemKind
from archstudio.verify.inputs import effective_params
from archstudio.verify.names import nearest_types
from archstudio.verify.order import Evaluation, evaluation_order, names_nodes
from archstudio.verify.outcome import Outcome, construct, evaluate, with_counts
from archstudio.verify.ports import input_order, select
from archstudio.verify.structure import NO_INPUT, NO_PORT, NO_TARGET, cycle_problems
from archstudio.verify.verdict import NodeVerdict, Verdict

MEMO_LIMIT = 100_000
"""Results kept; when there are more, all are forgotten."""

_Key: TypeAlias = tuple[object, ...]
_STRUCTURAL = frozenset(
    {
        ChangeKind.NODE_ADDED,
        ChangeKind.NODE_REMOVED,
        ChangeKind.CONNECTION_ADDED,
        ChangeKind.CONNECTION_REMOVED,
        ChangeKind.CONNECTION_CHANGED,
    }
)
_UNKNOWN = Outcome()


class Session:
    """Watches a graph and answers `verdict()`. Several sessions may watch one graph; `close` ends one."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._nodes: dict[str, NodeVerdict] = {}
        self._evaluation = Evaluation((), {}, frozenset(), {})
        self._users: dict[str, list[str]] = {}
        self._dirty: set[str] = set(graph.node_ids)
        self._reorder = True
        self._memo: dict[_Key, Outcome] = {}
        self._frozen: dict[str, tuple[Mapping[str, Any], str]] = {}
        self._erring: dict[str, tuple[Problem, ...]] = {}
        self._sums = [0, 0, 0]
        self._last: Verdict | None = None
        self._unwatch: Callable[[], None] = graph.watch(self._changed)

    def close(self) -> None:
        """Stop watching."""
        self._unwatch()

    # ------------------------------------------------------------- listening

    def _changed(self, change: Change) -> None:
        if change.kind is ChangeKind.NODE_CHANGED:
            self._dirty.add(change.id)
            self._reorder = self._reorder or self._wiring_may_differ(self._graph.node(change.id))
        elif change.kind in _STRUCTURAL:
            self._reorder = True
            self._dirty.update((change.id, *change.nodes))
        elif change.kind is ChangeKind.META and change.id in ("batch", "sequence", "mode"):
            self._dirty.update(self._graph.node_ids)
        else:
            return
        self._last = None

    def _wiring_may_differ(self, node: Node) -> bool:
        """Whether another type or name can change who feeds whom: index inputs, and layers that share weights."""
        entry = find(node.type)
        known = self._nodes.get(node.id)
        retyped = known is None or known.layer is None or type(known.layer) is not entry
        return retyped or bool(self._users) or (entry is not None and names_nodes(entry))

    # ------------------------------------------------------------- answering

    def verdict(self) -> Verdict:
        """What is true of the graph now."""
        if self._last is None:
            if self._reorder:
                self._restore_order()
            self._propagate()
            self._last = self._summary()
        return self._last

    def input_values(self, node_id: str) -> list[Value | None]:
        """What each input of a node carries, in the order of its inputs; None while unknown."""
        verdict = self.verdict()
        entry = find(self._graph.node(node_id).type)
        return [verdict.carried(c.id) for c in input_order(entry, self._graph.incoming(node_id))]

    def _summary(self) -> Verdict:
        erring = list(self._erring)
        if len(erring) > 1:
            place = {n: k for k, n in enumerate(self._graph.node_ids)}
            erring.sort(key=place.__getitem__)
        errors = tuple(problem for n in erring for problem in self._erring[n])
        parameters, buffers, macs = (None, None, None) if errors else self._sums
        return Verdict(self._graph, self._nodes.copy(), self._evaluation.order, errors, parameters, buffers, macs)

    # ------------------------------------------------------------ evaluating

    def _restore_order(self) -> None:
        self._evaluation = evaluation_order(self._graph)
        self._users = {}
        for user, target in self._evaluation.targets.items():
            self._users.setdefault(target, []).append(user)
        for gone in [n for n in self._nodes if n not in self._graph]:
            self._store(gone, None)
            self._frozen.pop(gone, None)
        place = self._evaluation.place
        new = (n for n in place if n not in self._nodes or self._nodes[n].outcome is _UNKNOWN)
        undeclared = (n.id for n in self._graph.nodes if n.type == "input" and n.params.get("dtype") is None)
        self._dirty.update(new, undeclared, self._evaluation.targets)
        self._judge_loops()
        self._reorder = False

    def _judge_loops(self) -> None:
        """Nodes in a loop have no verdict but the loop's; those behind one wait for it."""
        stuck = self._evaluation.stuck
        found = {p.node: p for p in cycle_problems(self._graph)} if stuck else {}
        for node in stuck:
            problems = (found[node],) if node in found else ()
            self._store(node, NodeVerdict(_UNKNOWN, problems, () if problems else tuple(found)))

    def _propagate(self) -> None:
        place = self._evaluation.place
        heap = [(place[n], n) for n in self._dirty if n in place]
        heapq.heapify(heap)
        queued = {n for _, n in heap}
        self._dirty.clear()
        while heap:
            _, node_id = heapq.heappop(heap)
            queued.discard(node_id)
            old = self._nodes.get(node_id)
            new = self._judge(self._graph.node(node_id))
            self._store(node_id, new)
            if old is not None and _looks_the_same(node_id, old, new) and node_id not in self._users:
                continue
            for follower in self._followers(node_id):
                if follower not in queued and follower in place:
                    queued.add(follower)
                    heapq.heappush(heap, (place[follower], follower))

    def _followers(self, node_id: str) -> list[str]:
        return [c.target for c in self._graph.outgoing(node_id)] + self._users.get(node_id, [])

    def _store(self, node_id: str, verdict: NodeVerdict | None) -> None:
        """Put a node's verdict in place of its old one, and keep the sums and the list of errors true."""
        old = self._nodes.pop(node_id, None) if verdict is None else self._nodes.get(node_id)
        for sign, side in ((-1, old), (1, verdict)):
            if side is not None:
                self._sums[0] += sign * int(side.outcome.parameters or 0)
                self._sums[1] += sign * int(side.outcome.buffers or 0)
                self._sums[2] += sign * int(side.outcome.macs or 0)
        if verdict is not None:
            self._nodes[node_id] = verdict
        if verdict is not None and verdict.problems:
            self._erring[node_id] = verdict.problems
        else:
            self._erring.pop(node_id, None)

    # ---------------------------------------------------------- judging a node

    def _judge(self, node: Node) -> NodeVerdict:
        entry = find(node.type)
        if entry is None:
            return _refusal(node, UNKNOWN_TYPE, "structure", type=node.type, nearest=nearest_types(node.type))
        target: Layer | None = None
        if names_nodes(entry):
            named = self._evaluation.targets.get(node.id)
            if named is None:
                return _refusal(node, NO_TARGET, "structure", target=_named_node(entry, node))
            target = self._nodes[named].layer
        params = effective_params(self._graph, node) if node.type == "input" else node.params
        training = self._graph.meta.get("mode") == "train"
        inputs, roots, missing = self._inputs(entry, node)
        if missing is not None:
            return missing
        if roots or (target is None and node.id in self._evaluation.targets):
            made = self._made(node.id, entry, params, training, target)
            return _verdict(node, made) if made.refused else NodeVerdict(made, (), roots or self._target_roots(node.id))
        if not inputs and len(entry.inputs) > entry.optional_inputs:
            made = self._made(node.id, entry, params, training, target)
            unfed = Problem(NO_INPUT, node.id, "structure", 0)
            return _verdict(node, made) if made.refused else NodeVerdict(made, (unfed,))
        if node.bypassed and entry.inputs:
            return NodeVerdict(Outcome(inputs[0], parameters=0, buffers=0, macs=0))
        key = (entry, self._freeze(node.id, params), training, target, *inputs)
        return _verdict(node, self._evaluated(key, entry, params, inputs, training, target))

    def _evaluated(
        self,
        key: _Key,
        entry: type[Layer],
        params: Mapping[str, Any],
        inputs: list[Value],
        training: bool,
        target: Layer | None,
    ) -> Outcome:
        outcome = self._memo.get(key)
        if outcome is None:
            if len(self._memo) >= MEMO_LIMIT:
                self._memo.clear()
            outcome = self._memo[key] = evaluate(entry, params, inputs, training, target)
        return outcome

    def _made(
        self, node_id: str, entry: type[Layer], params: Mapping[str, Any], training: bool, target: Layer | None
    ) -> Outcome:
        """A node without its inputs: only its constructor can be judged."""
        key = (entry, self._freeze(node_id, params), training, target, "made")
        outcome = self._memo.get(key)
        if outcome is None:
            made = construct(entry, params, training, target)
            if isinstance(made, Refused):
                outcome = Outcome(refused=made, phase="construct")
            else:
                outcome = with_counts(Outcome(layer=made))
            self._memo[key] = outcome
        return outcome

    def _inputs(self, entry: type[Layer], node: Node) -> tuple[list[Value], tuple[str, ...], NodeVerdict | None]:
        """What the wires bring; the roots of what is unknown; and the verdict if a wire names no output."""
        values: list[Value] = []
        roots: dict[str, None] = {}
        for port, wire in enumerate(input_order(entry, self._graph.incoming(node.id))):
            source = self._nodes[wire.source]
            if source.value is None:
                roots.update(dict.fromkeys(source.waiting_for or (wire.source,)))
                continue
            value = select(source.layer, source.value, wire.source_port)
            if value is None:
                name = self._graph.node(wire.source).name
                return [], (), _refusal(node, NO_PORT, "structure", port, output=wire.source_port, source=name)
            values.append(value)
        return values, tuple(roots), None

    def _target_roots(self, node_id: str) -> tuple[str, ...]:
        target = self._evaluation.targets[node_id]
        return self._nodes[target].waiting_for or (target,)

    def _freeze(self, node_id: str, params: Mapping[str, Any]) -> str:
        """Parameters as a hashable text, made once for each version of a node."""
        kept = self._frozen.get(node_id)
        if kept is not None and kept[0] is params:
            return kept[1]
        frozen = repr(params)
        self._frozen[node_id] = (params, frozen)
        return frozen


def check(graph: Graph) -> Verdict:
    """What is true of a graph, once."""
    session = Session(graph)
    try:
        return session.verdict()
    finally:
        session.close()


def _looks_the_same(node_id: str, old: NodeVerdict, new: NodeVerdict) -> bool:
    """Whether those behind a node can see no difference: equal values, or the same trouble."""
    if new.value is None:
        return old.value is None and (old.waiting_for or (node_id,)) == (new.waiting_for or (node_id,))
    return old.value == new.value


def _named_node(entry: type[Layer], node: Node) -> str:
    field = next(f for f in entry.fields.values() if f.kind == "node")
    found = field.find(node.params)
    return "nothing" if found is None else str(found[1])


def _refusal(node: Node, kind: ProblemKind, phase: Phase, at: int | None = None, **facts: Any) -> NodeVerdict:
    return NodeVerdict(_UNKNOWN, (Problem(kind, node.id, phase, at, facts=facts),))


def _verdict(node: Node, outcome: Outcome) -> NodeVerdict:
    refused = outcome.refused
    if refused is None:
        return NodeVerdict(outcome)
    problem = Problem(refused.kind, node.id, outcome.phase, refused.port, refused.axis, refused.facts)
    return NodeVerdict(outcome, (problem,))
