"""Rows of a mark, a label and a value, as the verdict shows them; rows are kept and rewritten, not rebuilt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from archstudio.ui.panels.panel import label, set_role

Mark = Literal["ok", "error", "unknown", ""]

_MARKS: dict[Mark, tuple[str, str, str]] = {
    "ok": ("✔", "ok", "yes"),
    "error": ("✖", "error", "no"),
    "unknown": ("–", "muted", "unknown"),
    "": ("", "", ""),
}


@dataclass(frozen=True, slots=True)
class Row:
    """One line: what it is about, its value, and how it stands."""

    text: str
    value: str
    mark: Mark = ""
    strong: bool = False
    tip: str = ""


class Rows(QWidget):
    """A column of rows."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(5)
        self._grid.setColumnStretch(1, 3)
        self._grid.setColumnStretch(2, 2)
        self._made: list[tuple[QLabel, QLabel, QLabel]] = []
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
        for k, parts in enumerate(self._made):
            for part in parts:
                part.setVisible(k < len(rows))
            if k < len(rows):
                _write(parts, rows[k])

    def _make(self, k: int) -> tuple[QLabel, QLabel, QLabel]:
        mark, text, value = label(), label("", wrap=True), label("", wrap=True)
        mark.setMinimumWidth(16)
        value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        mark.setAlignment(Qt.AlignmentFlag.AlignTop)
        text.setAlignment(Qt.AlignmentFlag.AlignTop)
        for column, part in enumerate((mark, text, value)):
            self._grid.addWidget(part, k, column)
        return mark, text, value


def _write(parts: tuple[QLabel, QLabel, QLabel], row: Row) -> None:
    mark, text, value = parts
    sign, role, spoken = _MARKS[row.mark]
    mark.setText(sign)
    set_role(mark, role)
    mark.setAccessibleName(spoken)
    text.setText(row.text)
    set_role(text, "strong" if row.strong else "muted" if row.mark == "" else "")
    value.setText(row.value)
    set_role(value, "muted" if row.strong else "error" if row.mark == "error" else "")
    for part in parts:
        part.setToolTip(row.tip)
