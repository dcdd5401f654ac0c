"""The cheapest list of surgical actions found from one graph to another, in the vocabulary that models use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from archstudio.edits.actions import apply
from archstudio.edits.compose import delete_nodes
from archstudio.edits.plain import to_plain
from archstudio.edits.plan_search import routes
from archstudio.edits.plan_task import PlanTask, compare, plan_task, port_sentences
from archstudio.edits.wiring import Add, Connect, Delete, Disconnect, Move
from archstudio.graph import Graph

REMAKING = 2
"""Actions it takes to delete a node and add it again."""
MOVED = 6
"""So many nodes are tried to be made anew because their wires changed."""


@dataclass(frozen=True)
class Plan:
    """What would be submitted. `inexpressible` says, in sentences, what the actions cannot say."""

    actions: list[dict[str, Any]]
    inexpressible: tuple[str, ...]
    model: dict[str, Any]
    """The benchmark's model after the actions: what is graded."""


def plan(start: Graph, now: Graph) -> Plan:
    """The cheapest list found; cost is the number of actions.

    The list is applied by the benchmark's engine and compared with `now` before it is returned. It reproduces the
    graph up to ids, layout, names and orders that grading does not read; what differs all the same is named.
    A layer that went to another place is deleted and added again where that takes fewer actions.
    """
    wanted = _without_bypassed(now)
    best = _planned(start, wanted)
    remade: list[str] = []
    for node in _moved(start, wanted, best):
        other = _planned(start, wanted, (*remade, node))
        if len(other.actions) < len(best.actions) and len(other.inexpressible) <= len(best.inexpressible):
            best = other
            remade.append(node)
    return best


def _moved(start: Graph, wanted: Graph, found: Plan) -> list[str]:
    """Ids of the few nodes about which a plan has more actions than making them anew takes; most first."""
    about: Counter[str] = Counter()
    for action in found.actions:
        if action["type"] in ("add_connection", "delete_connection"):
            about.update((action["fromName"], action["toName"]))
        elif action["type"] == "update_params":
            about[action["name"]] += 1
    stay = ((start.named(name), count) for name, count in about.most_common() if count > REMAKING)
    return [node.id for node, _ in stay if node is not None and node.id in wanted][:MOVED]


def _planned(start: Graph, wanted: Graph, remake: Sequence[str] = ()) -> Plan:
    """The shortest plan found that makes some nodes anew."""
    task = plan_task(start, wanted, remake)
    before = to_plain(start)
    best: Plan | None = None
    for moves in routes(task):
        names = _names(task, moves)
        actions = list(_actions(task, names, moves))
        model = apply(before, actions).model
        left = (*task.inexpressible, *compare(task, names, model))
        found = Plan(actions, left, model)
        if not left or left == task.inexpressible:
            return found
        if best is None or len(left) < len(best.inexpressible):
            best = found
    assert best is not None, "there is always at least one route"
    return best


def _without_bypassed(graph: Graph) -> Graph:
    """Bypassed nodes are submitted as deletions that heal."""
    bypassed = [n.id for n in graph.nodes if n.bypassed]
    if not bypassed:
        return graph
    copy = graph.copy()
    delete_nodes(copy, bypassed).apply(copy)
    return copy


def _names(task: PlanTask, moves: list[Move]) -> dict[str, str]:
    """Names within a plan. A renamed node keeps its old name, since no grade reads names; a new one gets its own unless
    a node of the start still goes by it when it is added."""
    names = {k: name for k, name in task.names.items() if k not in task.added}
    present = set(names.values())
    for move in moves:
        match move:
            case Delete(node):
                present.discard(names[node])
            case Add(node):
                names[node] = _free(task.names[node], present)
                present.add(names[node])
            case _:
                pass
    return names


def _free(wanted: str, present: set[str]) -> str:
    name, k = wanted, 2
    while name in present:
        name, k = f"{wanted}_{k}", k + 1
    return name


def _actions(task: PlanTask, name: Mapping[str, str], moves: list[Move]) -> Iterator[dict[str, Any]]:
    """The moves and the changed parameters as the benchmark's actions."""
    for move in moves:
        match move:
            case Add(node, after):
                action: dict[str, Any] = {
                    "type": "add_component",
                    "componentType": task.types[node],
                    "name": name[node],
                }
                if after is not None:
                    action["afterName"] = name[after]
                if task.params[node]:
                    action["params"] = dict(task.params[node])
                yield action
            case Delete(node):
                yield {"type": "delete_component", "name": name[node]}
            case Connect(source, target):
                yield {"type": "add_connection", "fromName": name[source], "toName": name[target]}
            case Disconnect(source, target):
                yield {"type": "delete_connection", "fromName": name[source], "toName": name[target]}
    for node, changes in task.updates.items():
        yield {"type": "update_params", "name": name[node], "params": dict(changes)}


def replacement(now: Graph) -> Plan:
    """One replace_model that builds the whole graph: only for where a person asked for it by name.

    Unlike surgical actions it can connect two layers twice; ports it cannot say either.
    """
    wanted = _without_bypassed(now)
    name = {n.id: n.name for n in wanted.nodes}
    action = {
        "type": "replace_model",
        "components": [{"componentType": n.type, "name": n.name, "params": dict(n.params)} for n in wanted.nodes],
        "connections": [{"from": name[c.source], "to": name[c.target]} for c in wanted.connections],
    }
    said = tuple(port_sentences(wanted, wanted.connections))
    return Plan([action], said, apply(to_plain(now), [action]).model)
