"""Emphasises the wires on a way through the one selected layer, where the graph has others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archstudio.app.paths import path_through

if TYPE_CHECKING:
    from archstudio.ui.canvas.scene import CanvasScene


class PathLight:
    """Marks wire items; a line of layers has one path only, and nothing is marked there."""

    def __init__(self, scene: CanvasScene) -> None:
        self._scene = scene
        self._lit: set[str] = set()
        self.is_on = False

    def update(self) -> None:
        """Mark what is on the path now."""
        graph, node = self._scene.document.graph, self._scene.document.selection.single
        found: set[str] = set()
        if self.is_on and node is not None and node in graph:
            found = path_through(graph, [node])[1]
            if len(found) == len(graph.connection_ids):
                found = set()
        for wire_id in found ^ self._lit:
            wire = self._scene.wires.get(wire_id)
            if wire is not None:
                wire.on_path = wire_id in found
                wire.update()
        self._lit = found
