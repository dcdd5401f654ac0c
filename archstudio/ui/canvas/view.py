"""The canvas as the window knows it: everything that commands may ask of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from archstudio.app.adding import added_before, added_by_selection, added_from, centred
from archstudio.app.node_box import NODE_HEIGHT, NODE_WIDTH
from archstudio.design.suggest import suggest
from archstudio.edits import Edit, EditRefused
from archstudio.graph import Point
from archstudio.layers import entry
from archstudio.ui.canvas.connecting import input_name, output_name
from archstudio.ui.canvas.hits import Port
from archstudio.ui.canvas.input import CanvasInput
from archstudio.ui.canvas.search_popup import Offer, SearchPopup
from archstudio.ui.canvas.walk import Direction, step
from archstudio.ui.theme import Theme

if TYPE_CHECKING:
    from archstudio.app.document import Document

_RECENT_KEPT = 8


class CanvasView(CanvasInput):
    """One document's canvas. Commands edit the document; the canvas walks, and searches for layers to add."""

    def __init__(self, document: Document, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(document, theme, parent)
        self.popup: SearchPopup | None = None
        self._recent: list[str] = []

    def walk(self, direction: Direction) -> None:
        """Select the neighbour in a direction, and bring it into view."""
        graph = self.document.graph
        chosen = [n for n in graph.node_ids if n in self.document.selection.nodes]
        self.graph_scene.settle()
        positions = {n: (item.x(), item.y()) for n, item in self.graph_scene.nodes.items()}
        going_back = direction in ("left", "up")
        here = (chosen[0] if going_back else chosen[-1]) if chosen else None
        there = step(graph, positions, here, direction)
        if there is not None:
            self.document.selection.set([there])
            self.reveal(there)

    def set_snap(self, on: bool) -> None:
        """Let dragged nodes snap to the grid, or not. Alignment guides hold in either case."""
        self.snap = on

    # -------------------------------------------------------------- searching

    def begin_search(self, at: Point | None = None, port: Port | None = None) -> None:
        """Open the search for a layer to add, at a scene point (default: the pointer, else the middle).

        From a port it lists what fits there, likeliest first, and wires what is chosen.
        """
        if self.popup is not None:
            self.popup.close_popup()
        place = at or self.pointer() or self._middle()
        popup = SearchPopup(self, self.ink.theme, recent=self._recent, offers=self._offers(port))
        popup.chosen.connect(lambda kind: self._add(kind, place, port))
        popup.closed.connect(self._search_closed)
        self.popup = popup
        popup.open_at(self.mapFromScene(*place) + QPoint(0, 6))

    def _search_closed(self) -> None:
        self.popup = None
        self.setFocus()

    def _middle(self) -> Point:
        middle = self.camera.seen().center()
        return (middle.x(), middle.y())

    def _offers(self, port: Port | None) -> list[Offer] | None:
        """What fits at a port, likeliest first, with the shape that would come out; None for everything."""
        document = self.document
        if port is None or not document.visibility.shape_filter:
            return None
        name = output_name(self.graph_scene, port) if port.output else None
        found = suggest(document.graph, document.verdict, port.node, outputs=port.output, port=name)
        return [(entry(s.type), s.why if document.visibility.shapes else "") for s in found]

    def _add(self, type_name: str, at: Point, port: Port | None) -> None:
        try:
            edit, added = self._addition(type_name, at, port)
        except EditRefused as refusal:
            self.refused.emit(str(refusal))
            return
        if self.push(edit, f"Add {type_name}"):
            self._recent = [type_name, *(t for t in self._recent if t != type_name)][:_RECENT_KEPT]
            self.document.selection.set([added])

    def _addition(self, type_name: str, at: Point, port: Port | None) -> tuple[Edit, str]:
        document, scene = self.document, self.graph_scene
        if port is None:
            return added_by_selection(document, type_name, centred(at))
        x, y = float(round(at[0])), float(round(at[1] - NODE_HEIGHT / 2))
        if port.output:
            return added_from(document, type_name, port.node, output_name(scene, port), (x, y))
        return added_before(document, type_name, port.node, input_name(document.graph, port), (x - NODE_WIDTH, y))
