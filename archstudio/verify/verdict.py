"""What is true of a graph: of each node, and of the whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

from archstudio.graph import Graph
from archstudio.layers import Layer, Problem, Severity, Value
from archstudio.verify.advice import remarks
from archstudio.verify.outcome import Outcome
from archstudio.verify.ports import select

State: TypeAlias = Literal["ok", "problem", "waiting"]
"""Fine · at the root of some trouble · its input is not known because of trouble elsewhere."""


@dataclass(frozen=True, slots=True)
class NodeVerdict:
    """What is true of one node."""

    outcome: Outcome
    problems: tuple[Problem, ...] = ()
    waiting_for: tuple[str, ...] = ()
    """Ids of the nodes at the root of the trouble, in graph order."""

    @property
    def state(self) -> State:
        """How the node stands."""
        return "problem" if self.problems else "waiting" if self.waiting_for else "ok"

    @property
    def value(self) -> Value | None:
        """What comes out of it: a wire, nested tuples of wires, or None while unknown."""
        return self.outcome.value

    @property
    def layer(self) -> Layer | None:
        """The layer with its parameters bound; None if it cannot be made."""
        return self.outcome.layer

    @property
    def inferred(self) -> Mapping[str, Any]:
        """Sizes read off its wires, by their key in files."""
        return self.outcome.inferred

    @property
    def parameters(self) -> int | None:
        """Trainable weights; None while unknown."""
        return self.outcome.parameters

    @property
    def buffers(self) -> int | None:
        """Elements of its buffers; None while unknown."""
        return self.outcome.buffers

    @property
    def macs(self) -> int | None:
        """Multiply–accumulates; None while unknown."""
        return self.outcome.macs


@dataclass(frozen=True)
class Verdict:
    """What is true of the graph at the moment it was asked for; it does not change with the graph.

    `parameters`, `buffers` and `macs` are None while any error stands.
    """

    graph: Graph = field(repr=False)
    nodes: Mapping[str, NodeVerdict]
    order: Sequence[str]
    """Ids in the order of evaluation; nodes in loops and behind them are missing."""
    errors: tuple[Problem, ...]
    """What PyTorch refuses, in graph order."""
    parameters: int | None
    buffers: int | None
    macs: int | None

    @property
    def runs(self) -> bool:
        """Whether PyTorch would run it."""
        return not self.errors

    @cached_property
    def remarks(self) -> tuple[Problem, ...]:
        """Mistakes and advice; worked out when first asked for, which must be before the graph changes again."""
        return tuple(remarks(self))

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Errors, then mistakes, then advice."""
        rank = {Severity.MISTAKE: 0, Severity.ADVICE: 1}
        return (*self.errors, *sorted(self.remarks, key=lambda p: rank[p.severity]))

    @property
    def first_error(self) -> Problem | None:
        """The error a PyTorch program would stop at: all modules are made first, in file order, then forward runs."""
        made = [p for p in self.errors if p.phase != "forward"]
        if made:
            place = {n: k for k, n in enumerate(self.graph.node_ids)}
            return min(made, key=lambda p: place.get(p.node, -1))
        place = {n: k for k, n in enumerate(self.order)}
        return min(self.errors, key=lambda p: place.get(p.node, -1), default=None)

    def carried(self, connection_id: str) -> Value | None:
        """What a wire carries; None while unknown."""
        wire = self.graph.connection(connection_id)
        source = self.nodes[wire.source]
        return None if source.value is None else select(source.layer, source.value, wire.source_port)
