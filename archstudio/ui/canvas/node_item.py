"""One node on the canvas: a single item whose ports, badge and texts are geometry, not children."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QBrush, QPainter, QStaticText
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from archstudio.app.node_box import NODE_WIDTH
from archstudio.layers import Severity
from archstudio.ui.canvas.faces import NodeFace
from archstudio.ui.canvas.ink import Ink, Level
from archstudio.ui.canvas.node_shape import BADGE_RADIUS, shape_of
from archstudio.ui.canvas.warmth import Warmth

PORT_RADIUS = 5.0
PORT_REACH = 11.0
"""How near to a port's middle a press counts, in canvas units at 100 %."""
RADIUS = 8.0
_BADGE_AT = QPointF(NODE_WIDTH - 2, 2)
_LEFT, _RIGHT = 14.0, 12.0
_NAME_LINE, _LABEL_LINE, _FOOT_LINE = 20.0, 39.0, 9.0
"""Baselines: of name and label from the top, of shape and count from the bottom."""
_LEAST_TYPE = 46.0
"""Room the type keeps beside a long name."""
_NODE_Z = 1.0


class NodeItem(QGraphicsItem):
    """Draws a `NodeFace`. What it shows is set from the model; it holds no truth of its own."""

    def __init__(self, node_id: str, face: NodeFace, ink: Ink) -> None:
        super().__init__()
        self.node_id = node_id
        self.chosen = False
        self.hovered = False
        self.lit_port: tuple[int, bool] | None = None
        self._lit_fits = True
        self.warmth: Warmth | None = None
        self._ink = ink
        self.setZValue(_NODE_Z)
        self.show_face(face)

    # ------------------------------------------------------------ model side

    def show_face(self, face: NodeFace) -> None:
        """Take in what will be painted. Texts are laid out when they are first seen: most nodes are not in view."""
        before: NodeFace | None = getattr(self, "face", None)
        self.face = face
        self._laid_out = False
        if before is None or (before.inputs, before.outputs) != (face.inputs, face.outputs):
            self._take_size(face)
        self.restyle()

    @property
    def block_hue(self) -> QBrush:
        """The node's colour from afar."""
        return self.hue if self.warmth is None else self.warmth.block

    def show_warmth(self, warmth: Warmth | None) -> None:
        """Show how much of something the node has; None shows its family again."""
        if warmth != self.warmth:
            self.warmth = warmth
            self._laid_out = False
            self.restyle()

    def _take_size(self, face: NodeFace) -> None:
        self.prepareGeometryChange()
        shape = shape_of(len(face.inputs), len(face.outputs))
        self.height, self._body, self._bounds = shape.height, shape.body, shape.bounds
        self._block_stripe, self._in, self._out = shape.block_stripe, shape.inputs, shape.outputs

    def restyle(self) -> None:
        """Take the colours of the ink again."""
        self.hue = self._ink.own_hue(self.face.colour, self.face.family)
        self._stripe = self._ink.stripe(self.face.family, self.height)
        self._block_ground = self._ink.block(self.hue) if self.warmth is None else self.warmth.block
        self.update()

    def _lay_out_texts(self) -> None:
        self._laid_out = True
        ink, face = self._ink, self.face
        inner = NODE_WIDTH - _LEFT - _RIGHT
        name_width = ink.text_width(face.name, ink.name_font)
        type_room = max(inner - name_width - 10, _LEAST_TYPE)
        kind = ink.static_text(face.type, ink.type_font, type_room)
        name = ink.static_text(face.name, ink.name_font, inner - kind.size().width() - 10)
        self._name, self._kind = name, kind
        self._name_at = QPointF(_LEFT, _NAME_LINE - ink.ascent(ink.name_font))
        self._kind_at = _right_aligned(kind, _NAME_LINE - ink.ascent(ink.type_font))
        lock_room = 16 if face.locked else 0
        self._label_at = QPointF(_LEFT, _LABEL_LINE - ink.ascent(ink.label_font))
        self._label_font = ink.label_italic if face.label_inferred else ink.label_font
        self._label = ink.static_text(face.label, self._label_font, inner - lock_room)
        self._shape_font = ink.shape_italic if face.output_italic else ink.shape_font
        number = face.count if self.warmth is None else self.warmth.text
        count = ink.static_text(number, ink.type_font, inner / 2)
        shape = ink.static_text(face.output, self._shape_font, inner - (count.size().width() + 10 if number else 0))
        self._shape, self._count = shape, count
        foot = self.height - _FOOT_LINE
        self._hair_y = self.height - 25
        self._shape_at = QPointF(_LEFT, foot - ink.ascent(ink.shape_font))
        self._count_at = _right_aligned(count, foot - ink.ascent(ink.type_font))
        # with nothing to say below it, the line between body and foot would only be noise
        self._has_foot = bool(face.output or number)
        self._has_number = bool(number)

    def light(self, port: tuple[int, bool] | None, *, fits: bool = True) -> None:
        """Show a port (its index, and whether it is an output) as the one a wire would go to, and if it would fit."""
        self.lit_port = port
        self._lit_fits = fits
        self.update()

    def hover(self, on: bool) -> None:
        """Show that the pointer is over it."""
        if on != self.hovered:
            self.hovered = on
            self.update()

    # -------------------------------------------------------------- geometry

    def boundingRect(self) -> QRectF:
        """The body with room for ports, frame and badge."""
        return self._bounds

    def body(self) -> QRectF:
        """The node's box in scene coordinates."""
        return self._body.translated(self.pos())

    def port_position(self, index: int, *, output: bool) -> QPointF:
        """Middle of a port in scene coordinates."""
        ports = self._out if output else self._in
        if not ports:
            return self.pos() + QPointF(NODE_WIDTH if output else 0.0, self.height / 2)
        return self.pos() + ports[min(max(index, 0), len(ports) - 1)]

    def port_at(self, scene: QPointF, reach: float = PORT_REACH) -> tuple[int, bool] | None:
        """The port near a point: its index and whether it is an output."""
        at = scene - self.pos()
        best: tuple[int, bool] | None = None
        for ports, output in ((self._out, True), (self._in, False)):
            for k, port in enumerate(ports):
                distance = (at - port).manhattanLength()
                if distance < reach:
                    best, reach = (k, output), distance
        return best

    # -------------------------------------------------------------- painting

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw at the level of detail of the zoom."""
        level = self._ink.level
        if level <= Level.BLOCKS:
            self._paint_block(painter)
            return
        if not self._laid_out:
            self._lay_out_texts()
        self._paint_body(painter)
        if level is Level.FULL:
            self._paint_texts(painter)
            self._paint_ports(painter)
        else:
            self._paint_title(painter)
        if self.face.badge is not None:
            paint_badge(painter, self._ink, self.face.badge, _BADGE_AT)

    def _paint_block(self, painter: QPainter) -> None:
        ink = self._ink
        painter.fillRect(self._body, ink.accent_fill if self.chosen else self._block_ground)
        painter.fillRect(self._block_stripe, self.hue)
        if self.face.badge is Severity.ERROR:
            painter.fillRect(QRectF(NODE_WIDTH - 30, 0, 30, 30), ink.error_fill)

    def _paint_body(self, painter: QPainter) -> None:
        ink = self._ink
        if self.chosen:
            painter.setPen(ink.border_selected)
        elif self.face.bypassed:
            painter.setPen(ink.border_bypassed)
        else:
            painter.setPen(ink.border_hover if self.hovered else ink.border)
        ground = ink.canvas if self.face.bypassed else ink.node
        painter.setBrush(ground if self.warmth is None else self.warmth.ground)
        painter.drawRoundedRect(self._body, RADIUS, RADIUS)
        painter.setPen(ink.none)
        painter.setBrush(self.hue)
        painter.drawRects(self._stripe)
        if self.warmth is not None:
            painter.setBrush(ink.heat)
            painter.drawRect(QRectF(_LEFT, self.height - 5, (NODE_WIDTH - _LEFT - _RIGHT) * self.warmth.share, 3))

    def _paint_title(self, painter: QPainter) -> None:
        ink = self._ink
        faint = (self.face.waiting or self.face.bypassed) and self.warmth is None
        painter.setPen(ink.muted if faint else ink.text)
        painter.setFont(ink.name_font)
        painter.drawStaticText(self._name_at, self._name)

    def _paint_texts(self, painter: QPainter) -> None:
        ink = self._ink
        self._paint_title(painter)
        quiet = ink.muted if self.warmth is None else ink.text
        painter.setPen(quiet)
        painter.setFont(ink.type_font)
        painter.drawStaticText(self._kind_at, self._kind)
        if self._has_number:
            painter.drawStaticText(self._count_at, self._count)
        if self.face.label:
            painter.setFont(self._label_font)
            painter.drawStaticText(self._label_at, self._label)
        if self.face.locked:
            self._paint_lock(painter)
        if self._has_foot:
            painter.setPen(ink.hair)
            painter.drawLine(QPointF(7.5, self._hair_y), QPointF(NODE_WIDTH - 1, self._hair_y))
            painter.setPen(quiet if self.face.output_italic or self.warmth is not None else ink.shape)
            painter.setFont(self._shape_font)
            painter.drawStaticText(self._shape_at, self._shape)

    def _paint_ports(self, painter: QPainter) -> None:
        ink, faulty = self._ink, self.face.faulty_inputs
        painter.setBrush(ink.node)
        painter.setPen(ink.port)
        for port in self._out:
            painter.drawEllipse(port, PORT_RADIUS, PORT_RADIUS)
        for k, port in enumerate(self._in):
            painter.setPen(ink.port_faulty if k in faulty else ink.port)
            painter.drawEllipse(port, PORT_RADIUS, PORT_RADIUS)
        if self.lit_port is not None:
            index, output = self.lit_port
            painter.setPen(ink.port_lit if self._lit_fits else ink.port_refused)
            painter.setBrush(ink.accent_fill if self._lit_fits else ink.error_fill)
            ports = self._out if output else self._in
            if index < len(ports):
                painter.drawEllipse(ports[index], PORT_RADIUS + 1, PORT_RADIUS + 1)

    def _paint_lock(self, painter: QPainter) -> None:
        painter.setBrush(self._ink.no_fill)
        painter.translate(NODE_WIDTH - _RIGHT - 9, 29)
        painter.drawPath(self._ink.lock)
        painter.translate(-(NODE_WIDTH - _RIGHT - 9), -29)


def paint_badge(painter: QPainter, ink: Ink, severity: Severity, at: QPointF) -> None:
    """Draw the mark of a problem with its middle at a point."""
    ground, sign = ink.badges[severity]
    painter.setPen(ink.none)
    painter.setBrush(ground)
    painter.drawEllipse(at, BADGE_RADIUS, BADGE_RADIUS)
    painter.setPen(sign)
    painter.setFont(ink.badge_font)
    mark = ink.static_text("i" if severity is Severity.ADVICE else "!", ink.badge_font, 20)
    size = mark.size()
    painter.drawStaticText(at - QPointF(size.width() / 2, size.height() / 2), mark)


def _right_aligned(text: QStaticText, y: float) -> QPointF:
    return QPointF(NODE_WIDTH - _RIGHT - text.size().width(), y)
