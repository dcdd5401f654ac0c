"""What runs but deserves a word: mistakes (the loss or the brief suffers) and advice. One rule a function."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from archstudio.graph import Graph
from archstudio.layers import Problem
from archstudio.verify.advice.rules import RULES

if TYPE_CHECKING:
    from archstudio.verify.verdict import NodeVerdict


def remarks(graph: Graph, nodes: Mapping[str, NodeVerdict]) -> Iterator[Problem]:
    """Everything the rules say of a graph; a remark's code listed in `graph.meta["silenced"]` is left out."""
    silenced = set(graph.meta.get("silenced", ()))
    for rule in RULES:
        for problem in rule(graph, nodes):
            if problem.kind.code not in silenced:
                yield problem
