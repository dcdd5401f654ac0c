"""The graph as items: rebuilt from the model, kept in step with it, and never a truth of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, QRectF, QTimer, Signal
from PySide6.QtWidgets import QGraphicsScene

from archstudio.app.layout import USUAL_WIDTH
from archstudio.app.node_box import NODE_HEIGHT, input_port_of, output_port_of
from archstudio.app.placing import missing_positions
from archstudio.graph import Change, Connection, Node, Point
from archstudio.layers import Severity
from archstudio.ui.canvas.decorations import Decorations
from archstudio.ui.canvas.faces import node_face, wire_face
from archstudio.ui.canvas.ink import Ink
from archstudio.ui.canvas.node_item import NodeItem
from archstudio.ui.canvas.pending import Pending
from archstudio.ui.canvas.wire_item import WireItem

if TYPE_CHECKING:
    from archstudio.app.document import Document
    from archstudio.verify.verdict import NodeVerdict

EXTENT = 60_000.0
"""Half the side of the scene, in canvas units. It is fixed: a growing scene would shift the view and the index."""


class CanvasScene(QGraphicsScene):
    """Items by the id of what they show. `drawn` is emitted after the items were brought in step with the model."""

    drawn = Signal()

    def __init__(self, document: Document, ink: Ink, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.ink = ink
        self.nodes: dict[str, NodeItem] = {}
        self.wires: dict[str, WireItem] = {}
        self.width_hint = USUAL_WIDTH
        self.fresh: set[str] = set()
        """Ids of the nodes that were new when `drawn` was last emitted."""
        self.revision = 0
        """Counts changes of what an overview shows."""
        self._seen: dict[str, tuple[Node, NodeVerdict | None]] = {}
        self._seen_wires: dict[str, tuple[Connection, NodeVerdict | None, NodeVerdict | None]] = {}
        self._mistakes: frozenset[str] = frozenset()
        self._pending = Pending.everything(document.graph)
        self._chosen: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
        self.decorations = Decorations(self)
        self.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.BspTreeIndex)
        self._extent = EXTENT
        self.setSceneRect(-EXTENT, -EXTENT, 2 * EXTENT, 2 * EXTENT)
        self._due = QTimer(self)
        self._due.setSingleShot(True)
        self._due.setInterval(0)
        self._due.timeout.connect(self.sync)
        self._endings = [
            document.graph.watch(self._changed),
            document.watch(self._due.start),
            document.selection.watch(self._show_selection),
        ]
        self.sync()

    def dispose(self) -> None:
        """Stop following the document."""
        self._due.stop()
        for end in self._endings:
            end()
        self._endings.clear()

    # ---------------------------------------------------------- following the model

    def _changed(self, change: Change) -> None:
        self._pending.note(change, self.document.graph)
        self._due.start()

    def sync(self) -> None:
        """Bring the items in step with the model now; otherwise that happens once a turn of the event loop."""
        self._due.stop()
        self._place_the_unplaced()
        pending, self._pending = self._pending, Pending()
        verdicts = self._verdicts()
        self._sync_nodes(pending, verdicts)
        if pending.decorations or pending.nodes:
            pending.moved |= self.decorations.sync()
        self._sync_wires(pending, verdicts)
        if self.decorations.folded:
            self.decorations.sync()  # again, for the shapes that its wires now carry
        self._show_selection()
        if pending.moved or pending.wires:
            self.revision += 1
        self.drawn.emit()
        self.fresh = set()

    def settle(self) -> None:
        """Do now what is waiting to be drawn, if anything is."""
        if self._due.isActive():
            self.sync()

    def _find_mistakes(self) -> frozenset[str]:
        """Ids of the nodes that run and do the wrong thing."""
        document = self.document
        if not document.visibility.exact_verdict:
            return frozenset()
        return frozenset(p.node for p in document.verdict.remarks if p.severity is Severity.MISTAKE)

    def _verdicts(self) -> Mapping[str, NodeVerdict] | None:
        visible = self.document.visibility
        if not (visible.exact_verdict or visible.shapes or visible.counts):
            return None
        return self.document.verdict.nodes

    def _place_the_unplaced(self) -> None:
        """Give nodes without a position one. That is no edit: it changes nothing a person did."""
        graph = self.document.graph
        found = missing_positions(graph, width=self.width_hint)
        if found:
            graph.set_positions({n: _within(p) for n, p in found.items()})

    def _sync_nodes(self, pending: Pending, verdicts: Mapping[str, NodeVerdict] | None) -> None:
        graph = self.document.graph
        for gone in [n for n in pending.nodes if n not in graph and n in self.nodes]:
            self.removeItem(self.nodes.pop(gone))
            pending.moved.add(gone)
            self._seen.pop(gone, None)
        visible = self.document.visibility
        mistakes = self._find_mistakes()
        pending.nodes |= mistakes ^ self._mistakes
        self._mistakes = mistakes
        for node in graph.nodes:
            verdict = None if verdicts is None else verdicts.get(node.id)
            item = self.nodes.get(node.id)
            if item is not None and node.id not in pending.nodes:
                seen = self._seen[node.id]
                stale_name = pending.renamed and item.face.waiting
                if seen[0] is node and seen[1] is verdict and not stale_name:
                    if node.id in pending.moved:
                        self._put(item, graph.layout.get(node.id))
                    continue
            self._seen[node.id] = (node, verdict)
            face = node_face(graph, node, verdict, visible, mistaken=node.id in mistakes)
            if item is None:
                item = self.nodes[node.id] = NodeItem(node.id, face, self.ink)
                self.addItem(item)
                self.fresh.add(node.id)
                self._put(item, graph.layout.get(node.id))
                pending.moved.add(node.id)
                continue
            if item.face != face:
                item.show_face(face)
                pending.moved.add(node.id)
            self._put(item, graph.layout.get(node.id))

    def _put(self, item: NodeItem, at: Point | None) -> None:
        if at is not None:
            item.setPos(*_within(at))

    def _sync_wires(self, pending: Pending, verdicts: Mapping[str, NodeVerdict] | None) -> None:
        graph = self.document.graph
        for gone in [w for w in pending.wires if not graph.has_connection(w) and w in self.wires]:
            self.removeItem(self.wires.pop(gone))
            self._seen_wires.pop(gone, None)
        touched = pending.moved | pending.nodes
        known: Mapping[str, NodeVerdict] = {} if verdicts is None else verdicts
        for connection in graph.connections:
            sight = (connection, known.get(connection.source), known.get(connection.target))
            seen = self._seen_wires.get(connection.id)
            if seen is None or any(a is not b for a, b in zip(sight, seen, strict=True)):
                self._seen_wires[connection.id] = sight
                self._show_wire(connection, verdicts)
            elif connection.source in touched or connection.target in touched:
                self._show_wire(connection, verdicts)

    def _show_wire(self, connection: Connection, verdicts: Mapping[str, NodeVerdict] | None) -> None:
        face = wire_face(self.document.graph, connection, verdicts, self.document.visibility)
        wire = self.wires.get(connection.id)
        if wire is None:
            wire = self.wires[connection.id] = WireItem(connection.id, face, self.ink)
            self.addItem(wire)
        elif wire.face != face:
            wire.show_face(face)
        self._run(wire)

    def _run(self, wire: WireItem) -> None:
        graph = self.document.graph
        connection = graph.connection(wire.connection_id)
        source, target = self.nodes[connection.source], self.nodes[connection.target]
        folded = self.decorations.folded
        before, after = folded.get(connection.source), folded.get(connection.target)
        wire.setVisible(before is None or before is not after)
        start = source.port_position(output_port_of(connection, source.face.outputs), output=True)
        end = target.port_position(input_port_of(graph, connection), output=False)
        start = start if before is None else before.port(output=True)
        end = end if after is None else after.port(output=False)
        wire.run(start, end, target.y() + target.height)

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

    def restyle(self) -> None:
        """Draw everything in the ink's present colours."""
        for node in self.nodes.values():
            node.restyle()
        for wire in self.wires.values():
            wire.restyle()
        self.decorations.restyle()
        self.revision += 1
        self.update()

    def preview_positions(self, positions: Mapping[str, QPointF]) -> None:
        """Show nodes elsewhere without moving them in the model; only their wires are drawn anew."""
        for n, at in positions.items():
            self.nodes[n].setPos(at)
        if self.decorations.frames:
            self.decorations.sync()
        for wire in self.wires_of(positions):
            self._run(wire)
        self.revision += 1

    def forget_preview(self, nodes: Iterable[str]) -> None:
        """Show nodes where the model has them."""
        layout = self.document.graph.layout
        self.preview_positions({n: QPointF(*_within(layout[n])) for n in nodes if n in self.nodes and n in layout})

    def wires_of(self, nodes: Iterable[str]) -> Iterator[WireItem]:
        """The wires at either end of these nodes, each once."""
        graph, given = self.document.graph, set()
        for n in nodes:
            for c in (*graph.incoming(n), *graph.outgoing(n)):
                if c.id not in given and c.id in self.wires:
                    given.add(c.id)
                    yield self.wires[c.id]

    def bounds(self, nodes: Iterable[str] | None = None) -> QRectF:
        """The rectangle around these nodes (default: all); null if there are none."""
        rect = QRectF()
        for n in self.nodes if nodes is None else nodes:
            if n in self.nodes:
                rect = rect.united(self.nodes[n].body())
        return rect

    def bounds_with_wires(self) -> QRectF:
        """The rectangle around everything, with the bends of wires that go back to another line."""
        rect = self.bounds()
        for item in self.wires.values():
            rect = rect.united(item.path.boundingRect())
        return rect


def _within(at: Point) -> Point:
    """A position a canvas can show: files may hold any number."""
    limit = EXTENT - NODE_HEIGHT * 8
    return (min(max(at[0], -limit), limit), min(max(at[1], -limit), limit))
