"""How a layer type looks in a list: a family stripe, the name in bold, and what it does."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from archstudio.ui.theme import Theme
from archstudio.ui.theme.family_marks import stripe_parts

TYPE_ROLE = int(Qt.ItemDataRole.UserRole)
SUMMARY_ROLE = TYPE_ROLE + 1
FAMILY_ROLE = TYPE_ROLE + 2
ROW_HEIGHT = 30
_GAP = 14
_NAME_SHARE = 0.46
"""At least so much of a row is the name's; what a layer does begins there, one below the other, or behind a longer
name."""


class LayerRow(QStyledItemDelegate):
    """Paints rows whose items carry type, summary and family."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """One height for all rows."""
        return QSize(120, ROW_HEIGHT)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw one row."""
        rect, state = option.rect, option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if state & QStyle.StateFlag.State_Selected:
            painter.setBrush(self.theme.colour("select"))
            painter.drawRoundedRect(rect, 6, 6)
        painter.setBrush(self.theme.family(index.data(FAMILY_ROLE)))
        stripe = QRectF(rect.left() + 6, rect.top() + 5, 4, rect.height() - 10)
        painter.drawRects(stripe_parts(stripe, index.data(FAMILY_ROLE)))
        self._words(painter, option, index)
        painter.restore()

    def _words(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        inner = option.rect.adjusted(20, 0, -8, 0)
        font = option.font
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(self.theme.colour("text"))
        name = index.data(TYPE_ROLE)
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, name)
        used = max(painter.fontMetrics().horizontalAdvance(name) + _GAP, round(inner.width() * _NAME_SHARE))
        font.setBold(False)
        painter.setFont(font)
        painter.setPen(self.theme.colour("muted"))
        room = inner.adjusted(used, 0, 0, 0)
        told = painter.fontMetrics().elidedText(
            index.data(SUMMARY_ROLE), Qt.TextElideMode.ElideRight, max(room.width(), 0)
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, told)
