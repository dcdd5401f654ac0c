"""Problems of the wiring itself, which no layer's rule can see."""

from __future__ import annotations

from archstudio.graph import Graph
from archstudio.graph.walks import cycles
from archstudio.layers import Problem
from archstudio.layers.problem import CYCLE, ProblemKind, error

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
    "{node} shares the weights of {target}, which is not a layer of this graph",
    "A layer that reuses another's weights names that layer; the name must exist and be another layer's.",
)


def cycle_problems(graph: Graph) -> list[Problem]:
    """One problem for each loop, at its first node."""
    return [
        Problem(CYCLE, loop[0], "structure", facts={"count": len(loop), "nodes": tuple(loop)}) for loop in cycles(graph)
    ]
