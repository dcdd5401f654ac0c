"""The canvas as the window knows it: everything that commands may ask of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from archstudio.app.adding import added_before, added_by_selection, added_from, centred
from archstudio.app.arrange import layout_edit
from archstudio.app.connecting import input_name
from archstudio.app.marking import chosen_frame
from archstudio.app.node_box import NODE_HEIGHT, NODE_WIDTH, input_places
from archstudio.app.recent_layers import RecentLayers
from archstudio.design.suggest import suggest
from archstudio.edits import Edit, EditRefused
from archstudio.graph import Point
from archstudio.layers import entry
from archstudio.ui.canvas.connecting import output_name
from archstudio.ui.canvas.heat_view import HeatView
from archstudio.ui.canvas.hits import Port
from archstudio.ui.canvas.in_place import InPlace
from archstudio.ui.canvas.input import CanvasInput
from archstudio.ui.canvas.long_layout import LongLayout
from archstudio.ui.canvas.search_popup import Offer, SearchPopup
from archstudio.ui.canvas.walk import Direction, step
from archstudio.ui.theme import Theme

if TYPE_CHECKING:
    from archstudio.app.document import Document

_ADD_OFFSET = 24.0
"""Where something is added without a pointer: this far from the corner of what is in view."""


class CanvasView(CanvasInput):
    """One document's canvas. Commands edit the document; the canvas walks, and searches for layers to add."""

    def __init__(
        self, document: Document, theme: Theme, parent: QWidget | None = None, recent: RecentLayers | None = None
    ) -> None:
        super().__init__(document, theme, parent)
        self.popup: SearchPopup | None = None
        self.words = InPlace(self)
        self.heat = HeatView(self, self.graph_scene, theme)
        self.long_layout = LongLayout(self, self._laid_out, self.refused.emit)
        self._laying_out_all = True
        self._recent = RecentLayers() if recent is None else recent
        self._walker: str | None = None
        self.is_ready = True
        self.ready.emit()

    def dispose(self) -> None:
        """Stop following the document; the view is not used after this."""
        if not self._ended:
            self.words.leave()
            self.long_layout.cancel()
            self.heat.stop()
        super().dispose()

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        super().set_theme(theme)
        self.heat.set_theme(theme)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Scroll, with the open field."""
        super().scrollContentsBy(dx, dy)
        self.words.place()
        self.heat.view_moved()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the graph and what stands over it their new room."""
        super().resizeEvent(event)
        if self.is_ready:
            self.heat.view_moved()

    # ----------------------------------------------------------- words in place

    def begin_rename(self) -> None:
        """Type over what is selected: a layer's name, else a frame's title, else a comment's text."""
        selection = self.document.selection
        if selection.single is not None:
            self.words.rename_node(selection.single)
        elif selection.nodes:
            self.begin_titling()
        elif len(selection.notes) == 1:
            self.write_note(next(iter(selection.notes)))

    def begin_titling(self) -> None:
        """Type another title for the frame around what is selected."""
        frame = chosen_frame(self.document.graph, self.document.selection)
        if frame is not None:
            self.words.title_frame(frame)

    def write_note(self, note_id: str) -> None:
        """Let a comment's text be typed in place."""
        self.words.write_note(self.document.graph.notes[note_id])

    def place_to_add(self) -> Point:
        """Where something new goes: at the pointer, else near the corner of what is in view."""
        at = self.pointer()
        corner = self.camera.seen().topLeft()
        x, y = at or (corner.x() + _ADD_OFFSET / self.camera.zoom, corner.y() + _ADD_OFFSET / self.camera.zoom)
        return (float(round(x)), float(round(y)))

    # --------------------------------------------------------------- long layouts

    def lay_out_apart(self, chosen: frozenset[str] | None) -> None:
        """Lay out these nodes, or all, in another process; the step is made when it has answered."""
        self._laying_out_all = chosen is None
        self.long_layout.begin(self.document.graph, chosen, self.graph_scene.width_hint)

    def cancel_long_work(self) -> bool:
        """Give up a layout that is being computed."""
        running = self.long_layout.is_running
        self.long_layout.cancel()
        return running

    def _laid_out(self, found: Mapping[str, Point]) -> None:
        edit = layout_edit(self.document.graph, found)
        label = "Lay out" if self._laying_out_all else "Lay out selection"
        if edit is not None and self.push(edit, label) and self._laying_out_all:
            self.fit()

    # ------------------------------------------------------------------ walking

    def walk(self, direction: Direction, *, adding: bool = False) -> None:
        """Select the neighbour in a direction, or (`adding`) it as well, and bring it into view."""
        graph = self.document.graph
        chosen = [n for n in graph.node_ids if n in self.document.selection.nodes]
        self.graph_scene.settle()
        positions = {n: (item.x(), item.y()) for n, item in self.graph_scene.nodes.items()}
        going_back = direction in ("left", "up")
        here = (chosen[0] if going_back else chosen[-1]) if chosen else None
        here = self._walker if self._walker in chosen else here
        there = step(graph, positions, here, direction)
        self._walker = there
        if there is not None:
            folded = self.graph_scene.decorations.folded.get(there)
            reached = [there] if folded is None else list(folded.frame.nodes)
            self.document.selection.set([*chosen, *reached] if adding else reached)
            self.reveal(there)

    def set_path(self, on: bool) -> None:
        """Emphasise the wires on a path through the selected layer, or not."""
        self.graph_scene.path.is_on = on
        self.graph_scene.path.update()

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
        popup = SearchPopup(
            self,
            self.ink.theme,
            recent=self._recent.types,
            offers=self._offers(port),
            templates=self.document.visibility.own_layers,
        )
        popup.chosen.connect(lambda kind: self._add(kind, place, port))
        popup.closed.connect(self._search_closed)
        self.popup = popup
        popup.open_at(self.mapFromScene(*place) + QPoint(0, 6))

    def search_from(self, *, output: bool) -> None:
        """Search for what fits behind the selected layer, or before it."""
        node = self.document.selection.single
        self.graph_scene.settle()
        item = None if node is None else self.graph_scene.nodes.get(node)
        if node is None or item is None or not (item.face.outputs if output else item.face.inputs):
            self.refused.emit(self.tr("This layer has no output.") if output else self.tr("This layer has no input."))
            return
        self.reveal(node)
        taken = set(input_places(self.document.graph, node).values())
        index = 0 if output else next((k for k in range(len(item.face.inputs)) if k not in taken), 0)
        at = item.port_position(index, output=output) + QPointF(40.0 if output else -40.0, 0.0)
        self.begin_search((at.x(), at.y()), Port(node, index, output))

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
            edit, _ = self._addition(type_name, at, port)
        except EditRefused as refusal:
            self.refused.emit(str(refusal))
            return
        if self.push_added(edit, f"Add {type_name}"):
            self.remember(type_name)

    def remember(self, type_name: str) -> None:
        """Offer this type first from now on."""
        self._recent.add(type_name)

    def _addition(self, type_name: str, at: Point, port: Port | None) -> tuple[Edit, str]:
        document, scene = self.document, self.graph_scene
        if port is None:
            return added_by_selection(document, type_name, centred(at))
        x, y = float(round(at[0])), float(round(at[1] - NODE_HEIGHT / 2))
        if port.output:
            return added_from(document, type_name, port.node, output_name(scene, port), (x, y))
        return added_before(
            document, type_name, port.node, input_name(document.graph, port.node, port.index), (x - NODE_WIDTH, y)
        )
