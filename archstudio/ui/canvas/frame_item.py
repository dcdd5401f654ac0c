"""A frame around a group of nodes; collapsed, it is drawn as one node with the shapes that go in and out."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QBrush, QColor, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from archstudio.app.figures import plural
from archstudio.app.frame_ports import InnerPort
from archstudio.app.node_box import NODE_WIDTH, node_height, port_offset
from archstudio.graph import Frame
from archstudio.layers import Severity
from archstudio.ui.canvas.ink import Ink, Level
from archstudio.ui.canvas.node_item import PORT_RADIUS, paint_badge

_PADDING = 22.0
_TITLE = 26.0
_LEFT = 14.0
_OPEN_Z, _COLLAPSED_Z = -2.0, 1.0


class FrameItem(QGraphicsItem):
    """Shows a `Frame`; `box` is where it is, `handle` the part that can be pressed, in scene coordinates.

    Collapsed, it has the ports of its layers that lead outside, `chosen` says that all of them are selected, and
    `badge` is the worst mark of any.
    """

    def __init__(self, ink: Ink) -> None:
        super().__init__()
        self._ink = ink
        self.frame = Frame("", "", ())
        self.box = QRectF()
        self.handle = QRectF()
        self.chosen = False
        self.badge: Severity | None = None
        self._lit: tuple[QPointF, bool] | None = None
        self._sides: dict[bool, list[InnerPort]] = {False: [], True: []}

    def show_frame(
        self, frame: Frame, around: QRectF, shapes: str, inputs: Sequence[InnerPort], outputs: Sequence[InnerPort]
    ) -> None:
        """Stand around a rectangle (collapsed: in the middle of its left edge); `shapes` is what goes in and out."""
        self.prepareGeometryChange()
        self.frame = frame
        self.setVisible(not around.isNull())
        self._sides = {False: list(inputs), True: list(outputs)}
        if frame.collapsed:
            height = node_height(len(inputs), len(outputs))
            self.box = self.handle = QRectF(around.left(), around.center().y() - height / 2, NODE_WIDTH, height)
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

    def port_position(self, inner: InnerPort, *, output: bool) -> QPointF:
        """Where a layer's port is while the frame is collapsed; one that leads nowhere outside is in the middle."""
        ports = self._sides[output]
        if inner not in ports:
            return QPointF(self.box.right() if output else self.box.left(), self.box.center().y())
        x, y = port_offset(ports.index(inner), len(ports), self.box.height(), output=output)
        return self.box.topLeft() + QPointF(x, y)

    def port_at(self, point: QPointF, reach: float) -> tuple[InnerPort, bool] | None:
        """The port of the collapsed frame near a point, and whether it is an output."""
        best: tuple[InnerPort, bool] | None = None
        for output in (True, False) if self.frame.collapsed else ():
            for inner in self._sides[output]:
                distance = (point - self.port_position(inner, output=output)).manhattanLength()
                if distance < reach:
                    best, reach = (inner, output), distance
        return best

    def ports(self, *, output: bool) -> Sequence[InnerPort]:
        """The ports of one side, from the top."""
        return self._sides[output]

    def light(self, inner: InnerPort | None, *, output: bool = False, fits: bool = True) -> None:
        """Show a port as the one a wire would go to, and if it would fit; None shows none."""
        self._lit = None if inner is None else (self.port_position(inner, output=output), fits)
        self.update()

    def boundingRect(self) -> QRectF:
        """The box with its outline, ports and badge."""
        return self.box.adjusted(-10, -12, 12, 10)

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
        painter.setPen(ink.border_selected if self.chosen else self._pen)
        painter.setBrush(ink.node)
        painter.drawRoundedRect(self.box.translated(3, 3), 8, 8)  # a second sheet: there is more inside
        painter.drawRoundedRect(self.box, 8, 8)
        painter.setPen(ink.none)
        painter.setBrush(self.hue)
        painter.drawRoundedRect(QRectF(corner.x() + 3, corner.y() + 9, 4, self.box.height() - 18), 2, 2)
        if self._ink.level < Level.TITLES:
            return
        foot = self.box.height() - 20
        rows = ((self._title, ink.name_font, ink.text, 8), (self._count, ink.label_font, ink.muted, 28),
                (self._shapes, ink.shape_font, ink.shape, foot))  # fmt: skip
        for text, font, pen, down in rows:
            painter.setPen(pen)
            painter.setFont(font)
            painter.drawStaticText(corner + QPointF(_LEFT, down), text)
        if ink.level is Level.FULL:
            self._paint_ports(painter)
        if self.badge is not None:
            paint_badge(painter, ink, self.badge, QPointF(self.box.right() - 2, self.box.top() + 2))

    def _paint_ports(self, painter: QPainter) -> None:
        ink = self._ink
        painter.setPen(ink.port)
        painter.setBrush(ink.node)
        for output, ports in self._sides.items():
            for inner in ports:
                painter.drawEllipse(self.port_position(inner, output=output), PORT_RADIUS, PORT_RADIUS)
        if self._lit is not None:
            at, fits = self._lit
            painter.setPen(ink.port_lit if fits else ink.port_refused)
            painter.setBrush(ink.accent_fill if fits else ink.error_fill)
            painter.drawEllipse(at, PORT_RADIUS + 1, PORT_RADIUS + 1)
