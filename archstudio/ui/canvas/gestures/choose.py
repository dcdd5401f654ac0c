"""Which gesture a press begins, by what is under the pointer and which keys are held."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from archstudio.ui.canvas.gestures.base import Gesture, Pointer
from archstudio.ui.canvas.gestures.box_select import BoxSelect
from archstudio.ui.canvas.gestures.cut import Cut
from archstudio.ui.canvas.gestures.drag_wire import DragWire
from archstudio.ui.canvas.gestures.move_nodes import MoveNodes
from archstudio.ui.canvas.gestures.move_note import MoveNote
from archstudio.ui.canvas.gestures.pan import Pan
from archstudio.ui.canvas.gestures.pick_wire import PickWire
from archstudio.ui.canvas.gestures.rewire import Rewire
from archstudio.ui.canvas.hits import node_at, port_at, wire_at, wire_end_at, wire_into

if TYPE_CHECKING:
    from archstudio.ui.canvas.input import CanvasInput


def choose_gesture(canvas: CanvasInput, at: Pointer, button: Qt.MouseButton, *, panning: bool) -> Gesture | None:
    """The gesture of a press; `panning` says that Space is held. None where a press means nothing."""
    if button == Qt.MouseButton.MiddleButton or (panning and button == Qt.MouseButton.LeftButton):
        return Pan(canvas)
    if button != Qt.MouseButton.LeftButton:
        return None
    if at.holds(Qt.KeyboardModifier.AltModifier):
        return Cut(canvas)
    return _at_port(canvas, at) or _at_part(canvas, at)


def _at_port(canvas: CanvasInput, at: Pointer) -> Gesture | None:
    scene = canvas.graph_scene
    port = port_at(scene, at.scene)
    if port is None:
        return None
    # with Shift an input that is fed is asked for another wire, not for the one that it has
    wire = None if at.holds(Qt.KeyboardModifier.ShiftModifier) else wire_into(scene, port)
    return DragWire(canvas, port) if wire is None else Rewire(canvas, wire.id, "target")


def _at_part(canvas: CanvasInput, at: Pointer) -> Gesture:
    scene = canvas.graph_scene
    node = node_at(scene, at.scene)
    if node is not None:
        return MoveNodes(canvas, node.node_id)
    frame = scene.decorations.frame_at(at.scene)
    if frame is not None:
        inside = [n for n in frame.nodes if n in scene.nodes]
        held = next((n for n in inside if not scene.nodes[n].face.locked), inside[0])
        return MoveNodes(canvas, held, frame.nodes)
    wire = wire_at(scene, at.scene)
    note = scene.decorations.note_at(at.scene) if wire is None else None
    if note is not None:
        return MoveNote(canvas, note.note.id, resizing=note.grip_at(at.scene))
    if wire is None:
        return BoxSelect(canvas)
    end = wire_end_at(wire, at.scene)
    return PickWire(canvas, wire.connection_id) if end is None else Rewire(canvas, wire.connection_id, end)
