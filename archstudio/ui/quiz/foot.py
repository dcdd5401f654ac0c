"""The line under a question: a reason and the answer, then a note and the way on. It is always in sight."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QPushButton, QSizePolicy, QVBoxLayout

from archstudio.app.quiz.record import LONGEST_TEXT, Answer
from archstudio.ui.panels.panel import label

_HEIGHT_PX = 54
_WRITE_AFTER_MS = 800


class ShortText(QPlainTextEdit):
    """Two lines of text; Tab leaves it, Ctrl+Enter asks for the button beside it. `left` when it loses the focus."""

    entered = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setFixedHeight(_HEIGHT_PX)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter acts; digits are text here."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and (
            event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            self.entered.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """What was written is kept."""
        super().focusOutEvent(event)
        self.left.emit()


class Foot(QFrame):
    """`lesson_written` follows a pause in typing, or leaving the field."""

    answer_asked = Signal()
    next_asked = Signal()
    lesson_written = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("quizFoot")
        self.edit = ShortText()
        self.edit.setObjectName("reason")
        self.edit.entered.connect(self.act)
        self.edit.left.connect(self.write_now)
        self.edit.textChanged.connect(self._typed)
        self.hint = label("", "muted", wrap=True)
        self.hint.setMinimumWidth(150)
        self.answer_button, self.next_button = QPushButton(), QPushButton()
        self.answer_button.setObjectName("answer")
        self.next_button.setObjectName("next")
        self.answer_button.clicked.connect(self.answer_asked)
        self.next_button.clicked.connect(self.next_asked)
        for button in (self.answer_button, self.next_button):
            button.setMinimumWidth(150)
            button.setMinimumHeight(32)
        self._lessons = False
        self._written = ""
        self._due = QTimer(self)
        self._due.setSingleShot(True)
        self._due.setInterval(_WRITE_AFTER_MS)
        self._due.timeout.connect(self.write_now)
        buttons = QVBoxLayout()
        buttons.setSpacing(6)
        buttons.addWidget(self.answer_button)
        buttons.addWidget(self.next_button)
        line = QHBoxLayout(self)
        line.setContentsMargins(16, 10, 16, 10)
        line.setSpacing(14)
        line.addWidget(self.edit, 3)
        line.addWidget(self.hint, 1)
        line.addLayout(buttons)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    @property
    def reason(self) -> str:
        """What stands in the field, a reason or a note."""
        return self.edit.toPlainText()[:LONGEST_TEXT]

    def begin(self, reason: str) -> None:
        """Take a reason for an open question."""
        self._lessons = False
        self._put(reason)
        self.edit.setReadOnly(False)
        self._ask(self.tr("Why? (optional)"))

    def _ask(self, question: str) -> None:
        self.edit.setPlaceholderText(question)
        self.edit.setAccessibleName(question)

    def _put(self, text: str) -> None:
        self.edit.blockSignals(True)
        self.edit.setPlainText(text)
        self.edit.blockSignals(False)
        self._written = text

    def offer_choice(self, choice: str | None, percent: int, count: int, *, may_skip: bool) -> None:
        """Say which choice would be answered, or how to choose one."""
        keys = self.tr("1 – {count} choose, ← → change a probability, Enter answers").format(count=count)
        self.hint.setText(keys)
        text = self.tr("Answer") if choice is None else self.tr("Answer {letter} ({percent} %)")
        self._offer(text.format(letter=choice, percent=percent), choice is not None, may_skip=may_skip)

    def offer_order(self, *, may_skip: bool) -> None:
        """The order can be answered as it stands."""
        self.hint.setText(self.tr("Enter answers with the order as it stands"))
        self._offer(self.tr("Answer this order"), True, may_skip=may_skip)

    def _offer(self, text: str, can: bool, *, may_skip: bool) -> None:
        self.answer_button.setText(text)
        self.answer_button.setEnabled(can)
        self.answer_button.setVisible(True)
        self.answer_button.setProperty("role", "primary")
        self.next_button.setText(self.tr("Skip"))
        self.next_button.setVisible(may_skip)
        self._dress(self.next_button, "")
        self._dress(self.answer_button, "primary")

    def show_answered(self, answer: Answer, *, last: bool, lessons: bool) -> None:
        """There is an answer: take a note on it where feedback is given, and offer the way on."""
        self._lessons = lessons
        self.answer_button.setVisible(False)
        self.next_button.setVisible(True)
        self.next_button.setText(self.tr("Finish") if last else self.tr("Next"))
        self._dress(self.next_button, "primary")
        self._put(answer.lesson if lessons else answer.reason)
        self.edit.setReadOnly(not lessons)
        self._ask(self.tr("What did you learn from it? (kept with this question)") if lessons else "")
        reason = self.tr("Your reason: {reason}").format(reason=answer.reason) if answer.reason else ""
        self.hint.setText(reason if lessons else "")

    def _dress(self, button: QPushButton, role: str) -> None:
        button.setProperty("role", role)
        button.style().unpolish(button)
        button.style().polish(button)

    def act(self) -> None:
        """What Enter does: answer if that is possible, else go on if that is."""
        if self.answer_button.isVisible():
            if self.answer_button.isEnabled():
                self.answer_asked.emit()
        elif self.next_button.isVisible():
            self.next_asked.emit()

    def _typed(self) -> None:
        if self._lessons:
            self._due.start()

    def write_now(self) -> None:
        """Have a note that was changed kept."""
        self._due.stop()
        if self._lessons and self.edit.toPlainText() != self._written:
            self._written = self.edit.toPlainText()
            self.lesson_written.emit(self.reason)
