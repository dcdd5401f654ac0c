"""What all gestures share: a beginning, moves, and one end, which makes at most one edit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from archstudio.edits import Edit

if TYPE_CHECKING:
    from archstudio.ui.canvas.input import CanvasInput

DRAG_FROM_PX = 4
"""A press becomes a drag once the pointer is this far away."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """Where the pointer is, in the scene and in viewport pixels, and which keys are held."""

    scene: QPointF
    view: QPointF
    modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier

    def holds(self, key: Qt.KeyboardModifier) -> bool:
        """Whether a modifier key is held."""
        return bool(self.modifiers & key)


class Gesture:
    """One thing done with the pointer. Until it finishes the document does not change; cancelled, it leaves no trace.

    `label` names its step in the history.
    """

    label = ""
    cursor: Qt.CursorShape | None = None

    def __init__(self, canvas: CanvasInput) -> None:
        self.canvas = canvas
        self.scene = canvas.graph_scene
        self.document = canvas.document

    def start(self, at: Pointer) -> None:
        """Begin where the button went down."""
        self.origin = at

    def move(self, at: Pointer) -> None:
        """Follow the pointer: draws only."""

    def finish(self, at: Pointer) -> Edit | None:
        """End; the one edit it makes, or None."""
        return None

    def cancel(self) -> None:
        """End without an edit and put everything back as it was."""

    def area(self) -> QRectF:
        """The part of the scene that `paint` draws on; null for nothing."""
        return QRectF()

    def paint(self, painter: QPainter) -> None:
        """Draw over the graph, in scene coordinates."""

    def remember_selection(self) -> None:
        """Keep what is selected, for `select_again`."""
        selection = self.document.selection
        self._before = (selection.nodes, selection.connections, selection.notes)

    def select_again(self) -> None:
        """Select what was selected before, as far as it still exists."""
        graph, (nodes, wires, notes) = self.document.graph, self._before
        self.document.selection.set(
            (n for n in nodes if n in graph),
            (w for w in wires if graph.has_connection(w)),
            (n for n in notes if n in graph.notes),
        )

    def dragged(self, at: Pointer) -> bool:
        """Whether the pointer has left the place it began at."""
        return (at.view - self.origin.view).manhattanLength() >= DRAG_FROM_PX
