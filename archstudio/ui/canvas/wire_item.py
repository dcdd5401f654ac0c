"""One wire on the canvas, with the shape it carries and, where it is wrong, the two sizes that differ."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPainterPath, QPainterPathStroker, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from archstudio.ui.canvas.faces import WireFace
from archstudio.ui.canvas.ink import Ink, Level
from archstudio.ui.canvas.wire_path import Course, course, pill_rect

HIT_WIDTH = 10.0
"""How wide a wire is for the pointer, in canvas units at 100 %."""
_LABEL_HEIGHT = 17.0
_LIFT = 22.0
"""How far above a straight wire its label begins."""
_WIRE_Z = 1.0
_NOWHERE, _NOTHING = QPointF(), QRectF()
_NO_COURSE = Course(QPainterPath(), _NOWHERE, 0.0, True)


class WireItem(QGraphicsItem):
    """Draws a `WireFace` along a `Course`; both are set when the model or a node's place changes."""

    def __init__(self, connection_id: str, face: WireFace, ink: Ink) -> None:
        super().__init__()
        self.connection_id = connection_id
        self.face = face
        self.chosen = False
        self.hovered = False
        self.on_path = False
        self._ink = ink
        self._start, self._end, self._floor = _NOWHERE, _NOWHERE, 0.0
        self._course = _NO_COURSE
        self.path = _NO_COURSE.path
        self.reach = self._bounds = _NOTHING
        self._label_box: QRectF | None = None
        self._pill_box: QRectF | None = None
        self.setZValue(_WIRE_Z)

    def show_face(self, face: WireFace) -> None:
        """Show other texts."""
        self.face = face
        self.prepareGeometryChange()
        self._lay_out_words()

    def run(self, start: QPointF, end: QPointF, floor: float) -> None:
        """Run between two ports' middles; `floor` is the target's lower edge."""
        if (start, end, floor) != (self._start, self._end, self._floor) or self._course is _NO_COURSE:
            self._start, self._end, self._floor = start, end, floor
            self._lay_out()

    def _lay_out(self) -> None:
        self.prepareGeometryChange()
        self._course = course(self._start, self._end)
        self.path = self._course.path
        self.reach = self.path.controlPointRect().adjusted(-4, -4, 4, 4)
        self._lay_out_words()

    def _lay_out_words(self) -> None:
        ink, face, laid = self._ink, self.face, self._course
        self._label_box = self._pill_box = None
        if face.shape:
            width = ink.text_width(face.shape, ink.wire_font)
            if width + 8 <= laid.room:
                top = laid.label_at.y() - (_LIFT if laid.flat else _LABEL_HEIGHT / 2)
                self._label_box = QRectF(laid.label_at.x() - width / 2 - 4, top, width + 8, _LABEL_HEIGHT)
                self._label = ink.static_text(face.shape, ink.wire_font, width + 8)
        if face.fault:
            width = ink.text_width(face.fault, ink.small_font)
            self._pill_box = pill_rect(self._start, self._end, self._floor, width + 12)
            self._pill = ink.static_text(face.fault, ink.small_font, width + 12)
        bounds = self.reach
        for box in (self._label_box, self._pill_box):
            if box is not None:
                bounds = bounds.united(box)
        self._bounds = bounds
        self.restyle()

    def restyle(self) -> None:
        """Choose the pen again: the zoom, the theme or a state changed."""
        self.update()

    def hover(self, on: bool) -> None:
        """Show that the pointer is over it."""
        if on != self.hovered:
            self.hovered = on
            self.update()

    def _pen(self) -> QPen:
        ink = self._ink
        if self.chosen:
            return ink.wire_selected
        if self.face.faulty:
            return ink.wire_faulty
        if self.hovered:
            return ink.wire_hover
        if self.on_path:
            return ink.wire_path
        return ink.wire if self.face.known else ink.wire_unknown

    def boundingRect(self) -> QRectF:
        """The curve with its label and pill."""
        return self._bounds

    def shape(self) -> QPainterPath:
        """The curve, as wide as a pointer needs it."""
        stroker = QPainterPathStroker()
        stroker.setWidth(HIT_WIDTH / min(max(self._ink.zoom, 0.2), 1.0))
        return stroker.createStroke(self.path)

    def near(self, point: QPointF) -> bool:
        """Whether a scene point is on the wire."""
        return self._bounds.contains(point) and self.shape().contains(point)

    def ends(self) -> tuple[QPointF, QPointF]:
        """The ports it runs between."""
        return self._start, self._end

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw the curve, and near enough its words."""
        painter.setPen(self._pen())
        painter.setBrush(self._ink.no_fill)
        painter.drawPath(self.path)
        if self._ink.level is Level.FULL:
            if self._label_box is not None:
                self._paint_label(painter, self._label_box)
            if self._pill_box is not None:
                self._paint_pill(painter, self._pill_box)

    def _paint_label(self, painter: QPainter, box: QRectF) -> None:
        ink = self._ink
        if not self._course.flat:
            painter.fillRect(box, ink.canvas)
        painter.setPen(ink.shape if self.face.known else ink.muted)
        painter.setFont(ink.wire_font)
        painter.drawStaticText(QPointF(box.x() + 4, box.y() + 2), self._label)

    def _paint_pill(self, painter: QPainter, box: QRectF) -> None:
        ink = self._ink
        painter.setPen(ink.none)
        painter.setBrush(ink.error_pale)
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(ink.error)
        painter.setFont(ink.small_font)
        painter.drawStaticText(QPointF(box.x() + 6, box.y() + 2), self._pill)
