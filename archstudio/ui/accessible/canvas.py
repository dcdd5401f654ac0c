"""A canvas whose children are the parts of its graph: layers in file order, then wires, frames and comments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import QPointF
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget

from archstudio.ui.accessible.announce import Announcer
from archstudio.ui.accessible.parts import FrameAccess, NodeAccess, NoteAccess, PartAccess, WireAccess
from archstudio.ui.canvas.hits import node_at, wire_at

if TYPE_CHECKING:
    from archstudio.ui.canvas import CanvasView

PartKind: TypeAlias = Literal["node", "wire", "frame", "note"]
Key: TypeAlias = tuple[PartKind, str]

_CLASSES: dict[PartKind, type[PartAccess]] = {
    "node": NodeAccess,
    "wire": WireAccess,
    "frame": FrameAccess,
    "note": NoteAccess,
}


class CanvasAccess(QAccessibleWidget):
    """Makes a part's interface when it is first asked for; the order of the parts is that of the file."""

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view, QAccessible.Role.Canvas, view.accessibleName())
        self.view = view
        self.lives = False
        """Whether the canvas is made and not closed."""
        self._announcer: Announcer | None = None
        self._parts: dict[Key, PartAccess] = {}
        self._order: list[Key] | None = None
        self._place: dict[Key, int] = {}

    def begin(self) -> None:
        """The canvas is made: answer, and tell what changes."""
        self.lives = True
        self._announcer = Announcer(self)

    def end(self) -> None:
        """The canvas is going; its parts answer nothing any more."""
        self.lives = False
        if self._announcer is not None:
            self._announcer.end()
            self._announcer = None

    # ----------------------------------------------------------------- parts

    def structure_changed(self) -> None:
        """Parts came or went: count again when next asked."""
        self._order = None

    def tidy(self) -> None:
        """Forget the interfaces of parts that are gone."""
        for key in [key for key, part in self._parts.items() if not part.exists()]:
            del self._parts[key]

    def keys(self) -> list[Key]:
        """All parts, in the order in which they are walked."""
        if self._order is None:
            self._order = list(self._all_keys())
            self._place = {key: k for k, key in enumerate(self._order)}
        return self._order

    def _all_keys(self) -> Iterator[Key]:
        graph = self.view.document.graph
        for node in graph.node_ids:
            yield "node", node
        for wire in graph.connection_ids:
            yield "wire", wire
        for frame in graph.frames:
            yield "frame", frame
        for note in graph.notes:
            yield "note", note

    def part(self, kind: PartKind, part_id: str) -> PartAccess:
        """The interface of a part, the same one each time."""
        found = self._parts.get((kind, part_id))
        if found is None:
            found = self._parts[kind, part_id] = _CLASSES[kind](self, part_id)
        return found

    def place(self, kind: PartKind, part_id: str) -> int:
        """At which index a part is a child; -1 for none."""
        self.keys()
        return self._place.get((kind, part_id), -1)

    def chosen(self) -> list[Key]:
        """The selected parts, in their order."""
        selection = self.view.document.selection
        chosen = {
            *(("node", n) for n in selection.nodes),
            *(("wire", w) for w in selection.connections),
            *(("note", n) for n in selection.notes),
        }
        self.keys()
        return sorted((key for key in chosen if key in self._place), key=self._place.__getitem__)

    # -------------------------------------------------------- Qt's questions

    def isValid(self) -> bool:
        """Whether the canvas is still there, or still being made."""
        return self.lives or not self.view.is_ready

    def childCount(self) -> int:
        """Number of parts."""
        return len(self.keys()) if self.lives else 0

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """The part at an index; None outside."""
        keys = self.keys() if self.lives else []
        return self.part(*keys[index]) if 0 <= index < len(keys) else None

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """At which index a part is."""
        if not isinstance(child, PartAccess) or not self.lives:
            return -1
        kind = next(kind for kind, made in _CLASSES.items() if isinstance(child, made))
        return self.place(kind, child.part_id)

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """The layer, else the wire, at a point of the screen."""
        if not self.lives:
            return None
        viewport = self.view.viewport()
        scene = self.view.camera.to_scene(QPointF(viewport.mapFromGlobal(QPointF(x, y))))
        node = node_at(self.view.graph_scene, scene)
        if node is not None:
            return self.part("node", node.node_id)
        wire = wire_at(self.view.graph_scene, scene)
        return None if wire is None else self.part("wire", wire.connection_id)

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        """The selected part that the keyboard acts on."""
        chosen = self.chosen() if self.lives else []
        return self.part(*chosen[-1]) if chosen else None

    def text(self, t: QAccessible.Text) -> str:
        """The canvas's name, how large the graph is, and what is selected."""
        if not self.lives:
            return ""
        if t == QAccessible.Text.Name:
            return self.view.accessibleName()
        return self.view.accessibleDescription() if t == QAccessible.Text.Description else ""
