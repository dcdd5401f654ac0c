"""The frames and comments of a scene, and which nodes are folded away in a collapsed frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF

from archstudio.app.frame_ports import InnerPort, frame_inputs, frame_outputs
from archstudio.graph import Frame
from archstudio.layers import Severity
from archstudio.ui.canvas.frame_item import FrameItem
from archstudio.ui.canvas.note_item import NoteItem

if TYPE_CHECKING:
    from archstudio.ui.canvas.scene import CanvasScene


class Decorations:
    """Frame and note items, kept in step with the graph. There are few, so all are looked at."""

    def __init__(self, scene: CanvasScene) -> None:
        self._scene = scene
        self.frames: dict[str, FrameItem] = {}
        self.notes: dict[str, NoteItem] = {}
        self.folded: dict[str, FrameItem] = {}
        """The collapsed frame that stands for a node, by the node's id."""

    def sync(self) -> set[str]:
        """Bring items in step with the model; returns the nodes whose wires now run elsewhere."""
        self._sync_notes()
        graph, before = self._scene.document.graph, self.folded
        for gone in [f for f in self.frames if f not in graph.frames]:
            self._scene.removeItem(self.frames.pop(gone))
        self.folded = {}
        for frame in graph.frames.values():
            item = self.frames.get(frame.id)
            if item is None:
                item = self.frames[frame.id] = FrameItem(self._scene.ink)
                self._scene.addItem(item)
            item.show_frame(frame, self._scene.bounds(frame.nodes), self._shapes(frame), *self._ports(frame))
            item.badge = self._worst(frame)
            if frame.collapsed:
                self.folded.update((n, item) for n in frame.nodes if n not in self.folded)
        for n in before.keys() ^ self.folded.keys():
            if n in self._scene.nodes:
                self._scene.nodes[n].setVisible(n not in self.folded)
        self.choose_frames(self._scene.document.selection.nodes)
        return {*before, *self.folded}

    def _ports(self, frame: Frame) -> tuple[list[InnerPort], list[InnerPort]]:
        if not frame.collapsed:
            return [], []
        graph, nodes = self._scene.document.graph, self._scene.nodes
        outputs = frame_outputs(graph, frame.nodes, lambda n: nodes[n].face.outputs if n in nodes else ())
        return frame_inputs(graph, frame.nodes), outputs

    def _worst(self, frame: Frame) -> Severity | None:
        """The worst mark of a layer that is folded away, so that it does not hide."""
        nodes = self._scene.nodes if frame.collapsed else {}
        marks = {nodes[n].face.badge for n in frame.nodes if n in nodes}
        return next((s for s in (Severity.ERROR, Severity.MISTAKE, Severity.ADVICE) if s in marks), None)

    def choose_frames(self, chosen: frozenset[str]) -> None:
        """Show which collapsed frames are selected: those of which every layer is."""
        for item in self.frames.values():
            on = item.frame.collapsed and bool(item.frame.nodes) and chosen.issuperset(item.frame.nodes)
            if item.chosen != on:
                item.chosen = on
                item.update()

    def folded_at(self, point: QPointF) -> FrameItem | None:
        """The collapsed frame under a point."""
        shown = (item for item in self.frames.values() if item.frame.collapsed and item.isVisible())
        return next((item for item in shown if item.box.contains(point)), None)

    def clear(self) -> None:
        """Take all items off the scene; the next `sync` makes them again."""
        for item in (*self.frames.values(), *self.notes.values()):
            self._scene.removeItem(item)
        self.frames.clear()
        self.notes.clear()
        self.folded = {}

    def _sync_notes(self) -> None:
        graph = self._scene.document.graph
        for gone in [n for n in self.notes if n not in graph.notes]:
            self._scene.removeItem(self.notes.pop(gone))
        for note in graph.notes.values():
            if note.id not in self.notes:
                self.notes[note.id] = NoteItem(self._scene.ink)
                self._scene.addItem(self.notes[note.id])
            self.notes[note.id].show_note(note)

    def _shapes(self, frame: Frame) -> str:
        """`B×3×32×32 → B×16×30×30`: what goes into and comes out of a collapsed frame."""
        if not frame.collapsed or not self._scene.document.visibility.shapes:
            return ""
        graph, inside = self._scene.document.graph, set(frame.nodes)
        wires = self._scene.wires
        into = [c.id for n in frame.nodes for c in graph.incoming(n) if c.source not in inside]
        out = [c.id for n in frame.nodes for c in graph.outgoing(n) if c.target not in inside]
        ends = [next((wires[w].face.shape for w in side if w in wires), "") for side in (into, out)]
        return " → ".join(ends) if any(ends) else ""

    def restyle(self) -> None:
        """Draw in the ink's present colours."""
        for frame in self.frames.values():
            frame.restyle()
        for note in self.notes.values():
            note.restyle()

    def choose_notes(self, chosen: frozenset[str]) -> None:
        """Show which comments are selected."""
        for note_id, item in self.notes.items():
            if item.chosen != (note_id in chosen):
                item.chosen = note_id in chosen
                item.update()

    def note_at(self, point: QPointF) -> NoteItem | None:
        """The comment under a point."""
        return next((item for item in reversed(self.notes.values()) if item.box.contains(point)), None)

    def frame_at(self, point: QPointF) -> Frame | None:
        """The frame whose title (collapsed: whose box) is at a point."""
        for item in self.frames.values():
            if item.isVisible() and item.handle.contains(point):
                return item.frame
        return None
