"""The cards of a choice question side by side, equal in size, and the probabilities that sum to one."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from archstudio.app.quiz.confidence import Confidence
from archstudio.app.quiz.item import QuizItem
from archstudio.app.quiz.record import Answer
from archstudio.app.quiz.session import Feedback
from archstudio.ui.quiz.choice_card import CARD_LEAST_PX, ChoiceCard, Outcome
from archstudio.ui.theme import Theme

_GAP = 12
_MOST_COLUMNS = 4


class ChoiceBoard(QWidget):
    """Holds the confidence; the cards only show it. `changed` when the answer or a probability is another."""

    changed = Signal()
    files_asked = Signal(str, object)

    def __init__(self, item: QuizItem, theme: Theme, confidence: Confidence | None = None) -> None:
        super().__init__()
        self.confidence = confidence or Confidence.even(item.labels)
        self._open = True
        self._columns = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(_GAP)
        self.cards = [ChoiceCard(choice, place, theme) for place, choice in enumerate(item.choices)]
        for card in self.cards:
            card.setParent(self)  # at once: who puts Tab in order must find them before they have their places
            card.picked.connect(self.pick)
            card.percent_set.connect(self._set)
            card.files_asked.connect(self.files_asked)
        self._show()

    # ------------------------------------------------------------- answering

    def pick(self, label: str) -> None:
        """Take a choice for the answer."""
        if self._open:
            self._take(self.confidence.pick(label))

    def pick_number(self, number: int) -> bool:
        """Take the choice of a number, from 1; whether there is one."""
        if not self._open or not 1 <= number <= len(self.cards):
            return False
        card = self.cards[number - 1]
        self.pick(card.choice.label)
        card.slider.setFocus()
        return True

    def _set(self, label: str, percent: int) -> None:
        if self._open:
            self._take(self.confidence.set(label, percent))

    def _take(self, confidence: Confidence) -> None:
        self.confidence = confidence
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        chosen = self.confidence.choice
        for card in self.cards:
            label = card.choice.label
            card.show_percent(self.confidence.of(label), label == chosen)

    # -------------------------------------------------------------- revealing

    def close_answer(self, answer: Answer, feedback: Feedback | None) -> None:
        """Show what was answered, and no longer take answers; with feedback also how all choices ended."""
        self._open = False
        given = answer.probabilities or {}
        percents = tuple((label, round(100 * given[label])) for label in self.confidence.labels)
        self.confidence = Confidence(percents, answer.choice)
        self._show()
        for card in self.cards:
            card.show_outcome(None if feedback is None else _outcome(card.choice.label, feedback))

    # ---------------------------------------------------------------- layout

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As many columns as there is room for, and rows of one height across the cards."""
        super().resizeEvent(event)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        """Heights are known once fonts are."""
        super().showEvent(event)
        self._columns = 0
        self._arrange()

    def _arrange(self) -> None:
        room = max(1, (self.width() + _GAP) // (CARD_LEAST_PX + _GAP))
        columns = min(_MOST_COLUMNS, room, len(self.cards))
        if len(self.cards) > columns:
            columns = -(-len(self.cards) // -(-len(self.cards) // columns))  # rows alike in length
        if columns != self._columns:
            for place, card in enumerate(self.cards):
                self._grid.addWidget(card, place // columns, place % columns)
            for column in range(_MOST_COLUMNS):
                self._grid.setColumnStretch(column, 1 if column < columns else 0)
            self._columns = columns
        width = (self.width() - _GAP * (columns - 1)) // columns
        for number in range(max(card.row_count for card in self.cards)):
            height = max(card.row_height(number, width) for card in self.cards)
            for card in self.cards:
                card.set_row_height(number, height)


def _outcome(label: str, feedback: Feedback) -> Outcome | None:
    result = feedback.key.result(label)
    if result is None:
        return None
    place = feedback.key.order.index(label) + 1
    return Outcome(place, result, label == feedback.key.right, label == feedback.answer.choice)
