"""A layout that puts widgets in lines and breaks them where the width ends."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem


class FlowLayout(QLayout):
    """Left to right, then the next line."""

    def __init__(self, spacing: int = 6) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setSpacing(spacing)
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        """Place the items (or only measure); returns the height they take."""
        x, y, line = rect.x(), rect.y(), 0
        row: list[tuple[int, QSize, QLayoutItem]] = []
        for item in self._items:
            if item.isEmpty():  # hidden
                continue
            hint = item.sizeHint()
            if x > rect.x() and x + hint.width() > rect.right() + 1:
                if move:
                    _set_row(row, y, line)
                x, y, line, row = rect.x(), y + line + self.spacing(), 0, []
            row.append((x, hint, item))
            x += hint.width() + self.spacing()
            line = max(line, hint.height())
        if move:
            _set_row(row, y, line)
        return y + line - rect.y()


def _set_row(row: list[tuple[int, QSize, QLayoutItem]], y: int, height: int) -> None:
    """Place one line's items, each in the middle of the line's height."""
    for x, hint, item in row:
        item.setGeometry(QRect(QPoint(x, y + (height - hint.height()) // 2), hint))
