"""What a person does on the canvas: mouse, wheel, keys and drops, each handed to the gesture it begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QCursor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QHelpEvent,
    QInputDevice,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from archstudio.app.marking import fold_frame
from archstudio.app.paths import path_through
from archstudio.app.problem_words import problem_title
from archstudio.edits import Edit, EditRefused
from archstudio.graph import Point
from archstudio.ui.canvas.gestures.base import Gesture, Pointer
from archstudio.ui.canvas.gestures.choose import choose_gesture
from archstudio.ui.canvas.gestures.drop_layer import DropLayer
from archstudio.ui.canvas.hits import Port, node_at, port_at, wire_at
from archstudio.ui.canvas.ink import Level
from archstudio.ui.canvas.mime import LAYER_MIME
from archstudio.ui.canvas.node_item import NodeItem
from archstudio.ui.canvas.surface import CanvasSurface
from archstudio.ui.canvas.walk import Direction
from archstudio.ui.canvas.wire_item import WireItem
from archstudio.ui.theme import Theme

if TYPE_CHECKING:
    from archstudio.app.document import Document

_ARROWS: dict[int, Direction] = {
    Qt.Key.Key_Left: "left",
    Qt.Key.Key_Right: "right",
    Qt.Key.Key_Up: "up",
    Qt.Key.Key_Down: "down",
}
_SHIFT = Qt.KeyboardModifier.ShiftModifier
_NOTCH = 120.0
"""Angle delta of one notch of a wheel (Qt: eighths of a degree, 15° a notch)."""


class CanvasInput(CanvasSurface):
    """Turns events into gestures, and the edits they end with into steps of the history."""

    edit_asked = Signal()
    """The parameters of the selected layer are to be edited."""
    menu_asked = Signal(QPoint)
    """A context menu is wanted at this global position; what was under the pointer is selected."""
    refused = Signal(str)
    """An edit was not made, and why."""

    def __init__(self, document: Document, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(document, theme, parent)
        self.snap = True
        self._gesture: Gesture | None = None
        self._button = Qt.MouseButton.NoButton
        self._dropping: DropLayer | None = None
        self._space = False
        self._space_used = False
        self._hovered: NodeItem | WireItem | None = None
        self._unwatch_document = document.watch(self._changed_meanwhile)

    def dispose(self) -> None:
        """Stop following the document; the view is not used after this."""
        if not self._ended:
            self._unwatch_document()
        super().dispose()

    def _changed_meanwhile(self) -> None:
        """A step made or taken back during a gesture ends it: what it held may be gone."""
        self.cancel_gesture()

    # what the keys ask for; `CanvasView` says how
    def begin_search(self, at: Point | None = None, port: Port | None = None) -> None:
        """Open the search for a layer to add."""

    def walk(self, direction: Direction, *, adding: bool = False) -> None:
        """Select the neighbour in a direction."""

    def push_added(self, edit: Edit, label: str) -> bool:
        """Make an edit that adds layers, and select all of them: those of a template move together from then on."""
        before = set(self.document.graph.node_ids)
        if not self.push(edit, label):
            return False
        self.document.selection.set(set(self.document.graph.node_ids) - before)
        return True

    def remember(self, type_name: str) -> None:
        """A layer of this type was added."""

    def write_note(self, note_id: str) -> None:
        """Let a comment's text be typed in place."""

    def push(self, edit: Edit, label: str, merge_key: str | None = None) -> bool:
        """Make an edit as one step; a refusal is told, and nothing changes. Returns whether it was made."""
        try:
            self.document.push(edit, label, merge_key)
        except EditRefused as refusal:
            self.refused.emit(str(refusal))
            return False
        self.graph_scene.settle()
        return True

    # ---------------------------------------------------------------- pointer

    def pointer(self) -> Point | None:
        """Where the mouse is, in scene coordinates; None if it is not over the canvas."""
        at = self.viewport().mapFromGlobal(QCursor.pos())
        if not self.viewport().rect().contains(at) or not self.isVisible():
            return None
        scene = self.camera.to_scene(QPointF(at))
        return (scene.x(), scene.y())

    def _pointer_at(self, view: QPointF, modifiers: Qt.KeyboardModifier) -> Pointer:
        return Pointer(self.camera.to_scene(view), view, modifiers)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a gesture."""
        if self._gesture is not None:
            return
        self.graph_scene.settle()
        self.glide.finish()
        self._hover(None)
        at = self._pointer_at(event.position(), event.modifiers())
        chosen = choose_gesture(self, at, event.button(), panning=self._space)
        if chosen is not None:
            self._space_used = self._space
            self._button = event.button()
            self._begin(chosen, at)
        event.accept()

    def _begin(self, gesture: Gesture, at: Pointer) -> None:
        self._gesture = gesture
        if gesture.cursor is not None:
            self.viewport().setCursor(gesture.cursor)
        gesture.start(at)
        self.show_overlay(gesture)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Let the gesture follow, or show what is under the pointer."""
        if self._gesture is not None:
            self._gesture.move(self._pointer_at(event.position(), event.modifiers()))
            self.show_overlay(self._gesture)
        elif not event.buttons() and self.ink.level is not Level.OVERVIEW:
            scene = self.camera.to_scene(event.position())
            self._hover(node_at(self.graph_scene, scene) or wire_at(self.graph_scene, scene))
            over_port = port_at(self.graph_scene, scene) is not None
            self.viewport().setCursor(Qt.CursorShape.CrossCursor if over_port else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the gesture; the edit it makes is one step."""
        if self._gesture is None or event.button() != self._button:
            return
        gesture, at = self._gesture, self._pointer_at(event.position(), event.modifiers())
        self._end_gesture()
        edit = self._finish(gesture, at)
        if edit is not None and not self.push(edit, gesture.label):
            gesture.cancel()

    def _finish(self, gesture: Gesture, at: Pointer) -> Edit | None:
        """The edit of a gesture that ends here; what the graph cannot take is said, and leaves no trace."""
        try:
            return gesture.finish(at)
        except EditRefused as refusal:
            gesture.cancel()
            self.refused.emit(str(refusal))
            return None

    def cancel_gesture(self) -> bool:
        """End a gesture without a trace; returns whether there was one."""
        gesture = self._gesture
        if gesture is None:
            return False
        self._end_gesture()
        gesture.cancel()
        return True

    def _end_gesture(self) -> None:
        self._gesture = None
        self._button = Qt.MouseButton.NoButton
        self.viewport().setCursor(Qt.CursorShape.ArrowCursor)
        self.show_overlay(None)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """On a node: its parameters. On a frame: fold it. On a wire: the path through it. On nothing: the search."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        scene = self.camera.to_scene(event.position())
        node = node_at(self.graph_scene, scene)
        wire = None if node is not None else wire_at(self.graph_scene, scene)
        frame = self.graph_scene.decorations.frame_at(scene) if node is None else None
        if frame is not None:
            self.push(fold_frame(frame), f"{'Open' if frame.collapsed else 'Collapse'} {frame.title}")
        elif node is None and wire is None and (note := self.graph_scene.decorations.note_at(scene)) is not None:
            self.write_note(note.note.id)
        elif node is not None:
            self.document.selection.set([node.node_id])
            self.edit_asked.emit()
        elif wire is not None:
            self.select_path(wire.connection_id)
        else:
            self.begin_search((scene.x(), scene.y()))

    def select_path(self, connection_id: str) -> None:
        """Select everything on a path from an input to an output through a wire."""
        self.document.selection.set(*path_through(self.document.graph, (), [connection_id]))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """A wheel zooms at the pointer; two fingers on a touchpad scroll."""
        touchpad = event.device() is not None and event.device().type() == QInputDevice.DeviceType.TouchPad
        pixels = event.pixelDelta()
        if touchpad and not pixels.isNull() and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.camera.scroll_by(-pixels.x(), -pixels.y())
        else:
            self.camera.notches(event.angleDelta().y() / _NOTCH, event.position())
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Select what is under the pointer, unless it is selected, and ask for the menu."""
        scene = self.camera.to_scene(QPointF(event.pos()))
        selection = self.document.selection
        node, wire = node_at(self.graph_scene, scene), wire_at(self.graph_scene, scene)
        frame = self.graph_scene.decorations.frame_at(scene) if node is None else None
        note = self.graph_scene.decorations.note_at(scene) if node is None and wire is None else None
        if frame is not None:
            selection.set(frame.nodes)
        elif note is not None:
            if note.note.id not in selection.notes:
                selection.set(notes=[note.note.id])
        elif node is not None:
            if node.node_id not in selection.nodes:
                selection.set([node.node_id])
        elif wire is not None:
            if wire.connection_id not in selection.connections:
                selection.set((), [wire.connection_id])
        elif event.reason() == QContextMenuEvent.Reason.Mouse:
            selection.set()
        self.menu_asked.emit(event.globalPos())
        event.accept()

    def _hover(self, item: NodeItem | WireItem | None) -> None:
        if item is not self._hovered:
            before, self._hovered = self._hovered, item
            if before is not None and before.scene() is not None:
                before.hover(False)
            if item is not None:
                item.hover(True)

    def viewportEvent(self, event: QEvent) -> bool:
        """Tips on wires and on nodes with problems; pinching zooms."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.tip_at(self.camera.to_scene(QPointF(event.pos()))), self)
            return True
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            self.camera.zoom_to(self.camera.zoom * (1 + event.value()), event.position())
            return True
        if event.type() == QEvent.Type.Leave:
            self._hover(None)
        return super().viewportEvent(event)

    def tip_at(self, scene: QPointF) -> str:
        """More about what is at a point: a wire's dtype and bytes, a node's problems."""
        node = node_at(self.graph_scene, scene)
        if node is None:
            wire = wire_at(self.graph_scene, scene)
            return "" if wire is None else wire.face.tip
        return self.tip_of(node.node_id)

    def tip_of(self, node_id: str) -> str:
        """A node's problems, a line each; empty where they may not be told."""
        if not self.document.visibility.exact_verdict:
            return ""
        name = self.document.graph.node(node_id).name
        return "\n".join(problem_title(p, name) for p in self.document.verdict.nodes[node_id].problems)

    # ------------------------------------------------------------------- keys

    def focusNextPrevChild(self, next: bool) -> bool:
        """Tab adds a layer; F6 leaves the canvas."""
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows walk, Escape cancels, Space moves the view or searches; all other keys are commands' shortcuts."""
        key = event.key()
        if key == Qt.Key.Key_Space:
            if not event.isAutoRepeat():
                self._space, self._space_used = True, False
                self.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
            return
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if plain and key in _ARROWS:
            self.walk(_ARROWS[key])
        elif key in _ARROWS and event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == _SHIFT:
            self.walk(_ARROWS[key], adding=True)
        elif plain and key == Qt.Key.Key_Escape:
            self._escape()
        else:
            event.ignore()

    def cancel_long_work(self) -> bool:
        """Give up what is computed in the background; returns whether there was anything."""
        return False

    def _escape(self) -> None:
        if not self.cancel_gesture() and not self.cancel_long_work():
            self.document.selection.set()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Space that moved nothing opens the search."""
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat() and self._space:
            self._space = False
            self.viewport().setCursor(Qt.CursorShape.ArrowCursor)
            if not self._space_used:
                self.begin_search()
            return
        super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """A key let go elsewhere is not held any more."""
        self._space = False
        super().focusOutEvent(event)

    # ------------------------------------------------------------------ drops

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take layers; files are the window's."""
        if not event.mimeData().hasFormat(LAYER_MIME):
            event.ignore()
            return
        self.graph_scene.settle()
        name = bytes(event.mimeData().data(LAYER_MIME).data()).decode("utf-8")
        self._dropping = DropLayer(self, name)
        self._dropping.start(self._pointer_at(event.position(), event.modifiers()))
        self.show_overlay(self._dropping)
        event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Show where the layer would go."""
        if self._dropping is None:
            event.ignore()
            return
        self._dropping.move(self._pointer_at(event.position(), event.modifiers()))
        self.show_overlay(self._dropping)
        event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Nothing is added."""
        if self._dropping is not None:
            self._dropping.cancel()
            self._dropping = None
            self.show_overlay(None)

    def dropEvent(self, event: QDropEvent) -> None:
        """Add the layer, into the wire if it was dropped on one."""
        gesture = self._dropping
        if gesture is None:
            event.ignore()
            return
        self._dropping = None
        self.show_overlay(None)
        edit = self._finish(gesture, self._pointer_at(event.position(), event.modifiers()))
        if edit is not None and self.push_added(edit, gesture.label):
            self.remember(gesture.type)
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        event.acceptProposedAction()
