"""Which layers fit at the end of a wire that a person pulls, and which type may take a layer's place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from archstudio.design.sized import carried_by, main_port
from archstudio.design.starting import starting_params
from archstudio.design.usual import AFTER_TYPE, NEXT, PREVIOUS
from archstudio.design.wire_sizes import sizes_given, with_sizes
from archstudio.edits import ChangeNode, Edit
from archstudio.graph import Connection, Graph, Node
from archstudio.layers import Layer, Refused, Value, Wire, entries, find, value_text
from archstudio.layers.dim import Dim
from archstudio.layers.fields import Field
from archstudio.verify.inputs import is_input
from archstudio.verify.outcome import Outcome, evaluate
from archstudio.verify.ports import input_order
from archstudio.verify.verdict import Verdict

_MEANINGS: Sequence[frozenset[str]] = (
    frozenset({"inChannels", "inFeatures", "inputSize", "numFeatures", "numChannels"}),
    frozenset({"outChannels", "outFeatures", "hiddenSize", "numKernels"}),
    frozenset({"embedDim", "dModel", "embeddingDim", "dim"}),
    frozenset({"numHeads", "nhead"}),
    frozenset({"ffDim", "dimFeedforward", "hiddenDim"}),
)
"""Keys that mean the same in different types."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A type that fits, and why: the shape that comes out of it, or that it usually stands there."""

    type: str
    why: str


def suggest(
    graph: Graph, verdict: Verdict, node_id: str, *, outputs: bool = True, port: str | None = None
) -> list[Suggestion]:
    """Layers for a wire pulled from an output of a node (or, backwards, from one of its inputs), likeliest first.

    Forwards, a type is offered if its rule takes what the wire carries, with the parameters new layers get; its reason
    is the shape that then comes out; where several outputs leave the node and `port` names none, the first is meant.
    While the wire is unknown, types are ranked by custom alone. Backwards all types are offered but those that, put
    into the node's present wire, would have the node refused.
    """
    node = graph.node(node_id)
    kind = find(node.type)
    if not outputs:
        return _ranked(_before(graph, verdict, node), _custom(PREVIOUS, kind))
    value = carried_by(verdict, Connection("", node_id, "", port or main_port(verdict, node_id)))
    found = {k.type: "" for k in entries() if k.inputs} if value is None else _accepting(_readings(node, value))
    usual = AFTER_TYPE.get(kind.type, ()) if kind is not None else ()
    return _ranked(found, [*usual, *_custom(NEXT, kind)])


def _readings(node: Node, value: Value) -> list[Value]:
    """What a wire may carry: an input that declares no dtype becomes an index where it is used as one."""
    if is_input(node) and node.params.get("dtype") is None and isinstance(value, Wire):
        return [value.with_shape(value.shape, "float32"), value.with_shape(value.shape, "int64")]
    return [value]


def _accepting(values: Sequence[Value]) -> dict[str, str]:
    """Types that take a value as their first or only input and keep its batch, with the shape that comes out."""
    found: dict[str, str] = {}
    for kind in entries():
        for value in values:
            outcome = _on_wire(kind, value)
            if outcome is not None and outcome.value is not None and _keeps_batch(kind, value, outcome.value):
                found.setdefault(kind.type, f"gives {value_text(outcome.value)}")
    return found


def _keeps_batch(kind: type[Layer], value: Value, result: Value) -> bool:
    """Whether the batch did not end up as channels or as an element that was picked; losses reduce it."""
    first = value.shape[0] if isinstance(value, Wire) and value.rank else None
    if not isinstance(first, Dim) or kind.family == "loss" or not isinstance(result, Wire):
        return True
    return any(isinstance(size, Dim) and size.terms == first.terms for size in result.shape[:1])


def _on_wire(kind: type[Layer], value: Value) -> Outcome | None:
    """What a new layer makes of a wire; None if it would be refused. A layer of several inputs is fed one wire on all.

    A layer that names another node cannot be tried without one, and an input takes no wire.
    """
    if not kind.inputs or any(field.kind == "node" for field in kind.fields.values()):
        return None
    needed = max(len(kind.inputs) - kind.optional_inputs, 1)
    count = 2 if kind.variadic and kind.family == "merge" else needed
    outcome = evaluate(kind, starting_params(kind, value), [value] * count, False, None)
    return outcome if outcome.refused is None else None


def _before(graph: Graph, verdict: Verdict, node: Node) -> dict[str, str]:
    """Types that may stand before a node: all but those that, put into its first wire, would have it refused."""
    sources = [w for c in graph.incoming(node.id) if isinstance(w := verdict.carried(c.id), Wire)]
    tried: dict[str, str] = {}
    untried: dict[str, str] = {}
    for kind in entries():
        if kind.family == "loss" or kind.type == "output":
            continue
        outcome = _on_wire(kind, sources[0]) if sources else None
        if outcome is None or outcome.value is None:
            untried[kind.type] = ""
        elif _takes(node, [outcome.value, *sources[1:]]):
            tried[kind.type] = f"gives {value_text(outcome.value)}"
    return {**tried, **untried}


def _takes(node: Node, inputs: list[Value]) -> bool:
    kind = find(node.type)
    if kind is None:
        return True
    following = {k: v for k, v in node.params.items() if k not in node.inferred}
    return evaluate(kind, following, inputs, False, None).refused is None


def _custom(table: Mapping[str, Sequence[str]], kind: type[Layer] | None) -> Sequence[str]:
    return () if kind is None else table.get(kind.family, ())


def _ranked(found: Mapping[str, str], usual: Sequence[str]) -> list[Suggestion]:
    """Usual types first, in their order; then the others, family by family."""
    order = [t for t in dict.fromkeys(usual) if t in found]
    rest = [t for t in found if t not in order]
    return [Suggestion(t, found[t] or "usual here") for t in order] + [Suggestion(t, found[t]) for t in rest]


def replace_type(graph: Graph, verdict: Verdict, node_id: str, type_name: str, *, sized: bool = True) -> Edit:
    """Make a layer one of another type: name and wires stay, parameters of the same meaning are carried over.

    Sizes that the wires give are read off them and follow them unless `sized` is off; what the new type has no use
    for is dropped.
    """
    node = graph.node(node_id)
    old, new = find(node.type), find(type_name)
    meta = {k: v for k, v in node.meta.items() if k != "inferred"}
    if old is None or new is None:
        return ChangeNode(replace(node, type=type_name, meta=meta))
    params = {**starting_params(new), **_carried_over(old, new, node)}
    bare = Node(node.id, type_name, node.name, params, meta, node.extra)
    if not sized:
        return ChangeNode(bare)
    wires = [carried_by(verdict, wire) for wire in input_order(new, graph.incoming(node_id))]
    known = [value for value in wires if value is not None]
    if len(known) < len(wires) or not known:
        return ChangeNode(bare)
    asked = [f.json for f in new.fields.values() if f.inferred is not None and f.json in params]
    return ChangeNode(with_sizes(bare, sizes_given(new, params, known, asked)))


def _carried_over(old: type[Layer], new: type[Layer], node: Node) -> dict[str, Any]:
    """Parameters of the old type that the new one has too, under the new one's keys, where it takes their values."""
    params: dict[str, Any] = {}
    for field in new.fields.values():
        source = _same_meaning(field, old)
        given = None if source is None else source.find(node.params)
        if given is not None and _fits(field, given[1]):
            params[field.json] = given[1]
    return params


def _same_meaning(field: Field, old: type[Layer]) -> Field | None:
    for key in field.keys:
        if key in old.keys:
            return old.keys[key]
    for group in _MEANINGS:
        if field.json in group:
            return next((f for f in old.fields.values() if f.json in group), None)
    return None


def _fits(field: Field, value: Any) -> bool:
    """Whether a field of the new type takes the value (a list for two axes does not fit one)."""
    try:
        field.parse(value)
    except Refused:
        return False
    return True
