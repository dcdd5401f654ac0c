"""Judges one node from what is known of those before it; results are kept by type, parameters and wires."""

from __future__ import annotations

import marshal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias, TypeVar

from archstudio.graph import Connection, Graph, Node
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
_K = TypeVar("_K")
_V = TypeVar("_V")


@dataclass(frozen=True, slots=True, eq=False)
class _Round:
    """What holds for all nodes until the wiring or the mode changes; compared by identity."""

    evaluation: Evaluation = field(default_factory=Evaluation)
    training: bool = False


@cache
def _lasts(type_name: str) -> bool:
    """Whether a verdict holds as long as the wires do: not that of inputs, and of layers that share weights."""
    kind = find(type_name)
    return kind is not None and bool(kind.inputs) and not names_nodes(kind)


@dataclass(slots=True)
class _Site:
    """What is kept of a node between edits: its wires, and its last verdicts with what they were made from."""

    node: Node
    entry: type[Layer]
    frozen: bytes | str
    wires: Sequence[Connection]
    round: _Round
    lasting: bool
    plain: bool
    """Whether nothing but parameters and wires says what comes out: no bypass, input, or shared weights."""
    values: list[Value] | None = None
    judged: NodeVerdict | None = None
    made: Outcome | None = None
    waiting: NodeVerdict | None = None


class Judging:
    """Makes verdicts of nodes; `known` are the verdicts so far, which must hold every node before the one asked for."""

    def __init__(self, graph: Graph, known: Mapping[str, NodeVerdict]) -> None:
        self._graph = graph
        self._known = known
        self._memo: dict[_Key, Outcome] = {}
        self._accepted: dict[_Key, NodeVerdict] = {}
        self._awaiting: dict[tuple[int, tuple[str, ...]], NodeVerdict] = {}
        self._sites: dict[str, _Site] = {}
        self._round = _Round()

    def begin(self, evaluation: Evaluation) -> None:
        """Take the order that holds now, and the mode that the graph is in."""
        training = self._graph.meta.get("mode") == "train"
        if self._round.evaluation is not evaluation or self._round.training is not training:
            self._round = _Round(evaluation, training)

    def forget(self, node_id: str) -> None:
        """Drop what is kept for a node that is gone."""
        self._sites.pop(node_id, None)

    def judge(self, node: Node) -> NodeVerdict:
        """The verdict of a node that has a place in the order."""
        site = self._sites.get(node.id)
        if site is None or site.node is not node or site.round is not self._round:
            entry = find(node.type)
            if entry is None:
                return _refusal(node, UNKNOWN_TYPE, "structure", type=node.type, nearest=nearest_types(node.type))
            site = self._sites[node.id] = self._site(node, entry, site)
        values, roots = self._inputs(site)
        if values is None:
            return self._without_port(site)
        if roots:
            if site.waiting is None or site.waiting.waiting_for != roots or not site.lasting:
                site.waiting = self._waiting(site, roots)
            return site.waiting
        if site.judged is None or site.values != values or not site.lasting:
            site.values = values
            site.judged = self._fitting(site, values) if site.plain and values else self._fed(site, values)
        return site.judged

    def stuck(self, node: Node, loops: Loops) -> NodeVerdict:
        """The verdict of a node in a loop or behind one: only its constructor can be judged."""
        entry = find(node.type)
        if entry is None:
            alone = self.judge(node)
        elif node.bypassed or names_nodes(entry):
            alone = NodeVerdict(UNKNOWN)
        else:
            alone = _verdict(node, self._made(entry, node, None))
        own = (loops.problems[node.id],) if node.id in loops.problems else ()
        problems = (*alone.problems, *own)
        return NodeVerdict(alone.outcome, problems, () if problems else loops.roots.get(node.id, ()))

    # ---------------------------------------------------- what a node is given

    def _site(self, node: Node, entry: type[Layer], before: _Site | None) -> _Site:
        wires = input_order(entry, self._graph.incoming(node.id))
        lasting = _lasts(entry.type)
        plain = lasting and not (node.meta and node.bypassed)
        same = before is not None and before.node.params is node.params
        frozen = before.frozen if same and before is not None else _frozen(node.params)
        return _Site(node, entry, frozen, wires, self._round, lasting, plain)

    def _inputs(self, site: _Site) -> tuple[list[Value] | None, tuple[str, ...]]:
        """What the wires bring (None if one names an output that there is not), and the roots of what is unknown."""
        values: list[Value] = []
        roots: tuple[str, ...] = ()
        for wire in site.wires:
            source = self._known[wire.source]
            value = source.outcome.value
            if value is None:
                more = source.waiting_for or (wire.source,)
                roots = more if not roots or roots == more else tuple(dict.fromkeys((*roots, *more)))
                continue
            if wire.source_port is not None:
                value = select(source.outcome.layer, value, wire.source_port)
                if value is None:
                    return None, ()
            values.append(value)
        return values, roots

    def _without_port(self, site: _Site) -> NodeVerdict:
        """The refusal of a node with a wire that names an output which its layer does not have."""
        for port, wire in enumerate(site.wires):
            source = self._known[wire.source]
            if source.value is not None and select(source.layer, source.value, wire.source_port) is None:
                name = self._graph.node(wire.source).name
                return _refusal(site.node, NO_PORT, "structure", port, output=wire.source_port, source=name)
        raise AssertionError("all its wires carry something")

    def _waiting(self, site: _Site, roots: tuple[str, ...]) -> NodeVerdict:
        """The verdict of a node with unknown inputs: its constructor is judged all the same."""
        if site.made is not None and site.lasting:
            return self._behind(site.made, roots)
        node, entry = site.node, site.entry
        if node.bypassed:
            return NodeVerdict(UNKNOWN, (), roots)
        refused, target, target_roots = self._target(entry, node)
        if refused is not None:
            return refused
        if target_roots:
            return NodeVerdict(UNKNOWN, (), tuple(dict.fromkeys((*roots, *target_roots))))
        made = self._made(entry, node, target)
        if made.refused:
            return _verdict(node, made)
        site.made = made
        return self._behind(made, roots)

    def _behind(self, made: Outcome, roots: tuple[str, ...]) -> NodeVerdict:
        """The verdict of a sound layer behind these roots; equal ones are one object, for half a graph may wait."""
        key = (id(made), roots)
        verdict = self._awaiting.get(key)
        if verdict is None or verdict.outcome is not made:
            verdict = NodeVerdict(made, (), roots)
            self._keep(self._awaiting, key, verdict)
        return verdict

    def _fed(self, site: _Site, values: list[Value]) -> NodeVerdict:
        """The verdict of a node all of whose inputs are known, whatever it depends on."""
        node, entry = site.node, site.entry
        fed = bool(values) or len(entry.inputs) <= entry.optional_inputs
        if node.bypassed and entry.inputs:
            return NodeVerdict(Outcome(values[0], parameters=0, buffers=0, macs=0)) if values else _unfed(node, UNKNOWN)
        refused, target, target_roots = self._target(entry, node)
        refused = refused or self._input_trouble(node)
        if refused is not None:
            return refused
        if target_roots:
            return NodeVerdict(UNKNOWN, (), target_roots)
        if not fed:
            made = self._made(entry, node, target)
            return _verdict(node, made) if made.refused else _unfed(node, made)
        return _verdict(node, self._evaluated(entry, node, values, target))

    def _fitting(self, site: _Site, values: list[Value]) -> NodeVerdict:
        """The verdict of a node about which only its parameters and wires matter; equal ones are one object."""
        node = site.node
        key = (site.entry, site.frozen, self._round.training, *values)
        verdict = self._accepted.get(key)
        if verdict is None:
            verdict = _verdict(node, evaluate(site.entry, node.params, values, self._round.training, None))
            if not verdict.problems:  # a problem names its node
                self._keep(self._accepted, key, verdict)
        return verdict

    def _target(self, entry: type[Layer], node: Node) -> tuple[NodeVerdict | None, Layer | None, tuple[str, ...]]:
        """A refusal if it shares weights with nothing; whose weights it shares; the roots if those are unknown."""
        if not names_nodes(entry):
            return None, None, ()
        named = self._round.evaluation.targets.get(node.id)
        if named is None or self._graph.node(named).bypassed:
            return _refusal(node, NO_TARGET, "structure", target=named_node(node) or "nothing"), None, ()
        layer = self._known[named].layer
        if layer is None or layer.unbound:
            return None, None, self._known[named].waiting_for or (named,)
        return None, layer, ()

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
        key = (entry, _frozen(params), self._round.training, target, *values)
        outcome = self._memo.get(key)
        if outcome is None:
            outcome = evaluate(entry, params, values, self._round.training, target)
            self._keep(self._memo, key, outcome)
        return outcome

    def _made(self, entry: type[Layer], node: Node, target: Layer | None) -> Outcome:
        """A node without its inputs: only its constructor can be judged."""
        params = self._params(node)
        key = (entry, _frozen(params), self._round.training, target, "made")
        outcome = self._memo.get(key)
        if outcome is None:
            made = construct(entry, params, self._round.training, target)
            if isinstance(made, Refused):
                outcome = Outcome(refused=made, phase="construct")
            else:
                outcome = with_counts(Outcome(layer=made))
            self._keep(self._memo, key, outcome)
        return outcome

    @staticmethod
    def _keep(memo: dict[_K, _V], key: _K, result: _V) -> None:
        if len(memo) >= MEMO_LIMIT:
            memo.clear()
        memo[key] = result

    def _params(self, node: Node) -> Mapping[str, Any]:
        return effective_params(self._graph, node) if is_input(node) else node.params


def _frozen(params: Mapping[str, Any]) -> bytes | str:
    """Parameters as something that can be a key, for they hold lists; 1, 1.0 and true are different keys.

    Format 2 of marshal writes values only, never references, so that equal parameters give equal bytes; it takes a
    third of the time of `repr`.
    """
    try:
        return marshal.dumps(params, 2)  # type: ignore[arg-type]
    except ValueError:  # something that no file could hold
        return repr(params)


def _unfed(node: Node, outcome: Outcome) -> NodeVerdict:
    return NodeVerdict(outcome, (Problem(NO_INPUT, node.id, "structure", 0),))


def _refusal(node: Node, kind: ProblemKind, phase: Phase, at: int | None = None, **facts: Any) -> NodeVerdict:
    return NodeVerdict(UNKNOWN, (Problem(kind, node.id, phase, at, facts=facts),))


def _verdict(node: Node, outcome: Outcome) -> NodeVerdict:
    refused = outcome.refused
    if refused is None:
        return NodeVerdict(outcome)
    problem = Problem(refused.kind, node.id, outcome.phase, refused.port, refused.axis, refused.facts)
    return NodeVerdict(outcome, (problem,))
