"""What a plan has to bring about: nodes to add and delete, parameters to set, wires wanted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from archstudio.edits.wiring import COMMUTATIVE, Wires
from archstudio.graph import Graph, Node


@dataclass(frozen=True)
class PlanTask:
    """Nodes go by a key: their id, or for one that must be made anew (its type changed) its id with a prime."""

    wires: Wires
    wanted: Wires
    added: tuple[str, ...]
    """Keys of nodes to add, sources before targets where possible."""
    deleted: tuple[str, ...]
    updates: Mapping[str, Mapping[str, Any]]
    types: Mapping[str, str]
    params: Mapping[str, Mapping[str, Any]]
    names: Mapping[str, str]
    inexpressible: tuple[str, ...]


def plan_task(start: Graph, now: Graph) -> PlanTask:
    """Match nodes by id and say what differs."""
    remade = {n.id for n in now.nodes if n.id in start and _must_be_remade(start.node(n.id), n)}
    key = {n.id: f"{n.id}′" if n.id in remade else n.id for n in now.nodes}
    deleted = tuple(n.id for n in start.nodes if n.id not in now or n.id in remade)
    added = tuple(key[n] for n in _sources_first(now) if n not in start or n in remade)
    updates = {
        n.id: changes
        for n in now.nodes
        if n.id in start and n.id not in remade and (changes := _changes(start.node(n.id), n))
    }
    types = {n.id: n.type for n in start.nodes} | {key[n.id]: n.type for n in now.nodes}
    params = {key[n.id]: n.params for n in now.nodes}
    wires = tuple((c.source, c.target) for c in start.connections)
    wanted = tuple(dict.fromkeys((key[c.source], key[c.target]) for c in now.connections))
    said = tuple(_unsayable(start, now))
    return PlanTask(wires, wanted, added, deleted, updates, types, params, _names(start, now, key), said)


def _must_be_remade(before: Node, after: Node) -> bool:
    """No action changes a type or takes a parameter away."""
    return before.type != after.type or any(k not in after.params for k in before.params)


def _changes(before: Node, after: Node) -> dict[str, Any]:
    return {k: v for k, v in after.params.items() if k not in before.params or not _same(before.params[k], v)}


def _same(a: Any, b: Any) -> bool:
    """Equal as JSON values: 12 = 12.0, but true is not 1."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(a[k], b[k]) for k in a)
    return bool(a == b)


def _sources_first(graph: Graph) -> list[str]:
    """Ids in an order in which sources come before targets; nodes in loops come last, in file order."""
    waiting = {n: len(graph.incoming(n)) for n in graph.node_ids}
    ready = [n for n, count in waiting.items() if count == 0]
    for node in ready:  # grows while it is walked
        for wire in graph.outgoing(node):
            waiting[wire.target] -= 1
            if waiting[wire.target] == 0:
                ready.append(wire.target)
    seen = set(ready)
    return ready + [n for n in graph.node_ids if n not in seen]


def _names(start: Graph, now: Graph, key: Mapping[str, str]) -> dict[str, str]:
    """Names within the plan. A renamed node keeps its old name, since no grade reads names; a new one may need another
    name than it has, where a node of the start still goes by it."""
    names = {n.id: n.name for n in start.nodes}
    taken = set(names.values())
    for node in now.nodes:
        if key[node.id] not in names:
            name = node.name
            k = 2
            while name in taken:
                name = f"{node.name}_{k}"
                k += 1
            taken.add(name)
            names[key[node.id]] = name
    return names


def _unsayable(start: Graph, now: Graph) -> Iterator[str]:
    """Sentences for what the vocabulary has no words for."""
    old = {(c.id, c.source_port, c.target_port) for c in start.connections}
    seen: set[tuple[str, str]] = set()
    for wire in now.connections:
        source, target = now.node(wire.source).name, now.node(wire.target).name
        if (wire.source, wire.target) in seen:
            yield f"a second wire from {source} to {target}: two layers can be connected only once"
        seen.add((wire.source, wire.target))
        if (wire.id, wire.source_port, wire.target_port) in old:
            continue
        if wire.source_port is not None:
            yield f"which output of {source} goes to {target} ({wire.source_port}): actions name no ports"
        if wire.target_port is not None and len(now.incoming(wire.target)) > 1:
            yield f"which input of {target} comes from {source} ({wire.target_port}): actions name no ports"


def compare(task: PlanTask, model: Mapping[str, Any]) -> list[str]:
    """Where a model reached by actions differs from the wanted graph, in sentences."""
    by_id = {c["id"]: c for c in model["components"]}
    found: list[str] = []
    have: dict[str, list[str]] = {c["name"]: [] for c in model["components"]}
    for wire in model["connections"]:
        have[by_id[wire["to"]]["name"]].append(by_id[wire["from"]]["name"])
    want: dict[str, list[str]] = {task.names[k]: [] for k in task.params}
    for source, target in task.wanted:
        want[task.names[target]].append(task.names[source])
    if have.keys() != want.keys():
        found.append(f"the layers {', '.join(sorted(have.keys() ^ want.keys()))}")
    described = {c["name"]: c for c in model["components"]}
    for key, params in task.params.items():
        name = task.names[key]
        made = described.get(name)
        if made is None:
            continue
        if made["type"] != task.types[key] or not _same(dict(made["params"]), dict(params)):
            found.append(f"the parameters of {name}")
        ordered = (lambda x: sorted(x)) if task.types[key] in COMMUTATIVE else list
        if ordered(have.get(name, [])) != ordered(want[name]):
            found.append(f"the inputs of {name}")
    return found
