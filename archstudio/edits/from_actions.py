"""A list of the benchmark's actions as one edit of a document, so that it can be undone like any other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from archstudio.edits.actions import ActionError, apply
from archstudio.edits.base import Edit, EditRefused
from archstudio.edits.compose import frames_without
from archstudio.edits.diff import diff
from archstudio.edits.plain import to_plain
from archstudio.files.strict_json import dump_json
from archstudio.graph import Connection, Graph, Node


@dataclass(frozen=True)
class ActionsAsEdit:
    """What a list of actions does to a document. `edit` is None if it changes nothing."""

    edit: Edit | None
    errors: tuple[ActionError, ...]
    skipped: tuple[Any, ...]


def actions_to_edit(graph: Graph, actions: Any, label: str = "Actions") -> ActionsAsEdit:
    """Apply actions with the benchmark's engine and return what they change as an edit.

    Layers and wires that survive keep what graders do not read (meta, ports, places, unknown keys). EditRefused if
    the benchmark would accept the result but a document cannot hold it: names twice or missing, numbers not finite.
    """
    done = apply(to_plain(graph), actions)
    edit = diff(graph, _as_graph(graph, done.model), label)
    return ActionsAsEdit(edit, tuple(done.errors), tuple(done.skipped))


def _as_graph(before: Graph, model: Mapping[str, Any]) -> Graph:
    after = Graph(before.name)
    for component in model["components"]:
        node = _node(before, component)
        if after.named(node.name) is not None:
            raise EditRefused(f"two layers would be called {node.name}: give the new one a name of its own")
        after.insert_node(node)
    gone = {n for n in before.node_ids if n not in after}
    for wire in model["connections"]:
        if wire["from"] in after and wire["to"] in after:  # the engine leaves loops of deleted layers behind
            after.insert_connection(_wire(before, gone, wire))
    after.meta, after.extra = dict(before.meta), dict(before.extra)
    after.layout = {n: place for n, place in before.layout.items() if n in after}
    after.frames, after.notes = dict(before.frames), dict(before.notes)
    for edit in frames_without(after, gone):
        edit.apply(after)
    return after


def _node(before: Graph, component: Mapping[str, Any]) -> Node:
    kind, name = component.get("type"), component.get("name")
    if not isinstance(name, str) or not name:
        raise EditRefused(f"a {kind if isinstance(kind, str) else 'layer'} would have no name: give it one")
    if not isinstance(kind, str) or not kind:
        raise EditRefused(f"{name} would have no type: name one in componentType")
    params = component["params"]
    try:
        dump_json(params)
    except (ValueError, TypeError) as fault:
        raise EditRefused(f"a parameter of {name} cannot be kept in a file ({fault})") from fault
    if component["id"] not in before:
        return Node(component["id"], kind, name, dict(params))
    return _updated(before.node(component["id"]), kind, name, params)


def _updated(node: Node, kind: str, name: str, params: Mapping[str, Any]) -> Node:
    """The node with what the actions set; a size they set no longer follows the wire."""
    meta = {k: v for k, v in node.meta.items() if k != "inferred"}
    following = [k for k in node.inferred if k in params and params[k] == node.params.get(k)]
    if following:
        meta["inferred"] = following
    return replace(node, type=kind, name=name, params=dict(params), meta=node.meta if meta == node.meta else meta)


def _wire(before: Graph, gone: set[str], wire: Mapping[str, Any]) -> Connection:
    source, target = wire["from"], wire["to"]
    if before.has_connection(wire["id"]):
        old = before.connection(wire["id"])
        return old if old.source == source else replace(old, source=source, source_port=None)
    if source not in before or target not in before:
        return Connection(wire["id"], source, target)
    leaving = {c.source_port for c in before.outgoing(source) if c.target in gone}
    arriving = {c.target_port for c in before.incoming(target) if c.source in gone}
    return Connection(wire["id"], source, target, _only(leaving), _only(arriving))


def _only(ports: set[str | None]) -> str | None:
    """The port a healed wire takes over: that of the wires it stands for, if they agree."""
    return next(iter(ports)) if len(ports) == 1 else None
