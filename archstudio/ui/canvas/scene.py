"""The graph as items: rebuilt from the model, kept in step with it, and never a truth of its own."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import copysign, isfinite, isinf
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtWidgets import QGraphicsScene

from archstudio.app.collecting import collection_put_off
from archstudio.app.heat import Heat
from archstudio.app.layout import USUAL_WIDTH
from archstudio.app.node_box import NODE_HEIGHT, NODE_WIDTH, input_places, output_port_of
from archstudio.app.placing import missing_positions
from archstudio.graph import Change, Point
from archstudio.ui.canvas.decorations import Decorations
from archstudio.ui.canvas.ink import Ink
from archstudio.ui.canvas.node_item import NodeItem
from archstudio.ui.canvas.path_light import PathLight
from archstudio.ui.canvas.pending import Pending
from archstudio.ui.canvas.upkeep import SLICE_MS, Upkeep
from archstudio.ui.canvas.warmth import Warmths
from archstudio.ui.canvas.wire_item import WireItem

if TYPE_CHECKING:
    from archstudio.app.document import Document

MOST_INDEXED = 40_000
"""Up to so many wires are kept in a tree of places; a wire stands in every leaf it crosses, and 100,000 of them took
5 GiB."""
EXTENT = 60_000.0
"""Half the side of the scene, in canvas units. It is fixed: a growing scene would shift the view and the index."""

_BY_BOUNDS = Qt.ItemSelectionMode.IntersectsItemBoundingRect
_BETWEEN_SLICES_MS = 8
"""Room for other events between two slices of what waits to be drawn."""


class CanvasScene(QGraphicsScene):
    """Items by the id of what they show. `drawn` is emitted after the items were brought in step with the model.

    `on_paper` says that all of it is drawn, once, and nothing is looked for.
    """

    drawn = Signal()
    looks_changed = Signal(object)
    """What is seen from afar changed: a set of node ids, or None for everything."""
    mended = Signal(str)
    """Something could not be drawn and everything was drawn anew; the text says what went wrong."""

    def __init__(self, document: Document, ink: Ink, parent: QObject | None = None, *, on_paper: bool = False) -> None:
        super().__init__(parent)
        self.document = document
        self.ink = ink
        self.nodes: dict[str, NodeItem] = {}
        self.wires: dict[str, WireItem] = {}
        self.width_hint = USUAL_WIDTH
        self.fresh: set[str] = set()
        """Ids of the nodes that were new when `drawn` was last emitted."""
        self.looking: Callable[[], QRectF] = QRectF
        """What is in view near enough for words, in scene coordinates; null for nothing."""
        self.jumped: dict[str, QPointF] = {}
        """Where nodes were that stand elsewhere since `drawn` was last emitted."""
        self._pending = Pending.everything(document.graph)
        self._places: dict[str, dict[str, int]] = {}
        """At which inputs a node's wires arrive, looked up once while many are drawn."""
        self._chosen: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
        self.decorations = Decorations(self)
        self.path = PathLight(self)
        self._upkeep = Upkeep(self)
        many = on_paper or len(document.graph.connection_ids) > MOST_INDEXED
        self._indexed = not many
        index = QGraphicsScene.ItemIndexMethod
        self.setItemIndexMethod(index.NoIndex if many else index.BspTreeIndex)
        self.setSceneRect(-EXTENT, -EXTENT, 2 * EXTENT, 2 * EXTENT)
        self._due = _soon(self, self._follow)
        self._rest = _soon(self, self._catch_up_a_little, _BETWEEN_SLICES_MS)
        self._endings = [
            document.graph.watch(self._changed),
            document.watch(self._due.start),
            document.selection.watch(self._show_selection),
        ]
        if on_paper:
            self._draw(None)
        else:
            self._follow()

    def dispose(self) -> None:
        """Stop following the document."""
        self._due.stop()
        self._rest.stop()
        for end in self._endings:
            end()
        self._endings.clear()

    # ---------------------------------------------------------- following the model

    def _changed(self, change: Change) -> None:
        self._pending.note(change, self.document.graph)
        self._due.start()

    def sync(self) -> None:
        """Bring all items in step with the model now; otherwise that happens once a turn of the event loop."""
        self._draw(None)

    def settle(self) -> None:
        """Do now what is waiting to be drawn, if anything is."""
        if self._due.isActive():
            self._follow()

    def _follow(self) -> None:
        """Bring in step what somebody sees, and the rest in slices between other events."""
        self._draw(self.looking())
        if self._upkeep.is_late:
            self._rest.start()

    def _draw(self, near: QRectF | None) -> None:
        pending = self._pending
        try:
            self._place_the_unplaced()
            self._due.stop()  # placing is a change too, and noted with the others
            self._pending = Pending()
            with collection_put_off(len(pending.nodes) + len(pending.wires)):
                self._bring(pending, near)
        except Exception as fault:
            self._draw_anew(fault)
        self._show_selection()
        if pending.wires:
            self.path.update()
        self._tell_looks()
        self.drawn.emit()
        self.fresh, self.jumped = set(), {}

    def _bring(self, pending: Pending, near: QRectF | None) -> None:
        self._places.clear()
        self._upkeep.bring(pending, near)
        if self.decorations.folded:
            self.decorations.sync()  # again, for the shapes that its wires now carry

    def _draw_anew(self, fault: Exception) -> None:
        """After a fault half of the items may be old: make all of them again, from the model, and say so."""
        logging.getLogger(__name__).error("the canvas was drawn anew", exc_info=fault)
        for item in (*self.nodes.values(), *self.wires.values()):
            self.removeItem(item)
        self.nodes.clear()
        self.wires.clear()
        self.decorations.clear()
        self._chosen = (frozenset(), frozenset())
        self._upkeep = Upkeep(self)
        self._place_the_unplaced()
        self._due.stop()
        self._pending = Pending()
        self._bring(Pending.everything(self.document.graph), None)
        self.looks_changed.emit(None)
        self.mended.emit(f"{type(fault).__name__}: {fault}")

    def _catch_up_a_little(self) -> None:
        if self._due.isActive():
            return  # the next change brings it along
        self._upkeep.catch_up(budget_ms=SLICE_MS)
        self._tell_looks()
        if self._upkeep.is_late:
            self._rest.start()

    def look(self) -> None:
        """Let what has come into view say what is true now."""
        if self._upkeep.is_late and not (near := self.looking()).isNull():
            self._upkeep.catch_up(near)

    def up_to_date(self, node_id: str) -> NodeItem:
        """A node's item, saying what is true now; KeyError for an unknown one."""
        self.settle()
        self._upkeep.refresh(node_id)
        return self.nodes[node_id]

    def _tell_looks(self) -> None:
        if self._upkeep.looks:
            looks, self._upkeep.looks = self._upkeep.looks, set()
            self.looks_changed.emit(looks)

    def _place_the_unplaced(self) -> None:
        """Give nodes without a position one. That is no edit: it changes nothing a person did."""
        graph = self.document.graph
        found = missing_positions(graph, width=self.width_hint)
        if found:
            graph.set_positions({n: _within(p) for n, p in found.items()})

    def put(self, node_id: str, at: Point | None) -> None:
        """Show a node where the model has it."""
        if at is None:
            return
        item, there = self.nodes[node_id], QPointF(*_within(at))
        if item.pos() != there:
            if node_id not in self.fresh:
                self.jumped[node_id] = item.pos()
            item.setPos(there)

    def run_wire(self, wire: WireItem) -> None:
        """Let a wire run between the ports where its nodes are shown."""
        graph = self.document.graph
        connection = graph.connection(wire.connection_id)
        source, target = self.nodes[connection.source], self.nodes[connection.target]
        folded = self.decorations.folded
        before, after = folded.get(connection.source), folded.get(connection.target)
        wire.setVisible(before is None or before is not after)
        output = output_port_of(connection, source.face.outputs)
        places = self._places.get(connection.target)
        if places is None:
            places = self._places[connection.target] = input_places(graph, connection.target)
        place = places[connection.id]
        if before is None:
            start = source.port_position(output, output=True)
        else:
            start = before.port_position((connection.source, output), output=True)
        if after is None:
            wire.run(start, target.port_position(place, output=False), target.y() + target.height)
        else:
            wire.run(start, after.port_position((connection.target, place), output=False), after.box.bottom())

    def port_position(self, node_id: str, index: int, *, output: bool) -> QPointF:
        """Middle of a port where it is shown: on the node, or on the collapsed frame that stands for it."""
        frame = self.decorations.folded.get(node_id)
        if frame is not None:
            return frame.port_position((node_id, index), output=output)
        return self.nodes[node_id].port_position(index, output=output)

    def light(self, node_id: str, port: tuple[int, bool] | None, *, fits: bool = True) -> None:
        """Show a port (index, and whether it is an output) as the one a wire would go to; None shows none."""
        frame, node = self.decorations.folded.get(node_id), self.nodes.get(node_id)
        if frame is not None:
            inner = None if port is None else (node_id, port[0])
            frame.light(inner, output=port is not None and port[1], fits=fits)
        elif node is not None:
            node.light(port, fits=fits)

    # -------------------------------------------------------------- showing

    def _show_selection(self) -> None:
        selection = self.document.selection
        before, now = self._chosen, (selection.nodes, selection.connections)
        for n in before[0] ^ now[0]:
            if (node := self.nodes.get(n)) is not None:
                node.chosen = n in now[0]
                node.update()
        for w in before[1] ^ now[1]:
            if (wire := self.wires.get(w)) is not None:
                wire.chosen = w in now[1]
                wire.restyle()
        self._chosen = now
        if before[0] != now[0]:
            self.path.update()
            self.decorations.choose_frames(selection.nodes)
        self.decorations.choose_notes(selection.notes)

    def restyle(self) -> None:
        """Draw everything in the ink's present colours."""
        for node in self.nodes.values():
            node.restyle()
        for wire in self.wires.values():
            wire.restyle()
        self.decorations.restyle()
        self.looks_changed.emit(None)
        self.update()

    def show_heat(self, heat: Heat | None) -> None:
        """Colour the nodes by how much of something they have; None by their family again."""
        warmths = None if heat is None else Warmths(self.ink.theme)
        for node in self.nodes.values():
            node.show_warmth(None if heat is None or warmths is None else warmths.of(heat, node.node_id))
        self.looks_changed.emit(None)

    def preview_positions(self, positions: Mapping[str, QPointF]) -> None:
        """Show nodes elsewhere without moving them in the model; only their wires are drawn anew."""
        self._places.clear()
        for n, at in positions.items():
            self.nodes[n].setPos(at)
        if self.decorations.frames:
            self.decorations.sync()
        for wire in self.wires_of(positions):
            self.run_wire(wire)
        self.looks_changed.emit(set(positions))

    def forget_preview(self, nodes: Iterable[str]) -> None:
        """Show nodes where the model has them."""
        layout = self.document.graph.layout
        self.preview_positions({n: QPointF(*_within(layout[n])) for n in nodes if n in self.nodes and n in layout})

    def wires_of(self, nodes: Iterable[str]) -> Iterator[WireItem]:
        """The wires at either end of these nodes, each once; of nodes that are gone and still drawn there are none."""
        graph, given = self.document.graph, set()
        for n in nodes:
            if n not in graph:
                continue
            for c in (*graph.incoming(n), *graph.outgoing(n)):
                if c.id not in given and c.id in self.wires:
                    given.add(c.id)
                    yield self.wires[c.id]

    def nodes_near(self, area: QRectF) -> list[NodeItem]:
        """The nodes that are shown within a rectangle or stick out into it, the topmost first."""
        if self._indexed:
            return [item for item in self.items(area, _BY_BOUNDS) if isinstance(item, NodeItem)]
        found = [n for n in self.nodes.values() if n.boundingRect().translated(n.pos()).intersects(area)]
        return [n for n in reversed(found) if n.isVisible()]

    def wires_near(self, area: QRectF) -> list[WireItem]:
        """The wires that are shown and may touch a rectangle, the topmost first.

        Without an index Qt would ask each item three questions; of 100,000 that takes a third of a second.
        """
        if self._indexed:
            return [item for item in self.items(area, _BY_BOUNDS) if isinstance(item, WireItem)]
        found = [w for w in self.wires.values() if w.room.intersects(area)]
        return [w for w in reversed(found) if w.isVisible()]

    def bounds(self, nodes: Iterable[str] | None = None) -> QRectF:
        """The rectangle around these nodes (default: all); null if there are none."""
        items = list(self.nodes.values()) if nodes is None else [self.nodes[n] for n in nodes if n in self.nodes]
        rect = _around(items)
        for note in self.decorations.notes.values() if nodes is None else ():
            rect = rect.united(note.box)
        return rect

    def bounds_with_wires(self) -> QRectF:
        """The rectangle around everything, with the bends of wires that go back to another line."""
        rect = self.bounds()
        for item in self.wires.values():
            if not rect.contains(item.reach):
                rect = rect.united(item.path.boundingRect())
        return rect


def _around(items: list[NodeItem]) -> QRectF:
    if not items:
        return QRectF()
    lefts, tops = [item.x() for item in items], [item.y() for item in items]
    bottoms = [top + item.height for top, item in zip(tops, items, strict=True)]
    left, top = min(lefts), min(tops)
    return QRectF(left, top, max(lefts) + NODE_WIDTH - left, max(bottoms) - top)


def _within(at: Point) -> Point:
    """A position a canvas can show: files may hold any number, and a graph made by a program even none."""
    limit = EXTENT - NODE_HEIGHT * 8
    if -limit <= at[0] <= limit and -limit <= at[1] <= limit:
        return at
    x, y = (value if isfinite(value) else copysign(limit, value) if isinf(value) else 0.0 for value in at)
    return (min(max(x, -limit), limit), min(max(y, -limit), limit))


def _soon(scene: CanvasScene, act: Callable[[], None], after_ms: int = 0) -> QTimer:
    """A timer that acts once, when the event loop turns next or a little later."""
    timer = QTimer(scene)
    timer.setSingleShot(True)
    timer.setInterval(after_ms)
    timer.timeout.connect(act)
    return timer
