"""For each kind of problem a small graph that has it and one like it that has not, as data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from archstudio.files.data import data_path
from archstudio.graph import Connection, Graph, Node

_FILES = ("errors.json", "remarks.json")


@dataclass(frozen=True, slots=True)
class ProblemExample:
    """Two graphs as compact data; `fails` has the problem, `passes` has not."""

    fails: Mapping[str, Any]
    passes: Mapping[str, Any]

    def failing(self) -> Graph:
        """The graph that has the problem."""
        return graph_of(self.fails)

    def passing(self) -> Graph:
        """The graph that has not."""
        return graph_of(self.passes)


@cache
def problem_examples() -> Mapping[str, ProblemExample]:
    """The examples by code."""
    found: dict[str, ProblemExample] = {}
    for name in _FILES:
        table = json.loads(data_path("fixtures", "problems", name).read_text(encoding="utf-8"))
        found |= {code: ProblemExample(pair["fails"], pair["passes"]) for code, pair in table.items()}
    return found


def graph_of(compact: Mapping[str, Any]) -> Graph:
    """A graph from `{"nodes": {name: [type, params]}, "wires": ["a.output -> b.query"], "meta": {}}`.

    Without wires the nodes form a chain in their order.
    """
    graph = Graph(str(compact.get("name", "example")))
    graph.meta.update(compact.get("meta", {}))
    nodes: Mapping[str, Any] = compact["nodes"]
    for name, (kind, *params) in nodes.items():
        graph.insert_node(Node(name, kind, name, dict(params[0]) if params else {}))
    chain = [f"{a} -> {b}" for a, b in pairwise(nodes)]
    for k, wire in enumerate(compact.get("wires", chain)):
        (source, _, out), (target, _, into) = (end.strip().partition(".") for end in wire.split("->"))
        graph.insert_connection(Connection(f"c{k}", source, target, out or None, into or None))
    return graph
