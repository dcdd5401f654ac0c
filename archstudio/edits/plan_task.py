"""What a plan has to bring about: nodes to add and delete, parameters to set, wires wanted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from archstudio.edits.wiring import COMMUTATIVE, Pair
from archstudio.graph import Connection, Graph, Node


@dataclass(frozen=True)
class PlanTask:
    """Nodes go by a key: their id, or for one that must be made anew (its type changed) its id with a prime."""

    wires: tuple[Pair, ...]
    wanted: tuple[Pair, ...]
    added: tuple[str, ...]
    """Keys of nodes to add, sources before targets where possible."""
    deleted: tuple[str, ...]
    updates: Mapping[str, Mapping[str, Any]]
    types: Mapping[str, str]
    params: Mapping[str, Mapping[str, Any]]
    names: Mapping[str, str]
    """What nodes are called: those of the start as they were, new ones as they are now."""
    inexpressible: tuple[str, ...]


def plan_task(start: Graph, now: Graph, remake: Collection[str] = ()) -> PlanTask:
    """Match nodes by id and say what differs; `remake` are nodes to make anew although they could stay."""
    both = [n for n in now.nodes if n.id in start]
    remade = {n.id for n in both if n.id in remake or _must_be_remade(start.node(n.id), n)}
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
    wanted = tuple(_drawable(wires, [(key[c.source], key[c.target]) for c in now.connections]))
    names = {n.id: n.name for n in start.nodes} | {k: now.node(n).name for n, k in key.items() if k in added}
    said = tuple(_unsayable(start, now, key))
    return PlanTask(wires, wanted, added, deleted, updates, types, params, names, said)


def _drawable(wires: tuple[Pair, ...], wanted: list[Pair]) -> Iterator[Pair]:
    """The wanted wires without second ones between the same nodes that the start does not have."""
    had = Counter(wires)
    drawn: Counter[Pair] = Counter()
    for pair in wanted:
        if drawn[pair] < max(1, had[pair]):
            drawn[pair] += 1
            yield pair


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


def _unsayable(start: Graph, now: Graph, key: Mapping[str, str]) -> Iterator[str]:
    """Sentences for what the vocabulary has no words for. A layer made anew (`key`) has no wires at first."""
    old = Counter((c.source, c.target, c.source_port, c.target_port) for c in start.connections)
    pairs = Counter((c.source, c.target) for c in start.connections)
    seen: Counter[Pair] = Counter()
    new: list[Connection] = []
    for wire in now.connections:
        pair = (key[wire.source], key[wire.target])
        seen[pair] += 1
        if seen[pair] > max(1, pairs[pair]):
            source, target = now.node(wire.source).name, now.node(wire.target).name
            yield f"a second wire from {source} to {target}: two layers can be connected only once"
        ends = (wire.source, wire.target, wire.source_port, wire.target_port)
        if old[ends]:
            old[ends] -= 1
        else:
            new.append(wire)
    yield from port_sentences(now, new)


def port_sentences(now: Graph, wires: Iterable[Connection]) -> Iterator[str]:
    """Sentences for the ports of wires that actions have to draw."""
    for wire in wires:
        source, target = now.node(wire.source).name, now.node(wire.target).name
        if wire.source_port is not None:
            yield f"which output of {source} goes to {target} ({wire.source_port}): actions name no ports"
        if wire.target_port is not None and len(now.incoming(wire.target)) > 1:
            yield f"which input of {target} comes from {source} ({wire.target_port}): actions name no ports"


def compare(task: PlanTask, names: Mapping[str, str], model: Mapping[str, Any]) -> list[str]:
    """Where a model reached by actions differs from the wanted graph, in sentences; `names` are those of the plan."""
    name_of = {c["id"]: c["name"] for c in model["components"]}
    described = {c["name"]: c for c in model["components"]}
    wanted: dict[str, list[str]] = {names[k]: [] for k in task.params}
    for source, target in task.wanted:
        wanted[names[target]].append(names[source])
    found: list[str] = []
    if sorted(name_of.values()) != sorted(wanted):
        found.append(f"the layers {', '.join(sorted(described.keys() ^ wanted.keys()))}")
    for key, params in task.params.items():
        name = names[key]
        made = described.get(name)
        if made is None:
            continue
        if made["type"] != task.types[key] or not _same(dict(made["params"]), dict(params)):
            found.append(f"the parameters of {name}")
        have = [name_of[source] for source in made["inputs"]]
        in_order = sorted if task.types[key] in COMMUTATIVE else list
        if in_order(have) != in_order(wanted[name]):
            found.append(f"the inputs of {name}")
    return found
