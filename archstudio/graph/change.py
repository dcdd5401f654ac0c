"""What a graph tells those who watch it: which part changed, after it changed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class ChangeKind(Enum):
    """What happened to the part named by a `Change`."""

    NODE_ADDED = "node-added"
    NODE_REMOVED = "node-removed"
    NODE_CHANGED = "node-changed"
    CONNECTION_ADDED = "connection-added"
    CONNECTION_REMOVED = "connection-removed"
    CONNECTION_CHANGED = "connection-changed"
    MOVED = "moved"
    FRAMES = "frames"
    NOTES = "notes"
    META = "meta"


@dataclass(frozen=True, slots=True)
class Change:
    """One part of the graph, by id, and what happened to it.

    For a changed or removed connection `nodes` lists every node whose inputs are affected (old and new target).
    """

    kind: ChangeKind
    id: str
    nodes: tuple[str, ...] = ()
