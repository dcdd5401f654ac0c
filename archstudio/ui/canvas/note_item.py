"""A comment on the canvas."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPolygonF, QStaticText, QTextOption
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from archstudio.graph import Note, Point
from archstudio.ui.canvas.ink import Ink, Level

_NOTE_Z = -1.0
_GRIP = 14.0
"""Side of the corner that resizes, in canvas units."""
_LONGEST = 4_000
"""More letters than this are not looked at: no paper holds them."""
_INSETS = (9.0, 7.0, -9.0, -7.0)


class NoteItem(QGraphicsItem):
    """Shows a `Note`, in plain text; lines that do not fit are cut off with …"""

    def __init__(self, ink: Ink) -> None:
        super().__init__()
        self._ink = ink
        self.note = Note("", "", (0.0, 0.0))
        self.box = QRectF()
        self.chosen = False
        self._shown = QStaticText()
        self.setZValue(_NOTE_Z)

    def show_note(self, note: Note) -> None:
        """Show another text or place."""
        if note is self.note:
            return
        self.note = note
        self.show_at(note.position, note.size)

    def show_at(self, position: Point, size: Point) -> None:
        """Show elsewhere, or of another size, than the model says: during a drag."""
        self.prepareGeometryChange()
        self.box = QRectF(*position, *size)
        self._shown = _cut(self.note.text, self.box.adjusted(*_INSETS), self._ink)
        self.restyle()

    def restyle(self) -> None:
        """Take the colours of the ink again."""
        self._fill = QBrush(self._ink.theme.colour("surface2"))
        self.update()

    def grip_at(self, point: QPointF) -> bool:
        """Whether a point is on the corner that resizes."""
        corner = self.box.bottomRight()
        return self.box.contains(point) and corner.x() - point.x() + corner.y() - point.y() <= _GRIP

    def boundingRect(self) -> QRectF:
        """The paper."""
        return self.box.adjusted(-2, -2, 2, 2)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw paper and words."""
        ink = self._ink
        painter.setPen(ink.border_selected if self.chosen else ink.border)
        painter.setBrush(self._fill)
        painter.drawRoundedRect(self.box, 6, 6)
        if ink.level < Level.TITLES:
            return
        painter.setPen(ink.text)
        painter.setFont(ink.label_font)
        painter.drawStaticText(self.box.adjusted(*_INSETS).topLeft(), self._shown)
        corner = self.box.bottomRight() - QPointF(4, 4)
        painter.setPen(ink.none)
        painter.setBrush(ink.muted.brush())
        painter.drawPolygon(QPolygonF([corner, corner - QPointF(7, 0), corner - QPointF(0, 7)]))


def _laid_out(text: str, ink: Ink, width: float) -> QStaticText:
    """A text broken between words, and within them where one is wider than the paper."""
    breaking = QTextOption()
    breaking.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    made = QStaticText(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setTextOption(breaking)
    made.setTextWidth(width)
    made.prepare(font=ink.label_font)
    return made


def _cut(text: str, room: QRectF, ink: Ink) -> QStaticText:
    """As much of a text as fits into a box, found by halving."""
    whole = _laid_out(text[:_LONGEST], ink, room.width())
    if len(text) <= _LONGEST and whole.size().height() <= room.height():
        return whole
    low, high = 0, min(len(text), _LONGEST)
    while low < high:
        middle = (low + high + 1) // 2
        fits = _laid_out(text[:middle] + "…", ink, room.width()).size().height() <= room.height()
        low, high = (middle, high) if fits else (low, middle - 1)
    return _laid_out(text[:low].rstrip() + "…", ink, room.width())
