"""Loose ends: layers that lead nowhere, and weights that never learn."""

from __future__ import annotations

from collections.abc import Iterator

from archstudio.layers import Problem
from archstudio.layers.problem import ProblemKind, advice
from archstudio.verify.advice.look import Look, rule

DEAD_END = ProblemKind(
    "A-DEAD-END",
    advice,
    "Nothing uses what {node} gives out",
    "A layer that leads to no output costs memory and learns nothing.",
)
NO_OUTPUT = ProblemKind(
    "A-NO-OUTPUT",
    advice,
    "The graph has no output node",
    "Graders and exports read the result at nodes of the type output.",
)
UNUSED_WEIGHTS = ProblemKind(
    "A-UNUSED-WEIGHTS",
    advice,
    "{count:,} weights of {node}{others} lead to no result, so they get no gradient",
    "Weights without a gradient never change; training on several devices (DistributedDataParallel) stops with an "
    "error because of them. Auxiliary heads that are meant need an output of their own.",
    "PyTorch docs, DistributedDataParallel: find_unused_parameters",
)


@rule
def loose_ends(look: Look) -> Iterator[Problem]:
    """Layers that lead to no output; one remark for each loose end, not for all before it."""
    outputs = [n.id for n in look.graph.nodes if look.type(n.id) == "output"]
    if not outputs:
        if len(look.graph):
            yield Problem(NO_OUTPUT, "", "structure")
        return
    losses = [n.id for n in look.of_family("loss")]
    useful = look.behind(outputs, backwards=True)
    if len(useful) == len(look.graph):
        return
    for node in look.graph.nodes:
        if node.id not in useful and not look.graph.outgoing(node.id) and look.family(node.id) != "loss":
            yield Problem(DEAD_END, node.id, "structure")
    yield from _unused_weights(look, useful | look.behind(losses, backwards=True))


def _unused_weights(look: Look, useful: set[str]) -> Iterator[Problem]:
    idle = [n.id for n in look.graph.nodes if n.id not in useful and (look.nodes[n.id].parameters or 0) > 0]
    if idle:
        count = sum(int(look.nodes[n].parameters or 0) for n in idle)
        others = "" if len(idle) == 1 else f" and {len(idle) - 1} more"
        yield Problem(UNUSED_WEIGHTS, idle[0], "structure", facts={"count": count, "others": others})
