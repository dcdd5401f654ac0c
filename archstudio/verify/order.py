"""In which order nodes are judged: after those that feed them and those whose weights they share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from archstudio.graph import Graph, Node
from archstudio.layers import Layer, find
from archstudio.layers.catalogue import entry


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The order, each node's place in it, and the nodes that have none because of a loop.

    `sharing` are the nodes that name another one, and `targets` the ones named, by the id of who names them; a name
    that no other node has gives no target. `inputs` are the network's arguments.
    """

    order: Sequence[str] = ()
    place: Mapping[str, int] = field(default_factory=dict)
    stuck: frozenset[str] = frozenset()
    sharing: frozenset[str] = frozenset()
    targets: Mapping[str, str] = field(default_factory=dict)
    inputs: Sequence[str] = ()


def names_nodes(kind: type[Layer]) -> bool:
    """Whether layers of this type use another node's weights."""
    return _type_names_nodes(kind.type)


@cache
def _type_names_nodes(type_name: str) -> bool:
    return any(field.kind == "node" for field in entry(type_name).fields.values())


@cache
def _role(type_name: str) -> str:
    """What makes nodes of a type special here: "input", "sharing", or nothing."""
    kind = find(type_name)
    if kind is None:
        return ""
    return "input" if kind.type == "input" else "sharing" if names_nodes(kind) else ""


def evaluation_order(graph: Graph) -> Evaluation:
    """Order of evaluation; ties keep file order."""
    inputs, sharing = _special(graph)
    targets = {n.id: target for n in sharing.values() if (target := _target_of(graph, n)) is not None}
    waiting = dict.fromkeys(graph.node_ids, 0)
    waiting.update(dict.fromkeys(targets, 1))
    followers: dict[str, list[str]] = {n: [] for n in waiting}
    for wire in graph.connections:
        waiting[wire.target] += 1
        followers[wire.source].append(wire.target)
    for user, target in targets.items():
        followers[target].append(user)
    ready = [n for n, count in waiting.items() if count == 0]
    for node in ready:  # grows while it is walked
        for follower in followers[node]:
            waiting[follower] -= 1
            if waiting[follower] == 0:
                ready.append(follower)
    place = {n: k for k, n in enumerate(ready)}
    stuck = frozenset(waiting.keys() - place.keys()) if len(place) < len(waiting) else frozenset()
    return Evaluation(ready, place, stuck, frozenset(sharing), targets, inputs)


def _special(graph: Graph) -> tuple[list[str], dict[str, Node]]:
    """The inputs of a graph, and its nodes that name another one."""
    inputs: list[str] = []
    sharing: dict[str, Node] = {}
    for node in graph.nodes:
        role = _role(node.type)
        if role == "input":
            inputs.append(node.id)
        elif role == "sharing":
            sharing[node.id] = node
    return inputs, sharing


def users_of(targets: Mapping[str, str]) -> dict[str, list[str]]:
    """Who shares the weights of a node, by its id."""
    users: dict[str, list[str]] = {}
    for user, target in targets.items():
        users.setdefault(target, []).append(user)
    return users


def named_node(node: Node) -> str | None:
    """The name of the node whose weights a node says it shares."""
    kind = find(node.type)
    for parameter in kind.fields.values() if kind is not None else ():
        found = parameter.find(node.params) if parameter.kind == "node" else None
        if found is not None:
            return str(found[1])
    return None


def _target_of(graph: Graph, node: Node) -> str | None:
    name = named_node(node)
    target = None if name is None else graph.named(name)
    return None if target is None or target.id == node.id else target.id
