"""Where a problem stands, as those who propose remedies need to see it; and who proposes for which kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from archstudio.design.trial import Recipe
from archstudio.graph import Connection, Graph, Node
from archstudio.layers import Layer, Problem, ProblemKind, Value, Wire, find
from archstudio.verify.ports import input_order
from archstudio.verify.verdict import Verdict


@dataclass(frozen=True)
class Site:
    """One problem with its surroundings."""

    graph: Graph
    verdict: Verdict
    problem: Problem

    @property
    def id(self) -> str:
        """Id of the node at fault."""
        return self.problem.node

    @property
    def node(self) -> Node:
        """The node at fault."""
        return self.graph.node(self.problem.node)

    @property
    def kind(self) -> type[Layer] | None:
        """Its catalogue entry."""
        return find(self.node.type)

    @property
    def layer(self) -> Layer | None:
        """The layer with its parameters bound; None if it cannot be made."""
        return self.verdict.nodes[self.id].layer

    @property
    def wires(self) -> list[Connection]:
        """The wires into the node, in the order of its inputs."""
        return input_order(self.kind, self.graph.incoming(self.id))

    @property
    def wire(self) -> Connection | None:
        """The wire at fault; the only one where the problem names none."""
        port, wires = self.problem.port, self.wires
        if port is None:
            return wires[0] if len(wires) == 1 else None
        return wires[port] if port < len(wires) else None

    @property
    def value(self) -> Value | None:
        """What the wire at fault carries."""
        return None if self.wire is None else self.verdict.carried(self.wire.id)

    @property
    def tensor(self) -> Wire | None:
        """What the wire at fault carries, if it is one tensor."""
        return self.value if isinstance(self.value, Wire) else None

    @property
    def axis(self) -> int | None:
        """The axis at fault, counted from the end (negative)."""
        axis, x = self.problem.axis, self.tensor
        if axis is None or x is None or not -x.rank <= axis < x.rank:
            return None
        return axis if axis < 0 else axis - x.rank

    def fact(self, name: str) -> Any:
        """One fact of the problem; None if it has none of this name."""
        return self.problem.facts.get(name)

    def number(self, name: str) -> int | None:
        """One fact that is a whole number."""
        value = self.fact(name)
        return int(value) if isinstance(value, int) and not isinstance(value, bool) else None

    def param(self, key: str) -> Any:
        """The value of a parameter under any of its spellings, or its default; None if it has none."""
        kind = self.kind
        if kind is None or key not in kind.keys:
            return self.node.params.get(key)
        found = kind.keys[key].find(self.node.params)
        return found[1] if found is not None else None if kind.keys[key].required else kind.keys[key].default


Proposer: TypeAlias = Callable[[Site], Iterator[Recipe]]

PROPOSERS: dict[str, list[Proposer]] = {}
"""Who proposes remedies, by code of the kind of problem."""


def fixes(*kinds: ProblemKind) -> Callable[[Proposer], Proposer]:
    """Enter a generator of recipes for these kinds; likelier recipes come first."""

    def enter(proposer: Proposer) -> Proposer:
        for kind in kinds:
            PROPOSERS.setdefault(kind.code, []).append(proposer)
        return proposer

    return enter
