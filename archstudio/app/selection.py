"""What is selected in a document; the canvas, the inspector and the tables share it."""

from __future__ import annotations

from collections.abc import Iterable

from archstudio.app.watched import Watched


class Selection(Watched):
    """Ids of the selected nodes, connections and comments. Watchers are called once after each real change."""

    def __init__(self) -> None:
        super().__init__()
        self._nodes: frozenset[str] = frozenset()
        self._connections: frozenset[str] = frozenset()
        self._notes: frozenset[str] = frozenset()

    @property
    def nodes(self) -> frozenset[str]:
        """Ids of the selected nodes."""
        return self._nodes

    @property
    def connections(self) -> frozenset[str]:
        """Ids of the selected connections."""
        return self._connections

    @property
    def notes(self) -> frozenset[str]:
        """Ids of the selected comments."""
        return self._notes

    @property
    def single(self) -> str | None:
        """The one selected node, or None if none or several are."""
        return next(iter(self._nodes)) if len(self._nodes) == 1 else None

    def __bool__(self) -> bool:
        return bool(self._nodes or self._connections or self._notes)

    def set(self, nodes: Iterable[str] = (), connections: Iterable[str] = (), notes: Iterable[str] = ()) -> None:
        """Select exactly these."""
        chosen = (frozenset(nodes), frozenset(connections), frozenset(notes))
        if chosen != (self._nodes, self._connections, self._notes):
            self._nodes, self._connections, self._notes = chosen
            self.tell()

    def toggle(self, node: str) -> None:
        """Add a node to the selection, or take it away."""
        self.set(self._nodes ^ {node}, self._connections, self._notes)
