"""What rules of advice look at: a graph with its verdicts, indexed once so that a rule visits only what concerns it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from archstudio.graph import Graph, Node
from archstudio.layers import Layer, Problem, Wire, find
from archstudio.verify.ports import input_order

if TYPE_CHECKING:
    from archstudio.verify.verdict import NodeVerdict

_BATCH = (((1, 0), 1),)
"""The polynomial of the batch B alone."""


class Look:
    """Nodes at work by type, who feeds whom (seen through bypassed layers), and what is known of each."""

    def __init__(self, graph: Graph, nodes: Mapping[str, NodeVerdict], order: Sequence[str]) -> None:
        self.graph, self.nodes = graph, nodes
        self.order = order
        """Ids in the order of evaluation; nodes in loops and behind them are missing."""
        self.node: dict[str, Node] = {}
        self._by_type: dict[str, list[Node]] = {}
        spelled: dict[str, list[Node]] = {}
        bypassed: set[str] = set()
        for node in graph.nodes:
            self.node[node.id] = node
            if node.bypassed:
                bypassed.add(node.id)
            else:
                spelled.setdefault(node.type, []).append(node)
        self._alike: dict[str, list[tuple[Layer, Wire | None, list[Node]]]] = {}
        self._canonical: dict[str, str] = {}
        self._families: dict[str, list[str]] = {}
        for name, found in spelled.items():
            entry = find(name)
            self._canonical[name] = kind = name if entry is None else entry.type
            if kind not in self._by_type:
                self._families.setdefault("" if entry is None else entry.family, []).append(kind)
            self._by_type.setdefault(kind, []).extend(found)
        self._wire_up(bypassed)

    def _wire_up(self, bypassed: set[str]) -> None:
        sources: dict[str, list[str]] = {n: [] for n in self.node}
        named: set[str] = set()
        for wire in self.graph.connections:
            sources[wire.target].append(wire.source)
            if wire.target_port is not None:
                named.add(wire.target)
        for node_id in named:
            order = input_order(find(self.node[node_id].type), self.graph.incoming(node_id))
            sources[node_id] = [wire.source for wire in order]
        if bypassed:
            sources = {n: [_through(s, sources, bypassed) for s in found] for n, found in sources.items()}
        targets: dict[str, list[str]] = {n: [] for n in self.node}
        for node_id, found in sources.items():
            if node_id not in bypassed:
                for source in found:
                    targets[source].append(node_id)
        self._sources, self._targets = sources, targets

    # ----------------------------------------------------------- finding nodes

    def of(self, *types: str) -> Iterator[Node]:
        """Nodes at work of these types (the catalogue's names)."""
        for name in types:
            yield from self._by_type.get(name, ())

    def of_family(self, *families: str) -> Iterator[Node]:
        """Nodes at work of these families."""
        for family in families:
            for name in self._families.get(family, ()):
                yield from self._by_type[name]

    def alike(self, *types: str) -> Iterator[tuple[Layer, Wire | None, list[Node]]]:
        """Nodes at work of these types, those together that have equal parameters and inputs, with both.

        A rule that looks at nothing else is asked once for all of them.
        """
        for name in types:
            groups = self._alike.get(name)
            if groups is None:
                groups = self._alike[name] = self._grouped(self._by_type.get(name, ()))
            yield from groups

    def _grouped(self, nodes: Iterable[Node]) -> list[tuple[Layer, Wire | None, list[Node]]]:
        groups: dict[int, list[Node]] = {}
        for node in nodes:
            groups.setdefault(id(self.nodes[node.id].outcome), []).append(node)
        firsts = ((self.nodes[g[0].id].layer, self.input(g[0].id), g) for g in groups.values())
        return [(layer, x, group) for layer, x, group in firsts if layer is not None]

    def has(self, types: Iterable[str]) -> bool:
        """Whether a node at work is of one of these types."""
        return any(name in self._by_type for name in types)

    def type(self, node_id: str) -> str:
        """The catalogue's name of a node's type, or the node's own where the catalogue has none."""
        name = self.node[node_id].type
        return self._canonical.get(name, name)

    def family(self, node_id: str) -> str:
        """The family of a node; empty for unknown types."""
        entry = find(self.node[node_id].type)
        return "" if entry is None else entry.family

    # --------------------------------------------------------------- neighbours

    def sources(self, node_id: str) -> list[str]:
        """Ids of the nodes that feed a node, in the order of its inputs."""
        return self._sources[node_id]

    def targets(self, node_id: str) -> list[str]:
        """Ids of the nodes at work that read a node, in the order of the connections."""
        return self._targets[node_id]

    def source(self, node_id: str) -> str | None:
        """The only node that feeds a node; None if there are none or several."""
        found = self._sources[node_id]
        return found[0] if len(found) == 1 else None

    def target(self, node_id: str) -> str | None:
        """The only node that reads a node; None if there are none or several."""
        found = self._targets[node_id]
        return found[0] if len(found) == 1 else None

    def behind(self, starts: Iterable[str], *, backwards: bool = False) -> set[str]:
        """All nodes that these lead to (or that lead to these), themselves included."""
        follow = self._sources if backwards else self._targets
        seen = set(starts)
        stack = list(seen)
        while stack:
            for other in follow[stack.pop()]:
                if other not in seen:
                    seen.add(other)
                    stack.append(other)
        return seen

    # -------------------------------------------------------- what is known

    def layer(self, node_id: str) -> Layer | None:
        """The layer with its parameters, if every size is known."""
        layer = self.nodes[node_id].layer
        return None if layer is None or layer.unbound else layer

    def wire(self, node_id: str) -> Wire | None:
        """What comes out of a node, if that is one tensor."""
        value = self.nodes[node_id].value
        return value if isinstance(value, Wire) else None

    def input(self, node_id: str) -> Wire | None:
        """What the first input of a node carries, if that is one tensor."""
        found = self._sources[node_id]
        return self.wire(found[0]) if found else None

    def name(self, node_id: str) -> str:
        """A node's name."""
        return self.node[node_id].name

    def number(self, key: str, default: float | None = None) -> float | None:
        """A number among the graph's meta (a target's figures), else the default."""
        value = self.graph.meta.get(key, default)
        return value if isinstance(value, int | float) and not isinstance(value, bool) else default

    def text(self, key: str) -> str:
        """A text among the graph's meta; empty if there is none."""
        value: Any = self.graph.meta.get(key)
        return value if isinstance(value, str) else ""


def _through(node_id: str, sources: Mapping[str, Sequence[str]], bypassed: set[str]) -> str:
    seen: set[str] = set()
    while node_id in bypassed and sources[node_id] and node_id not in seen:
        seen.add(node_id)
        node_id = sources[node_id][0]
    return node_id


def is_batch(size: int) -> bool:
    """Whether a size is exactly the batch."""
    return getattr(size, "terms", None) == _BATCH


Rule: TypeAlias = Callable[[Look], Iterator[Problem]]

RULES: list[Rule] = []
"""All rules, in the order of their modules."""


def rule(function: Rule) -> Rule:
    """Enter a function into the rules."""
    RULES.append(function)
    return function
