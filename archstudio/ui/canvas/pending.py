"""Collects what changed in a graph until the canvas draws it, so that a hundred changes are drawn once."""

from __future__ import annotations

from dataclasses import dataclass, field

from archstudio.graph import Change, ChangeKind, Graph

_NODE = {ChangeKind.NODE_ADDED, ChangeKind.NODE_REMOVED, ChangeKind.NODE_CHANGED}
_WIRE = {ChangeKind.CONNECTION_ADDED, ChangeKind.CONNECTION_REMOVED, ChangeKind.CONNECTION_CHANGED}


@dataclass
class Pending:
    """Ids of parts to look at again. The graph is asked what they are now: an added part may be gone already."""

    nodes: set[str] = field(default_factory=set)
    wires: set[str] = field(default_factory=set)
    moved: set[str] = field(default_factory=set)
    renamed: bool = False
    decorations: bool = False

    def note(self, change: Change, graph: Graph) -> None:
        """Take in one change."""
        if change.kind in _NODE:
            self.nodes.add(change.id)
            self.renamed = self.renamed or change.kind is ChangeKind.NODE_CHANGED
        elif change.kind in _WIRE:
            self.wires.add(change.id)
            self.nodes.update(change.nodes)
            if graph.has_connection(change.id):
                self.nodes.add(graph.connection(change.id).source)
        elif change.kind is ChangeKind.MOVED:
            self.moved.add(change.id)
            self.decorations = True
        elif change.kind in (ChangeKind.FRAMES, ChangeKind.NOTES):
            self.decorations = True

    @classmethod
    def everything(cls, graph: Graph) -> Pending:
        """As if the whole graph were new."""
        return cls(set(graph.node_ids), set(graph.connection_ids), decorations=True)
