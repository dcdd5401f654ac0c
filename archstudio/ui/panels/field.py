"""The right control for each kind of parameter."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from archstudio.app.inspector import FieldRow
from archstudio.app.words import said
from archstudio.layers.fields import whole_number
from archstudio.ui.panels.panel import set_role

_NUMERIC = ("size", "integer", "number", "tuple", "padding")
"""Kinds that can be stepped; a pair steps both of its numbers."""
_STEPPER_PX = 24
_NOTE_MARGIN_PX = 8


class NotedLine(QLineEdit):
    """A text field with a quiet note at its right end, such as where its value comes from."""

    def __init__(self) -> None:
        super().__init__()
        self.note = QLabel(self)
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setProperty("role", "muted")
        self.note.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.note.hide()

    def set_note(self, text: str) -> None:
        """Show a note; empty shows none."""
        self.note.setText(text)
        self.note.setVisible(bool(text))
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the note at the right end; a narrow field leaves it out."""
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        width = self.note.sizeHint().width() if self.note.text() else 0
        fits = 0 < width < self.width() * 2 // 3
        self.note.setVisible(fits)
        self.setTextMargins(0, 0, width + _NOTE_MARGIN_PX if fits else 0, 0)
        self.note.setGeometry(self.width() - width - _NOTE_MARGIN_PX, 0, width, self.height())


class FieldEditor(QWidget):
    """One parameter: a list for choices and flags, else a text field; steppers for numbers.

    `typed` is called with the row and the text when a person has finished with the field or stepped it; `entered`
    carries the row when the field gets the keyboard.
    """

    entered = Signal(object)

    def __init__(self, row: FieldRow, typed: Callable[[FieldRow, str], None]) -> None:
        super().__init__()
        self._row = row
        self._typed = typed
        self._steps: tuple[int, ...] = ()
        self._line: NotedLine | None = None
        self._combo: QComboBox | None = None
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(2)
        if row.field.kind in ("choice", "flag"):
            self._combo = self._make_combo()
            line.addWidget(self._combo, 1)
        else:
            self._line = self._make_line()
            line.addWidget(self._line, 1)
        if row.field.kind in _NUMERIC:
            line.addWidget(self._stepper("−", -1))
            line.addWidget(self._stepper("+", 1))
        self.control.setToolTip(said(row.field.help))
        self.control.setAccessibleName(row.field.json)
        self.control.setAccessibleDescription(said(row.field.help))

    @property
    def control(self) -> QWidget:
        """The widget that takes the focus."""
        control = self._combo or self._line
        assert control is not None
        return control

    def _make_line(self) -> NotedLine:
        made = NotedLine()
        made.setObjectName(f"field-{self._row.field.json}")
        made.editingFinished.connect(self._finished)
        made.installEventFilter(self)
        return made

    def _make_combo(self) -> QComboBox:
        made = QComboBox()
        made.setObjectName(f"field-{self._row.field.json}")
        made.addItems(list(self._row.field.choices) or ["true", "false"])
        made.textActivated.connect(lambda text: self._typed(self._row, text))
        made.installEventFilter(self)
        return made

    def _stepper(self, sign: str, step: int) -> QToolButton:
        button = QToolButton()
        button.setText(sign)
        button.setObjectName("stepper")
        button.setFixedWidth(_STEPPER_PX)
        button.setAutoRepeat(True)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        more = self.tr("more") if step > 0 else self.tr("less")
        button.setAccessibleName(f"{self._row.field.json} {more}")
        button.clicked.connect(lambda: self.step(step))
        return button

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up and Down step; Escape takes back what was typed but not entered."""
        if event.type() == QEvent.Type.FocusIn:
            self.entered.emit(self._row)
        if self._line is not None and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and self._row.field.kind in _NUMERIC:
                self.step(1 if event.key() == Qt.Key.Key_Up else -1)
                return True
            if event.key() == Qt.Key.Key_Escape:
                self._line.setText(self._row.text)
        return super().eventFilter(watched, event)

    def show_row(self, row: FieldRow, *, divisors: bool, shapes: bool) -> None:
        """Show the parameter as it is now; what is being typed is left alone."""
        self._row = row
        self._steps = row.steps if divisors else ()
        if self._combo is not None:
            self._combo.setCurrentIndex(self._combo.findText(row.text or row.placeholder))  # -1 where layers differ
            self._combo.setPlaceholderText(row.placeholder)
            return
        assert self._line is not None
        self._line.set_note(row.origin if shapes and row.inferred else row.field.unit)
        hidden = row.inferred and not row.text and not shapes
        self._line.setPlaceholderText("" if hidden else row.placeholder)
        if not self._line.hasFocus() or not self._line.isModified():
            self._line.setText(row.text)
            font = self._line.font()
            font.setItalic(row.inferred)
            self._line.setFont(font)
        set_role(self._line, "")

    def refuse(self) -> None:
        """Mark the field: what was typed does not fit."""
        if self._line is not None:
            set_role(self._line, "refused")

    def _finished(self) -> None:
        assert self._line is not None
        if self._line.isModified():
            self._line.setModified(False)
            self._typed(self._row, self._line.text())

    def step(self, by: int) -> None:
        """The next value up or down: the next divisor where only divisors are valid."""
        numbers = self._numbers()
        if numbers is None:
            return  # `same`, or a list of them: there is nothing to count from
        if self._steps:
            current = numbers[0]
            others = [s for s in self._steps if (s > current if by > 0 else s < current)]
            if not others:
                return
            numbers = [min(others) if by > 0 else max(others)]
        else:
            numbers = [self._stepped(number, by) for number in numbers]
        whole = self._row.field.kind != "number"
        text = ", ".join(str(int(number)) if whole else f"{number:g}" for number in numbers)
        if self._line is not None:
            self._line.setText(text)  # at once: the next step may come before the panel is drawn again
        self._typed(self._row, text)

    def _stepped(self, number: float, by: int) -> float:
        value = number + by * (0.1 if self._row.field.kind == "number" else 1)
        low, high = self._row.field.at_least, self._row.field.at_most
        value = value if low is None else max(value, low)
        return round(value if high is None else min(value, high), 6)

    def _numbers(self) -> list[float] | None:
        """The number shown, or those of a pair; 0 where nothing is, None where a word is."""
        typed = "" if self._line is None else self._line.text().strip()
        shown = typed or self._row.placeholder
        try:
            found = [float(part) for part in shown.strip("[]()").split(",")]
        except ValueError:
            return None if typed else [0]
        return [value if whole_number(value) is None else int(value) for value in found]
