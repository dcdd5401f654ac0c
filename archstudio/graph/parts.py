"""The immutable parts a graph is made of; changing one means putting another in its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

Point: TypeAlias = tuple[float, float]
"""Canvas position of a node's top-left corner, in canvas units (px at 100 %)."""

Params: TypeAlias = Mapping[str, Any]
"""JSON values by Arch-Bench's camelCase name. Never changed in place."""


@dataclass(frozen=True, slots=True)
class Node:
    """One layer of the network.

    `meta` holds what is ours and what graders ignore: `inferred` (keys of `params` that follow the wire),
    `bypass`, `colour`, `locked`. `extra` keeps unknown keys of the file so that saving loses nothing.
    """

    id: str
    type: str
    name: str
    params: Params = field(default_factory=dict)
    meta: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def inferred(self) -> tuple[str, ...]:
        """Keys of `params` that nobody typed: they follow the wire (decision: sizes are written and listed)."""
        return tuple(self.meta.get("inferred", ()))

    @property
    def bypassed(self) -> bool:
        """Whether the node passes its input through unchanged."""
        return bool(self.meta.get("bypass", False))

    def with_params(self, /, **changes: Any) -> Node:
        """The same node with some parameters set."""
        return replace(self, params={**self.params, **changes})


@dataclass(frozen=True, slots=True)
class Connection:
    """A wire from one node's output to another's input.

    `source_port` names one output of a layer with several (LSTM, chunk, …); `target_port` names an input for
    display and for layers with named inputs (query, key, value). Otherwise the order of a graph's connections is
    the order of a node's inputs.
    """

    id: str
    source: str
    target: str
    source_port: str | None = None
    target_port: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Frame:
    """A titled, coloured group of nodes; collapsed, it is drawn as one node."""

    id: str
    title: str
    nodes: tuple[str, ...]
    colour: str | None = None
    collapsed: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Note:
    """A comment on the canvas, in plain text."""

    id: str
    text: str
    position: Point
    size: tuple[float, float] = (180.0, 80.0)
    extra: Mapping[str, Any] = field(default_factory=dict)
