"""Drag the selected nodes; their wires follow, and one edit is made when they are let go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from archstudio.app.splicing import may_go_into_wires, put_into
from archstudio.edits import Edit, Move
from archstudio.ui.canvas.gestures.base import Gesture, Pointer
from archstudio.ui.canvas.guides import Guides
from archstudio.ui.canvas.hits import wire_at

if TYPE_CHECKING:
    from archstudio.ui.canvas.input import CanvasInput

SNAP = 12.0
"""Grid that positions snap to when snapping is on, in canvas units: half the distance of the dots."""


class MoveNodes(Gesture):
    """Left drag on a node. The press selects it (Shift adds or removes); a click without a drag selects only it.

    With a `group` (the nodes of a frame, dragged by its title) all of them are selected and move.
    """

    label = "Move"

    def __init__(self, canvas: CanvasInput, grabbed: str, group: tuple[str, ...] = ()) -> None:
        super().__init__(canvas)
        self._grabbed, self._group = grabbed, group

    def start(self, at: Pointer) -> None:
        super().start(at)
        selection = self.document.selection
        self.remember_selection()
        self._was_chosen = self._grabbed in selection.nodes
        self._shift = at.holds(Qt.KeyboardModifier.ShiftModifier)
        if self._group:
            selection.set(self._group)
        elif self._shift:
            selection.toggle(self._grabbed)
        elif not self._was_chosen:
            selection.set([self._grabbed])
        self._from: dict[str, QPointF] = {}
        self._to: dict[str, QPointF] = {}
        self._guides: Guides | None = None
        self._lines: list[QLineF] = []
        self._into: str | None = None

    def move(self, at: Pointer) -> None:
        if self._guides is None and not (self.dragged(at) and self._take_hold()):
            return
        delta = self._snapped(at.scene - self.origin.scene)
        self._to = {n: start + delta for n, start in self._from.items()}
        self.scene.preview_positions(self._to)
        self._light(self._wire_below(at))

    def _wire_below(self, at: Pointer) -> str | None:
        """The wire that a single layer without wires would be put into."""
        if set(self._from) != {self._grabbed} or not may_go_into_wires(self.document, self._grabbed):
            return None
        wire = wire_at(self.scene, at.scene)
        return None if wire is None else wire.connection_id

    def _light(self, wire: str | None) -> None:
        for which, on in ((self._into, False), (wire, True)):
            if which is not None and which in self.scene.wires:
                self.scene.wires[which].hover(on)
        self._into = wire

    def _take_hold(self) -> bool:
        """Remember where the nodes that will move are; locked ones stay."""
        nodes = self.scene.nodes
        moving = {n for n in self.document.selection.nodes if n in nodes and not nodes[n].face.locked}
        if self._grabbed not in moving:
            return False
        self._from = {n: QPointF(nodes[n].pos()) for n in moving}
        self._guides = Guides(self.scene, nodes[self._grabbed], moving, self.canvas.camera.seen())
        return True

    def _snapped(self, delta: QPointF) -> QPointF:
        assert self._guides is not None
        start = self._from[self._grabbed]
        wanted = start + delta
        aligned, self._lines = self._guides.aligned(wanted, self.canvas.camera.zoom)
        x, y = aligned.x(), aligned.y()
        if self.canvas.snap:
            x = round(x / SNAP) * SNAP if x == wanted.x() else x
            y = round(y / SNAP) * SNAP if y == wanted.y() else y
        return QPointF(round(x), round(y)) - start

    def finish(self, at: Pointer) -> Edit | None:
        moved = {n: (p.x(), p.y()) for n, p in self._to.items() if p != self._from[n]}
        if self._guides is None and not self._shift and not self._group:
            self.document.selection.set([self._grabbed])
        if not moved:
            self.scene.forget_preview(self._from)
            return None
        into = self._into
        self._light(None)
        if into is not None:
            self.label = f"Insert {self._name(self._grabbed)}"
            return put_into(self.document, self._grabbed, into, moved[self._grabbed])
        self.label = f"Move {len(moved)} layers" if len(moved) > 1 else f"Move {self._name(next(iter(moved)))}"
        return Move(dict(moved))

    def _name(self, node_id: str) -> str:
        return self.document.graph.node(node_id).name

    def cancel(self) -> None:
        self._light(None)
        self.scene.forget_preview(self._from)
        self.select_again()

    def area(self) -> QRectF:
        area = QRectF()
        for line in self._lines:
            area = area.united(QRectF(line.p1(), line.p2()).normalized().adjusted(-1, -1, 1, 1))
        return area

    def paint(self, painter: QPainter) -> None:
        painter.setPen(self.scene.ink.guide)
        painter.drawLines(self._lines)
