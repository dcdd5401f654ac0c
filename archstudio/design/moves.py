"""The steps that fixes are made of, each as a function of the graph and verdict the steps before it left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from archstudio.design.sized import carried_by, connect_sized
from archstudio.design.trial import Move, Unsuitable
from archstudio.design.wire_sizes import sizes_given, with_sizes
from archstudio.edits import (
    Batch,
    ChangeConnection,
    ChangeNode,
    Edit,
    RemoveConnection,
    RemoveNode,
    SetFrame,
    SetMeta,
    set_params,
)
from archstudio.edits.compose import delete_nodes, disconnect, new_node, set_type, splice_into
from archstudio.graph import Graph, Node
from archstudio.layers import find
from archstudio.verify.ports import input_order
from archstudio.verify.verdict import Verdict


def spelled(node: Node, key: str) -> str:
    """The key under which a node's parameters hold (or would hold) a parameter that goes by several."""
    kind = find(node.type)
    if kind is None or key not in kind.keys:
        return key
    given = next((k for k in kind.keys[key].keys if k in node.params), None)
    return kind.keys[key].json if given is None else given


def shown(value: Any) -> str:
    """A parameter's value in a label: `25,088`, `3×5`."""
    if isinstance(value, list | tuple):
        return "×".join(shown(v) for v in value)
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return str(value)


def set_values(node_id: str, **values: Any) -> Move:
    """Set parameters as a person would by typing them."""

    def move(graph: Graph, verdict: Verdict) -> Edit:
        node = graph.node(node_id)
        return set_params(node, **{spelled(node, k): v for k, v in values.items()})

    return move


def set_from_wire(node_id: str, key: str) -> Move:
    """Set a size to what the wires give, and let it follow them."""

    def move(graph: Graph, verdict: Verdict) -> Edit:
        node = graph.node(node_id)
        kind = find(node.type)
        if kind is None:
            raise Unsuitable(f"{node.type} is not in the catalogue")
        values = [carried_by(verdict, wire) for wire in input_order(kind, graph.incoming(node_id))]
        name = spelled(node, key)
        sizes = sizes_given(kind, node.params, [v for v in values if v is not None], [name])
        if None in values or name not in sizes:
            raise Unsuitable(f"no wire gives {key}")
        return ChangeNode(with_sizes(node, {name: sizes[name]}))

    return move


def put_in(wire_id: str, type_name: str, **params: Any) -> Move:
    """Put a new layer into a wire, with the sizes the wire gives; the wire's own end stays at the target."""

    def move(graph: Graph, verdict: Verdict) -> Edit:
        kind = find(type_name)
        value = carried_by(verdict, graph.connection(wire_id))
        if kind is None or value is None:
            raise Unsuitable(f"{type_name} cannot be put into this wire")
        node = new_node(graph, type_name, params)
        return splice_into(graph, wire_id, with_sizes(node, sizes_given(kind, params, [value])))

    return move


def take_out(node_id: str) -> Move:
    """Remove a layer; the wires behind a layer of one input come from what fed it and keep their places."""

    def move(graph: Graph, verdict: Verdict) -> Edit:
        feeding = graph.incoming(node_id)
        if len(feeding) != 1 or feeding[0].source == node_id:
            return delete_nodes(graph, [node_id])
        into = feeding[0]
        kept = (
            ChangeConnection(replace(wire, source=into.source, source_port=into.source_port))
            for wire in graph.outgoing(node_id)
        )
        return Batch((*kept, RemoveConnection(into.id), *_gone(graph, node_id)), "Remove")

    return move


def _gone(graph: Graph, node_id: str) -> tuple[Edit, ...]:
    """The edits that remove a node without wires, also from the frames that hold it."""
    frames = [f for f in graph.frames.values() if node_id in f.nodes]
    left = (SetFrame(f.id, replace(f, nodes=tuple(n for n in f.nodes if n != node_id))) for f in frames)
    return (RemoveNode(node_id), *left)


def cut(*wire_ids: str) -> Move:
    """Remove wires."""
    return lambda graph, verdict: disconnect(wire_ids)


def read_output(wire_id: str, port: str) -> Move:
    """Let a wire carry one output of the layer it leaves."""
    return lambda graph, verdict: ChangeConnection(replace(graph.connection(wire_id), source_port=port))


def leave_from(wire_id: str, source: str) -> Move:
    """Let a wire come from another layer."""
    return lambda graph, verdict: ChangeConnection(replace(graph.connection(wire_id), source=source, source_port=None))


def wire_up(source: str, target: str, port: str | None = None) -> Move:
    """Draw a wire; sizes the target lacks are read off it."""
    return lambda graph, verdict: connect_sized(graph, verdict, source, target, port)


def retype(node_id: str, type_name: str, params: Mapping[str, Any] | None = None) -> Move:
    """Make a layer one of another type, with its present or other parameters."""

    def move(graph: Graph, verdict: Verdict) -> Edit:
        kept = graph.node(node_id).params if params is None else params
        return set_type(graph, node_id, type_name, kept)

    return move


def drop_values(node_id: str, *keys: str) -> Move:
    """Take parameters away, so that their defaults hold."""

    def move(graph: Graph, verdict: Verdict) -> Edit:
        node = graph.node(node_id)
        return ChangeNode(replace(node, params={k: v for k, v in node.params.items() if k not in keys}))

    return move


def rename_key(node_id: str, old: str, new: str) -> Move:
    """Give a parameter its right key."""

    def move(graph: Graph, verdict: Verdict) -> Edit:
        node = graph.node(node_id)
        return ChangeNode(replace(node, params={new if k == old else k: v for k, v in node.params.items()}))

    return move


def set_meta(key: str, value: Any) -> Move:
    """Set a value that holds for the whole graph (batch, mode)."""
    return lambda graph, verdict: SetMeta(key, value)
