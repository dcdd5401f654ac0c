"""What differs between two graphs, part by part, for people to read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from archstudio.files.strict_json import canonical_json
from archstudio.graph import Connection, Graph, Node


@dataclass(frozen=True)
class Difference:
    """One part that was added, removed or changed. `before` and `after` are None where there is nothing."""

    kind: Literal["added", "removed", "changed"]
    part: Literal["layer", "wire", "inputs", "graph"]
    name: str
    """The layer's name, or the wire as `source → target`."""
    key: str = ""
    """What of it changed: `type`, `name`, a parameter or a setting."""
    before: Any = None
    after: Any = None
    at: str = field(default="", compare=False)
    """Id of the layer or wire; empty for the graph itself."""

    def __str__(self) -> str:
        if self.kind != "changed":
            described = self.after if self.kind == "added" else self.before
            kind = f" ({described})" if isinstance(described, str) else ""
            return f"{self.kind} {self.part} {self.name}{kind}"
        arrow = " → " if self.part != "wire" else " became "
        return f"{self.name}: {self.key} {_value(self.before)}{arrow}{_value(self.after)}"


def _value(value: Any) -> str:
    return "–" if value is None else value if isinstance(value, str) else canonical_json(value)


def changes(a: Graph, b: Graph) -> list[Difference]:
    """What a person would say changed from `a` to `b`: layers, parameters, wires, the order of inputs, settings.

    Parts are matched by id; places on the canvas and the order of files do not count.
    """
    return [*_layers(a, b), *_wires(a, b), *_inputs(a, b), *_graph(a, b)]


def _layers(a: Graph, b: Graph) -> Iterator[Difference]:
    for node in a.nodes:
        if node.id not in b:
            yield Difference("removed", "layer", node.name, before=node.type, at=node.id)
    for node in b.nodes:
        if node.id in a:
            yield from _layer(a.node(node.id), node)
        else:
            yield Difference("added", "layer", node.name, after=node.type, at=node.id)


def _layer(before: Node, after: Node) -> Iterator[Difference]:
    for key in ("name", "type"):
        if getattr(before, key) != getattr(after, key):
            old, new = getattr(before, key), getattr(after, key)
            yield Difference("changed", "layer", after.name, key, old, new, after.id)
    yield from _values(after.name, before.params, after.params, "layer", after.id)
    if before.bypassed != after.bypassed:
        yield Difference("changed", "layer", after.name, "bypass", before.bypassed, after.bypassed, after.id)


def _values(
    name: str, before: Mapping[str, Any], after: Mapping[str, Any], part: Literal["layer", "graph"], at: str = ""
) -> Iterator[Difference]:
    for key in dict.fromkeys([*before, *after]):
        old, new = before.get(key), after.get(key)
        if (key in before) != (key in after) or canonical_json(old) != canonical_json(new):
            yield Difference("changed", part, name, key, old, new, at)


def _wires(a: Graph, b: Graph) -> Iterator[Difference]:
    for wire in a.connections:
        if not b.has_connection(wire.id):
            yield Difference("removed", "wire", _ends(a, wire), at=wire.id)
    for wire in b.connections:
        if not a.has_connection(wire.id):
            yield Difference("added", "wire", _ends(b, wire), at=wire.id)
        elif _joins(wire) != _joins(before := a.connection(wire.id)):
            yield Difference("changed", "wire", "wire", "moved", _ends(a, before), _ends(b, wire), wire.id)


def _joins(wire: Connection) -> tuple[str, str, str | None, str | None]:
    return wire.source, wire.target, wire.source_port, wire.target_port


def _ends(graph: Graph, wire: Connection) -> str:
    source = graph.node(wire.source).name + (f".{wire.source_port}" if wire.source_port else "")
    target = graph.node(wire.target).name + (f".{wire.target_port}" if wire.target_port else "")
    return f"{source} → {target}"


def _inputs(a: Graph, b: Graph) -> Iterator[Difference]:
    """Nodes whose wires are the same but come in another order."""
    for node in b.nodes:
        before = [c.id for c in a.incoming(node.id)] if node.id in a else []
        after = [c.id for c in b.incoming(node.id)]
        if before != after and sorted(before) == sorted(after):
            old, new = (", ".join(g.node(c.source).name for c in g.incoming(node.id)) for g in (a, b))
            yield Difference("changed", "inputs", node.name, "order of inputs", old, new, node.id)


def _graph(a: Graph, b: Graph) -> Iterator[Difference]:
    if a.name != b.name:
        yield Difference("changed", "graph", "graph", "name", a.name, b.name)
    yield from _values("graph", a.meta, b.meta, "graph")
