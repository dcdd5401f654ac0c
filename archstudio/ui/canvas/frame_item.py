"""A frame around a group of nodes; collapsed, it is drawn as one node with the shapes that go in and out."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QBrush, QColor, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from archstudio.app.figures import plural
from archstudio.app.node_box import NODE_HEIGHT, NODE_WIDTH
from archstudio.graph import Frame
from archstudio.ui.canvas.ink import Ink, Level

_PADDING = 22.0
_TITLE = 26.0
_LEFT = 14.0
_OPEN_Z, _COLLAPSED_Z = -2.0, 1.0


class FrameItem(QGraphicsItem):
    """Shows a `Frame`; `box` is where it is, `handle` the part that can be pressed, in scene coordinates."""

    def __init__(self, ink: Ink) -> None:
        super().__init__()
        self._ink = ink
        self.frame = Frame("", "", ())
        self.box = QRectF()
        self.handle = QRectF()

    def show_frame(self, frame: Frame, around: QRectF, shapes: str) -> None:
        """Stand around this rectangle (collapsed: at its corner); `shapes` tells what goes in and out."""
        self.prepareGeometryChange()
        self.frame = frame
        self.setVisible(not around.isNull())
        if frame.collapsed:
            self.box = self.handle = QRectF(around.left(), around.top(), NODE_WIDTH, NODE_HEIGHT)
        else:
            self.box = around.adjusted(-_PADDING, -_PADDING - _TITLE + 8, _PADDING, _PADDING)
            self.handle = QRectF(self.box.left(), self.box.top(), self.box.width(), _TITLE)
        self.setZValue(_COLLAPSED_Z if frame.collapsed else _OPEN_Z)
        ink, room = self._ink, max(self.box.width() - 2 * _LEFT, 40)
        self._title = ink.static_text(frame.title, ink.name_font, room)
        self._count = ink.static_text(plural(len(frame.nodes), "layer"), ink.label_font, room)
        self._shapes = ink.static_text(shapes, ink.shape_font, room)
        self.restyle()

    def restyle(self) -> None:
        """Take the colours of the ink again."""
        hue = self._ink.own_hue(self.frame.colour, "io").color()
        self._pen = QPen(hue, 1)
        fill = QColor(hue)
        fill.setAlpha(22)
        self._fill = QBrush(fill)
        self.hue = QBrush(hue)
        self.update()

    def port(self, *, output: bool) -> QPointF:
        """Where the wires of a collapsed frame arrive or leave."""
        return QPointF(self.box.right() if output else self.box.left(), self.box.center().y())

    def boundingRect(self) -> QRectF:
        """The box with its outline."""
        return self.box.adjusted(-6, -6, 6, 6)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw the open frame, or the node it stands for."""
        if self.frame.collapsed:
            self._paint_collapsed(painter)
            return
        painter.setPen(self._pen)
        painter.setBrush(self._fill)
        painter.drawRoundedRect(self.box, 10, 10)
        if self._ink.level >= Level.TITLES:
            painter.setPen(self._ink.muted)
            painter.setFont(self._ink.name_font)
            painter.drawStaticText(self.box.topLeft() + QPointF(12, 6), self._title)

    def _paint_collapsed(self, painter: QPainter) -> None:
        ink, corner = self._ink, self.box.topLeft()
        painter.setPen(self._pen)
        painter.setBrush(ink.node)
        painter.drawRoundedRect(self.box.translated(3, 3), 8, 8)  # a second sheet: there is more inside
        painter.drawRoundedRect(self.box, 8, 8)
        painter.setPen(ink.none)
        painter.setBrush(self.hue)
        painter.drawRoundedRect(QRectF(corner.x() + 3, corner.y() + 9, 4, self.box.height() - 18), 2, 2)
        if self._ink.level < Level.TITLES:
            return
        rows = ((self._title, ink.name_font, ink.text, 8), (self._count, ink.label_font, ink.muted, 28),
                (self._shapes, ink.shape_font, ink.shape, 54))  # fmt: skip
        for text, font, pen, down in rows:
            painter.setPen(pen)
            painter.setFont(font)
            painter.drawStaticText(corner + QPointF(_LEFT, down), text)
