"""A solution of a task beside the graph a person made: the solution as a graph, and what differs, in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import SequenceMatcher

from archstudio.app.tasks.opening import model_graph
from archstudio.bench.brief import AnyTask
from archstudio.bench.policies import corrected
from archstudio.edits.actions import apply
from archstudio.files.strict_json import canonical_json
from archstudio.graph import Connection, Graph, Node


def solution_actions(task: AnyTask) -> list[dict[str, object]] | None:
    """Our solution, which passes all three verdicts, else the reference that came with the task, if any."""
    return corrected(task) or task.reference()


def solution_graph(task: AnyTask) -> Graph | None:
    """The graph that the solution brings about; None where there is no solution. GraphError if it is no network."""
    actions = solution_actions(task)
    if actions is None:
        return None
    return model_graph(apply(task.model(), actions).model, f"{task.id} (reference)")


def differences(mine: Graph, other: Graph) -> list[str]:
    """What `other` does otherwise, as sentences; none if the two are the same network."""
    mapping = aligned(mine, other)
    told = [_lacks(node) for node in mine.nodes if node.id not in mapping.values()]
    told += [_adds(node) for node in other.nodes if node.id not in mapping]
    for node in other.nodes:
        if node.id in mapping:
            told += _params(mine.node(mapping[node.id]), node)
    return told + _wires(mine, other, mapping)


def aligned(mine: Graph, other: Graph) -> dict[str, str]:
    """Which node of `other` stands for which of `mine`: the same id, else name, else place among those of its type."""
    pairs: dict[str, str] = {}
    taken: set[str] = set()

    def pair(theirs: Node, ours: Node | None) -> None:
        if ours is not None and ours.type == theirs.type and ours.id not in taken and theirs.id not in pairs:
            pairs[theirs.id] = ours.id
            taken.add(ours.id)

    for node in other.nodes:
        pair(node, mine.node(node.id) if node.id in mine else None)
    for node in other.nodes:
        pair(node, mine.named(node.name))
    theirs = [node for node in other.nodes if node.id not in pairs]
    ours = [node for node in mine.nodes if node.id not in taken]
    matcher = SequenceMatcher(None, [n.type for n in theirs], [n.type for n in ours], autojunk=False)
    for block in matcher.get_matching_blocks():
        for step in range(block.size):
            pair(theirs[block.a + step], ours[block.b + step])
    return pairs


def _lacks(node: Node) -> str:
    return f"The reference has no {node.name} ({node.type})."


def _adds(node: Node) -> str:
    params = ", ".join(f"{key} {canonical_json(value)}" for key, value in node.params.items())
    return f"The reference adds {node.name} ({node.type}{f', {params}' if params else ''})."


def _params(ours: Node, theirs: Node) -> list[str]:
    keys = [*theirs.params, *(key for key in ours.params if key not in theirs.params)]
    told = []
    for key in keys:
        left, right = _value(ours.params, key), _value(theirs.params, key)
        if left != right:
            told.append(f"{key} of {ours.name} is {right} in the reference, {left} in yours.")
    return told


def _value(params: Mapping[str, object], key: str) -> str:
    return canonical_json(params[key]) if key in params else "not given"


def _wires(mine: Graph, other: Graph, mapping: Mapping[str, str]) -> list[str]:
    """Wires between layers that both have; those of added and missing layers follow from them."""
    both = set(mapping.values())
    ours = {(w.source, w.target) for w in mine.connections if w.source in both and w.target in both}
    theirs = {_mapped(w, mapping) for w in other.connections if w.source in mapping and w.target in mapping}

    def told(pair: tuple[str, str]) -> str:
        return f"{mine.node(pair[0]).name} to {mine.node(pair[1]).name}"

    order = {node.id: place for place, node in enumerate(mine.nodes)}
    at = {pair: (order[pair[0]], order[pair[1]]) for pair in ours | theirs}
    more = [f"The reference connects {told(pair)}." for pair in sorted(theirs - ours, key=at.__getitem__)]
    less = [f"The reference does not connect {told(pair)}." for pair in sorted(ours - theirs, key=at.__getitem__)]
    return more + less


def _mapped(wire: Connection, mapping: Mapping[str, str]) -> tuple[str, str]:
    return mapping[wire.source], mapping[wire.target]
