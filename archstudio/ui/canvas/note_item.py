"""A comment on the canvas."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QPainter
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from archstudio.graph import Note
from archstudio.ui.canvas.ink import Ink, Level

_NOTE_Z = -1.0


class NoteItem(QGraphicsItem):
    """Shows a `Note`, in plain text."""

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
        self._fill = QBrush(self._ink.theme.colour("surface2"))
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
