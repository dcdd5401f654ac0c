"""The heat of layers as colours: a scale between the colour of a node and one warm hue, and its legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QLinearGradient, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from archstudio.app.heat import HEAT_TITLES, Heat
from archstudio.ui.theme import Theme
from archstudio.ui.theme.contrast import mixed
from archstudio.ui.theme.fonts import ui_font

_STEPS = 24
_MOST_TINT = 0.45
"""How much of the warm hue a node takes at most: its words must still be read."""
_SIZE_PX = (230, 62)
_INSET_PX = 12
_FAINT = 0.55


@dataclass(frozen=True, slots=True)
class Warmth:
    """How one node shows its heat: the ground of its words, its colour from afar, its share (0 to 1) and its value."""

    ground: QBrush
    block: QBrush
    share: float
    text: str


class Warmths:
    """Makes the warmth of nodes in the colours of a theme; equal shares have equal brushes."""

    def __init__(self, theme: Theme) -> None:
        cold, hot = theme.colour("node"), theme.family("merge")
        far = mixed(theme.colour("node"), theme.colour("nodeborder"), 0.6)
        self._grounds = [QBrush(mixed(cold, hot, _MOST_TINT * k / _STEPS)) for k in range(_STEPS + 1)]
        self._blocks = [QBrush(mixed(far, hot, k / _STEPS)) for k in range(_STEPS + 1)]
        self._unknown = QBrush(theme.colour("canvas"))

    def of(self, heat: Heat, node_id: str) -> Warmth:
        """The warmth of a node; one whose value is unknown is as the canvas."""
        share = heat.share(node_id)
        if share is None:
            return Warmth(self._unknown, self._unknown, 0.0, "")
        step = round(min(max(share, 0.0), 1.0) * _STEPS)
        return Warmth(self._grounds[step], self._blocks[step], share, heat.texts[node_id])


class Legend(QWidget):
    """What the colours stand for, in a corner of the canvas that no layer stands in; it lets the pointer through."""

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent)
        self._theme = theme
        self._heat: Heat | None = None
        self.faint = False
        """Whether a layer is below it, so that it has to be seen through."""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFixedSize(*_SIZE_PX)
        self.move(_INSET_PX, _INSET_PX)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self._theme = theme
        self.update()

    def place(self, taken: Sequence[QRectF]) -> None:
        """Stand in the first corner that none of these rectangles of the canvas touches, else where the least of it is.

        Where every corner is taken it is seen through, so that nothing is hidden.
        """
        parent = self.parentWidget()
        assert parent is not None
        room = parent.rect()
        right, bottom = room.width() - self.width() - _INSET_PX, room.height() - self.height() - _INSET_PX
        corners = [(_INSET_PX, _INSET_PX), (_INSET_PX, bottom), (right, _INSET_PX), (right, bottom)]
        boxes = [QRectF(x, y, self.width(), self.height()).adjusted(-4, -4, 4, 4) for x, y in corners]
        hidden = [sum(_area(box.intersected(other)) for other in taken) for box in boxes]
        best = min(range(len(corners)), key=hidden.__getitem__)
        self.move(*corners[best])
        faint = hidden[best] > 0
        if faint != self.faint:
            self.faint = faint
            self.update()

    def show_heat(self, heat: Heat | None) -> None:
        """Explain these colours; None hides the legend."""
        self._heat = heat
        self.setVisible(heat is not None)
        if heat is not None:
            self.setAccessibleName(self.tr("Heat: {what}").format(what=HEAT_TITLES[heat.kind]))
            self.setAccessibleDescription(
                self.tr("from {least} to {most}").format(least=heat.ticks[0], most=heat.ticks[2])
            )
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw title, scale and ticks."""
        if self._heat is None:
            return
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(_FAINT if self.faint else 1.0)
        painter.setPen(QPen(theme.colour("border"), 1))
        painter.setBrush(theme.colour("surface"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        room = QRectF(self.rect()).adjusted(10, 7, -10, -7)
        painter.setPen(theme.colour("text"))
        painter.setFont(ui_font(11.5, bold=True))
        painter.drawText(room, Qt.AlignmentFlag.AlignTop, HEAT_TITLES[self._heat.kind])
        bar = QRectF(room.left(), room.top() + 18, room.width(), 10)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._scale(bar))
        painter.drawRoundedRect(bar, 3, 3)
        painter.setPen(theme.colour("muted"))
        painter.setFont(ui_font(10.5))
        sides = (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignRight)
        for text, side in zip(self._heat.ticks, sides, strict=True):
            painter.drawText(room, Qt.AlignmentFlag.AlignBottom | side, text)
        painter.end()

    def _scale(self, bar: QRectF) -> QBrush:
        far = mixed(self._theme.colour("node"), self._theme.colour("nodeborder"), 0.6)
        ramp = QLinearGradient(QPointF(bar.left(), 0), QPointF(bar.right(), 0))
        ramp.setColorAt(0, far)
        ramp.setColorAt(1, self._theme.family("merge"))
        return QBrush(ramp)


def _area(box: QRectF) -> float:
    return box.width() * box.height() if box.isValid() else 0.0
