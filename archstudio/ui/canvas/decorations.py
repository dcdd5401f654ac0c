"""Frames around groups of nodes, and comments; drawn behind the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from archstudio.graph import Frame, Note
from archstudio.ui.canvas.ink import Ink, Level

if TYPE_CHECKING:
    from archstudio.ui.canvas.scene import CanvasScene

_PADDING = 22.0
_TITLE = 26.0
_FRAME_Z, _NOTE_Z = -2.0, -1.0


class Decorations:
    """The frame and note items of a scene, kept in step with its graph."""

    def __init__(self, scene: CanvasScene) -> None:
        self._scene = scene
        self.frames: dict[str, FrameItem] = {}
        self.notes: dict[str, NoteItem] = {}

    def sync(self) -> None:
        """Bring items in step with the model; there are few, so all are looked at."""
        graph = self._scene.document.graph
        for gone in [f for f in self.frames if f not in graph.frames]:
            self._scene.removeItem(self.frames.pop(gone))
        for frame in graph.frames.values():
            around = self._scene.bounds(frame.nodes)
            if frame.id not in self.frames:
                self.frames[frame.id] = FrameItem(self._scene.ink)
                self._scene.addItem(self.frames[frame.id])
            self.frames[frame.id].show_frame(frame, around)
        for gone in [n for n in self.notes if n not in graph.notes]:
            self._scene.removeItem(self.notes.pop(gone))
        for note in graph.notes.values():
            if note.id not in self.notes:
                self.notes[note.id] = NoteItem(self._scene.ink)
                self._scene.addItem(self.notes[note.id])
            self.notes[note.id].show_note(note)

    def restyle(self) -> None:
        """Draw in the ink's present colours."""
        for frame in self.frames.values():
            frame.restyle()
        for note in self.notes.values():
            note.restyle()

    def frame_at(self, point: QPointF) -> Frame | None:
        """The frame whose title is at a point."""
        graph = self._scene.document.graph
        for frame_id, item in self.frames.items():
            if item.title_box.contains(point) and frame_id in graph.frames:
                return graph.frames[frame_id]
        return None


class FrameItem(QGraphicsItem):
    """A titled, tinted box around its nodes."""

    def __init__(self, ink: Ink) -> None:
        super().__init__()
        self._ink = ink
        self._box = QRectF()
        self._frame = Frame("", "", ())
        self.title_box = QRectF()
        self.setZValue(_FRAME_Z)

    def show_frame(self, frame: Frame, around: QRectF) -> None:
        """Stand around this rectangle; a frame without nodes is not drawn."""
        self.prepareGeometryChange()
        self._frame = frame
        self.setVisible(not around.isNull())
        self._box = around.adjusted(-_PADDING, -_PADDING - _TITLE + 8, _PADDING, _PADDING)
        self.title_box = QRectF(self._box.left(), self._box.top(), self._box.width(), _TITLE)
        self._title = self._ink.static_text(frame.title, self._ink.name_font, max(self._box.width() - 24, 40))
        self.restyle()

    def restyle(self) -> None:
        """Take the colours of the ink again."""
        hue = self._ink.own_hue(self._frame.colour, "io").color()
        self._pen = QPen(hue, 1)
        fill = QColor(hue)
        fill.setAlpha(22)
        self._fill = QBrush(fill)
        self.update()

    def boundingRect(self) -> QRectF:
        """The box with its outline."""
        return self._box.adjusted(-2, -2, 2, 2)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw box and title."""
        painter.setPen(self._pen)
        painter.setBrush(self._fill)
        painter.drawRoundedRect(self._box, 10, 10)
        if self._ink.level >= Level.TITLES:
            painter.setPen(self._ink.muted)
            painter.setFont(self._ink.name_font)
            painter.drawStaticText(self._box.topLeft() + QPointF(12, 6), self._title)


class NoteItem(QGraphicsItem):
    """A comment in plain text."""

    def __init__(self, ink: Ink) -> None:
        super().__init__()
        self._ink = ink
        self._note = Note("", "", (0.0, 0.0))
        self._box = QRectF()
        self.setZValue(_NOTE_Z)

    def show_note(self, note: Note) -> None:
        """Show another text or place."""
        self.prepareGeometryChange()
        self._note = note
        self._box = QRectF(*note.position, *note.size)
        self.restyle()

    def restyle(self) -> None:
        """Take the colours of the ink again."""
        fill = self._ink.theme.colour("surface2")
        self._fill = QBrush(fill)
        self.update()

    def boundingRect(self) -> QRectF:
        """The paper."""
        return self._box.adjusted(-1, -1, 1, 1)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw paper and words."""
        ink = self._ink
        painter.setPen(ink.border)
        painter.setBrush(self._fill)
        painter.drawRoundedRect(self._box, 6, 6)
        if ink.level >= Level.TITLES:
            painter.setPen(ink.text)
            painter.setFont(ink.label_font)
            flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop
            painter.drawText(self._box.adjusted(9, 7, -9, -7), int(flags), self._note.text)
