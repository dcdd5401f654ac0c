"""A label of one line that is cut with an ellipsis where its room ends, and then tells the whole text as its tip."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QStyle, QStyleOption

_LEAST_PX = 24


class ElidedLabel(QLabel):
    """Shows as much of its text as fits. `tip` is told when nothing is cut."""

    def __init__(self, text: str = "", role: str = "") -> None:
        super().__init__(text)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.tip = ""
        if role:
            self.setProperty("role", role)

    def minimumSizeHint(self) -> QSize:
        """A few letters, so that long texts do not hold the window open."""
        return QSize(min(_LEAST_PX, self.sizeHint().width()), self.sizeHint().height())

    @property
    def shown(self) -> str:
        """The text as it is drawn."""
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.contentsRect().width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell the whole text where it is cut."""
        super().resizeEvent(event)
        self.retell()

    def retell(self) -> None:
        """Bring the tip up to date after another text or tip."""
        cut = self.shown != self.text()
        self.setToolTip("\n".join(part for part in (self.text() if cut else "", self.tip) if part))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the cut text in the label's own colour, font and alignment."""
        option = QStyleOption()
        option.initFrom(self)
        with QPainter(self) as painter:
            self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
            painter.setPen(self.palette().windowText().color())
            painter.drawText(self.contentsRect(), self.alignment(), self.shown)
