"""Rows of a mark, a label and a value, as the verdict shows them; rows are kept and rewritten, not rebuilt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QWidget

from archstudio.app.words import said
from archstudio.ui.panels.elided import ElidedLabel
from archstudio.ui.panels.panel import label, set_role

Mark = Literal["ok", "error", "unknown", ""]

_MARKS: dict[Mark, tuple[str, str, str]] = {
    "ok": ("✔", "ok", "yes"),
    "error": ("✖", "error", "no"),
    "unknown": ("–", "muted", "unknown"),
    "": ("", "", ""),
}
_TITLE_PX = 140
_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_Parts = tuple[QLabel, ElidedLabel, ElidedLabel]


@dataclass(frozen=True, slots=True)
class Row:
    """One line: what it is about, its value, and how it stands."""

    text: str
    value: str
    mark: Mark = ""
    strong: bool = False
    tip: str = ""


class Rows(QWidget):
    """A column of rows. A click, Enter or Space on a strong row emits `pressed`, or folds the rows below it."""

    pressed = Signal()

    def __init__(self, name: str, *, folds: bool = False) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._folds = folds
        self.folded = False
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)  # shared row by row: a long value shortens only its own text
        self._made: list[_Parts] = []
        self._shown: list[Row] = []

    @property
    def shown(self) -> list[Row]:
        """The rows as they stand."""
        return self._shown

    def show_rows(self, rows: list[Row]) -> None:
        """Show these rows."""
        if rows == self._shown:
            return
        self._shown = rows
        while len(self._made) < len(rows):
            self._made.append(self._make(len(self._made)))
        for parts, row in zip(self._made, rows, strict=False):
            _write(parts, row)
        self._place()

    def _place(self) -> None:
        for k, parts in enumerate(self._made):
            here = k < len(self._shown) and (k == 0 or not self.folded)
            pressable = k < len(self._shown) and self._shown[k].strong
            parts[1].setFocusPolicy(Qt.FocusPolicy.TabFocus if pressable else Qt.FocusPolicy.NoFocus)
            for part in parts:
                part.setVisible(here)
                if pressable:
                    part.setCursor(Qt.CursorShape.PointingHandCursor)
                else:
                    part.unsetCursor()
        self.setVisible(bool(self._shown))

    def _make(self, k: int) -> _Parts:
        mark, text, value = label(), ElidedLabel(), ElidedLabel()
        mark.setFixedWidth(16)
        value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for part in (mark, text, value):
            part.setObjectName(f"row-{k}")
            part.installEventFilter(self)
        pair = QHBoxLayout()
        pair.setSpacing(8)
        pair.addWidget(text, 1)
        pair.addWidget(value)
        self._grid.addWidget(mark, k, 0)
        self._grid.addLayout(pair, k, 1)
        return mark, text, value

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A strong row is pressed by mouse or keyboard."""
        k = next((k for k, parts in enumerate(self._made) if watched in parts), None)
        if k is not None and k < len(self._shown) and self._shown[k].strong:
            key = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in _KEYS
            if key or event.type() == QEvent.Type.MouseButtonRelease:
                self.press()
                return True
        return super().eventFilter(watched, event)

    def press(self) -> None:
        """Fold or unfold what is below the first row, and tell."""
        if self._folds:
            self.folded = not self.folded
            self._place()
        self.pressed.emit()


def _write(parts: _Parts, row: Row) -> None:
    mark, text, value = parts
    sign, role, spoken = _MARKS[row.mark]
    mark.setText(sign)
    set_role(mark, role)
    mark.setAccessibleName(said(spoken))
    text.setText(said(row.text))
    text.tip = row.tip
    text.setAccessibleName(f"{said(row.text)}, {said(row.value)}, {said(spoken)}".rstrip(", "))
    set_role(text, "strong" if row.strong else "muted" if row.mark == "" else "")
    # what a line is about outlives its reason, as long as both have some room
    text.setMinimumWidth(min(text.sizeHint().width(), _TITLE_PX) if row.strong else 0)
    text.retell()
    value.setText(said(row.value))
    set_role(value, "muted" if row.strong else "error" if row.mark == "error" else "")
    value.tip = row.tip
    value.retell()
    mark.setToolTip(row.tip)
