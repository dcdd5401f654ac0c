"""The canvas as the window knows it: everything that commands may ask of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from archstudio.app.layout import auto_layout
from archstudio.app.node_box import NODE_HEIGHT, NODE_WIDTH
from archstudio.design.suggest import suggest
from archstudio.edits import Batch, Edit, EditRefused, Move
from archstudio.edits.clipboard import copy_text, paste_text
from archstudio.edits.compose import delete_nodes, disconnect, reorder_inputs, toggle_bypass
from archstudio.graph import Point
from archstudio.layers import entry
from archstudio.ui.canvas.adding import added_at, added_before, added_from, added_into, centred
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
    """One document's canvas. Every method that changes the graph makes one step of its history, or none."""

    def __init__(self, document: Document, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(document, theme, parent)
        self.popup: SearchPopup | None = None
        self._recent: list[str] = []

    # -------------------------------------------------------------- selecting

    def select_all(self) -> None:
        """Select every node and wire."""
        graph = self.document.graph
        self.document.selection.set(graph.node_ids, graph.connection_ids)

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

    # ---------------------------------------------------------------- editing

    def delete_selection(self, heal: bool = True) -> None:
        """Take out what is selected; with `heal` the wiring closes over each node."""
        graph, selection = self.document.graph, self.document.selection
        nodes = [n for n in graph.node_ids if n in selection.nodes]
        wires = [
            c.id
            for c in graph.connections
            if c.id in selection.connections and c.source not in selection.nodes and c.target not in selection.nodes
        ]
        edits: list[Edit] = [disconnect(wires)] if wires else []
        if nodes:
            edits.append(delete_nodes(graph, nodes, heal=heal))
        if edits:
            after = next((c.source for n in nodes for c in graph.incoming(n) if c.source not in nodes), None)
            if self.push(edits[0] if len(edits) == 1 else Batch(tuple(edits), "Delete"), self._deleted(nodes, wires)):
                self.document.selection.set([] if after is None or not heal else [after])

    def _deleted(self, nodes: list[str], wires: list[str]) -> str:
        if len(nodes) == 1:
            return f"Delete {self.document.graph.node(nodes[0]).name}"
        if nodes:
            return f"Delete {len(nodes)} layers"
        return "Delete wire" if len(wires) == 1 else f"Delete {len(wires)} wires"

    def toggle_bypass(self) -> None:
        """Let the selected nodes pass their input through, or work again."""
        nodes = self.document.selection.nodes
        if nodes:
            on = not all(self.document.graph.node(n).bypassed for n in nodes)
            self.push(toggle_bypass(self.document.graph, nodes), "Bypass" if on else "Stop bypassing")

    def reorder_inputs(self, by: int) -> None:
        """Move the selected wire up (-1) or down (1) among its target's inputs.

        With one node and no wire selected, its inputs go round instead.
        """
        graph, selection = self.document.graph, self.document.selection
        wire = next(iter(selection.connections), None) if len(selection.connections) == 1 else None
        node = selection.single if wire is None else graph.connection(wire).target
        if node is None:
            return
        order = [c.id for c in graph.incoming(node)]
        if len(order) < 2:
            return
        if wire is None:
            order = order[by:] + order[:by]
        else:
            place = order.index(wire)
            other = place + by
            if not 0 <= other < len(order):
                return
            order[place], order[other] = order[other], order[place]
        self.push(reorder_inputs(graph, node, order), f"Reorder inputs of {graph.node(node).name}")

    def auto_layout(self) -> None:
        """Lay out the graph, or the selected nodes if there are several."""
        graph, chosen = self.document.graph, self.document.selection.nodes
        self.graph_scene.settle()
        only = chosen if len(chosen) > 1 else None
        found = auto_layout(graph, only=only, width=self.graph_scene.width_hint)
        moved = {n: p for n, p in found.items() if graph.layout.get(n) != p}
        if moved and self.push(Move(dict(moved)), "Lay out selection" if only else "Lay out") and only is None:
            self.fit()

    def set_snap(self, on: bool) -> None:
        """Let dragged nodes snap to the grid, or not. Alignment guides hold in either case."""
        self.snap = on

    # -------------------------------------------------------------- clipboard

    def copy(self) -> None:
        """Put the selected nodes on the clipboard, as the text of a graph file."""
        if self.document.selection.nodes:
            self.graph_scene.settle()
            QGuiApplication.clipboard().setText(copy_text(self.document.graph, self.document.selection.nodes))

    def cut(self) -> None:
        """Copy the selected nodes and take them out; the wiring heals."""
        if self.document.selection.nodes:
            self.copy()
            self.delete_selection()

    def paste(self, at: Point | None = None) -> None:
        """Paste at a point (default: the pointer); the pasted nodes are selected."""
        self._paste_text(QGuiApplication.clipboard().text(), at or self.pointer(), "Paste")

    def duplicate(self) -> None:
        """Copy the selected nodes a little aside."""
        if self.document.selection.nodes:
            self._paste_text(copy_text(self.document.graph, self.document.selection.nodes), None, "Duplicate")

    def _paste_text(self, text: str, at: Point | None, label: str) -> None:
        try:
            edit, pasted = paste_text(self.document.graph, text, at)
        except EditRefused as refusal:
            self.refused.emit(str(refusal))
            return
        if self.push(edit, label):
            self.document.selection.set(pasted)

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
        edit, added = self._addition(type_name, at, port)
        if self.push(edit, f"Add {type_name}"):
            self._recent = [type_name, *(t for t in self._recent if t != type_name)][:_RECENT_KEPT]
            self.document.selection.set([added])

    def _addition(self, type_name: str, at: Point, port: Port | None) -> tuple[Edit, str]:
        document, scene = self.document, self.graph_scene
        if port is None:
            wires = document.selection.connections
            if len(wires) == 1 and not document.selection.nodes:
                return added_into(document, type_name, next(iter(wires)), centred(at))
            return added_at(document, type_name, centred(at))
        x, y = float(round(at[0])), float(round(at[1] - NODE_HEIGHT / 2))
        if port.output:
            return added_from(document, type_name, port.node, output_name(scene, port), (x, y))
        return added_before(document, type_name, port.node, input_name(document.graph, port), (x - NODE_WIDTH, y))
