"""One wire on the canvas, with the shape it carries and, where it is wrong, the two sizes that differ."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPainterPath, QPainterPathStroker, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from archstudio.ui.canvas.faces import WireFace
from archstudio.ui.canvas.ink import Ink, Level
from archstudio.ui.canvas.wire_path import Course, course, pill_rect, room_of

HIT_WIDTH = 10.0
"""How wide a wire is for the pointer, in canvas units at 100 %."""
_LABEL_HEIGHT = 17.0
_LIFT = 22.0
"""How far above a straight wire its label begins."""
_NOWHERE, _NOTHING = QPointF(), QRectF()


class WireItem(QGraphicsItem):
    """Draws a `WireFace` along a `Course`; both are set when the model or a node's place changes.

    The curve and where its words stand are worked out when somebody looks: of 100,000 wires most are seen from afar.
    """

    def __init__(self, connection_id: str, face: WireFace, ink: Ink) -> None:
        super().__init__()
        self.connection_id = connection_id
        self.face = face
        self.chosen = False
        self.hovered = False
        self.on_path = False
        self._ink = ink
        self._start, self._end, self._floor = _NOWHERE, _NOWHERE, 0.0
        self._course: Course | None = None
        self.reach = self.room = _NOTHING
        self._label_box: QRectF | None = None
        self._pill_box: QRectF | None = None

    def show_face(self, face: WireFace) -> None:
        """Show other texts."""
        self.face = face
        self._forget_course()

    def run(self, start: QPointF, end: QPointF, floor: float) -> None:
        """Run between two ports' middles; `floor` is the target's lower edge."""
        if (start, end, floor) != (self._start, self._end, self._floor) or self.room is _NOTHING:
            self._start, self._end, self._floor = start, end, floor
            self.reach = room_of(start, end)
            self._forget_course()

    def _forget_course(self) -> None:
        self._course = None
        bounds = self.reach.adjusted(0, -_LIFT, 0, 0) if self.face.shape else self.reach
        if self.face.fault:
            self._laid()
            bounds = bounds.united(self._pill_box or _NOTHING)
        if bounds != self.room:
            if self.room is not _NOTHING:  # it costs more than all else here, and a new item is in no scene yet
                self.prepareGeometryChange()
            self.room = bounds
        self.update()

    @property
    def path(self) -> QPainterPath:
        """The curve it is drawn along."""
        return self._laid().path

    def drawn(self) -> QRectF:
        """The rectangle around the curve and its words; `boundingRect` is a little larger."""
        drawn = self._laid().path.controlPointRect().adjusted(-4, -4, 4, 4)
        for box in (self._label_box, self._pill_box):
            if box is not None:
                drawn = drawn.united(box)
        return drawn

    def _laid(self) -> Course:
        """The course, worked out if nobody has asked for it yet."""
        if self._course is None:
            self._course = course(self._start, self._end)
            self._lay_out_words(self._course)
        return self._course

    def _lay_out_words(self, laid: Course) -> None:
        ink, face = self._ink, self.face
        self._label_box = self._pill_box = None
        if face.shape and ink.tells_wires:
            width = ink.text_width(face.shape, ink.wire_font)
            if width + 8 <= laid.room:
                top = laid.label_at.y() - (_LIFT if laid.flat else _LABEL_HEIGHT / 2)
                self._label_box = QRectF(laid.label_at.x() - width / 2 - 4, top, width + 8, _LABEL_HEIGHT)
                self._label = ink.static_text(face.shape, ink.wire_font, width + 8)
        if face.fault:
            width = ink.text_width(face.fault, ink.small_font)
            self._pill_box = pill_rect(self._start, self._end, self._floor, width + 12)
            self._pill = ink.static_text(face.fault, ink.small_font, width + 12)

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
        return self.room

    def shape(self) -> QPainterPath:
        """The curve, as wide as a pointer needs it."""
        stroker = QPainterPathStroker()
        stroker.setWidth(self._hit_width())
        return stroker.createStroke(self.path)

    def near(self, point: QPointF) -> bool:
        """Whether a scene point is on the wire."""
        wide = self._hit_width()
        return self.room.adjusted(-wide, -wide, wide, wide).contains(point) and self.shape().contains(point)

    def _hit_width(self) -> float:
        return HIT_WIDTH / min(max(self._ink.zoom, 0.2), 1.0)

    def ends(self) -> tuple[QPointF, QPointF]:
        """The ports it runs between."""
        return self._start, self._end

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw the curve, and near enough its words."""
        painter.setPen(self._pen())
        painter.setBrush(self._ink.no_fill)
        laid = self._laid()
        painter.drawPath(laid.path)
        if self._ink.level is Level.FULL:
            if self._label_box is not None:
                self._paint_label(painter, self._label_box, laid.flat)
            if self._pill_box is not None:
                self._paint_pill(painter, self._pill_box)

    def _paint_label(self, painter: QPainter, box: QRectF, flat: bool) -> None:
        ink = self._ink
        if not flat:
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
