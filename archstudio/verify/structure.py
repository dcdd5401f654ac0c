"""Problems of the wiring itself, which no layer's rule can see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import networkx as nx

from archstudio.graph import Graph
from archstudio.layers import Problem
from archstudio.layers.problem import CYCLE, ProblemKind, error
from archstudio.verify.order import Evaluation

NO_INPUT = ProblemKind(
    "E-NO-INPUT",
    error,
    "{node} has no input; connect something to it",
    "The layer's forward takes a tensor, and no wire brings one.",
)
NO_PORT = ProblemKind(
    "E-NO-PORT",
    error,
    "{node} reads output “{output}” of {source}, which has none of that name",
    "The layer a wire comes from does not return a tensor of this name (any more).",
)
NO_TARGET = ProblemKind(
    "E-NO-TARGET",
    error,
    "{node} shares the weights of {target}, which is no layer at work in this graph",
    "A layer that reuses another's weights names that layer; it must exist, be another layer, and not be bypassed.",
)


@dataclass(frozen=True, slots=True)
class Loops:
    """A problem at the first node of each loop, by its id, and which loops every other stuck node waits for."""

    problems: Mapping[str, Problem] = field(default_factory=dict)
    roots: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def find_loops(graph: Graph, evaluation: Evaluation) -> Loops:
    """The loops among the nodes that have no place in the order."""
    if not evaluation.stuck:
        return Loops()
    file_order = [n for n in graph.node_ids if n in evaluation.stuck]
    place = {n: k for k, n in enumerate(file_order)}
    wiring = _wiring(graph, evaluation, file_order)
    groups = [
        sorted(group, key=place.__getitem__)
        for group in nx.strongly_connected_components(wiring)
        if len(group) > 1 or any(wiring.has_edge(n, n) for n in group)
    ]
    problems: dict[str, Problem] = {}
    roots: dict[str, tuple[str, ...]] = {}
    for loop in sorted(groups, key=lambda group: place[group[0]]):
        facts = {"count": len(loop), "nodes": tuple(loop)}
        problems[loop[0]] = Problem(CYCLE, loop[0], "structure", facts=facts)
        for node in nx.descendants(wiring, loop[0]):
            roots[node] = (*roots.get(node, ()), loop[0])
    return Loops(problems, roots)


def _wiring(graph: Graph, evaluation: Evaluation, nodes: list[str]) -> nx.DiGraph[str]:
    wiring: nx.DiGraph[str] = nx.DiGraph()
    wiring.add_nodes_from(nodes)
    wiring.add_edges_from((n, c.target) for n in nodes for c in graph.outgoing(n))
    wiring.add_edges_from((target, user) for user, target in evaluation.targets.items() if target in evaluation.stuck)
    return wiring
