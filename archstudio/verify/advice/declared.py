"""What nobody can check: layers that only declare what comes out of them."""

from __future__ import annotations

from collections.abc import Iterator

from archstudio.layers import Problem
from archstudio.layers.problem import ProblemKind, Severity
from archstudio.verify.advice.look import Look, rule

DECLARED = ProblemKind(
    "A-DECLARED",
    Severity.ADVICE,
    "{node}: there is no exact rule for {type}; its shape and weights are as declared",
    "PyTorch has no such layer and its papers leave parts of it open, so the studio takes the declared output shape "
    "and number of weights at their word. What lies behind it is checked as exactly as ever.",
)


@rule
def declared_layers(look: Look) -> Iterator[Problem]:
    """Layers without a reference implementation."""
    for node in look.of("opaque"):
        yield Problem(DECLARED, node.id, "structure", facts={"type": node.type})
