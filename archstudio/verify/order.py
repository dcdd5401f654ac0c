"""In which order nodes are judged: after those that feed them and those whose weights they share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from archstudio.graph import Graph, Node
from archstudio.layers import Layer, find


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The order, each node's place in it, the nodes that have none, and whose weights a node shares (by id)."""

    order: Sequence[str]
    place: Mapping[str, int]
    stuck: frozenset[str]
    targets: Mapping[str, str]


def names_nodes(entry: type[Layer]) -> bool:
    """Whether layers of this type use another node's weights."""
    return any(field.kind == "node" for field in entry.fields.values())


def evaluation_order(graph: Graph) -> Evaluation:
    """Order of evaluation; ties keep file order."""
    targets = _targets(graph)
    waiting = {n: len(graph.incoming(n)) + (n in targets) for n in graph.node_ids}
    users: dict[str, list[str]] = {}
    for user, target in targets.items():
        users.setdefault(target, []).append(user)
    ready = [n for n, count in waiting.items() if count == 0]
    for node in ready:  # grows while it is walked
        for follower in (*(c.target for c in graph.outgoing(node)), *users.get(node, ())):
            waiting[follower] -= 1
            if waiting[follower] == 0:
                ready.append(follower)
    place = {n: k for k, n in enumerate(ready)}
    return Evaluation(ready, place, frozenset(n for n in waiting if n not in place), targets)


def _targets(graph: Graph) -> dict[str, str]:
    found: dict[str, str] = {}
    for node in graph.nodes:
        entry = find(node.type)
        if entry is not None and names_nodes(entry):
            target = _target_of(graph, node, entry)
            if target is not None:
                found[node.id] = target
    return found


def _target_of(graph: Graph, node: Node, entry: type[Layer]) -> str | None:
    for field in entry.fields.values():
        if field.kind == "node":
            given = field.find(node.params)
            target = None if given is None else graph.named(str(given[1]))
            return None if target is None or target.id == node.id else target.id
    return None
