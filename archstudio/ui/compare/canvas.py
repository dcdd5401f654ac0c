"""A canvas to look at: what was added, removed or changed is framed in colour, by pattern and by a sign."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QWheelEvent
from PySide6.QtWidgets import QGraphicsView, QWidget

from archstudio.app.comparing import Kind, Side
from archstudio.app.document import Document
from archstudio.ui.canvas.ink import Level
from archstudio.ui.canvas.surface import CanvasSurface
from archstudio.ui.theme import Theme
from archstudio.ui.theme.fonts import ui_font

if TYPE_CHECKING:
    from archstudio.study.visibility import Visibility

SIGNS: Mapping[Kind, str] = {"added": "+", "removed": "−", "changed": "~"}
"""What stands beside each colour for those who cannot tell colours apart."""
TOKENS: Mapping[Kind, str] = {"added": "ok", "removed": "error", "changed": "warn"}
_PATTERNS: Mapping[Kind, Qt.PenStyle] = {
    "added": Qt.PenStyle.SolidLine,
    "removed": Qt.PenStyle.DashLine,
    "changed": Qt.PenStyle.DotLine,
}
_NOTCH = 120.0
_AROUND = 5.0
_SIGN_RADIUS = 9.0


class ComparedCanvas(CanvasSurface):
    """Shows one side of a comparison. It can be moved, zoomed and selected in, and edits nothing."""

    def __init__(self, side: Side, visibility: Visibility, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Document(side.graph, visibility=visibility), theme, parent)
        self.side = side
        self.graph_scene.sync()
        self.setDragMode(QGraphicsView.DragMode.ScrollHandDrag)
        self.setAcceptDrops(False)
        self.set_minimap(False)
        self.setAccessibleName(self.tr("{title}, compared").format(title=side.title))
        self._dress(theme)

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        super().set_theme(theme)
        self._dress(theme)

    def _dress(self, theme: Theme) -> None:
        self._pens: dict[Kind, QPen] = {}
        self._fills: dict[Kind, QBrush] = {}
        self._sign_pens: dict[Kind, QPen] = {}
        for kind, token in TOKENS.items():
            colour = theme.colour(token)
            pen = QPen(colour, 2.5, _PATTERNS[kind])
            pen.setCosmetic(True)
            self._pens[kind] = pen
            self._fills[kind] = QBrush(colour)
            self._sign_pens[kind] = QPen(theme.text_on(colour))
        self._sign_font = ui_font(13, bold=True)
        self._halo = QColor(theme.colour("accent"))
        self._halo.setAlpha(60)

    def look_at(self, part: str) -> None:
        """Select a layer or wire and bring it to the middle; a part of the other side only is passed over."""
        graph = self.document.graph
        if part in graph:
            self.document.selection.set([part])
            self.reveal(part)
        elif graph.has_connection(part):
            self.document.selection.set((), [part])
            middle = self.graph_scene.wires[part].path.pointAtPercent(0.5)
            if not self.camera.seen().contains(middle):
                self.camera.center_on(middle)
        else:
            self.document.selection.set()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer."""
        self.camera.notches(event.angleDelta().y() / _NOTCH, event.position())
        event.accept()

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        """Frame what differs, over the graph at any zoom."""
        super().drawForeground(painter, rect)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for part, kind in self.side.marks.items():
            wire = self.graph_scene.wires.get(part)
            if wire is not None:
                painter.setPen(self._pens[kind])
                painter.drawPath(wire.path)
        for part, kind in self.side.marks.items():
            node = self.graph_scene.nodes.get(part)
            if node is not None and node.isVisible():
                self._frame(painter, node.body(), kind)

    def _frame(self, painter: QPainter, body: QRectF, kind: Kind) -> None:
        painter.setPen(self._pens[kind])
        painter.setBrush(Qt.BrushStyle.NoBrush)
        around = body.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND)
        painter.drawRoundedRect(around, 11, 11)
        if self.ink.level <= Level.BLOCKS:
            return
        at = around.topLeft()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._fills[kind])
        painter.drawEllipse(at, _SIGN_RADIUS, _SIGN_RADIUS)
        painter.setPen(self._sign_pens[kind])
        painter.setFont(self._sign_font)
        room = QRectF(at - QPointF(_SIGN_RADIUS, _SIGN_RADIUS), at + QPointF(_SIGN_RADIUS, _SIGN_RADIUS))
        painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter), SIGNS[kind])
