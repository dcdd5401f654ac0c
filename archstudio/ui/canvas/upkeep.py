"""Keeps items in step with the model: at once where somebody looks, the rest a little later in slices."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF

from archstudio.app.node_box import NODE_HEIGHT, NODE_WIDTH
from archstudio.graph import Connection, Node, Point
from archstudio.layers import Severity
from archstudio.ui.canvas.faces import badge_of, bare_face, bare_wire, node_face, wire_face
from archstudio.ui.canvas.node_item import NodeItem
from archstudio.ui.canvas.pending import Pending
from archstudio.ui.canvas.wire_item import WireItem
from archstudio.verify.verdict import NodeVerdict

if TYPE_CHECKING:
    from archstudio.ui.canvas.scene import CanvasScene

AT_ONCE = 64
"""So few parts out of view are brought up to date with the others: a second round would cost as much."""
SLICE_MS = 4.0
"""How long one slice of the rest may keep the window."""
_LARGE = 400
"""From so many layers on, remarks that need the whole graph are asked for after the redraw."""


class Upkeep:
    """Compares what each item was drawn from with what the model says now.

    What an item says may be late where nobody sees it; where it is, how large, and its mark never are.
    """

    def __init__(self, scene: CanvasScene) -> None:
        self._scene = scene
        self._nodes_seen: dict[str, tuple[Node, NodeVerdict | None]] = {}
        self._wires_seen: dict[str, tuple[Connection, NodeVerdict | None, NodeVerdict | None]] = {}
        self._mistakes: frozenset[str] = frozenset()
        self._late_nodes: dict[str, None] = {}
        self._late_wires: dict[str, None] = {}
        self._remarks_due = False
        self.looks: set[str] = set()
        """Nodes that look different from afar since this was last emptied."""

    @property
    def is_late(self) -> bool:
        """Whether anything still says what was true before."""
        return bool(self._late_nodes or self._late_wires or self._remarks_due)

    # ------------------------------------------------------------- a change

    def bring(self, pending: Pending, near: QRectF | None) -> None:
        """Make items what the graph says. Outside of `near` texts may wait; without it nothing does."""
        verdicts = self._verdicts()
        self._find_mistakes(pending, wait=near is not None and len(self._scene.document.graph) >= _LARGE)
        self._remove_gone(pending)
        self._sync_nodes(pending, verdicts, near)
        if pending.decorations or pending.nodes:
            pending.moved |= self._scene.decorations.sync()
        self._sync_wires(pending, verdicts, near)
        few = len(self._late_nodes) + len(self._late_wires) <= AT_ONCE
        if near is None or (few and not self._remarks_due):
            self.catch_up()

    def _verdicts(self) -> Mapping[str, NodeVerdict] | None:
        document = self._scene.document
        visible = document.visibility
        if not (visible.exact_verdict or visible.shapes or visible.counts):
            return None
        return document.verdict.nodes

    def _find_mistakes(self, pending: Pending, *, wait: bool) -> None:
        """Learn which nodes run and do the wrong thing."""
        if wait:
            self._remarks_due = True
            return
        self._remarks_due = False
        document = self._scene.document
        found: frozenset[str] = frozenset()
        if document.visibility.exact_verdict:
            found = frozenset(p.node for p in document.verdict.remarks if p.severity is Severity.MISTAKE)
        pending.nodes |= found ^ self._mistakes
        self._mistakes = found

    def _remove_gone(self, pending: Pending) -> None:
        scene, graph = self._scene, self._scene.document.graph
        for node in [n for n in pending.nodes if n not in graph]:
            if node in scene.nodes:
                scene.removeItem(scene.nodes.pop(node))
            self._nodes_seen.pop(node, None)
            self._late_nodes.pop(node, None)
            self.looks.add(node)
        for wire in [w for w in pending.wires if not graph.has_connection(w)]:
            if wire in scene.wires:
                scene.removeItem(scene.wires.pop(wire))
            self._wires_seen.pop(wire, None)
            self._late_wires.pop(wire, None)

    def _sync_nodes(self, pending: Pending, verdicts: Mapping[str, NodeVerdict] | None, near: QRectF | None) -> None:
        scene, layout = self._scene, self._scene.document.graph.layout
        for node in scene.document.graph.nodes:
            verdict = None if verdicts is None else verdicts.get(node.id)
            item = scene.nodes.get(node.id)
            if item is None or node.id in pending.nodes:
                bare = item is None and near is not None and not _is_near(near, layout.get(node.id))
                if self._show_node(node, verdict, bare=bare):
                    pending.moved.add(node.id)
                if item is not None:  # a new one was put where it belongs before it came into the scene
                    scene.put(node.id, layout.get(node.id))
                continue
            seen = self._nodes_seen[node.id]
            if seen[0] is not node or seen[1] is not verdict or (pending.renamed and item.face.waiting):
                if self._may_wait(item, verdict, near):
                    self._nodes_seen[node.id] = (node, verdict)
                    self._late_nodes[node.id] = None
                elif self._show_node(node, verdict):
                    pending.moved.add(node.id)
            if node.id in pending.moved:
                scene.put(node.id, layout.get(node.id))

    def _may_wait(self, item: NodeItem, verdict: NodeVerdict | None, near: QRectF | None) -> bool:
        if near is None or near.intersects(item.body()):
            return False
        mistaken = item.node_id in self._mistakes
        return item.face.badge is badge_of(verdict, self._scene.document.visibility, mistaken=mistaken)

    def _show_node(self, node: Node, verdict: NodeVerdict | None, *, bare: bool = False) -> bool:
        """Let a node's item say what is true (`bare`: what is seen from afar, the rest a little later).

        Returns whether its wires have to run elsewhere now.
        """
        scene, graph = self._scene, self._scene.document.graph
        self._nodes_seen[node.id] = (node, verdict)
        if bare:
            self._late_nodes[node.id] = None
        else:
            self._late_nodes.pop(node.id, None)
        make = bare_face if bare else node_face
        face = make(graph, node, verdict, scene.document.visibility, mistaken=node.id in self._mistakes)
        item = scene.nodes.get(node.id)
        if item is None:
            item = scene.nodes[node.id] = NodeItem(node.id, face, scene.ink)
            scene.fresh.add(node.id)
            scene.put(node.id, graph.layout.get(node.id))
            scene.addItem(item)
            self.looks.add(node.id)
            return True
        before = item.face
        if before == face:
            return False
        item.show_face(face)
        if (before.badge, before.family, before.colour) != (face.badge, face.family, face.colour):
            self.looks.add(node.id)
        return (before.inputs, before.outputs) != (face.inputs, face.outputs)

    def _sync_wires(self, pending: Pending, verdicts: Mapping[str, NodeVerdict] | None, near: QRectF | None) -> None:
        known: Mapping[str, NodeVerdict] = {} if verdicts is None else verdicts
        touched = pending.moved | pending.nodes
        self.looks |= touched
        for connection in self._scene.document.graph.connections:
            source, target = known.get(connection.source), known.get(connection.target)
            seen = self._wires_seen.get(connection.id)
            if seen is None and near is not None and connection.target in self._late_nodes:
                self._show_wire(connection, verdicts, run=True, bare=True)
            elif (
                seen is None
                or connection.source in touched
                or connection.target in touched
                or seen[0] is not connection
            ):
                self._show_wire(connection, verdicts, run=True)
            elif seen[1] is not source or seen[2] is not target:
                late = near is not None and not self._seen_from(near, connection)
                if late and connection.target in self._late_nodes:
                    self._wires_seen[connection.id] = (connection, source, target)
                    self._late_wires[connection.id] = None
                else:
                    self._show_wire(connection, verdicts, run=False)

    def _seen_from(self, near: QRectF, connection: Connection) -> bool:
        return near.intersects(self._scene.wires[connection.id].boundingRect())

    def _show_wire(
        self, connection: Connection, verdicts: Mapping[str, NodeVerdict] | None, *, run: bool, bare: bool = False
    ) -> None:
        scene = self._scene
        known: Mapping[str, NodeVerdict] = {} if verdicts is None else verdicts
        sight = (connection, known.get(connection.source), known.get(connection.target))
        self._wires_seen[connection.id] = sight
        self._late_wires.pop(connection.id, None)
        face = bare_wire(sight[2]) if bare else None
        if face is None:
            face = wire_face(scene.document.graph, connection, verdicts, scene.document.visibility)
        else:
            self._late_wires[connection.id] = None
        wire = scene.wires.get(connection.id)
        if wire is None:
            wire = scene.wires[connection.id] = WireItem(connection.id, face, scene.ink)
            scene.run_wire(wire)
            scene.addItem(wire)  # where it is already, so that the index takes it in once
            return
        if wire.face != face:
            wire.show_face(face)
        if run:
            scene.run_wire(wire)

    # ------------------------------------------------------------- the rest

    def catch_up(self, near: QRectF | None = None, budget_ms: float | None = None) -> None:
        """Bring up to date what waited: all of it, or what is in a rectangle, or as much as the time allows."""
        until = None if budget_ms is None else perf_counter() + budget_ms / 1000
        verdicts = self._verdicts()
        if self._remarks_due and near is None:
            self._mark_mistakes(verdicts)
        graph, scene = self._scene.document.graph, self._scene
        for node_id in list(self._late_nodes):
            if until is not None and perf_counter() > until:
                return
            if near is None or near.intersects(scene.nodes[node_id].body()):
                self._show_node(graph.node(node_id), None if verdicts is None else verdicts.get(node_id))
        for wire_id in list(self._late_wires):
            if until is not None and perf_counter() > until:
                return
            connection = graph.connection(wire_id)
            if near is None or self._seen_from(near, connection):
                self._show_wire(connection, verdicts, run=False)

    def refresh(self, node_id: str) -> None:
        """Bring one node up to date, if it is late."""
        if node_id in self._late_nodes:
            verdicts = self._verdicts()
            node = self._scene.document.graph.node(node_id)
            self._show_node(node, None if verdicts is None else verdicts.get(node_id))

    def _mark_mistakes(self, verdicts: Mapping[str, NodeVerdict] | None) -> None:
        pending = Pending()
        self._find_mistakes(pending, wait=False)
        graph = self._scene.document.graph
        for node_id in pending.nodes:
            if node_id in graph:
                self._show_node(graph.node(node_id), None if verdicts is None else verdicts.get(node_id))


def _is_near(near: QRectF, at: Point | None) -> bool:
    if near.isNull():
        return False
    return at is None or near.intersects(QRectF(at[0], at[1], NODE_WIDTH, NODE_HEIGHT))
